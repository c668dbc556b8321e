import type { Histogram } from "./histogram.ts";
import { NAN_HIGH, NAN_LOW, STALE_HIGH, STALE_LOW } from "./stale.ts";

const FIRST_ROOM = 256;

/**
 * Samples of one series by columns: times in milliseconds since 1970, ascending, and values. Made once and used again for one series after
 * another, so that reading a hundred thousand series makes no object a sample. `bits` are the values as pairs of 32-bit halves, low one first,
 * which is how a stale mark is told from other NaN.
 */
export class Columns {
  times = new Float64Array(FIRST_ROOM);
  values = new Float64Array(FIRST_ROOM);
  bits = new Uint32Array(this.values.buffer);
  length = 0;
  /** By row, where the row is a histogram; undefined while no row is one. A histogram's value is its sum; a stale one is a stale float. */
  histograms: (Histogram | undefined)[] | undefined;

  clear(): void {
    this.length = 0;
    this.histograms = undefined;
  }

  /** Makes room for so many more rows, for whoever writes to the arrays themselves. */
  reserve(more: number): void {
    while (this.times.length < this.length + more) this.#grow();
  }

  push(time: number, value: number): void {
    if (this.length === this.times.length) this.#grow();
    this.times[this.length] = time;
    this.values[this.length] = value;
    this.length += 1;
  }

  /** A value by its halves: nothing happens to the bits of a NaN. */
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

  /** Columns of their own with what is in these. */
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

  /** The first row at or after `time`; `length` where there is none. */
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
    // As integers: a copy of floats may change a NaN.
    new Uint32Array(values.buffer).set(this.bits);
    this.times = times;
    this.values = values;
    this.bits = new Uint32Array(values.buffer);
  }
}
