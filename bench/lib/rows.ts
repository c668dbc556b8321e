import type { BenchGroup, BenchRow } from "./result.ts";
import { median, spread } from "./stats.ts";
import type { BenchSubject } from "./subject.ts";

/** The end of every note. */
export const SPREAD = "the spread is the middle half of the samples";

/** Samples by subject and measure, as `alternate` returns them. */
export type Samples = ReadonlyMap<BenchSubject, Readonly<Record<string, readonly number[]>>>;

/** One row per subject that has the measure. */
export function rows(samples: Samples, measure: string, user?: string): BenchRow[] {
  return [...samples].flatMap(([subject, measures]) => {
    const values = measures[measure];
    if (values === undefined) return [];
    const userSamples = user === undefined ? undefined : measures[user];
    const row: BenchRow = {
      subject: `${subject.name} ${subject.version}`.trim(),
      median: median(values),
      spread: spread(values),
      samples: values,
    };
    return [userSamples === undefined ? row : { ...row, userCpu: median(userSamples) }];
  });
}

/** The names of the two groups of one load. */
type Load = {
  /** The start of their permanent ids: `http1/keep-alive`. */
  readonly id: string;
  /** What is counted. */
  readonly unit: "request" | "message";
  readonly costTitle: string;
  readonly rateTitle: string;
  readonly note: string;
  readonly rateNote?: string;
};

/** The cost and the rate of one load: server CPU time per request or message, and their number per second. */
export function costAndRate(samples: Samples, { id, unit, costTitle, rateTitle, note, rateNote = note }: Load): BenchGroup[] {
  const per = unit === "request" ? "PerRequest" : "PerMessage";
  return [
    {
      id: `${id}-cpu-per-${unit}`,
      title: costTitle,
      unit: "µs",
      better: "lower",
      rows: rows(samples, `cpuUs${per}`, `userUs${per}`),
      note,
    },
    {
      id: `${id}-${unit}s-per-second`,
      title: rateTitle,
      unit: `${unit}s/s`,
      better: "higher",
      rows: rows(samples, `${unit}sPerSecond`),
      note: rateNote,
    },
  ];
}
