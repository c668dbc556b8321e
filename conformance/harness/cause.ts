import type { CaseResult } from "./result.ts";
import { ALLOWED } from "./verdict.ts";

/** Reasons that say only that the subject went on: what it should have noticed tells the causes apart. */
const WENT_ON = /^It (?:accepted|answered|took) /;

/** Digits, and the ids and addresses of one case, differ between cases with one cause. */
const alike = (words: string): string =>
  words
    .replaceAll(/0x[\da-f]+/g, "#")
    .replaceAll(/\d+/g, "#")
    .replaceAll(/"[^"]*"/g, '"…"');

/**
 * What cases that did not pass have in common if one mistake of the subject explains them: the same difference, and if it only went on, the same
 * expectation in the same section.
 */
export function causeOf({ verdict, reason, expected: [strict = ""], spec }: CaseResult): string | undefined {
  if (verdict === "pass" || verdict === "skip") return undefined;
  const difference = alike(reason.split(ALLOWED)[0] ?? reason);
  return WENT_ON.test(reason) ? `${difference} ${spec}: ${alike(strict)}` : difference;
}

/** Each case that did not pass with its cause. */
export const withCauses = (results: readonly CaseResult[]): CaseResult[] =>
  results.map((one) => {
    const cause = causeOf(one);
    return cause === undefined ? one : { ...one, cause };
  });
