import { type Columns, type Histogram, type ResetHint, STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import { BitDesk, BitReader, BitWriter } from "../codec/index.ts";
import { Encoding } from "./batch.ts";
import { type ChunkFault, MOST_SAMPLES } from "./float.ts";
import { bucketCount, isSameLayout, type Layout, readLayout, writeLayout } from "./layout.ts";
import { StartColumn } from "./start.ts";
import { FloatColumn, isStaleHalves, StepColumn } from "./values.ts";

/** Chunks of histograms (Prometheus TSDB docs, format/chunks.md, "Histogram chunk data", "Float histogram chunk data"), integer ones and those of floats. */

const desk = new BitDesk();
const reader = new BitReader(desk);

/** The two upper bits of the flags: what is known of a counter reset in front of the chunk. */
const HINTS = ["unknown", "none", "reset", "gauge"] as const satisfies readonly ResetHint[];

/** Appends the samples with `start <= time <= end`, or nothing where the octets are no chunk of histograms: then it says why. */
export function readHistogramChunk(
  encoding: number,
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Columns,
  start = -Infinity,
  end = Infinity,
): ChunkFault | undefined {
  reader.begin(bytes, from, to);
  const hasStarts = encoding === Encoding.histogramStart || encoding === Encoding.floatHistogramStart;
  const hint = hasStarts ? reader.bits(2) : 0;
  const count = reader.bits(hasStarts ? 14 : 16);
  const flags = reader.bits(8);
  if (reader.short) return "chunkShort";
  if (count === 0) return undefined;
  const isGauge = (hasStarts ? hint : flags >>> 6) === HINTS.indexOf("gauge");
  const starts = hasStarts ? new StartColumn(flags) : undefined;
  const layout = readLayout(reader);
  const isInteger = encoding === Encoding.histogram || encoding === Encoding.histogramStart;
  if (reader.short) return "chunkShort";
  const buckets = bucketCount(layout.positiveSpans) + bucketCount(layout.negativeSpans);
  // A bucket has a bit at least.
  if (buckets > reader.left) return "chunkHistogram";
  const sample = isInteger ? new IntegerSample(buckets) : new FloatSample(buckets);
  const length = into.length;
  let last = -Infinity;
  for (let index = 0; index < count; index++) {
    sample.read(reader, index === 0);
    starts?.skip(reader, index);
    const time = sample.time.value;
    if (reader.short || time <= last) {
      into.length = length;
      return reader.short ? "chunkShort" : "chunkTime";
    }
    if (sample.isNegative) {
      into.length = length;
      return "chunkHistogram";
    }
    last = time;
    if (time > end) break;
    if (time < start) continue;
    if (isStaleHalves(sample.sum.high, sample.sum.low)) into.pushStale(time);
    // The first one of a chunk may follow anything; behind it a reset would have begun another chunk.
    else into.pushHistogram(time, histogramOf(sample, layout, isGauge ? "gauge" : index === 0 ? "unknown" : "none"));
  }
  return undefined;
}

/** The columns of an integer histogram. Buckets are stored as differences from the bucket before, those by the change of their steps. */
class IntegerSample {
  readonly isInteger = true;
  readonly time = new StepColumn();
  readonly count = new StepColumn();
  readonly zeroCount = new StepColumn();
  readonly sum = new FloatColumn();
  readonly buckets: readonly StepColumn[];

  constructor(buckets: number) {
    this.buckets = Array.from({ length: buckets }, () => new StepColumn());
  }

  /** Less than nothing was counted. */
  get isNegative(): boolean {
    return this.count.value < 0 || this.zeroCount.value < 0;
  }

  read(from: BitReader, isFirst: boolean): void {
    if (isFirst) {
      this.time.value = from.varbitInt();
      this.count.value = from.varbitUint();
      this.zeroCount.value = from.varbitUint();
      this.sum.readFirst(from);
      for (const bucket of this.buckets) bucket.value = from.varbitInt();
      return;
    }
    this.time.readNext(from);
    this.count.readNext(from);
    this.zeroCount.readNext(from);
    this.sum.readNext(from);
    if (isStaleHalves(this.sum.high, this.sum.low)) return;
    for (const bucket of this.buckets) bucket.readNext(from);
  }

  write(to: BitWriter, time: number, histogram: Histogram | undefined, isFirst: boolean): void {
    const { count, zeroCount } = histogram ?? { count: 0, zeroCount: 0 };
    const differences = histogram === undefined ? [] : [...differencesOf(histogram.positive), ...differencesOf(histogram.negative)];
    if (isFirst) {
      this.time.value = time;
      this.count.value = count;
      this.zeroCount.value = zeroCount;
      to.varbitInt(time);
      to.varbitUint(count);
      to.varbitUint(zeroCount);
    } else {
      this.time.writeNext(to, time);
      // A stale mark has no counts, and none follow it in this chunk.
      if (histogram === undefined) to.bits(0, 2);
      else {
        this.count.writeNext(to, count);
        this.zeroCount.writeNext(to, zeroCount);
      }
    }
    writeSum(this.sum, to, histogram, isFirst);
    for (const [at, difference] of differences.entries()) {
      const bucket = this.buckets[at] as StepColumn;
      if (isFirst) {
        bucket.value = difference;
        to.varbitInt(difference);
      } else bucket.writeNext(to, difference);
    }
  }

  counts(from: number, to?: number): number[] {
    let sum = 0;
    return this.buckets.slice(from, to).map((column) => (sum += column.value));
  }
}

/** The columns of a histogram of floats. */
class FloatSample {
  readonly isInteger = false;
  readonly isNegative = false;
  readonly time = new StepColumn();
  readonly count = new FloatColumn();
  readonly zeroCount = new FloatColumn();
  readonly sum = new FloatColumn();
  readonly buckets: readonly FloatColumn[];

  constructor(buckets: number) {
    this.buckets = Array.from({ length: buckets }, () => new FloatColumn());
  }

  read(from: BitReader, isFirst: boolean): void {
    if (isFirst) this.time.value = from.varbitInt();
    else this.time.readNext(from);
    for (const column of [this.count, this.zeroCount, this.sum]) {
      if (isFirst) column.readFirst(from);
      else column.readNext(from);
    }
    if (!isFirst && isStaleHalves(this.sum.high, this.sum.low)) return;
    for (const bucket of this.buckets) {
      if (isFirst) bucket.readFirst(from);
      else bucket.readNext(from);
    }
  }

  write(to: BitWriter, time: number, histogram: Histogram | undefined, isFirst: boolean): void {
    if (isFirst) {
      this.time.value = time;
      to.varbitInt(time);
    } else this.time.writeNext(to, time);
    this.count.writeNumber(to, histogram?.count ?? 0, isFirst);
    this.zeroCount.writeNumber(to, histogram?.zeroCount ?? 0, isFirst);
    writeSum(this.sum, to, histogram, isFirst);
    const buckets = histogram === undefined ? [] : [...histogram.positive, ...histogram.negative];
    for (const [at, bucket] of buckets.entries()) (this.buckets[at] as FloatColumn).writeNumber(to, bucket, isFirst);
  }

  counts(from: number, to?: number): number[] {
    return this.buckets.slice(from, to).map((column) => column.value);
  }
}

function writeSum(column: FloatColumn, to: BitWriter, histogram: Histogram | undefined, isFirst: boolean): void {
  if (histogram !== undefined) column.writeNumber(to, histogram.sum, isFirst);
  else if (isFirst) column.writeFirst(to, STALE_HIGH, STALE_LOW);
  else column.writeNext(to, STALE_HIGH, STALE_LOW);
}

const differencesOf = (counts: readonly number[]): number[] => counts.map((count, at) => count - (counts[at - 1] ?? 0));

/** The sample that was read last. */
function histogramOf(sample: IntegerSample | FloatSample, layout: Layout, resetHint: ResetHint): Histogram {
  const split = bucketCount(layout.positiveSpans);
  return {
    ...layout,
    count: sample.count.value,
    zeroCount: sample.zeroCount.value,
    sum: sample.sum.value,
    positive: sample.counts(0, split),
    negative: sample.counts(split),
    resetHint,
    isInteger: sample.isInteger,
  };
}

/** Why a histogram cannot stand in the chunk of the one before it. */
export type ChunkEnd = "full" | "layout" | "reset" | "stale";

const EMPTY_LAYOUT: Layout = { schema: 0, zeroThreshold: 0, positiveSpans: [], negativeSpans: [], bounds: [] };

/** A chunk of histograms that is written to. */
export class HistogramChunk {
  readonly encoding: number;
  count = 0;
  minTime = 0;
  maxTime = 0;
  readonly #writer = new BitWriter();
  readonly #layout: Layout;
  readonly #isGauge: boolean;
  readonly #sample: IntegerSample | FloatSample;
  #last: Histogram | undefined;

  /** With its first sample; no histogram is a stale mark. `hint`: what is known of a reset between the chunk before and this one. */
  constructor(time: number, first: Histogram | undefined, isInteger: boolean, hint: ResetHint = "unknown") {
    this.encoding = isInteger ? Encoding.histogram : Encoding.floatHistogram;
    this.#layout = first ?? EMPTY_LAYOUT;
    this.#isGauge = first?.resetHint === "gauge";
    const buckets = (first?.positive.length ?? 0) + (first?.negative.length ?? 0);
    this.#sample = isInteger ? new IntegerSample(buckets) : new FloatSample(buckets);
    this.#writer.bits(0, 16);
    this.#writer.bits(HINTS.indexOf(this.#isGauge ? "gauge" : hint) << 6, 8);
    writeLayout(this.#writer, this.#layout);
    this.minTime = time;
    this.#push(time, first);
  }

  /** Appends, or says why the sample has to begin another chunk. Times rise. */
  append(time: number, histogram: Histogram | undefined): ChunkEnd | undefined {
    const end = this.#end(histogram);
    if (end === undefined) this.#push(time, histogram);
    return end;
  }

  /** A view that is good until the next sample. */
  get bytes(): Uint8Array {
    const bytes = this.#writer.bytes.subarray(0, this.#writer.length);
    bytes[0] = this.count >>> 8;
    bytes[1] = this.count;
    return bytes;
  }

  #push(time: number, histogram: Histogram | undefined): void {
    this.#sample.write(this.#writer, time, histogram, this.count === 0);
    this.count += 1;
    this.maxTime = time;
    this.#last = histogram;
  }

  #end(next: Histogram | undefined): ChunkEnd | undefined {
    const last = this.#last;
    if (this.count >= MOST_SAMPLES) return "full";
    if (next === undefined) return undefined;
    // Behind a stale mark nothing is known of the counts.
    if (last === undefined) return "stale";
    if (next.isInteger !== (this.encoding === Encoding.histogram) || (next.resetHint === "gauge") !== this.#isGauge) return "layout";
    if (!isSameLayout(this.#layout, next)) return "layout";
    return !this.#isGauge && (next.resetHint === "reset" || isSmaller(next, last)) ? "reset" : undefined;
  }
}

/** A count of it has gone down: the counter began anew (Prometheus specs, native_histograms.md, "Counter resets"). Both have one layout. */
function isSmaller(next: Histogram, last: Histogram): boolean {
  return (
    next.count < last.count ||
    next.zeroCount < last.zeroCount ||
    next.positive.some((count, at) => count < (last.positive[at] ?? 0)) ||
    next.negative.some((count, at) => count < (last.negative[at] ?? 0))
  );
}
