import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { WrongUse } from "../driver.ts";
import type { Budget } from "../case.ts";
import type { Cost } from "../result.ts";

/** Octets, and milliseconds of processor time, of a process and its descendants. */
type Reading = { readonly memory: number; readonly peak: number; readonly cpuMs: number };

/** A clock tick, the unit of processor time in /proc (USER_HZ is 100 wherever Node runs on Linux). */
const TICK_MS = 10;
const KIBI = 1024;
const MEBI = 1_048_576;

/** Measures the memory and processor time of a process, from /proc on Linux. */
export class Meter {
  readonly #pid: number;

  private constructor(pid: number) {
    this.#pid = pid;
  }

  /** The meter of a process, or why it cannot be measured. Throws `WrongUse` if there is no such process. */
  static of(pid: number | undefined, platform: string = process.platform): Meter | string {
    if (pid === undefined) return "the process of the subject is not known (--pid tells)";
    if (platform !== "linux") return `only Linux tells what process ${pid} spends`;
    if (reading(pid) === undefined) throw new WrongUse(`There is no process ${pid}: --pid is the process id of the server under test.`);
    return new Meter(pid);
  }

  /** Starts measuring; the function that it returns gives the cost since. Either returns undefined if the process is gone. */
  begin(): (() => Cost | undefined) | undefined {
    const own = family(this.#pid);
    const marked = own.every(forgetPeak);
    const before = reading(this.#pid);
    if (before === undefined) return undefined;
    return () => {
      const after = reading(this.#pid);
      if (after === undefined) return undefined;
      return {
        memoryBefore: before.memory,
        // If the old peak could not be reset (another user's process), the value at the end is the best there is.
        memoryPeak: Math.max(before.memory, marked ? after.peak : after.memory),
        memoryAfter: after.memory,
        cpuMs: Math.max(0, after.cpuMs - before.cpuMs),
      };
    };
  }
}

/** How the budget was exceeded, as a sentence; undefined if it was not. */
export function excess(cost: Cost, { memoryMiB, cpuMs }: Budget): string | undefined {
  const grown = mebi(cost.memoryPeak - cost.memoryBefore);
  if (grown > memoryMiB) return `It used ${grown} MiB more memory for this; ${memoryMiB} MiB are allowed.`;
  if (cost.cpuMs > cpuMs) return `It used ${cost.cpuMs} ms of processor time for this; ${cpuMs} ms are allowed.`;
  return undefined;
}

/** The figures in words, for a transcript. */
export function costInWords(cost: Cost, budget: Budget | undefined): string {
  const { memoryBefore, memoryPeak, memoryAfter, cpuMs } = cost;
  const allowed = budget === undefined ? "" : ` (allowed: ${budget.memoryMiB} MiB more, ${budget.cpuMs} ms)`;
  return `measured: ${mebi(memoryBefore)} MiB of memory before, ${mebi(memoryPeak)} at most, ${mebi(memoryAfter)} after, ${cpuMs} ms of processor time${allowed}`;
}

const mebi = (octets: number): number => Math.round((octets / MEBI) * 10) / 10;

function reading(pid: number): Reading | undefined {
  let known = false;
  const sum = { memory: 0, peak: 0, cpuMs: 0 };
  for (const one of family(pid)) {
    const status = text(`/proc/${one}/status`);
    // After the name, which may hold anything, in the order of proc(5): the 12th and 13th are ticks in user and in kernel mode.
    const stat = text(`/proc/${one}/stat`)?.split(") ").at(-1)?.split(" ");
    if (status === undefined || stat === undefined) continue;
    known ||= one === pid;
    sum.memory += kibi(status, "VmRSS");
    sum.peak += kibi(status, "VmHWM");
    sum.cpuMs += (Number(stat[11]) + Number(stat[12])) * TICK_MS;
  }
  return known ? sum : undefined;
}

const kibi = (status: string, name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * KIBI;

/** A process and its descendants: servers have workers. */
function family(pid: number): number[] {
  const found = [pid];
  for (const one of found) {
    for (const task of names(`/proc/${one}/task`))
      for (const child of (text(`/proc/${one}/task/${task}/children`) ?? "").split(" ")) if (child !== "") found.push(Number(child));
  }
  return found;
}

/** Resets the kernel's peak of the resident memory; false without the permission. */
function forgetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return true;
  } catch {
    return false;
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended.
    return [];
  }
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended, or belongs to another user.
    return undefined;
  }
}
