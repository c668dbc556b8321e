import type { BucketCounts, WrittenHistogram } from "../../wire/metrics/histogram.ts";
import { BEGIN, LENGTH } from "./data-set.ts";

/**
 * The series with native histograms. They start after the rest of the data set, so that queries about the rest do not see them. One sample per minute
 * for forty minutes; each series shows one thing. All numbers are integers or halves, so that sums are exact.
 */

/** Seconds after the start of the data set. */
export const NATIVE_BEGIN = LENGTH + 600;
/** The time of the queries: just after sample number 20. */
export const NATIVE_AT = NATIVE_BEGIN + 1_211;
const FIRST = NATIVE_BEGIN + 5.5;
const EVERY = 60;
const COUNT = 40;

/** A histogram, a float, the end of the series, or no sample. */
export type NativeValue = WrittenHistogram | number | "stale" | undefined;
export type NativeSample = { readonly time: number; readonly value: WrittenHistogram | number | "stale" };
/** The feature that a server needs to ingest a series. */
export type Kind = "exponential" | "custom" | "mixed" | "nan";
/** Times are seconds after the start of the data set, ascending. */
export type NativeSeries = {
  readonly kind: Kind;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly NativeSample[];
};

/** The time of the sample with this number, in seconds after the start of the data set. */
export const timeOf = (at: number): number => FIRST + at * EVERY;

/** A histogram in source form; the count defaults to the sum of its buckets. */
type Shape = {
  readonly schema?: number;
  readonly bounds?: readonly number[];
  readonly width?: number;
  readonly zero?: number;
  readonly positive?: BucketCounts;
  readonly negative?: BucketCounts;
  readonly count?: number;
  readonly sum: number;
  readonly is?: "integer" | "float" | "gauge";
};

/** A histogram times a number: a counter that grew that many times by the same amount. */
function histogram(shape: Shape, factor = 1): WrittenHistogram {
  const {
    schema = 0,
    bounds,
    width = bounds === undefined ? WIDTH : 0,
    zero = 0,
    positive = {},
    negative = {},
    sum,
    is = "integer",
  } = shape;
  const all = [zero, ...Object.values(positive), ...Object.values(negative)].reduce((a, b) => a + b, 0);
  const scaled = (counts: BucketCounts): BucketCounts =>
    Object.fromEntries(Object.entries(counts).map(([index, count]) => [index, count * factor]));
  return {
    schema: bounds === undefined ? schema : CUSTOM,
    ...(bounds === undefined ? {} : { bounds }),
    zeroThreshold: width,
    zeroCount: zero * factor,
    positive: scaled(positive),
    negative: scaled(negative),
    count: (shape.count ?? all) * factor,
    sum: sum * factor,
    isInteger: is === "integer",
    isGauge: is === "gauge",
  };
}

const CUSTOM = -53;
/** 2^-10, a bucket bound of every schema. */
const WIDTH = 1 / 1_024;
/** The number of the sample at which a counter resets, or another change happens. */
export const TURN = 17;

type Grown = (at: number) => NativeValue;
const series = (name: string, labels: Readonly<Record<string, string>>, grown: Grown, kind: Kind = "exponential"): NativeSeries => ({
  kind,
  name,
  labels,
  samples: Array.from({ length: COUNT }, (_, at) => ({ time: timeOf(at), value: grown(at) })).filter(
    (one): one is NativeSample => one.value !== undefined,
  ),
});
const growing =
  (shape: Shape): Grown =>
  (at) =>
    histogram(shape, at + 1);

const PLAIN: Shape = { zero: 1, positive: { 0: 1, 1: 2, 3: 1 }, sum: 12.5 };
const SMALL: Shape = { positive: { 0: 2, 1: 3 }, sum: 6 };

/** Every series, always in the same order. */
export const nativeSeries = (): NativeSeries[] => [...counters(), ...restarts(), ...gauges(), ...holes(), ...custom(), ...mixed()];

function counters(): NativeSeries[] {
  return [
    series("native_seconds", { pod: "a" }, growing(PLAIN)),
    series("native_seconds", { pod: "b" }, growing({ schema: 1, zero: 2, positive: { [-1]: 1, 0: 2 }, negative: { 1: 1, 2: 3 }, sum: -4 })),
    series("native_seconds", { pod: "c" }, growing({ zero: 0.5, positive: { 1: 1.25, 2: 0.25 }, sum: 4.5, is: "float" })),
    series("native_seconds", { pod: "d" }, (at) => histogram(SMALL, at < TURN ? at + 1 : at - TURN + 1)),
    series("native_seconds", { pod: "e" }, (at) => (at < TURN ? undefined : histogram(SMALL, at - TURN))),
    series("native_floats", { pod: "a" }, () => 2),
    series("native_floats", { pod: "b" }, () => -4),
    series("native_floats", { pod: "z" }, () => 7),
    series("native_empty", { pod: "a" }, () => histogram({ sum: 0 })),
    series("native_fine", { schema: "8" }, growing({ schema: 8, positive: { 0: 1, 1: 2, 256: 4 }, sum: 10 })),
    series("native_fine", { schema: "3" }, growing({ schema: 3, positive: { 0: 2, 9: 3 }, sum: 9 })),
    series("native_fine", { schema: "-1" }, growing({ schema: -1, positive: { 1: 5, 2: 1 }, sum: 17 })),
    series("native_fine", { schema: "-4" }, growing({ schema: -4, width: 2 ** -16, positive: { 0: 1, 1: 3 }, sum: 3_000 })),
  ];
}

