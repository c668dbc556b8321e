import type { CaseResult, Result, Summary, Verdict } from "../../conformance/harness/result.ts";
import { titlesOf } from "../coverage.ts";
import { bySection, grouped, subjectName, suiteName, NONE, VERDICTS } from "../order.ts";

/** The verdict of one implementation in one case; absent if its run did not include the case. */
export type Cell = Pick<CaseResult, "verdict" | "reason" | "observed" | "cause">;
export type Row = Pick<CaseResult, "id" | "spec" | "level" | "title"> & {
  /** One for each column of the matrix, in its order. */
  readonly cells: readonly (Cell | undefined)[];
  /** At least two runs that include the case have different verdicts. */
  readonly disagree: boolean;
};
export type Column = {
  readonly name: string;
  readonly target: string;
  readonly startedAt: string;
  readonly tool: string;
  /** The counts of the cells of this column. */
  readonly summary: Summary;
};
/** Cases by implementations, of one suite and role. */
export type Matrix = {
  /** `http2 server`. */
  readonly suite: string;
  readonly columns: readonly Column[];
  /** By section. */
  readonly rows: readonly Row[];
};
export type Comparison = { readonly matrices: readonly Matrix[]; readonly titles: Readonly<Record<string, string>> };

/** Compares results: one matrix for each suite and role, with one column for each result. */
export function compare(results: readonly Result[]): Comparison {
  return { matrices: [...grouped(results, suiteName)].map(([suite, runs]) => matrix(suite, runs)), titles: titlesOf(results) };
}

function matrix(suite: string, runs: readonly Result[]): Matrix {
  const byId = runs.map((run) => new Map(run.cases.map((c) => [c.id, c])));
  const known = new Map<string, CaseResult>();
  for (const c of runs.flatMap((run) => run.cases)) if (!known.has(c.id)) known.set(c.id, c);
  const rows = bySection([...known.values()]).map(({ id, spec, level, title }): Row => {
    const cells = byId.map((cases) => cellOf(cases.get(id)));
    const verdicts = new Set(cells.flatMap((cell) => cell?.verdict ?? []));
    return { id, spec, level, title, cells, disagree: verdicts.size > 1 };
  });
  const names = distinct(runs);
  return { suite, columns: runs.map((run, at) => column(run, names[at] ?? subjectName(run), rows, at)), rows };
}

const cellOf = (c: CaseResult | undefined): Cell | undefined =>
  c === undefined
    ? undefined
    : { verdict: c.verdict, reason: c.reason, observed: c.observed, ...(c.cause === undefined ? {} : { cause: c.cause }) };

function column(run: Result, name: string, rows: readonly Row[], at: number): Column {
  const summary = { ...NONE };
  for (const row of rows) {
    const cell = row.cells[at];
    if (cell !== undefined) summary[cell.verdict]++;
  }
  return { name, target: run.subject.target, startedAt: run.startedAt, tool: `${run.tool.name} ${run.tool.version}`, summary };
}

/** Distinguishes runs of the same implementation by target, by time, or by position. */
function distinct(runs: readonly Result[]): string[] {
  const plain = runs.map(subjectName);
  return runs.map((run, at) => {
    const name = plain[at] ?? "";
    const places = [...runs.keys()].filter((other) => plain[other] === name);
    if (places.length === 1) return name;
    for (const more of [(r: Result) => r.subject.target, (r: Result) => r.startedAt])
      if (new Set(places.map((other) => more(runs[other] ?? run))).size === places.length) return `${name} (${more(run)})`;
    return `${name} (${places.indexOf(at) + 1})`;
  });
}

const SEVERITY: Readonly<Record<Verdict, number>> = { fail: 0, error: 1, unproved: 2, warn: 3, skip: 4, pass: 5 };

/** The rows on which the implementations differ: rows with a failure first, then by section. */
export function disagreements({ rows }: Matrix): Row[] {
  const worst = (row: Row): number => Math.min(...row.cells.map((cell) => (cell === undefined ? SEVERITY.pass : SEVERITY[cell.verdict])));
  return rows.filter((row) => row.disagree).sort((a, b) => worst(a) - worst(b));
}

/** The rows on which they agree, by verdict, worst first. */
export function agreements({ rows }: Matrix): { readonly verdict: Verdict; readonly rows: readonly Row[] }[] {
  const agreed = rows.filter((row) => !row.disagree);
  return VERDICTS.map((verdict) => ({ verdict, rows: agreed.filter((row) => row.cells.some((cell) => cell?.verdict === verdict)) })).filter(
    (group) => group.rows.length > 0,
  );
}
