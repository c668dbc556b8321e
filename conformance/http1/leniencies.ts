/**
 * Leniencies that a server's operator can switch on, because the texts permit them. A server lists those that are on in a field of its
 * answers: `Touchstone-Leniencies: bare-lf, fold`. Then a case sees that it reads such messages as the texts say, and no others.
 */
export const LENIENCIES_FIELD = "touchstone-leniencies";

export const LENIENCIES = {
  /** LF alone ends a line (rfc9112#2.2). */
  "bare-lf": "bareLf",
  /** A bare CR counts as a space (rfc9112#2.2). */
  "bare-cr": "bareCr",
  /** A folded line is one line (rfc9112#5.2). */
  fold: "obsFold",
  /** Equal lengths count as one (rfc9112#6.3). */
  "same-lengths": "repeatedLength",
  /** A transfer coding overrides a length (rfc9112#6.1). */
  "length-and-coding": "lengthAndCoding",
} as const;
export type LeniencyName = keyof typeof LENIENCIES;
export const LENIENCY_NAMES: readonly LeniencyName[] = Object.keys(LENIENCIES) as LeniencyName[];
/** The feature of a server on which the leniency is on. */
export const leniencyFeature = (name: LeniencyName): string => `leniency ${name}`;
