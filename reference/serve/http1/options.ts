import type { Leniency, Limits } from "../../http1/index.ts";

/** HTTP/1.1, at either end. */
export type Http1Options = {
  readonly limits?: Partial<Limits>;
  /** Violations of the grammar to accept; none by default, but for a client, which unfolds field lines (rfc9112#5.2). */
  readonly lenient?: Partial<Leniency>;
};
