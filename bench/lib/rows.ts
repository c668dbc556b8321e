import type { BenchRow } from "./result.ts";
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
