import type { WrittenHistogram } from "../../../../wire/metrics/histogram.ts";
import type { HistogramSight } from "../../../vocabulary.ts";

/**
 * Native histograms as the Prometheus specs (native_histograms.md) define them, for computing expected answers. This code is independent of the engine that it
 * judges. Counts are keyed by bucket index.
 */

/** Counts by bucket index. */
export type Buckets = ReadonlyMap<number, number>;
export type Histogram = {
  /** -4 to 8; ignored for custom buckets. */
  readonly schema: number;
  /** The upper bounds of custom buckets; undefined for exponential buckets. */
  readonly bounds?: readonly number[];
  /** Half of the width of the zero bucket. */
  readonly width: number;
  readonly zero: number;
  readonly positive: Buckets;
  readonly negative: Buckets;
  readonly count: number;
  readonly sum: number;
};

/** Converts a histogram of the data set. */
export function fromWritten({ schema, bounds, zeroThreshold, zeroCount, positive, negative, count, sum }: WrittenHistogram): Histogram {
  const counts = (given: Readonly<Record<number, number>>): Buckets =>
    new Map(Object.entries(given).map(([index, one]) => [Number(index), one]));
  const custom = bounds === undefined ? {} : { bounds };
  return { schema, ...custom, width: zeroThreshold, zero: zeroCount, positive: counts(positive), negative: counts(negative), count, sum };
}

/** "Schema": the bound of a bucket with the larger absolute value. */
export const bound = (index: number, schema: number): number => 2 ** (index * 2 ** -schema);

/** A populated bucket with its bounds. */
export type Bucket = {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
  readonly is: "positive" | "negative" | "zero" | "custom";
};

/** The populated buckets in ascending order. */
export function bucketsOf({ schema, bounds, width, zero, positive, negative }: Histogram): Bucket[] {
  const ascending = (counts: Buckets): (readonly [number, number])[] =>
    [...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => a - b);
  if (bounds !== undefined)
    return ascending(positive).map(([index, count]) => ({
      lower: bounds[index - 1] ?? Number.NEGATIVE_INFINITY,
      upper: bounds[index] ?? Number.POSITIVE_INFINITY,
      count,
      is: "custom",
    }));
  const far = ascending(negative).toReversed();
  return [
    ...far.map(([at, count]): Bucket => ({ lower: -bound(at, schema), upper: -bound(at - 1, schema), count, is: "negative" })),
    ...(zero === 0 ? [] : [{ lower: -width, upper: width, count: zero, is: "zero" } as const]),
    ...ascending(positive).map(([at, count]): Bucket => ({
      lower: bound(at - 1, schema),
      upper: bound(at, schema),
      count,
      is: "positive",
    })),
  ];
}

/** "Instant and range queries": open on the left, on the right, or closed. For the lowest custom bucket the documents disagree, see below. */
const RULES = { positive: 0, negative: 1, zero: 3, custom: 0 } as const;
/** "All buckets are open left", and "-Inf inclusively". */
const LOWEST = [0, 3] as const;

/** A histogram in the JSON of the query API. */
export function shown(histogram: Histogram): HistogramSight {
  const buckets = bucketsOf(histogram).map(
    ({ lower, upper, count, is }) =>
      [is === "custom" && lower === Number.NEGATIVE_INFINITY ? LOWEST : [RULES[is]], text(lower), text(upper), text(count)] as const,
  );
  return { count: text(histogram.count), sum: text(histogram.sum), buckets };
}

/** A number in the format of the API. */
export const text = (value: number): string =>
  Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";

/** "Schema": decreasing the schema by one merges pairs of buckets. */
export function coarser(histogram: Histogram, schema: number): Histogram {
  const share = 2 ** (histogram.schema - schema);
  const move = (counts: Buckets): Buckets => gathered([...counts].map(([index, count]) => [Math.ceil(index / share), count]));
  return { ...histogram, schema, positive: move(histogram.positive), negative: move(histogram.negative) };
}

function gathered(counts: readonly (readonly [number, number])[]): Buckets {
  const found = new Map<number, number>();
  for (const [index, count] of counts) found.set(index, (found.get(index) ?? 0) + count);
  return found;
}

