import { type Histogram, Labels, type Span } from "../../model/index.ts";
import type { Exemplar } from "../../storage/index.ts";
import { Cursor, FloatHalves } from "../codec/index.ts";
import { RECORD, RESET_HINTS } from "./record.ts";

/** Why a record cannot be understood although its checksum is right. */
export type RecordFault = "recordShort" | "recordType";

/** Receives the content of records. */
export interface RecordSink {
  /** The labels are in `bytes` from `from` to `to`: their number, then each name and value after its length. */
  series(ref: number, bytes: Uint8Array, from: number, to: number): void;
  /** The eight octets of the value start at `at` in `bytes`. */
  sample(ref: number, time: number, bytes: Uint8Array, at: number): void;
  histogram(ref: number, time: number, histogram: Histogram): void;
  tombstone(ref: number, start: number, end: number): void;
  exemplar(ref: number, exemplar: Exemplar): void;
  /** A record that is not decoded: metadata, markers. */
  other(type: number, bytes: Uint8Array, from: number, to: number): void;
}

const VALUE_OCTETS = 8;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads records one after another (Prometheus TSDB docs, format/wal.md, "Record types"). Belongs to one reader of the log. */
export class RecordReader {
  readonly #cursor = new Cursor(new Uint8Array(0));
  readonly #halves = new FloatHalves();

  /** Passes the content of a record to the sink. If the record is short, the sink has received what comes before the gap. */
  read(bytes: Uint8Array, from: number, to: number, sink: RecordSink): RecordFault | undefined {
    const cursor = this.#cursor;
    if (from >= to) return "recordShort";
    const type = bytes[from] ?? 0;
    cursor.bytes = bytes;
    cursor.at = from + 1;
    cursor.end = to;
    cursor.short = false;
    switch (type) {
      case RECORD.samples:
        return this.#samples(bytes, to, sink);
      case RECORD.series:
        while (cursor.left > 0) if (!this.#series(bytes, sink)) return "recordShort";
        return undefined;
      case RECORD.tombstones:
        while (cursor.left > 0) {
          const ref = cursor.u64();
          const start = cursor.varint();
          const end = cursor.varint();
          if (cursor.short) return "recordShort";
          sink.tombstone(ref, start, end);
        }
        return undefined;
      case RECORD.histograms:
      case RECORD.floatHistograms:
      case RECORD.customHistograms:
      case RECORD.customFloatHistograms:
        return this.#readHistograms(type, sink);
      case RECORD.exemplars:
        return this.#exemplars(sink);
      case RECORD.mmapMarkers:
      case RECORD.metadata:
        sink.other(type, bytes, from, to);
        return undefined;
      default:
        return "recordType";
    }
  }

  /** Whether a record has samples and all of them are older than `time`. Much faster than reading the record. */
  hasOnlyOldSamples(bytes: Uint8Array, from: number, to: number, time: number): boolean {
    const cursor = this.#cursor;
    if (bytes[from] !== RECORD.samples) return false;
    cursor.bytes = bytes;
    cursor.at = from + 1;
    cursor.end = to;
    cursor.short = false;
    cursor.skip(8);
    const least = time - cursor.i64();
    if (cursor.short) return false;
    let at = cursor.at;
    while (at < to) {
      // Skip the reference.
      while (bytes[at]! > 127) at++;
      at++;
      let distance = bytes[at]!;
      if (distance < 128) {
        distance = (distance & 1) === 0 ? distance >>> 1 : -(distance >>> 1) - 1;
        at++;
      } else {
        cursor.at = at;
        distance = cursor.varint();
        at = cursor.at;
      }
      if (cursor.short || distance >= least) return false;
      at += VALUE_OCTETS;
    }
    return at === to;
  }

  /** Whether a record has samples and the caller wants all of them. Skips the values. */
  hasOnlySamplesThat(bytes: Uint8Array, from: number, to: number, isWanted: (ref: number, time: number) => boolean): boolean {
    const cursor = this.#cursor;
    if (bytes[from] !== RECORD.samples) return false;
    cursor.bytes = bytes;
    cursor.at = from + 1;
    cursor.end = to;
    cursor.short = false;
    const firstRef = cursor.u64();
    const firstTime = cursor.i64();
    if (cursor.left === 0) return false;
    while (cursor.left > 0) {
      const ref = firstRef + cursor.varint();
      const time = firstTime + cursor.varint();
      cursor.skip(VALUE_OCTETS);
      if (cursor.short || !isWanted(ref, time)) return false;
    }
    return true;
  }

  #series(bytes: Uint8Array, sink: RecordSink): boolean {
    const cursor = this.#cursor;
    const ref = cursor.u64();
    const from = cursor.at;
    const size = cursor.uvarint();
    for (let text = 0; text < size * 2 && !cursor.short; text++) cursor.skip(cursor.uvarint());
    if (cursor.short) return false;
    sink.series(ref, bytes, from, cursor.at);
    return true;
  }

