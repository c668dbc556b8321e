import type { Catch } from "./judge.ts";
import type { Lived } from "./lives.ts";
import type { Mutant } from "./mutants.ts";

/** With floods; with the unit tests. */
export type Asked = { readonly abuse: boolean; readonly units: boolean };

/** The outcome of a mutant. */
export type Outcome = {
  readonly mutant: Mutant;
  /** The case, vector or interop test that detects it. */
  readonly suite?: Catch;
  /** Otherwise the unit test that detects it. */
  readonly unit?: Catch;
  /** What its lives show, if they execute the mutated code. */
  readonly lived?: Lived;
  readonly ms: number;
  /** What else judged a survivor, besides the cases. */
  readonly asked: Asked;
};
