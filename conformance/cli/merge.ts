import type { Result } from "../harness/result.ts";
import { coverage, requirementFiles } from "../harness/coverage.ts";
import { summaryOf } from "../harness/run.ts";

/** Merges several runs into one object for `--json`: all their cases, each with its role. A single run stays as it is. */
export function merged(results: readonly Result[]): Result {
  const [first, ...others] = results;
  if (first === undefined) throw new Error("nothing was run");
  if (others.length === 0) return first;
  const cases = results.flatMap((result) => result.cases);
  const stale = [...new Set(results.flatMap((result) => result.stale ?? []))];
  return {
    ...first,
    suite: [...new Set(results.map(({ suite }) => suite))].join("+"),
    ms: results.reduce((sum, { ms }) => sum + ms, 0),
    summary: summaryOf(cases),
    coverage: coverage(requirementFiles(), cases),
    titles: Object.assign({}, ...results.map(({ titles }) => titles)) as Record<string, string>,
    ...(stale.length === 0 ? {} : { stale }),
    cases,
  };
}
