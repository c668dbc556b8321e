import type { Fate } from "../../wire/rpc/contract.ts";
import type { KeptValues } from "./facts.ts";
import type { RpcConnection } from "./connection.ts";

/** An answer of channelz: its status, and the message that came with OK. */
export type Told = { readonly status: number; readonly message: Uint8Array | undefined };

/** What sights and monitors look at. */
export type View = {
  /** By number; the first is that of the case. */
  readonly connections: ReadonlyMap<number, RpcConnection>;
  /** The streams of the case itself, without our fences. */
  readonly calls: ReadonlySet<number>;
  /** The last report of Fate. */
  readonly fate: Fate | undefined;
  /** The answer to the last inquiry. */
  readonly told: Told | undefined;
  readonly kept: KeptValues;
  /** Replaces the braces. */
  readonly text: (value: string) => string;
};
