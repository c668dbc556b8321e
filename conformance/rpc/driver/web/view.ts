import type { Fate } from "../../../wire/rpc/contract.ts";
import type { WebAnswer } from "./answer.ts";

/** What sights and monitors look at. */
export type WebView = {
  /** The calls of the case itself. */
  readonly calls: ReadonlyMap<number, { readonly answer: WebAnswer }>;
  /** The last report of Fate. */
  readonly fate: Fate | undefined;
};
