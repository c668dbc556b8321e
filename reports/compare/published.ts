import type { CaseResult, Result } from "../../conformance/harness/result.ts";

/**
 * The columns of a published matrix after another run, in the order of `names`: new columns replace old ones with the same name, and columns
 * that `names` no longer contains are dropped.
 */
export function mergeColumns(before: readonly Result[], now: readonly Result[], names: readonly string[]): Result[] {
  const byName = new Map([...before, ...now].map((result) => [result.subject.name, result]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** Cases that fail now but did not in the previous matrix: read them beside the specification before you publish. */
export function newFails(before: readonly Result[], now: readonly Result[]): { readonly name: string; readonly c: CaseResult }[] {
  const known = new Set(before.flatMap(({ subject, cases }) => failing(cases).map(({ id }) => `${subject.name} ${id}`)));
  return now.flatMap(({ subject: { name }, cases }) =>
    failing(cases)
      .filter(({ id }) => !known.has(`${name} ${id}`))
      .map((c) => ({ name, c })),
  );
}

const failing = (cases: readonly CaseResult[]): CaseResult[] => cases.filter(({ verdict }) => verdict === "fail" || verdict === "error");

/** A result without transcripts, and with observations only for cases that did not pass. */
export const compacted = (result: Result): Result => ({
  ...result,
  coverage: [],
  cases: result.cases.map((c) => {
    const wrong = c.verdict !== "pass" && c.verdict !== "skip";
    const {
      control: _control,
      details: _details,
      ...rest
    } = { ...c, expected: wrong ? c.expected : [], observed: wrong ? c.observed : "", transcript: [] };
    return rest;
  }),
});
