import { readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import { WrongUse } from "./driver.ts";
import type { CaseResult, Result } from "./result.ts";
import { globToRegExp } from "./select.ts";

/** A known failure: its cases (an id or a glob), and why it is accepted. */
export type Known = { readonly id: string; readonly why: string };

const valid = new Ajv().compile<readonly Known[]>({
  type: "array",
  items: {
    type: "object",
    required: ["id", "why"],
    additionalProperties: false,
    properties: { id: { type: "string", minLength: 1 }, why: { type: "string", minLength: 1 } },
  },
});

/** Reads `[{ "id": "http2/…", "why": "…" }, …]`. */
export function readBaseline(path: string, what = "baseline"): readonly Known[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new WrongUse(
      `The ${what} ${path} cannot be read: check the path${what === "baseline" ? ", or write one with --write-baseline" : ""}.`,
    );
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new WrongUse(
      `The ${what} ${path} is not JSON (${(error as Error).message}): fix it${what === "baseline" ? ", or write a new one with --write-baseline" : ""}.`,
    );
  }
  if (valid(data)) return data;
  const [first] = valid.errors ?? [];
  throw new WrongUse(
    `The ${what} ${path} is damaged at ${first?.instancePath === "" ? "its top" : first?.instancePath} (${first?.message}): it is a list of {"id": …, "why": …}.`,
  );
}

/** Finds the entry of a case. */
export function matching(known: readonly Known[]): (id: string) => Known | undefined {
  const entries = known.map((entry) => ({ entry, pattern: globToRegExp(entry.id) }));
  return (id) => entries.find(({ pattern }) => pattern.test(id))?.entry;
}

/** The entries that match none of these cases. */
export const unmatched = (known: readonly Known[], allIds: readonly string[]): string[] =>
  known.filter((entry) => !allIds.some((id) => globToRegExp(entry.id).test(id))).map(({ id }) => id);

/** Marks known failures, and returns the entries that match no case. */
export function applyBaseline(
  known: readonly Known[],
  cases: readonly CaseResult[],
  allIds: readonly string[],
): { cases: CaseResult[]; stale: string[] } {
  const entryOf = matching(known);
  const marked = cases.map((c): CaseResult => {
    const entry = entryOf(c.id);
    if (entry === undefined) return c.verdict === "fail" ? { ...c, baseline: "unexpected" } : c;
    if (c.verdict === "pass")
      return {
        ...c,
        baseline: "unexpected-pass",
        reason: `It passes, but the baseline expects it to fail (${entry.why}): remove the entry.`,
      };
    return c.verdict === "fail" || c.verdict === "warn" || c.verdict === "unproved" ? { ...c, baseline: "expected" } : c;
  });
  return { cases: marked, stale: unmatched(known, allIds) };
}

/** With --strict, a case that did not prove the requirement is red too. */
const isRedWhenStrict = ({ verdict }: CaseResult): boolean => verdict === "warn" || verdict === "unproved";

/** Whether a case makes the run red. An `error` does not: it is about the harness. */
export function isRed(c: CaseResult, strict: boolean): boolean {
  switch (c.baseline) {
    case "expected":
    case "flaky":
      return false;
    case "unexpected-pass":
    case "moved":
    case "unsteady":
      return true;
    default:
      return c.verdict === "fail" || (strict && isRedWhenStrict(c));
  }
}

/** The failures of a run as a baseline, with the reasons from an older one. */
export function baselineOf(cases: readonly CaseResult[], older: readonly Known[], strict: boolean): Known[] {
  return cases
    .filter((c) => c.verdict === "fail" || (strict && isRedWhenStrict(c)))
    .map(({ id, reason }) => ({ id, why: older.find((entry) => entry.id === id)?.why ?? reason }));
}

export function writeBaseline(path: string, known: readonly Known[]): void {
  writeFileSync(path, `${JSON.stringify(known, null, 2)}\n`);
}

/** Whether more cases were left unproved than got a verdict: such a run says nothing about the subject. */
const isMostlyUnproved = (cases: readonly CaseResult[]): boolean => {
  const unproved = cases.filter(({ verdict }) => verdict === "unproved").length;
  const judged = cases.filter(({ verdict }) => verdict === "pass" || verdict === "warn" || verdict === "fail").length;
  return unproved > judged;
};

/** 0: nothing to do. 1: an unknown failure, or the baseline is out of date. 3: the subject could not be reached, or not be judged. */
export function exitStatus(results: readonly Result[], strict: boolean): 0 | 1 | 3 {
  const cases = results.flatMap((result) => result.cases);
  if (cases.some((c) => isRed(c, strict)) || results.some(({ stale }) => stale !== undefined && stale.length > 0)) return 1;
  return cases.some(({ verdict, tooBusy }) => verdict === "error" || tooBusy === true) || isMostlyUnproved(cases) ? 3 : 0;
}
