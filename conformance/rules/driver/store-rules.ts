import { nameOf } from "../../scrape/driver/record.ts";
import { isSame, MILLISECOND, pointsOf, type Rules, seriesOf, shown } from "./seen.ts";

/** What must be true of recorded samples. */
export const STORE_RULES: Rules = {
  /** The series is stored with this value, and these labels. */
  stored: (record, [name = "", value = "", ...labels]) => {
    const found = seriesOf(record, name, ...labels);
    if (found.length === 0)
      return `${name}{${labels.join(",")}} is not stored, but ${record.series.slice(0, 4).map(shown).join(", ") || "nothing"}`;
    const points = found.flatMap((one) => one.points);
    return value === "" || points.some((one) => one.value === Number(value)) ? undefined : `${name} is ${points.at(-1)?.value}`;
  },
  "not-stored": (record, names) => {
    const found = record.series.find((one) => names.includes(nameOf(one)));
    return found === undefined ? undefined : `${shown(found)} is stored`;
  },
  /** Every series of this name has exactly these labels besides `case`. */
  "has-labels": (record, [name = "", ...labels]) => {
    const found = seriesOf(record, name);
    if (found.length === 0) return `${name} is not stored`;
    const other = found.find(
      (one) =>
        Object.keys(one.labels)
          .filter((label) => label !== "__name__" && label !== "case")
          .toSorted()
          .join() !== labels.toSorted().join(),
    );
    return other === undefined ? undefined : `${shown(other)} has other labels than ${labels.join(", ") || "none"}`;
  },
  /** So many series of this name. */
  count: (record, [name = "", count = ""]) => {
    const found = seriesOf(record, name).length;
    return found === Number(count) ? undefined : `there are ${found} series ${name}`;
  },
  /** A query at the end shows the series, or not. */
  alive: ({ alive }, [name = ""]) => (alive.some((labels) => labels["__name__"] === name) ? undefined : `${name} is no longer shown`),
  ended: (record, [name = ""]) => {
    if (seriesOf(record, name).length === 0) return `${name} was never stored`;
    return record.alive.some((labels) => labels["__name__"] === name) ? `${name} is still shown` : undefined;
  },
  /** The series of these names have samples at the same times, but for the ends of a range. */
  "same-times": (record, names) => {
    const [first = [], ...others] = names.map((name) => pointsOf(record, name).map(({ time }) => time));
    if (first.length < 2) return `${names[0]} has ${first.length} samples`;
    const [from, to] = [first[1]!, first.at(-2)!];
    for (const [at, times] of others.entries()) {
      const odd = times.find((time) => time >= from && time <= to && !first.some((one) => isSame(one, time)));
      if (odd !== undefined) return `${names[at + 1]} has a sample at ${odd}, and ${names[0]} has not`;
      if (times.length < first.length - 2) return `${names[at + 1]} has ${times.length} samples, and ${names[0]} has ${first.length}`;
    }
    return undefined;
  },
  /** Samples of a series are a multiple of so many milliseconds apart, and once that at least. */
  "apart-by": (record, [name = "", ms = "0"]) => {
    const points = pointsOf(record, name);
    if (points.length < 3) return `${name} has ${points.length} samples`;
    const gaps = points.slice(1).map(({ time }, at) => time - points[at]!.time);
    const unit = Number(ms) / 1_000;
    const odd = gaps.find((gap) => Math.abs(gap / unit - Math.round(gap / unit)) * unit > 2 * MILLISECOND || Math.round(gap / unit) < 1);
    return odd === undefined ? undefined : `samples of ${name} are ${odd.toFixed(3)} s apart, not a multiple of ${unit} s`;
  },
  /** The value of every sample is its own time. */
  "is-own-time": (record, [name = ""]) => {
    const points = pointsOf(record, name);
    const odd = points.find(({ time, value }) => !isSame(time, value));
    if (points.length === 0) return `${name} is not stored`;
    return odd === undefined ? undefined : `${name} is ${odd.value} at ${odd.time}`;
  },
  /** The value of every sample is the time of the one before it. */
  "is-time-before": (record, [name = "", other = ""]) => {
    const points = pointsOf(record, name);
    const times = pointsOf(record, other).map(({ time }) => time);
    if (points.length < 2) return `${name} has ${points.length} samples`;
    const odd = points.find(({ time, value }) => {
      const before = times.findLast((one) => one < time - MILLISECOND);
      return before !== undefined && !isSame(before, value);
    });
    return odd === undefined ? undefined : `${name} is ${odd.value} at ${odd.time}`;
  },
  /** The last sample is so many seconds older than the begin of the run. */
  "is-older": (record, [name = "", seconds = "0"]) => {
    const last = pointsOf(record, name).at(-1);
    if (last === undefined) return `${name} is not stored`;
    const most = record.began - Number(seconds);
    return last.time < most ? undefined : `${name} has a sample at ${last.time}, less than ${seconds} s before the run`;
  },
};
