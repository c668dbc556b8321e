import type { Histogram } from "../model/index.ts";
import { roomFor, widerF64 } from "./head-memory.ts";

/** A histogram for the series with this number; `time` in milliseconds since 1970. */
export type HistogramRow = { readonly ref: number; readonly time: number; readonly histogram: Histogram };

/** A batch larger than this is an exception, and its memory is not kept for the rest of the day. */
const MOST_KEPT = 262_144;
const LEAST = 64;

/** Samples in columns. */
export class SampleColumns {
  refs = new Float64Array(LEAST);
  times = new Float64Array(LEAST);
  /** The values as halves, the low one first. */
  bits = new Uint32Array(LEAST * 2);
  length = 0;

  push(ref: number, time: number, high: number, low: number): void {
    if (this.length === this.refs.length) this.#widen();
    const at = this.length++;
    this.refs[at] = ref;
    this.times[at] = time;
    this.bits[at * 2] = low;
    this.bits[at * 2 + 1] = high;
  }

  clear(): void {
    this.length = 0;
    if (this.refs.length <= MOST_KEPT) return;
    this.refs = new Float64Array(LEAST);
    this.times = new Float64Array(LEAST);
    this.bits = new Uint32Array(LEAST * 2);
  }

  #widen(): void {
    const length = roomFor(this.length + 1);
    this.refs = widerF64(this.refs, length);
    this.times = widerF64(this.times, length);
    this.bits = new Uint32Array(this.bits.buffer.transfer(length * 8));
  }
}

/** What one appender has collected; the next one uses its memory again. */
export class Batch {
  readonly inOrder: SampleColumns = new SampleColumns();
  /** Behind the last sample of their series: they go into a log of their own. */
  readonly late: SampleColumns = new SampleColumns();
  readonly histograms: HistogramRow[] = [];

  clear(): void {
    this.inOrder.clear();
    this.late.clear();
    this.histograms.length = 0;
  }
}
