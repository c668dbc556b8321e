import type { Place } from "../place.ts";
import type { Change } from "./change.ts";

/**
 * Whom a change breaks, the most cautious first: users of the code generated for a file, or for a package; peers that exchange JSON or binary
 * messages; peers that exchange only binary ones.
 */
export const STRENGTHS = ["file", "package", "wire-json", "wire"] as const;
export type Strength = (typeof STRENGTHS)[number];

/** What a rule has found: where, in which of the two contracts, and what has changed, as a sentence. */
export type Found = { readonly at: Place; readonly of: "old" | "new"; readonly what: string };

/** One row of the table of rules. The names are those of `buf`, so that lists of exceptions and habits keep their meaning. */
export type BreakingRule = {
  readonly name: string;
  readonly strengths: readonly Strength[];
  readonly find: (change: Change) => readonly Found[];
  /** What to do instead, and why. */
  readonly advice: string;
};

/** The groups of strengths that rules belong to. */
export const ALL: readonly Strength[] = STRENGTHS;
/** Only generated code notices. */
export const SOURCE: readonly Strength[] = ["file", "package"];
/** Binary messages keep their meaning. */
export const JSON_TOO: readonly Strength[] = ["file", "package", "wire-json"];
/** Messages in transit or at rest lose their meaning. */
export const WIRES: readonly Strength[] = ["wire-json", "wire"];
