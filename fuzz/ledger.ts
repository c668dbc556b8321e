import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Branches } from "./lib/cover.ts";

/** The published table of fuzzing: how long each target of this project has held, and over how many seeds. Hours add up over runs. */

/** What a target has held for since it last failed. */
export type Held = {
  readonly target: string;
  readonly seeds: readonly number[];
  readonly cpuSeconds: number;
  readonly inputs: number;
  /** Of the last run. */
  readonly branches?: Branches;
  /** The first and the last day. */
  readonly since: string;
  readonly until: string;
};

/** One run of a target. Its day: `2026-11-23`. */
export type Run = {
  readonly target: string;
  readonly seed: number;
  readonly cpuSeconds: number;
  readonly inputs: number;
  readonly branches?: Branches;
  readonly date: string;
};

/** The ledger with one more run. A run that repeats a seed adds nothing: it tried the same inputs. */
export function withRun(ledger: readonly Held[], { target, seed, cpuSeconds, inputs, branches, date }: Run): readonly Held[] {
  const before = ledger.find((held) => held.target === target);
  if (before?.seeds.includes(seed) === true) return ledger;
  const after: Held = {
    target,
    seeds: [...(before?.seeds ?? []), seed],
    cpuSeconds: Math.round((before?.cpuSeconds ?? 0) + cpuSeconds),
    inputs: (before?.inputs ?? 0) + inputs,
    ...(branches === undefined ? {} : { branches }),
    since: before?.since ?? date,
    until: date,
  };
  return sorted([...without(ledger, target), after]);
}

/** The ledger without a target: it has failed, and begins anew once it is mended. */
export const without = (ledger: readonly Held[], target: string): readonly Held[] => ledger.filter((held) => held.target !== target);

const sorted = (ledger: readonly Held[]): readonly Held[] => ledger.toSorted((a, b) => (a.target < b.target ? -1 : 1));

export function tableOf(ledger: readonly Held[]): string {
  const lines = ledger.map(({ target, seeds, cpuSeconds, inputs, branches, since, until }) =>
    [
      `\`${target}\``,
      seeds.length,
      (cpuSeconds / 60).toFixed(1),
      inputs.toLocaleString("en"),
      branches === undefined ? "–" : `${branches.reached} of ${branches.of}`,
      since === until ? since : `${since} to ${until}`,
    ].join(" | "),
  );
  return `# Fuzzing

How long each fuzz target has held, in CPU time and over how many seeds, since it last failed. A failure takes the target out of the table until it is mended and holds again.
The branches are those of the code that guides the target's search, reached in its last run.

Each run of \`npm run fuzz -- TARGET --cpu-seconds N --publish\` adds its time; \`--seeds N\` makes N runs with fresh seeds.

| target | seeds | minutes of CPU | inputs | branches | when |
| --- | --: | --: | --: | --: | --- |
${lines.map((line) => `| ${line} |`).join("\n")}
`;
}

/** Changes the ledger in `folder`: `fuzz.json`, and its table. */
export function publish(folder: string, change: (ledger: readonly Held[]) => readonly Held[]): void {
  const data = join(folder, "fuzz.json");
  const before: readonly Held[] = existsSync(data) ? (JSON.parse(readFileSync(data, "utf8")) as Held[]) : [];
  const after = change(before);
  writeFileSync(data, `${JSON.stringify(after, null, 2)}\n`);
  writeFileSync(join(folder, "fuzz.md"), tableOf(after));
}
