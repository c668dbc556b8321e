import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./outcome.ts";
import type { Survivor } from "./survivors.ts";

/** The published table of mutation scores: one row for each target, from its last run. */

/** The counts of one run. */
export type Row = {
  readonly target: string;
  readonly date: string;
  /** How many mutants the target has. */
  readonly of: number;
  /** How many were judged, and the seed that chose them. */
  readonly judged: number;
  readonly seed: number;
  /** Whether floods were sent to mutants that no case had caught. */
  readonly abuse: boolean;
  readonly caught: number;
  readonly equivalent: number;
  readonly lawful: number;
  readonly invisible: number;
  /** Neither caught nor listed. */
  readonly open: number;
};

/** What a row says about its run. */
export type About = Pick<Row, "target" | "of" | "seed" | "abuse"> & { readonly date: string };

export function rowOf(about: About, outcomes: readonly Outcome[], survivors: ReadonlyMap<string, Survivor>): Row {
  const left = outcomes.filter(({ suite }) => suite === undefined);
  const count = (why: Survivor["why"] | undefined): number => left.filter(({ mutant }) => survivors.get(mutant.key)?.why === why).length;
  return {
    ...about,
    judged: outcomes.length,
    caught: outcomes.length - left.length,
    equivalent: count("equivalent"),
    lawful: count("lawful"),
    invisible: count("invisible"),
    open: count(undefined),
  };
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ target, date, of, judged, seed, abuse, caught, equivalent, lawful, invisible, open }) =>
    [
      `\`${target}\``,
      `${judged} of ${of}`,
      seed,
      abuse ? "yes" : "no",
      caught,
      equivalent,
      lawful,
      invisible,
      open,
      share(caught, judged - equivalent),
      share(caught, judged - equivalent - lawful - invisible),
      date,
    ].join(" | "),
  );
  return `# Mutation scores

A mutant is one mistake in the reference. Each was judged by the conformance suites and vectors of its target; those that survived are listed with a reason in \`survivors.json\`, or are open: a hole in the suite.
**Equivalent**: behaves the same. **Lawful**: the specification permits it. **Invisible**: it does not show on the wire, and a unit test catches it. The score counts the caught ones among all that are not equivalent; the last column, among those that are also neither lawful nor invisible.

One row is one run of \`npm run mutate -- TARGET --sample N --seed S --publish\`.

| target | judged | seed | floods | caught | equivalent | lawful | invisible | open | score | of the visible | date |
| --- | --: | --: | --- | --: | --: | --: | --: | --: | --: | --: | --- |
${lines.map((line) => `| ${line} |`).join("\n")}
`;
}

/** Replaces the rows of these targets in `folder`, and keeps the others. */
export function publish(folder: string, rows: readonly Row[]): void {
  const data = join(folder, "mutation.json");
  const before: readonly Row[] = existsSync(data) ? JSON.parse(readFileSync(data, "utf8")) : [];
  const kept = before.filter(({ target }) => !rows.some((row) => row.target === target));
  const all = [...kept, ...rows].toSorted((a, b) => (a.target < b.target ? -1 : 1));
  writeFileSync(data, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(folder, "mutation.md"), tableOf(all));
}
