import type { Leniency, Limits } from "../../http1/index.ts";

/** HTTP/1.1, at either end. */
export type Http1Options = {
  readonly limits?: Partial<Limits>;
  /** Violations of the grammar to accept; none by default, but for a client, which unfolds field lines (rfc9112#5.2). */
  readonly lenient?: Partial<Leniency>;
};

/**
 * Whether a client that ends its half of the connection has left (`abort`), or still wants its responses (`ignore`). A socket that is closed
 * sends the same FIN as one of which only half is closed, and Node reads no further: which of them it was shows when a write fails. A reset
 * is seen at once, but not after a FIN, nor while reading is paused because content is not read.
 */
export type HalfClose = "abort" | "ignore";

/** HTTP/1.1, for a server. */
export type Http1ServeOptions = Http1Options & {
  /**
   * What it means that a client ends its half of the connection while its response is awaited (rfc9112#9.6). With `abort`, the default,
   * the `signal` of its requests aborts, and responses that handlers give all the same are sent. With `ignore` the `signal` aborts only
   * when the connection breaks.
   */
  readonly halfClose?: HalfClose;
  /** Faults on every connection, by name: `drop:octets=10,how=reset`. `touchstone serve http1 --list-faults` prints them. */
  readonly faults?: readonly string[];
  /** Whether requests may ask for faults in the field `touchstone-fault`; false by default. */
  readonly faultByRequest?: boolean;
};