  /** By far the most frequent record. */
  #samples(bytes: Uint8Array, to: number, sink: RecordSink): RecordFault | undefined {
    const cursor = this.#cursor;
    if (cursor.at === to) return undefined;
    const firstRef = cursor.u64();
    const firstTime = cursor.i64();
    while (cursor.at < to) {
      const ref = firstRef + cursor.varint();
      const time = firstTime + cursor.varint();
      const at = cursor.at;
      if (at + VALUE_OCTETS > to) return "recordShort";
      cursor.at = at + VALUE_OCTETS;
      sink.sample(ref, time, bytes, at);
    }
    return cursor.short ? "recordShort" : undefined;
  }

  #exemplars(sink: RecordSink): RecordFault | undefined {
    const cursor = this.#cursor;
    if (cursor.left === 0) return undefined;
    const firstRef = cursor.u64();
    const firstTime = cursor.i64();
    while (cursor.left > 0 && !cursor.short) {
      const ref = firstRef + cursor.varint();
      const time = firstTime + cursor.varint();
      const value = this.#float();
      const pairs = this.#list((): readonly [string, string] => [this.#text(), this.#text()], 2);
      if (cursor.short) break;
      sink.exemplar(ref, { labels: Labels.of(pairs), value, time });
    }
    return cursor.short ? "recordShort" : undefined;
  }

  #text(): string {
    return decoder.decode(this.#cursor.view(this.#cursor.uvarint()));
  }

  #readHistograms(type: number, sink: RecordSink): RecordFault | undefined {
    const cursor = this.#cursor;
    if (cursor.left === 0) return undefined;
    const isInteger = type === RECORD.histograms || type === RECORD.customHistograms;
    const isCustom = type === RECORD.customHistograms || type === RECORD.customFloatHistograms;
    const firstRef = cursor.u64();
    const firstTime = cursor.i64();
    while (cursor.left > 0 && !cursor.short) {
      const ref = firstRef + cursor.varint();
      const time = firstTime + cursor.varint();
      const histogram = this.#histogram(isInteger, isCustom);
      if (cursor.short) break;
      sink.histogram(ref, time, histogram);
    }
    return cursor.short ? "recordShort" : undefined;
  }

  #histogram(isInteger: boolean, isCustom: boolean): Histogram {
    const cursor = this.#cursor;
    const number = (): number => (isInteger ? cursor.uvarint() : this.#float());
    const resetHint = RESET_HINTS[cursor.u8()] ?? "unknown";
    const schema = cursor.varint();
    const zeroThreshold = this.#float();
    const zeroCount = number();
    const count = number();
    const sum = this.#float();
    const positiveSpans = this.#spans();
    const negativeSpans = this.#spans();
    const positive = this.#buckets(isInteger);
    const negative = this.#buckets(isInteger);
    const bounds = isCustom ? this.#list(() => this.#float(), 8) : [];
    return { schema, zeroThreshold, zeroCount, count, sum, positiveSpans, negativeSpans, positive, negative, bounds, resetHint, isInteger };
  }

  /** As many items as the count before them, if there are octets for so many. */
  #list<Item>(read: () => Item, leastOctets: number): Item[] {
    const cursor = this.#cursor;
    const size = cursor.uvarint();
    const list: Item[] = [];
    if (size * leastOctets > cursor.left) cursor.skip(cursor.left + 1);
    for (let at = 0; at < size && !cursor.short; at++) list.push(read());
    return list;
  }

  #spans(): Span[] {
    const cursor = this.#cursor;
    return this.#list(() => ({ offset: cursor.varint(), length: cursor.uvarint() }), 2);
  }

  #buckets(isInteger: boolean): number[] {
    const cursor = this.#cursor;
    if (!isInteger) return this.#list(() => this.#float(), 8);
    let count = 0;
    return this.#list(() => (count += cursor.varint()), 1);
  }

  #float(): number {
    const cursor = this.#cursor;
    const high = cursor.u32();
    return this.#halves.join(high, cursor.u32());
  }
}