const populated = (counts: Buckets): number[] => [...counts].filter(([, count]) => count !== 0).map(([index]) => index);

/** "Zero bucket": a common width, the widest of all, extended so that no populated bucket is cut. */
export function commonWidth(all: readonly Histogram[]): number {
  let width = Math.max(...all.map((one) => one.width));
  if (all.every((one) => one.width === width)) return width;
  const ends = all.flatMap(({ schema, positive, negative }) =>
    [...populated(positive), ...populated(negative)].map((index) => [bound(index - 1, schema), bound(index, schema)] as const),
  );
  for (let cut = true; cut;) {
    const across = ends.find(([lower, upper]) => lower < width && width < upper);
    cut = across !== undefined;
    width = across?.[1] ?? width;
  }
  return width;
}

/** Widens the zero bucket and moves the buckets within its new width into it. */
export function wider(histogram: Histogram, width: number): Histogram {
  if (histogram.bounds !== undefined) return histogram;
  let zero = histogram.zero;
  const outside = (counts: Buckets): Buckets =>
    new Map(
      [...counts].filter(([index, count]) => {
        const isWithin = bound(index, histogram.schema) <= width;
        if (isWithin) zero += count;
        return !isWithin;
      }),
    );
  const [positive, negative] = [outside(histogram.positive), outside(histogram.negative)];
  return { ...histogram, width, zero, positive, negative };
}

/** "Compatibility between histograms": converts all to one layout; undefined if custom and exponential buckets meet. */
export function reconciled(all: readonly Histogram[]): Histogram[] | undefined {
  const custom = all.filter(({ bounds }) => bounds !== undefined);
  if (custom.length > 0 && custom.length < all.length) return undefined;
  if (custom.length > 0) {
    const shared = (all[0]?.bounds ?? []).filter((one) => all.every(({ bounds = [] }) => bounds.includes(one)));
    return all.map((one) => withBounds(one, shared));
  }
  const schema = Math.min(...all.map((one) => one.schema));
  const alike = all.map((one) => coarser(one, schema));
  const width = commonWidth(alike);
  return alike.map((one) => wider(one, width));
}

function withBounds(histogram: Histogram, bounds: readonly number[]): Histogram {
  const place = (index: number): number => {
    const upper = histogram.bounds?.[index] ?? Number.POSITIVE_INFINITY;
    const found = bounds.findIndex((one) => one >= upper);
    return found === -1 ? bounds.length : found;
  };
  return { ...histogram, bounds, positive: gathered([...histogram.positive].map(([index, count]) => [place(index), count])) };
}

/** Multiplies the counts and the sum by a number. */
export function times(histogram: Histogram, factor: number): Histogram {
  const each = (counts: Buckets): Buckets => new Map([...counts].map(([index, count]) => [index, count * factor]));
  const { positive, negative, zero, count, sum } = histogram;
  return {
    ...histogram,
    positive: each(positive),
    negative: each(negative),
    zero: zero * factor,
    count: count * factor,
    sum: sum * factor,
  };
}

/** "Division": division by zero leaves only the zero bucket. */
export function over(histogram: Histogram, divisor: number): Histogram {
  if (divisor !== 0) {
    const each = (counts: Buckets): Buckets => new Map([...counts].map(([index, count]) => [index, count / divisor]));
    const { positive, negative, zero, count, sum } = histogram;
    return {
      ...histogram,
      positive: each(positive),
      negative: each(negative),
      zero: zero / divisor,
      count: count / divisor,
      sum: sum / divisor,
    };
  }
  const none: Buckets = new Map();
  return { ...histogram, positive: none, negative: none, zero: histogram.zero / 0, count: histogram.count / 0, sum: histogram.sum / 0 };
}

/** The sum of all histograms with their signs; undefined if they have no common layout. */
export function added(all: readonly Histogram[], signs: readonly number[] = []): Histogram | undefined {
  return reconciled(all)
    ?.map((one, at) => (signs[at] === undefined ? one : times(one, signs[at])))
    .reduce((a, b) => ({
      ...a,
      zero: a.zero + b.zero,
      positive: gathered([...a.positive, ...b.positive]),
      negative: gathered([...a.negative, ...b.negative]),
      count: a.count + b.count,
      sum: a.sum + b.sum,
    }));
}
