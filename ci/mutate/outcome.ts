import type { Catch } from "./judge.ts";
import type { Mutant } from "./mutants.ts";

/** With floods; with the unit tests. */
export type Asked = { readonly abuse: boolean; readonly units: boolean };

/** What became of a mutant. */
export type Outcome = {
  readonly mutant: Mutant;
  /** The case, vector or interop test that notices it. */
  readonly suite?: Catch;
  /** Otherwise the unit test that does. */
  readonly unit?: Catch;
  readonly ms: number;
  /** What a survivor has been asked besides the cases. */
  readonly asked: Asked;
};