/** Counters with different kinds of reset, and counters that change without one. */
function restarts(): NativeSeries[] {
  const turned = (how: string, before: Shape, after: Shape, less = 0): NativeSeries =>
    series("native_turns", { how }, (at) => (at < TURN ? histogram(before, at + 1) : histogram(after, at + 1 - less)));
  const zeros: Shape = { zero: 2, positive: { [-1]: 1, 1: 1 }, sum: 3 };
  return [
    turned("never", SMALL, SMALL),
    turned("sum-falls", SMALL, { ...SMALL, sum: -6 }),
    turned("bucket-falls", SMALL, { positive: { 0: 1, 1: 6 }, sum: 9 }),
    turned("bucket-goes", SMALL, { positive: { 1: 7 }, sum: 9 }),
    turned("zero-falls", zeros, { ...zeros, zero: 1, positive: { [-1]: 3, 1: 1 } }),
    turned("finer", SMALL, { schema: 1, positive: { 0: 2, 1: 3, 2: 1 }, sum: 7 }),
    turned("coarser", { schema: 1, positive: { 0: 2, 1: 1, 2: 2 }, sum: 6 }, { positive: { 0: 2, 1: 3 }, sum: 6 }),
    turned("narrower", { ...zeros, width: 0.25 }, { ...zeros, width: 0.125 }),
    turned("wider", { zero: 2, width: 0.125, positive: { [-2]: 1, 1: 1 }, sum: 3 }, { zero: 3, width: 0.25, positive: { 1: 1 }, sum: 3 }),
  ];
}

/** Gauges, and zero buckets of several widths. */
function gauges(): NativeSeries[] {
  const still = (name: string, labels: Readonly<Record<string, string>>, shape: Shape): NativeSeries =>
    series(name, labels, () => histogram({ ...shape, is: "gauge" }));
  return [
    series("native_bytes", { pod: "a" }, (at) =>
      histogram({ zero: 1, positive: { 0: 4 + (at % 3), 1: 2 }, sum: 9 - (at % 4), is: "gauge" }),
    ),
    series("native_bytes", { pod: "b" }, (at) =>
      histogram({ schema: 2, zero: 2, negative: { 1: 3, 4: 5 - (at % 2) }, sum: -12.5, is: "gauge" }),
    ),
    still("native_width", { zero: "narrow" }, { zero: 3, positive: { [-2]: 2, 0: 4, 1: 1 }, sum: 8 }),
    still("native_width", { zero: "wide" }, { zero: 5, width: 0.5, positive: { 1: 2 }, sum: 4 }),
    still("native_cutting", { zero: "cut" }, { zero: 6, width: 0.75, positive: { 2: 3 }, sum: 11 }),
    still("native_only_zero", { pod: "a" }, { zero: 8, width: 0.5, sum: 0.5 }),
  ];
}

/** Series with gaps. */
function holes(): NativeSeries[] {
  const hole = (kind: string, isThere: (at: number) => boolean, staleAt = -1): NativeSeries =>
    series("native_gappy", { kind }, (at) => (at === staleAt ? "stale" : isThere(at) ? histogram(PLAIN, at + 1) : undefined));
  return [
    hole("none", () => true),
    hole("short", (at) => at < 17 || at > 22),
    hole("long", (at) => at < 13 || at > 22),
    hole("ended", (at) => at < 18, 18),
    hole("returned", (at) => at < 15 || at > 21, 15),
    hole("once", (at) => at === 19),
  ];
}

/** Custom buckets. */
function custom(): NativeSeries[] {
  const on = (name: string, pod: string, made: Parameters<typeof growing>[0]): NativeSeries =>
    series(name, { pod }, growing(made), "custom");
  return [
    on("native_custom", "a", { bounds: [1, 2, 4], positive: { 0: 2, 1: 4, 2: 3, 3: 1 }, sum: 21.5 }),
    on("native_custom", "b", { bounds: [1, 3, 4], positive: { 0: 1, 1: 2, 3: 2 }, sum: 17 }),
    on("native_custom", "c", { bounds: [-1, 0.5, 2], positive: { 0: 1, 1: 1, 2: 2 }, sum: 0.5 }),
    on("native_bounded", "a", { bounds: [0, 1, 2, 4], positive: { 1: 2, 2: 4, 3: 4 }, sum: 19 }),
    on("native_lonely", "a", { bounds: [0.25, 5], positive: { 0: 1, 1: 3 }, sum: 7 }),
    on("native_lonely", "b", { bounds: [7, 8], positive: { 1: 2, 2: 1 }, sum: 25 }),
    series(
      "native_custom_turns",
      { pod: "a" },
      (at) => histogram({ bounds: [1, 2, 4], positive: { 0: 2, 1: 4, 2: 3 }, sum: 20 }, at < TURN ? at + 1 : at - TURN + 1),
      "custom",
    ),
  ];
}

/** Floats and histograms in one series, and NaN observations, which are in no bucket. */
function mixed(): NativeSeries[] {
  const mix = (kind: string, grown: Grown): NativeSeries => series("native_mixed", { kind }, grown, "mixed");
  return [
    mix("floats-first", (at) => (at < 18 ? at : histogram(PLAIN, at + 1))),
    mix("floats-last", (at) => (at < 20 ? histogram(PLAIN, at + 1) : at)),
    mix("floats", (at) => at * 2),
    mix("histograms", growing(PLAIN)),
    series("native_nan", { pod: "a" }, (at) => histogram({ positive: { 0: 2, 1: 6 }, count: 10, sum: Number.NaN }, at + 1), "nan"),
  ];
}

/** Milliseconds since 1970. */
export const msOf = (time: number): number => Math.round((BEGIN + time) * 1_000);
