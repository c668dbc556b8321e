import { nameOf, type JobRecord, timesOf } from "./record.ts";

/** What must be true of the samples of a job. Each rule returns its first fault. */
type Rule = (record: JobRecord, words: readonly string[]) => string | undefined;

/** Times are queried in seconds with three digits. */
const MILLISECOND = 0.0011;

export const KEEP_RULES: Readonly<{ [name: string]: Rule }> = {
  /** The samples of these series have the time in milliseconds that is their value. */
  "own-times": ({ series }, names) => {
    for (const name of names) {
      const points = series.filter((one) => nameOf(one) === name).flatMap((one) => one.points);
      if (points.length === 0) return `${name} is not stored`;
      const wrong = points.find(({ time, value }) => Math.abs(time - value / 1_000) > MILLISECOND);
      if (wrong !== undefined) return `the page gives ${name} the time ${wrong.value / 1_000}, and it is stored at ${wrong.time}`;
    }
    return undefined;
  },
  /** The samples of these series have the time of their scrape. */
  "scrape-times": (record, names) => {
    const times = new Set([1, 2, 3].flatMap((stage) => timesOf(record.series, stage)));
    for (const name of names) {
      const points = record.series.filter((one) => nameOf(one) === name).flatMap((one) => one.points);
      if (points.length === 0) return `${name} is not stored`;
      if (points.some(({ time }) => !times.has(time))) return `${name} is stored at another time than that of its scrape`;
    }
    return undefined;
  },
  /** A series has no sample after the first of these stages and before the second. */
  gap: (record, [name = "", before, after]) => {
    const from = Math.max(...timesOf(record.series, Number(before)));
    const to = Math.min(...timesOf(record.series, Number(after)));
    const points = record.series.filter((one) => nameOf(one) === name).flatMap((one) => one.points);
    if (points.length === 0) return `${name} is not stored`;
    return points.some(({ time }) => time > from && time < to) ? `${name} has a sample of a scrape that failed` : undefined;
  },
  /** Nothing was requested of the job's targets. */
  "is-left-alone": ({ asked }) => (asked.length === 0 ? undefined : `the target was asked ${asked.length} times`),
  /** Labels of no stored series begin like this. */
  "no-labels": ({ series }, [prefix = ""]) => {
    const found = series.flatMap(({ labels }) => Object.keys(labels)).find((label) => label !== "__name__" && label.startsWith(prefix));
    if (series.length === 0) return "nothing is stored";
    return found === undefined ? undefined : `the label ${found} is stored`;
  },
};
