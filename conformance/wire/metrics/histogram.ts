import { joined, lengthDelimited, varint } from "../protobuf.ts";
import { STALE } from "./stale.ts";

/** Native histograms in a remote write request: the message `Histogram` of a time series (Prometheus specs, native_histograms.md, "Remote-write & remote-read"). */

/** Counts by bucket index; with custom bounds, the index is that of the upper bound. */
export type BucketCounts = Readonly<Record<number, number>>;
/** A native histogram as it is sent. */
export type WrittenHistogram = {
  /** -4 to 8, or -53 with the bounds in `bounds`. */
  readonly schema: number;
  readonly bounds?: readonly number[];
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly positive: BucketCounts;
  readonly negative: BucketCounts;
  readonly count: number;
  readonly sum: number;
  /** Counts are integers, sent as differences. */
  readonly isInteger: boolean;
  readonly isGauge: boolean;
};

/** Spans, and the counts of the buckets that they cover. */
export type SpannedBuckets = {
  readonly spans: readonly { readonly offset: number; readonly length: number }[];
  readonly counts: readonly number[];
};

/** Joins neighbouring buckets into spans, and leaves out empty ones. */
export function spanned(buckets: BucketCounts): SpannedBuckets {
  const places = Object.keys(buckets)
    .map(Number)
    .filter((index) => buckets[index] !== 0)
    .sort((a, b) => a - b);
  const spans: { offset: number; length: number }[] = [];
  let next = 0;
  for (const index of places) {
    const last = spans.at(-1);
    if (last !== undefined && index === next) last.length++;
    else spans.push({ offset: index - next, length: 1 });
    next = index + 1;
  }
  return { spans, counts: places.map((index) => buckets[index] ?? 0) };
}

const WIRE_VARINT = 0;
const WIRE_DOUBLE = 1;
/** `reset_hint` of a gauge; other histograms have none. */
const GAUGE = 3;

/** The message, for a time in milliseconds since 1970. */
export function histogramMessage(histogram: WrittenHistogram, time: number): Uint8Array {
  const { schema, bounds = [], zeroThreshold, zeroCount, positive, negative, count, sum, isInteger, isGauge } = histogram;
  const [low, high] = [spanned(negative), spanned(positive)];
  return joined([
    isInteger ? whole(1, count) : double(2, count),
    double(3, sum),
    whole(4, zigzag(schema)),
    double(5, zeroThreshold),
    isInteger ? whole(6, zeroCount) : double(7, zeroCount),
    ...spansOf(8, low),
    isInteger ? differences(9, low.counts) : doubles(10, low.counts),
    ...spansOf(11, high),
    isInteger ? differences(12, high.counts) : doubles(13, high.counts),
    ...(isGauge ? [whole(14, GAUGE)] : []),
    whole(15, time),
    ...(bounds.length === 0 ? [] : [doubles(16, bounds)]),
  ]);
}

/** The end of a series of histograms: an empty one, whose sum is the staleness marker (Prometheus specs, native_histograms.md, "Staleness markers"). */
export function staleHistogramMessage(time: number): Uint8Array {
  const sum = new Uint8Array(9);
  sum[0] = (3 << 3) | WIRE_DOUBLE;
  const view = new DataView(sum.buffer);
  view.setUint32(1, STALE[0], true);
  view.setUint32(5, STALE[1], true);
  return joined([whole(1, 0), sum, whole(15, time)]);
}

const whole = (number: number, value: number): Uint8Array => joined([varint((number << 3) | WIRE_VARINT), varint(value)]);

const double = (number: number, value: number): Uint8Array => joined([varint((number << 3) | WIRE_DOUBLE), sixtyFourBits(value)]);

function sixtyFourBits(value: number): Uint8Array {
  const octets = new Uint8Array(8);
  new DataView(octets.buffer).setFloat64(0, value, true);
  return octets;
}

const doubles = (number: number, values: readonly number[]): Uint8Array =>
  values.length === 0 ? new Uint8Array() : lengthDelimited(number, joined(values.map(sixtyFourBits)));

const differences = (number: number, counts: readonly number[]): Uint8Array =>
  counts.length === 0
    ? new Uint8Array()
    : lengthDelimited(number, joined(counts.map((count, at) => varint(zigzag(count - (counts[at - 1] ?? 0))))));

const spansOf = (number: number, { spans }: SpannedBuckets): Uint8Array[] =>
  spans.map(({ offset, length }) => lengthDelimited(number, joined([whole(1, zigzag(offset)), whole(2, length)])));

/** Maps small numbers of either sign to small positive ones. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
