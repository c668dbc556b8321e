import type { Histogram } from "../../model/index.ts";
import type { Exemplar } from "../../storage/index.ts";
import { FloatHalves, roomFor, widerF64 } from "../codec/index.ts";

/** A histogram sample; `ref` is its series, `time` is in milliseconds since 1970. */
export type HistogramRow = { readonly ref: number; readonly time: number; readonly histogram: Histogram };

/** An exemplar of the series `ref`. */
export type ExemplarRow = { readonly ref: number; readonly exemplar: Exemplar };

/** The log has a record type for floats and one for each kind of histogram. */
export const HISTOGRAM_KINDS = ["histograms", "floatHistograms", "customHistograms", "customFloatHistograms"] as const;
export type HistogramKind = (typeof HISTOGRAM_KINDS)[number];
export type SampleKind = "samples" | HistogramKind;

export function kindOf(histogram: Histogram): HistogramKind {
  if (histogram.bounds.length > 0) return histogram.isInteger ? "customHistograms" : "customFloatHistograms";
  return histogram.isInteger ? "histograms" : "floatHistograms";
}

/** A larger batch is rare: its memory is not kept for the next one. */
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

/** The samples of one appender; the next appender reuses its memory. */
export class Batch {
  readonly halves: FloatHalves = new FloatHalves();
  readonly inOrder: SampleColumns = new SampleColumns();
  /** Older than the last sample of their series: they have their own log. */
  readonly late: SampleColumns = new SampleColumns();
  readonly histograms: HistogramRow[] = [];
  readonly exemplars: ExemplarRow[] = [];
  /** For series with histograms in this batch: time and kind of their last sample. */
  readonly #ends = new Map<number, { readonly time: number; readonly kind: SampleKind }>();
  /** Lengths of the batch when a series changed to another kind of sample. */
  readonly #cuts: { floats: number; histograms: number }[] = [];

  /** The time of the last sample of a series with histograms; `undefined` for any other series. */
  endOf(ref: number): number | undefined {
    return this.#ends.size === 0 ? undefined : this.#ends.get(ref)?.time;
  }

  /** To be called before a sample is added to a series that has, or gets, histograms in this batch. */
  turn(ref: number, time: number, kind: SampleKind): void {
    const before = this.#ends.get(ref)?.kind ?? kind;
    this.#ends.set(ref, { time, kind });
    if (before !== kind) this.#cuts.push({ floats: this.inOrder.length, histograms: this.histograms.length });
  }

  /** The parts to log and store in order: floats first, and histograms of one kind per series. */
  parts(): Part[] {
    const ends = [...this.#cuts, { floats: this.inOrder.length, histograms: this.histograms.length }];
    return ends.map((end, at) => ({
      from: ends[at - 1]?.floats ?? 0,
      to: end.floats,
      histograms: this.histograms.slice(ends[at - 1]?.histograms ?? 0, end.histograms),
    }));
  }

  /** Drops floats that are not wanted. */
  filter(isWanted: (ref: number, time: number, high: number, low: number) => boolean): void {
    const { refs, times, bits, length } = this.inOrder;
    const cuts = this.#cuts.values();
    let cut = cuts.next().value;
    this.inOrder.length = 0;
    for (let at = 0; at < length; at++) {
      for (; cut?.floats === at; cut = cuts.next().value) cut.floats = this.inOrder.length;
      const [ref, time, high, low] = [refs[at]!, times[at]!, bits[at * 2 + 1]!, bits[at * 2]!];
      if (isWanted(ref, time, high, low)) this.inOrder.push(ref, time, high, low);
    }
    for (; cut !== undefined; cut = cuts.next().value) cut.floats = this.inOrder.length;
  }

  clear(): void {
    this.inOrder.clear();
    this.late.clear();
    this.histograms.length = 0;
    this.exemplars.length = 0;
    this.#ends.clear();
    this.#cuts.length = 0;
  }
}

/** The floats from `from` to `to`, then the histograms. */
export type Part = { readonly from: number; readonly to: number; readonly histograms: readonly HistogramRow[] };
