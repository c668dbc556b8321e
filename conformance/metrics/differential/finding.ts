import type { Drawn } from "./expressions.ts";

/** A query whose answers differ, and how. */
export type Finding = Drawn & {
  readonly difference: string;
  /** Both answers have the same samples, in different series. */
  readonly hasEqualSamples: boolean;
};
