import { type Histogram, type ResetHint, STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import type { BitReader, BitWriter, FloatHalves } from "../codec/index.ts";
import { bucketCount, type Layout } from "./layout.ts";
import { FloatColumn, isStaleHalves, StepColumn } from "./values.ts";

/** What is known of a counter reset before a chunk, by the number in the two upper bits of its flags. */
export const HINTS = ["unknown", "none", "reset", "gauge"] as const satisfies readonly ResetHint[];

/** The columns of integer histograms. A bucket is stored as its difference from the bucket before, as a step column. */
export class IntegerSample {
  readonly isInteger = true;
  readonly time = new StepColumn();
  readonly count = new StepColumn();
  readonly zeroCount = new StepColumn();
  readonly sum: FloatColumn;
  readonly buckets: readonly StepColumn[];

  constructor(buckets: number, halves: FloatHalves) {
    this.sum = new FloatColumn(halves);
    this.buckets = Array.from({ length: buckets }, () => new StepColumn());
  }

  /** A count is negative: the chunk is damaged. */
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
    if (isFirst) {
      this.time.value = time;
      this.count.value = count;
      this.zeroCount.value = zeroCount;
      to.varbitInt(time);
      to.varbitUint(count);
      to.varbitUint(zeroCount);
    } else {
      this.time.writeNext(to, time);
      // A stale marker has no counts, and is the last sample that needs them.
      if (histogram === undefined) to.bits(0, 2);
      else {
        this.count.writeNext(to, count);
        this.zeroCount.writeNext(to, zeroCount);
      }
    }
    writeSum(this.sum, to, histogram, isFirst);
    if (histogram === undefined) return;
    const differences = [...differencesOf(histogram.positive), ...differencesOf(histogram.negative)];
    for (const [at, bucket] of this.buckets.entries()) {
      const difference = differences[at] ?? 0;
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

/** The columns of float histograms. */
export class FloatSample {
  readonly isInteger = false;
  readonly isNegative = false;
  readonly time = new StepColumn();
  readonly count: FloatColumn;
  readonly zeroCount: FloatColumn;
  readonly sum: FloatColumn;
  readonly buckets: readonly FloatColumn[];

  constructor(buckets: number, halves: FloatHalves) {
    this.count = new FloatColumn(halves);
    this.zeroCount = new FloatColumn(halves);
    this.sum = new FloatColumn(halves);
    this.buckets = Array.from({ length: buckets }, () => new FloatColumn(halves));
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
    if (histogram === undefined) return;
    const counts = [...histogram.positive, ...histogram.negative];
    for (const [at, bucket] of this.buckets.entries()) bucket.writeNumber(to, counts[at] ?? 0, isFirst);
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
export function histogramOf(sample: IntegerSample | FloatSample, layout: Layout, resetHint: ResetHint): Histogram {
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
