import type { HistogramSight } from "../vocabulary.ts";
import { isRecord, itemsOf } from "../../harness/shapes.ts";
import { isNearText, numberOf } from "./number-judge.ts";

/** Compares a native histogram in an answer with the expected one (Prometheus docs, querying/api.md, "Native histograms"). */

/** A histogram at a time in seconds. */
export type HistogramSample = readonly [time: number, value: HistogramSight];

/** Why a sample is not the expected native histogram, as one clause; undefined if it is. */
export function unlikeHistogram([time, sight]: HistogramSample, given: unknown): string | undefined {
  if (!Array.isArray(given)) return `it has ${JSON.stringify(given) ?? "nothing"}, not a histogram of ${sight.count} at ${time}`;
  const [when, what] = itemsOf(given);
  if (typeof when !== "number" || Math.abs(when - time) > 0.000_5) return `it has a histogram at ${String(when)}, not at ${time}`;
  if (!isRecord(what)) return `its histogram is ${JSON.stringify(what)}, not an object`;
  const { count, sum, buckets = [] } = what;
  for (const [name, own, value] of [
    ["count", sight.count, count],
    ["sum", sight.sum, sum],
  ] as const) {
    if (typeof value !== "string") return `its ${name} is ${JSON.stringify(value)}, not a string`;
    if (!isNearText(own, value)) return `its ${name} is ${value} at ${time}, not ${own}`;
  }
  return unlikeBuckets(sight, buckets, time);
}

/** An answer may list empty buckets or leave them out. */
function unlikeBuckets({ buckets: wanted }: HistogramSight, given: unknown, time: number): string | undefined {
  if (!Array.isArray(given)) return `its buckets are ${JSON.stringify(given)}, not a list`;
  const found = itemsOf(given).filter((one) => !Array.isArray(one) || numberOf(String(one[3])) !== 0);
  for (const [place, [rules, ...texts]] of wanted.entries()) {
    const own = found[place];
    const expected = JSON.stringify([rules.length === 1 ? rules[0] : rules, ...texts]);
    if (!Array.isArray(own)) return `at ${time} it has no bucket ${expected}`;
    const [rule, ...others] = itemsOf(own);
    const isAlike = texts.every((one, at) => typeof others[at] === "string" && isNearText(one, others[at]));
    if (typeof rule !== "number" || !rules.includes(rule) || !isAlike || own.length !== 4)
      return `at ${time} its bucket is ${JSON.stringify(own)}, not ${expected}`;
  }
  return found.length > wanted.length ? `at ${time} it has the bucket ${JSON.stringify(found[wanted.length])} as well` : undefined;
}
