import type { Histogram, ResetHint } from "../../model/index.ts";
import { BitWriter } from "../codec/index.ts";
import { Encoding } from "./batch.ts";
import { MOST_SAMPLES } from "./float.ts";
import { FloatSample, HINTS, IntegerSample } from "./histogram-sample.ts";
import { isSameLayout, type Layout, writeLayout } from "./layout.ts";

/** Why a sample begins a new chunk. */
export type ChunkEnd = "full" | "layout" | "reset" | "stale";

type ChunkStart = { readonly isInteger: boolean; readonly hint?: ResetHint };

const EMPTY_LAYOUT = { schema: 0, zeroThreshold: 0, positiveSpans: [], negativeSpans: [], bounds: [] } as const satisfies Layout;

/** Writes a chunk of histograms. */
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

  /** Begins with its first sample; `undefined` is a stale marker. `hint`: what is known of a reset between the previous chunk and this one. */
  constructor(time: number, first: Histogram | undefined, { isInteger, hint = "unknown" }: ChunkStart) {
    this.encoding = isInteger ? Encoding.histogram : Encoding.floatHistogram;
    this.#layout = first ?? EMPTY_LAYOUT;
    this.#isGauge = first?.resetHint === "gauge";
    const buckets = (first?.positive.length ?? 0) + (first?.negative.length ?? 0);
    this.#sample = isInteger ? new IntegerSample(buckets, this.#writer.halves) : new FloatSample(buckets, this.#writer.halves);
    this.#writer.bits(0, 16);
    this.#writer.bits(HINTS.indexOf(this.#isGauge ? "gauge" : hint) << 6, 8);
    writeLayout(this.#writer, this.#layout);
    this.minTime = time;
    this.#push(time, first);
  }

  /** Appends a sample, or returns why it must begin a new chunk. Times rise. */
  append(time: number, histogram: Histogram | undefined): ChunkEnd | undefined {
    const end = this.#end(histogram);
    if (end === undefined) this.#push(time, histogram);
    return end;
  }

  /** A view, valid until the next sample. */
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
    // After a stale marker the counts are unknown.
    if (last === undefined) return "stale";
    if (next.isInteger !== (this.encoding === Encoding.histogram) || (next.resetHint === "gauge") !== this.#isGauge) return "layout";
    if (!isSameLayout(this.#layout, next)) return "layout";
    return !this.#isGauge && (next.resetHint === "reset" || isSmaller(next, last)) ? "reset" : undefined;
  }
}

/** Whether a count went down: the counter was reset (Prometheus specs, native_histograms.md, "Counter resets"). Both have the same layout. */
function isSmaller(next: Histogram, last: Histogram): boolean {
  return (
    next.count < last.count ||
    next.zeroCount < last.zeroCount ||
    next.positive.some((count, at) => count < (last.positive[at] ?? 0)) ||
    next.negative.some((count, at) => count < (last.negative[at] ?? 0))
  );
}
