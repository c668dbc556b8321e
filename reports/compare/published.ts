import type { CaseResult, Result } from "../../conformance/harness/result.ts";

/**
 * What a published matrix holds after another run: the columns of before, each replaced by its new one where there is one, in the order of
 * `names`. A column whose name is not among them any more is left out.
 */
export function mergeColumns(before: readonly Result[], now: readonly Result[], names: readonly string[]): Result[] {
  const byName = new Map([...before, ...now].map((result) => [result.subject.name, result]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** Cases that fail now and did not in the matrix of before: somebody has to read them before they are published. */
export function newFails(before: readonly Result[], now: readonly Result[]): { readonly name: string; readonly c: CaseResult }[] {
  const known = new Set(before.flatMap(({ subject, cases }) => failing(cases).map(({ id }) => `${subject.name} ${id}`)));
  return now.flatMap(({ subject: { name }, cases }) =>
    failing(cases)
      .filter(({ id }) => !known.has(`${name} ${id}`))
      .map((c) => ({ name, c })),
  );
}

const failing = (cases: readonly CaseResult[]): CaseResult[] => cases.filter(({ verdict }) => verdict === "fail" || verdict === "error");

/** Verdicts with what was seen of those that are no pass, without transcripts: those are a run away. */
export const compacted = (result: Result): Result => ({
  ...result,
  coverage: [],
  cases: result.cases.map((c) => {
    const wrong = c.verdict === "fail" || c.verdict === "warn" || c.verdict === "error";
    const { control: _control, ...rest } = { ...c, expected: wrong ? c.expected : [], observed: wrong ? c.observed : "", transcript: [] };
    return rest;
  }),
});
