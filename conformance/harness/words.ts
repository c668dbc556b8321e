import type { Outcome } from "./case.ts";
import { listOf } from "./shapes.ts";

/** Pieces that the sentences of every suite share. */

const LONG = 80;

/** A value as JSON, cut where it gets long. */
export const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
};

/** One or several alternatives. */
export const orList = (words: unknown): string => listOf(words).map(String).join(" or ");

/** The members of a sight that its sentence has not named: ", with trailers {…}". */
export function withOthers(sight: object, named: readonly string[]): string {
  const rest = Object.entries(sight).filter(([name]) => !named.includes(name));
  return rest.length === 0 ? "" : `, with ${rest.map(([name, value]) => `${name} ${short(value)}`).join(", ")}`;
}

/** An outcome as a sentence: the sight, the passage that permits it, and whether the text discourages it. */
export const outcomeWith =
  <Sight>(sightInWords: (sight: Sight) => string) =>
  ({ see, by, verdict }: Outcome<Sight>): string =>
    [sightInWords(see), ...(by === undefined ? [] : [`(${by})`]), ...(verdict === "warn" ? ["(discouraged)"] : [])].join(" ");
