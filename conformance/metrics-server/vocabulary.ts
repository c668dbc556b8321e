import type { Case as AnyCase } from "../harness/case.ts";

/** What a case about a metrics server can do and observe. */

/** A request to the server. `{target}` in its path is the address of the target that the server scrapes. */
export type Ask = {
  /** GET by default. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT";
  readonly path: string;
  readonly accept?: string;
  /** It is repeated until the answer has this text, or lacks it; for a while. */
  readonly until?: string;
  readonly unless?: string;
};

/** Another configuration: other settings, or a text in place of all; another rule file; then a reload. */
export type Change = {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly rules?: string;
  /** POST by default. */
  readonly method?: "POST" | "PUT";
};

/** A change, and requests after it. The answer to the reload comes first; the server has its first configuration again afterwards. */
export type Step = {
  readonly do: "ask";
  /** `plain` was started without its life cycle API; it scrapes the page of the other one. */
  readonly of: "server" | "plain";
  readonly change?: Change;
  readonly asks: readonly Ask[];
};

/** What must be true of the answers, by the name of a rule of the driver. */
export type Sight = { readonly see: "holds"; readonly rule: string; readonly words?: readonly string[] };

export type Case = AnyCase<Step, Sight>;
