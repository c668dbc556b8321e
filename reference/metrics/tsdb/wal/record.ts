import type { Histogram, ResetHint, Span } from "../../model/index.ts";
import { putUvarint, putVarint, roomFor, widerU8 } from "../codec/index.ts";
import type { ExemplarRow, HistogramKind, SeriesTable } from "../head/index.ts";

/** The type of a record, its first octet (Prometheus TSDB docs, format/wal.md, "Record types"). */
export const RECORD = {
  series: 1,
  samples: 2,
  tombstones: 3,
  exemplars: 4,
  mmapMarkers: 5,
  metadata: 6,
  histograms: 7,
  floatHistograms: 8,
  customHistograms: 9,
  customFloatHistograms: 10,
} as const;

/** By their numbers in records. */
export const RESET_HINTS: readonly ResetHint[] = ["unknown", "reset", "none", "gauge"];

const encoder = new TextEncoder();

/** Two numbers of ten octets, and a value. */
const MOST_SAMPLE = 28;

/** Samples in columns; `bits` has two halves per value, the low one first. */
export type SampleRows = { readonly refs: Float64Array; readonly times: Float64Array; readonly bits: Uint32Array };

/** A sequence of records; the buffer is reused for the next batch. */
export class RecordBuffer {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(16_384);
  length = 0;
  /** The end of each record. */
  readonly ends: number[] = [];
  #view = new DataView(this.bytes.buffer);

  clear(): void {
    this.length = 0;
    this.ends.length = 0;
  }

  /** Ends the current record. */
  end(): void {
    this.ends.push(this.length);
  }

  room(octets: number): void {
    if (this.length + octets <= this.bytes.length) return;
    this.bytes = widerU8(this.bytes, roomFor(this.length + octets));
    this.#view = new DataView(this.bytes.buffer);
  }

  begin(type: number): void {
    this.room(1);
    this.bytes[this.length++] = type;
  }

  /** The start of a series in a record of series: its reference and number of labels. Names and values follow, each after its length. */
  series(ref: number, size: number): void {
    this.room(20);
    this.u64(ref);
    this.uvarint(size);
  }

  /** A series of the head, with its labels. */
  seriesOf(table: SeriesTable, row: number): void {
    const { symbols } = table;
    const size = table.sizeOf(row);
    this.series(table.refOf(row), size);
    for (let place = 0; place < size; place++) {
      const value = table.symbolAt(row, place);
      const name = symbols.nameOf(value);
      this.room(20 + symbols.textLength(name) + symbols.textLength(value));
      this.length = symbols.put(value, this.bytes, symbols.put(name, this.bytes, this.length));
    }
  }

  uvarint(value: number): void {
    this.room(10);
    this.length = putUvarint(this.bytes, this.length, value);
  }

  varint(value: number): void {
    this.room(10);
    this.length = putVarint(this.bytes, this.length, value);
  }

  /** A whole number in two's complement. */
  u64(value: number): void {
    this.room(8);
    this.word(Math.floor(value / 0x1_0000_0000));
    this.word(value);
  }

  word(value: number): void {
    const { bytes } = this;
    bytes[this.length++] = value >>> 24;
    bytes[this.length++] = value >>> 16;
    bytes[this.length++] = value >>> 8;
    bytes[this.length++] = value;
  }

  float(value: number): void {
    this.room(8);
    this.#view.setFloat64(this.length, value);
    this.length += 8;
  }

  copy(from: Uint8Array, begin: number, end: number): void {
    this.room(end - begin);
    this.bytes.set(from.subarray(begin, end), this.length);
    this.length += end - begin;
  }

