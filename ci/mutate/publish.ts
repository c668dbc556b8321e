import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./outcome.ts";
import { isAlike } from "./summary.ts";
import type { Survivor, Survivors } from "./survivors.ts";

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
  /** By the verdict of a case. */
  readonly caught: number;
  /** By what a case shows, although its verdict permits it. */
  readonly moved: number;
  readonly equivalent: number;
  readonly lawful: number;
  readonly invisible: number;
  /** Not listed, and presumed to be equivalent: all its lives are those of the original. */
  readonly alike: number;
  /** Caught mutants whose code some life executes; of these, how many the lives distinguish. */
  readonly driven: number;
  readonly distinguished: number;
  /** Not caught, not listed, not alike. */
  readonly open: number;
};

/** What a row says about its run. */
export type About = Pick<Row, "target" | "of" | "seed" | "abuse"> & { readonly date: string };

export function rowOf(about: About, outcomes: readonly Outcome[], survivors: Survivors): Row {
  const left = outcomes.filter(({ suite }) => suite === undefined);
  const count = (why: Survivor["why"]): number => left.filter(({ mutant }) => survivors.of(mutant)?.why === why).length;
  const moved = outcomes.filter(({ suite }) => suite?.moved === true).length;
  const unlisted = left.filter(({ mutant }) => survivors.of(mutant) === undefined);
  const alike = unlisted.filter(isAlike).length;
  const driven = outcomes.filter(({ suite, lived }) => suite !== undefined && lived !== undefined);
  return {
    ...about,
    judged: outcomes.length,
    caught: outcomes.length - left.length - moved,
    moved,
    equivalent: count("equivalent"),
    lawful: count("lawful"),
    invisible: count("invisible"),
    alike,
    driven: driven.length,
    distinguished: driven.filter(({ lived }) => lived?.witness !== undefined).length,
    open: unlisted.length - alike,
  };
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { target, date, of, judged, seed, abuse, caught, equivalent, lawful, invisible, open } = row;
    // Rows of older runs have none of these.
    const { moved = 0, alike = 0, driven = 0, distinguished = 0 } = row as Partial<Row>;
    const differing = judged - equivalent - alike;
    return [
      `\`${target}\``,
      `${judged} of ${of}`,
      seed,
      abuse ? "yes" : "no",
      caught,
      moved,
      equivalent,
      alike,
      lawful,
      invisible,
      open,
      share(caught, differing),
      share(caught + moved, differing),
      share(caught + moved, differing - lawful - invisible),
      driven === 0 ? "–" : `${distinguished} of ${driven}`,
      date,
    ].join(" | ");
  });
  return `# Mutation scores

A mutant is one mistake in the reference. Each was judged by the conformance suites and vectors of its target; those that survived are listed with a reason in \`survivors.json\`, or are open: a hole in the suite.
**Equivalent**: behaves the same, by reading. **Alike**: presumed to be equivalent, because thousands of random lives of the machine (\`ci/mutate/lives/\`) execute the mutated code and none of them differs. **Lawful**: the specification permits it. **Invisible**: it does not show on the wire, and a unit test catches it. **Caught**: the verdict of a case, a vector or an interop test. **Moved**: every verdict permits it, but a case shows something else than on the original, six times of six, alone: \`touchstone check --same-as\` is red.
The shares are those of the caught, and of the caught and moved, among all that are neither equivalent nor alike; the third, of the caught and moved among those that are also neither lawful nor invisible.
**Lives** says how far "alike" can be trusted: of the caught mutants that the lives execute, how many the lives distinguish from the original.

One row is one run of \`npm run mutate -- TARGET --sample N --seed S --publish\`.

| target | judged | seed | floods | caught | moved | equivalent | alike | lawful | invisible | open | caught | and moved | of the visible | lives | date |
| --- | --: | --: | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |
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
