import type { Columns } from "../../model/index.ts";
import type { BitReader } from "../codec/index.ts";
import { type EncodedChunk, Encoding } from "./batch.ts";
import type { ChunkFault } from "./fault.ts";
import { FloatSample, HINTS, histogramOf, IntegerSample } from "./histogram-sample.ts";
import { bucketCount, readLayout } from "./layout.ts";
import { StartColumn } from "./start.ts";
import { isStaleHalves } from "./values.ts";

/** Reads chunks of integer or float histograms (Prometheus TSDB docs, format/chunks.md, "Histogram chunk data", "Float histogram chunk data"). */
export class HistogramChunkReader {
  readonly #reader: BitReader;

  constructor(reader: BitReader) {
    this.#reader = reader;
  }

  /** As `FloatChunkReader.read`. */
  read({ encoding, bytes, from, to }: EncodedChunk, into: Columns, start: number, end: number): ChunkFault | undefined {
    const reader = this.#reader;
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
    // A bucket has at least one bit.
    if (buckets > reader.left) return "chunkHistogram";
    const sample = isInteger ? new IntegerSample(buckets, reader.halves) : new FloatSample(buckets, reader.halves);
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
      // A reset begins a new chunk, so only the first sample of a chunk may follow one.
      else into.pushHistogram(time, histogramOf(sample, layout, isGauge ? "gauge" : index === 0 ? "unknown" : "none"));
    }
    return undefined;
  }
}
