import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measures } from "../lib/alternate.ts";
import { cpuTime } from "../lib/cpu.ts";
import type { BenchRow } from "../lib/result.ts";
import type { Say } from "../lib/size.ts";
import { median, spread } from "../lib/stats.ts";
import { prometheusVersion } from "./servers/prometheus.ts";

/** A server that takes part, and how one measure of it is taken. */
export type Contender = { readonly name: string; readonly measure: () => Promise<Measures> };
export type Taken = ReadonlyMap<string, Readonly<Record<string, readonly number[]>>>;

/** Each takes its turn in each round, the order turned around; every turn is a process of its own, so none has to be warmed up. */
export async function inTurn(contenders: readonly Contender[], rounds: number, title: string, say: Say): Promise<Taken> {
  const taken = new Map<string, Record<string, number[]>>(contenders.map(({ name }) => [name, {}]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      say(`${title}, round ${round + 1} of ${rounds}: ${name}`);
      const kept = taken.get(name) ?? {};
      for (const [what, value] of Object.entries(await measure())) (kept[what] ??= []).push(value);
    }
  }
  return taken;
}

/** Rows of one measure; who does not have it is left out. */
export function rowsOf(taken: Taken, what: string): BenchRow[] {
  return [...taken].flatMap(([subject, measures]) => {
    const samples = measures[what];
    return samples === undefined ? [] : [{ subject, median: median(samples), spread: spread(samples), samples }];
  });
}

/** Middle of one measure of one subject, for notes. */
export const middle = (taken: Taken, name: string, what: string): number => median(taken.get(name)?.[what] ?? []);

export const OURS = "touchstone";
export const MISSING = "prometheus is left out: it is not installed (Debian: apt-get install prometheus)";

/** Both, or ours alone where the other is not installed. */
export function contenders(ours: () => Promise<Measures>, theirs: () => Promise<Measures>): Contender[] {
  const version = prometheusVersion();
  return [{ name: OURS, measure: ours }, ...(version === undefined ? [] : [{ name: `prometheus ${version}`, measure: theirs }])];
}

/** Processor time of a process so far, in microseconds. */
export function cpuOf(pid: number): number {
  const time = cpuTime(pid);
  if (time === undefined) throw new Error("The processor time of a process cannot be told here: the metrics bench needs Linux.");
  return time.total;
}

/** Folders that go when they are no longer needed. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
