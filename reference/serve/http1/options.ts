import type { Leniency, Limits } from "../../http1/index.ts";

/** HTTP/1.1, at either end. */
export type Http1Options = {
  readonly limits?: Partial<Limits>;
  /** Violations of the grammar to accept; none by default, but for a client, which unfolds field lines (rfc9112#5.2). */
  readonly lenient?: Partial<Leniency>;
};

/** HTTP/1.1, for a server. */
export type Http1ServeOptions = Http1Options & {
  /** Faults on every connection, by name: `drop:octets=10,how=reset`. `touchstone serve http1 --list-faults` prints them. */
  readonly faults?: readonly string[];
  /** Whether requests may ask for faults in the field `touchstone-fault`; false by default. */
  readonly faultByRequest?: boolean;
};
