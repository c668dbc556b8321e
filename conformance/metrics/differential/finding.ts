import type { Drawn } from "./expressions.ts";
import type { OddCount } from "./odd-counts.ts";

/** A query whose answers differ, and how. */
export type Finding = Drawn & {
  readonly difference: string;
  /** Both answers have the same samples, in different series. */
  readonly hasEqualSamples: boolean;
  /** What is odd about the counts of which the query takes quantiles or fractions. */
  readonly oddCounts: ReadonlySet<OddCount>;
  /** It compares calculated values that are equal but for their last digits. */
  readonly hasTies: boolean;
};
