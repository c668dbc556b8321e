import type { Result } from "../harness/result.ts";
import { coverage, requirementFiles } from "../harness/coverage.ts";
import { summaryOf } from "../harness/run.ts";

/** Merges several runs into one object for `--json`: all their cases, each with its role. A single run stays as it is. */
export function merged(results: readonly Result[]): Result {
  const [first, ...others] = results;
  if (first === undefined) throw new Error("nothing was run");
  if (others.length === 0) return first;
  const cases = results.flatMap((result) => result.cases);
  const cut = results.flatMap(({ partial }) => partial ?? []);
  const whole = results.filter(({ partial }) => partial === undefined).reduce((sum, result) => sum + result.cases.length, 0);
  const partial = cut[0] && {
    ran: cases.length,
    of: whole + cut.reduce((sum, { of }) => sum + of, 0),
    why: cut[0].why,
  };
  const stale = [...new Set(results.flatMap((result) => result.stale ?? []))];
  return {
    ...first,
    suite: [...new Set(results.map(({ suite }) => suite))].join("+"),
    ms: results.reduce((sum, { ms }) => sum + ms, 0),
    summary: summaryOf(cases),
    coverage: coverage(requirementFiles(), cases),
    titles: Object.assign({}, ...results.map(({ titles }) => titles)) as Record<string, string>,
    ...(partial === undefined ? {} : { partial }),
    ...(stale.length === 0 ? {} : { stale }),
    cases,
  };
}
