import type { Histogram } from "./histogram.ts";
import { NAN_HIGH, NAN_LOW, STALE_HIGH, STALE_LOW } from "./stale.ts";

const FIRST_ROOM = 256;

/**
 * The samples of one series in columns: times in milliseconds since 1970, ascending, and values. Reused for one series after another, so that reading
 * 100,000 series allocates no object per sample. `bits` has the values as pairs of 32-bit halves, the low one first, which distinguishes a stale marker
 * from other NaNs.
 */
export class Columns {
  times = new Float64Array(FIRST_ROOM);
  values = new Float64Array(FIRST_ROOM);
  bits = new Uint32Array(this.values.buffer);
  length = 0;
  /** The histograms by row; undefined if no row is one. The value of such a row is the sum; a stale histogram is a stale float. */
  histograms: (Histogram | undefined)[] | undefined;

  clear(): void {
    this.length = 0;
    this.histograms = undefined;
  }

  /** Makes room for more rows, for callers that write to the arrays directly. */
  reserve(more: number): void {
    while (this.times.length < this.length + more) this.#grow();
  }

  push(time: number, value: number): void {
    if (this.length === this.times.length) this.#grow();
    this.times[this.length] = time;
    this.values[this.length] = value;
    this.length += 1;
  }

  /** Adds a value by its halves, which keeps the bits of a NaN. */
  pushBits(time: number, high: number, low: number): void {
    if (this.length === this.times.length) this.#grow();
    this.times[this.length] = time;
    this.bits[this.length * 2] = low;
    this.bits[this.length * 2 + 1] = high;
    this.length += 1;
  }

  pushStale(time: number): void {
    this.pushBits(time, STALE_HIGH, STALE_LOW);
  }

  pushHistogram(time: number, histogram: Histogram): void {
    this.histograms ??= [];
    this.histograms[this.length] = histogram;
    if (Number.isNaN(histogram.sum)) this.pushBits(time, NAN_HIGH, NAN_LOW);
    else this.push(time, histogram.sum);
  }

  isStale(row: number): boolean {
    return this.bits[row * 2] === STALE_LOW && this.bits[row * 2 + 1] === STALE_HIGH;
  }

  /** An independent copy. */
  copy(): Columns {
    const copy = new Columns();
    copy.times = this.times.slice(0, this.length);
    copy.values = new Float64Array(this.length);
    copy.bits = new Uint32Array(copy.values.buffer);
    copy.bits.set(this.bits.subarray(0, this.length * 2));
    copy.length = this.length;
    copy.histograms = this.histograms?.slice(0, this.length);
    return copy;
  }

  /** The first row at or after `time`; `length` if there is none. */
  rowAt(time: number, from = 0): number {
    let low = from;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.times[middle] ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const times = new Float64Array(this.times.length * 2);
    times.set(this.times);
    const values = new Float64Array(this.values.length * 2);
    // Copied as integers: a copy of floats may change the bits of a NaN.
    new Uint32Array(values.buffer).set(this.bits);
    this.times = times;
    this.values = values;
    this.bits = new Uint32Array(values.buffer);
  }
}
