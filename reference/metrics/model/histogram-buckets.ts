import { CUSTOM_BOUNDS, type Histogram, type Span } from "./histogram.ts";

/** The buckets of one side by ascending index, including empty ones: the form for arithmetic, where spans are the stored form. */
export type Buckets = { readonly indices: number[]; readonly counts: number[] };

/** Converts from spans. `counts` has one count for each bucket of the spans; missing ones are 0. */
export function bucketsOf(spans: readonly Span[], counts: readonly number[]): Buckets {
  const found: Buckets = { indices: [], counts: [] };
  let index = 0;
  let at = 0;
  for (const { offset, length } of spans) {
    index += offset;
    for (let end = index + length; index < end; index++) {
      found.indices.push(index);
      found.counts.push(counts[at++] ?? 0);
    }
  }
  return found;
}

/** Converts to spans without empty buckets. */
export function spansOf({ indices, counts }: Buckets): { readonly spans: Span[]; readonly counts: number[] } {
  const spans: { offset: number; length: number }[] = [];
  const kept: number[] = [];
  let next = 0;
  for (const [at, index] of indices.entries()) {
    const count = counts[at] ?? 0;
    if (count === 0) continue;
    const last = spans.at(-1);
    if (last !== undefined && index === next) last.length += 1;
    else spans.push({ offset: index - next, length: 1 });
    next = index + 1;
    kept.push(count);
  }
  return { spans, counts: kept };
}

/** Combines two lists bucket by bucket; a missing bucket counts as 0. */
export function merged(a: Buckets, b: Buckets, combine: (left: number, right: number) => number): Buckets {
  const out: Buckets = { indices: [], counts: [] };
  let [i, j] = [0, 0];
  while (i < a.indices.length || j < b.indices.length) {
    const [left, right] = [a.indices[i] ?? Infinity, b.indices[j] ?? Infinity];
    out.indices.push(Math.min(left, right));
    out.counts.push(combine(left <= right ? (a.counts[i++] ?? 0) : 0, right <= left ? (b.counts[j++] ?? 0) : 0));
  }
  return out;
}

/** Moves every bucket to another index and adds up those that coincide. `move` is monotonic. */
export function moved({ indices, counts }: Buckets, move: (index: number) => number): Buckets {
  const out: Buckets = { indices: [], counts: [] };
  for (const [at, index] of indices.entries()) {
    const to = move(index);
    const last = out.indices.length - 1;
    if (out.indices[last] === to) out.counts[last] = (out.counts[last] ?? 0) + (counts[at] ?? 0);
    else {
      out.indices.push(to);
      out.counts.push(counts[at] ?? 0);
    }
  }
  return out;
}

/** The index of a bucket after halving the resolution `times` times (Prometheus specs, native_histograms.md, "Schema"). */
export const halved = (times: number) => (index: number) => Math.ceil(index / 2 ** times);

const MOST_SCHEMA = 8;

/** A constant that is computed on first use. */
function lazily<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= compute());
}

/** By schema, the bounds 2^(n·2^-schema) between two powers of two, for each n below 2^schema. */
const FRACTIONS: readonly (() => Float64Array)[] = Array.from({ length: MOST_SCHEMA + 1 }, (_, schema) =>
  lazily(() => Float64Array.from({ length: 2 ** schema }, (_unused, n) => rootDown(n, schema))),
);

/** Bits of the fraction of a float. */
const FRACTION_BITS = 52;

/** The largest float that is not above 2^(n·2^-schema): bounds are inclusive. Found exactly, by raising candidates to the power. */
function rootDown(n: number, schema: number): number {
  let scaled = BigInt(Math.round(2 ** (n / 2 ** schema) * 2 ** FRACTION_BITS));
  const isAbove = (root: bigint): boolean => root ** (1n << BigInt(schema)) > 1n << (BigInt(n) + (BigInt(FRACTION_BITS) << BigInt(schema)));
  while (isAbove(scaled)) scaled -= 1n;
  while (!isAbove(scaled + 1n)) scaled += 1n;
  return Number(scaled) / 2 ** FRACTION_BITS;
}

/**
 * The upper bound of a positive bucket of a standard schema: 2^(index·2^-schema). The bucket that reaches beyond the largest float ends with that
 * float, and the next one is infinite (Prometheus specs, native_histograms.md, "Schema").
 */
export function upperBound(index: number, schema: number): number {
  const [whole, fraction] =
    schema <= 0 ? [index * 2 ** -schema, 1] : [index >> schema, FRACTIONS[schema]?.()[index & (2 ** schema - 1)] ?? 1];
  // 2^1024 is not a float, but a number just below it may be.
  const bound = whole > 1_023 ? 2 ** 1_023 * (fraction * 2 ** (whole - 1_023)) : 2 ** whole * fraction;
  if (bound !== Infinity) return bound;
  return upperBoundIsFinite(index - 1, schema) ? Number.MAX_VALUE : Infinity;
}

const upperBoundIsFinite = (index: number, schema: number): boolean => index * 2 ** -schema < 1_024;

/** A bucket with its bounds, for quantiles, fractions and texts. */
export type Bucket = { readonly lower: number; readonly upper: number; readonly count: number; readonly isZero: boolean };

/** Whether a histogram has custom bounds (Prometheus specs, native_histograms.md, "Schema"). */
export const isCustom = (histogram: Histogram): boolean => histogram.schema === CUSTOM_BOUNDS;

/** All nonempty buckets from the lowest to the highest, including the zero bucket. */
export function orderedBuckets(histogram: Histogram): Bucket[] {
  const { schema, bounds, zeroThreshold, zeroCount } = histogram;
  const { indices, counts } = bucketsOf(histogram.positiveSpans, histogram.positive);
  const found: Bucket[] = [];
  if (isCustom(histogram)) {
    for (const [at, index] of indices.entries()) {
      const lower = index === 0 ? -Infinity : (bounds[index - 1] ?? Infinity);
      found.push({ lower, upper: bounds[index] ?? Infinity, count: counts[at] ?? 0, isZero: false });
    }
    return found.filter(({ count }) => count !== 0);
  }
  const negative = bucketsOf(histogram.negativeSpans, histogram.negative);
  for (let at = negative.indices.length - 1; at >= 0; at--) {
    const index = negative.indices[at] ?? 0;
    // A wide zero bucket covers a part of this bucket.
    const upper = Math.min(-zeroThreshold, -upperBound(index - 1, schema));
    found.push({ lower: -upperBound(index, schema), upper, count: negative.counts[at] ?? 0, isZero: false });
  }
  found.push({ lower: -zeroThreshold, upper: zeroThreshold, count: zeroCount, isZero: true });
  for (const [at, index] of indices.entries()) {
    const lower = Math.max(zeroThreshold, upperBound(index - 1, schema));
    found.push({ lower, upper: upperBound(index, schema), count: counts[at] ?? 0, isZero: false });
  }
  return found.filter(({ count }) => count !== 0);
}
