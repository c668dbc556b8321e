import type { BenchRow } from "./result.ts";
import { median, spread } from "./stats.ts";
import type { BenchSubject } from "./subject.ts";

/** What every note ends with. */
export const SPREAD = "the spread is the middle half of the samples";

/** Samples by measure, of each subject, as `alternate` gives them. */
export type Samples = ReadonlyMap<BenchSubject, Readonly<Record<string, readonly number[]>>>;

/** Rows of one measure, a subject each; subjects that do not have it are left out. */
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
