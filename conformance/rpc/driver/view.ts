import type { Fate } from "../../wire/rpc/contract.ts";
import type { RpcConnection } from "./connection.ts";

/** What sights and monitors look at. */
export type View = {
  /** By number; the first is that of the case. */
  readonly connections: ReadonlyMap<number, RpcConnection>;
  /** The streams of the case itself, without our fences. */
  readonly calls: ReadonlySet<number>;
  /** The last report of Fate. */
  readonly fate: Fate | undefined;
  /** Replaces the braces. */
  readonly text: (value: string) => string;
};