  /** A record of floats: the first reference and time, then each sample with its differences from them (Prometheus TSDB docs, format/wal.md, "Sample records"). */
  samples(rows: SampleRows, from: number, to: number): void {
    const { refs, times, bits } = rows;
    const ref = refs[from] ?? 0;
    const time = times[from] ?? 0;
    this.room(17 + (to - from) * MOST_SAMPLE);
    this.begin(RECORD.samples);
    this.u64(ref);
    this.u64(time);
    const { bytes } = this;
    let at = this.length;
    for (let row = from; row < to; row++) {
      at = putVarint(bytes, at, (refs[row] ?? 0) - ref);
      at = putVarint(bytes, at, (times[row] ?? 0) - time);
      const high = bits[row * 2 + 1] ?? 0;
      const low = bits[row * 2] ?? 0;
      bytes[at] = high >>> 24;
      bytes[at + 1] = high >>> 16;
      bytes[at + 2] = high >>> 8;
      bytes[at + 3] = high;
      bytes[at + 4] = low >>> 24;
      bytes[at + 5] = low >>> 16;
      bytes[at + 6] = low >>> 8;
      bytes[at + 7] = low;
      at += 8;
    }
    this.length = at;
    this.end();
  }

  tombstones(rows: readonly { readonly ref: number; readonly start: number; readonly end: number }[]): void {
    this.begin(RECORD.tombstones);
    for (const { ref, start, end } of rows) {
      this.u64(ref);
      this.varint(start);
      this.varint(end);
    }
    this.end();
  }

  /** A record of histograms of one kind (Prometheus TSDB docs, format/wal.md, "Histogram records"). */
  histograms(kind: HistogramKind, rows: readonly { readonly ref: number; readonly time: number; readonly histogram: Histogram }[]): void {
    const [first] = rows;
    if (first === undefined) return;
    this.begin(RECORD[kind]);
    this.u64(first.ref);
    this.u64(first.time);
    for (const { ref, time, histogram } of rows) {
      this.varint(ref - first.ref);
      this.varint(time - first.time);
      this.#histogram(histogram);
      if (kind === "customHistograms" || kind === "customFloatHistograms") {
        this.uvarint(histogram.bounds.length);
        for (const bound of histogram.bounds) this.float(bound);
      }
    }
    this.end();
  }

  /** A record of exemplars (Prometheus TSDB docs, format/wal.md, "Exemplar records"). */
  exemplars(rows: readonly ExemplarRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    this.begin(RECORD.exemplars);
    this.u64(first.ref);
    this.u64(first.exemplar.time);
    for (const { ref, exemplar } of rows) {
      const { labels, time, value } = exemplar;
      this.varint(ref - first.ref);
      this.varint(time - first.exemplar.time);
      this.float(value);
      this.uvarint(labels.size);
      for (const text of labels.flat) this.#text(text);
    }
    this.end();
  }

  #text(text: string): void {
    const octets = encoder.encode(text);
    this.uvarint(octets.length);
    this.copy(octets, 0, octets.length);
  }

  #histogram(histogram: Histogram): void {
    const { isInteger } = histogram;
    this.room(2);
    this.bytes[this.length++] = RESET_HINTS.indexOf(histogram.resetHint);
    this.varint(histogram.schema);
    this.float(histogram.zeroThreshold);
    for (const count of [histogram.zeroCount, histogram.count]) {
      if (isInteger) this.uvarint(count);
      else this.float(count);
    }
    this.float(histogram.sum);
    this.#spans(histogram.positiveSpans);
    this.#spans(histogram.negativeSpans);
    this.#buckets(histogram.positive, isInteger);
    this.#buckets(histogram.negative, isInteger);
  }

  #spans(spans: readonly Span[]): void {
    this.uvarint(spans.length);
    for (const { offset, length } of spans) {
      this.varint(offset);
      this.uvarint(length);
    }
  }

  /** Integers are written as differences from the bucket before. */
  #buckets(counts: readonly number[], isInteger: boolean): void {
    this.uvarint(counts.length);
    let before = 0;
    for (const count of counts) {
      if (isInteger) this.varint(count - before);
      else this.float(count);
      before = count;
    }
  }
}
