import type { Ask, CallReport } from "../client-vocabulary.ts";
import type { ClientConnection, Request } from "./client-connection.ts";

/** What sights and monitors look at. */
export type ClientView = {
  readonly connections: readonly ClientConnection[];
  /** In the order of their arrival, without fences. */
  readonly requests: readonly Request[];
  /** As reported. */
  readonly calls: readonly CallReport[] | undefined;
  readonly asked: Ask | undefined;
  /** Between the description and its report, in milliseconds. */
  readonly tookMs: number | undefined;
  /** Replaces the braces. */
  readonly text: (value: string) => string;
};
