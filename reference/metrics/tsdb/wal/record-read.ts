import type { Histogram, Span } from "../../model/index.ts";
import { Cursor } from "../codec/index.ts";
import { RECORD, RESET_HINTS } from "./record.ts";

/** Why a record cannot be understood, though its checksum is right. */
export type RecordFault = "recordShort" | "recordType";

/** What a reader of the log is told. */
export interface RecordSink {
  /** The labels lie in `bytes` from `from` to `to`: their number, then each name and value with its length. */
  series(ref: number, bytes: Uint8Array, from: number, to: number): void;
  /** The eight octets of the value lie in `bytes` from `at` on. */
  sample(ref: number, time: number, bytes: Uint8Array, at: number): void;
  histogram(ref: number, time: number, histogram: Histogram): void;
  tombstone(ref: number, start: number, end: number): void;
  /** A record that is kept as it is, or not at all: exemplars, metadata, markers. */
  other(type: number, bytes: Uint8Array, from: number, to: number): void;
}

const VALUE_OCTETS = 8;
const cursor = new Cursor(new Uint8Array(0));

/** Reads one record (Prometheus TSDB docs, format/wal.md, "Record types"). Of a record that is short, what comes before the gap has been told. */
export function readRecord(bytes: Uint8Array, from: number, to: number, sink: RecordSink): RecordFault | undefined {
  if (from >= to) return "recordShort";
  const type = bytes[from] ?? 0;
  cursor.bytes = bytes;
  cursor.at = from + 1;
  cursor.end = to;
  cursor.short = false;
  switch (type) {
    case RECORD.samples:
      return readSamples(bytes, to, sink);
    case RECORD.series:
      while (cursor.left > 0) if (!readSeries(bytes, sink)) return "recordShort";
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
      return readHistograms(type, sink);
    case RECORD.exemplars:
    case RECORD.mmapMarkers:
    case RECORD.metadata:
      sink.other(type, bytes, from, to);
      return undefined;
    default:
      return "recordType";
  }
}

function readSeries(bytes: Uint8Array, sink: RecordSink): boolean {
  const ref = cursor.u64();
  const from = cursor.at;
  const size = cursor.uvarint();
  for (let text = 0; text < size * 2 && !cursor.short; text++) cursor.skip(cursor.uvarint());
  if (cursor.short) return false;
  sink.series(ref, bytes, from, cursor.at);
  return true;
}

/** Whether a record has samples, and all of them are older than `time`. A sample's age is found much sooner than the rest of it. */
export function hasOldSamplesOnly(bytes: Uint8Array, from: number, to: number, time: number): boolean {
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
    // The reference, whatever it is.
    while ((bytes[at] as number) > 127) at++;
    at++;
    let distance = bytes[at] as number;
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

/** Whether a record has samples, and each is of a series and a time that the caller wants. The values are not looked at. */
export function hasSuchSamplesOnly(bytes: Uint8Array, from: number, to: number, wants: (ref: number, time: number) => boolean): boolean {
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
    if (cursor.short || !wants(ref, time)) return false;
  }
  return true;
}

/** The most frequent record by far. */
function readSamples(bytes: Uint8Array, to: number, sink: RecordSink): RecordFault | undefined {
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

function readHistograms(type: number, sink: RecordSink): RecordFault | undefined {
  if (cursor.left === 0) return undefined;
  const isInteger = type === RECORD.histograms || type === RECORD.customHistograms;
  const isCustom = type === RECORD.customHistograms || type === RECORD.customFloatHistograms;
  const firstRef = cursor.u64();
  const firstTime = cursor.i64();
  while (cursor.left > 0 && !cursor.short) {
    const ref = firstRef + cursor.varint();
    const time = firstTime + cursor.varint();
    const histogram = readHistogram(isInteger, isCustom);
    if (cursor.short) break;
    sink.histogram(ref, time, histogram);
  }
  return cursor.short ? "recordShort" : undefined;
}

function readHistogram(isInteger: boolean, isCustom: boolean): Histogram {
  const number = (): number => (isInteger ? cursor.uvarint() : float());
  const resetHint = RESET_HINTS[cursor.u8()] ?? "unknown";
  const schema = cursor.varint();
  const zeroThreshold = float();
  const zeroCount = number();
  const count = number();
  const sum = float();
  const positiveSpans = readSpans();
  const negativeSpans = readSpans();
  const positive = readBuckets(isInteger);
  const negative = readBuckets(isInteger);
  const bounds = isCustom ? listOf(float, 8) : [];
  return { schema, zeroThreshold, zeroCount, count, sum, positiveSpans, negativeSpans, positive, negative, bounds, resetHint, isInteger };
}

/** So many as the number in front says; never more than there are octets for. */
function listOf<Item>(read: () => Item, leastOctets: number): Item[] {
  const size = cursor.uvarint();
  const list: Item[] = [];
  if (size * leastOctets > cursor.left) cursor.skip(cursor.left + 1);
  for (let at = 0; at < size && !cursor.short; at++) list.push(read());
  return list;
}

const readSpans = (): Span[] => listOf(() => ({ offset: cursor.varint(), length: cursor.uvarint() }), 2);

function readBuckets(isInteger: boolean): number[] {
  if (!isInteger) return listOf(float, 8);
  let count = 0;
  return listOf(() => (count += cursor.varint()), 1);
}

const value = new DataView(new ArrayBuffer(8));

function float(): number {
  value.setUint32(0, cursor.u32());
  value.setUint32(4, cursor.u32());
  return value.getFloat64(0);
}
