import type { Histogram } from "../model/index.ts";
import { roomFor, widerF64 } from "./head-memory.ts";

export type HistogramRow = { readonly ref: number; readonly time: number; readonly histogram: Histogram };

/** The samples of one appender until it commits, in columns that the next appender uses again. */
export class Batch {
  refs = new Float64Array(64);
  times = new Float64Array(64);
  values = new Float64Array(64);
  /** The values as halves, the low one first. */
  bits = new Uint32Array(this.values.buffer);
  length = 0;
  readonly histograms: HistogramRow[] = [];

  clear(): void {
    this.length = 0;
    this.histograms.length = 0;
    // A batch of a million samples is an exception, and is not kept for the rest of the day.
    if (this.refs.length > 262_144) {
      this.refs = new Float64Array(64);
      this.times = new Float64Array(64);
      this.values = new Float64Array(64);
      this.bits = new Uint32Array(this.values.buffer);
    }
  }

  room(): void {
    if (this.length < this.refs.length) return;
    const length = roomFor(this.length + 1);
    this.refs = widerF64(this.refs, length);
    this.times = widerF64(this.times, length);
    this.values = widerF64(this.values, length);
    this.bits = new Uint32Array(this.values.buffer);
  }
}
