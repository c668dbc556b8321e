import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measures } from "../lib/alternate.ts";
import { cpuTime } from "../lib/cpu.ts";
import { median } from "../lib/stats.ts";
import { type Contender, inTurn, rowsOf, type Taken } from "../lib/turns.ts";
import { prometheusVersion } from "./servers/prometheus.ts";

export { inTurn, rowsOf };
export type { Taken };

/** The median of one measure of one subject, for notes. */
export const medianOf = (taken: Taken, name: string, what: string): number => median(taken.get(name)?.[what] ?? []);

export const OURS = "touchstone";
export const MISSING = "prometheus is left out: it is not installed (Debian: apt-get install prometheus)";

/** Touchstone, and Prometheus if it is installed. */
export function contenders(ours: () => Promise<Measures>, theirs: () => Promise<Measures>): Contender[] {
  const version = prometheusVersion();
  return [{ name: OURS, measure: ours }, ...(version === undefined ? [] : [{ name: `prometheus ${version}`, measure: theirs }])];
}

/** CPU time of a process so far, in microseconds. */
export function cpuOf(pid: number): number {
  const time = cpuTime(pid);
  if (time === undefined) throw new Error("The CPU time of a process is unknown: the metrics bench needs Linux.");
  return time.total;
}

/** Creates a temporary folder and removes it after `use`. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
