import { type Known, matching, unmatched } from "./baseline.ts";
import { coverage, requirementFiles } from "./coverage.ts";
import type { CaseResult, Result, Verdict } from "./result.ts";
import { summaryOf } from "./run.ts";

/** Worst first. */
const SEVERITY: readonly Verdict[] = ["fail", "error", "unproved", "warn", "skip", "pass"];

/**
 * Joins runs of the same cases into one result. A case keeps its worst performance; if its verdict moved between the runs, `runs` has all of them,
 * and it is `unsteady`, which is red. A case of the list of flaky ones is never red, whether it moved or not.
 */
export function joined(runs: readonly Result[], flaky: readonly Known[], allIds: readonly string[] = []): Result {
  const [first, ...others] = runs;
  if (first === undefined) throw new Error("nothing was run");
  if (others.length === 0 && flaky.length === 0) return first;
  const listed = matching(flaky);
  const after = others.map(({ cases }) => new Map(cases.map((c) => [c.id, c])));
  const cases = first.cases.map((c) => oneOf([c, ...after.flatMap((run) => run.get(c.id) ?? [])], listed(c.id)));
  const stale = [...new Set([...runs.flatMap((run) => run.stale ?? []), ...unmatched(flaky, allIds)])];
  const partial = runs.find((run) => run.partial !== undefined)?.partial;
  return {
    ...first,
    ms: runs.reduce((sum, { ms }) => sum + ms, 0),
    summary: summaryOf(cases),
    coverage: coverage(requirementFiles(), cases),
    ...(stale.length === 0 ? {} : { stale }),
    ...(partial === undefined ? {} : { partial }),
    cases,
  };
}

function oneOf(performances: readonly CaseResult[], entry: Known | undefined): CaseResult {
  const verdicts = performances.map(({ verdict }) => verdict);
  const worst = SEVERITY.find((verdict) => verdicts.includes(verdict));
  const { baseline, ...kept } = performances.find(({ verdict }) => verdict === worst) ?? performances[0]!;
  const moved = new Set(verdicts).size > 1;
  const runs = moved ? { runs: verdicts } : {};
  const isFine = worst === "pass" || worst === "skip";
  if (entry !== undefined && (moved || !isFine)) return { ...kept, ...runs, baseline: "flaky" };
  if (entry !== undefined) return kept;
  if (moved) return { ...kept, ...runs, baseline: "unsteady" };
  return baseline === undefined ? kept : { ...kept, baseline };
}
