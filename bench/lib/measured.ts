import type { Measures } from "./alternate.ts";
import { cpuTime } from "./cpu.ts";
import type { BenchSubject } from "./subject.ts";

const MIB = 1 << 20;

/** What a load has done: how many requests or messages, in how many seconds, and the octets of content if they count. */
export type Done = { readonly count: number; readonly seconds: number; readonly octets?: number };

/** Runs a load. Returns throughput and, if the process is known, CPU time per request or message, and per MiB. */
export async function measured(subject: BenchSubject, unit: "request" | "message", load: () => Promise<Done>): Promise<Measures> {
  const before = subject.pid === undefined ? undefined : cpuTime(subject.pid);
  const { count, seconds, octets = 0 } = await load();
  const after = subject.pid === undefined ? undefined : cpuTime(subject.pid);
  const per = unit === "request" ? "PerRequest" : "PerMessage";
  const mib = octets / MIB;
  const measures: Record<string, number> = { [`${unit}sPerSecond`]: count / seconds };
  if (octets > 0) measures["mibPerSecond"] = mib / seconds;
  if (before === undefined || after === undefined) return measures;
  const total = after.total - before.total;
  const user = after.user - before.user;
  measures[`cpuUs${per}`] = total / count;
  measures[`userUs${per}`] = user / count;
  if (octets > 0) {
    measures["cpuMsPerMib"] = total / 1_000 / mib;
    measures["userMsPerMib"] = user / 1_000 / mib;
  }
  return measures;
}
