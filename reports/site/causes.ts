import type { CaseResult, Result } from "../../conformance/harness/result.ts";
import { bySection, differenceOf, findings, prose, type Finding } from "../order.ts";

/** What an implementation does wrong, one entry for each cause. */
export const causesOf = ({ cases }: Result): Finding[] => findings(bySection(cases.filter(({ verdict }) => verdict === "fail")));

/** The most cases that a finding names. */
const NAMED = 4;

/** `http1/a, http1/b and 12 more`. */
export function caseWords(cases: readonly CaseResult[]): string {
  const named = cases.slice(0, NAMED).map(({ id }) => id);
  const more = cases.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

/** What was seen instead of what the requirement wants, in words. */
export const seen = (c: CaseResult): string => prose(differenceOf(c));
