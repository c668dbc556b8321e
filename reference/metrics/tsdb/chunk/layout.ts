import { CUSTOM_BOUNDS, type Histogram, type Span } from "../../model/index.ts";
import type { BitReader, BitWriter } from "../codec/index.ts";

/** The part that all histograms of a chunk share (Prometheus TSDB docs, format/chunks.md, "Histogram chunk data"). */
export type Layout = Pick<Histogram, "schema" | "zeroThreshold" | "positiveSpans" | "negativeSpans" | "bounds">;

/** Powers of two from 2^-243 to 2^10 are stored in one octet. */
const THRESHOLD_SHIFT = 243;
const THRESHOLD_IN_FULL = 255;
/** Bounds of up to this many thousandths are stored as whole numbers. */
const MOST_THOUSANDTHS = 33_554_430;

/** Reads the layout; a schema with custom buckets has bounds. */
export function readLayout(reader: BitReader): Layout {
  const zeroThreshold = readThreshold(reader);
  const schema = reader.varbitInt();
  const positiveSpans = readSpans(reader);
  const negativeSpans = readSpans(reader);
  return { schema, zeroThreshold, positiveSpans, negativeSpans, bounds: schema === CUSTOM_BOUNDS ? readBounds(reader) : [] };
}

/** Writes the layout; only a schema with custom buckets has bounds. */
export function writeLayout(writer: BitWriter, layout: Layout): void {
  writeThreshold(writer, layout.zeroThreshold);
  writer.varbitInt(layout.schema);
  writeSpans(writer, layout.positiveSpans);
  writeSpans(writer, layout.negativeSpans);
  if (layout.schema === CUSTOM_BOUNDS) writeBounds(writer, layout.bounds);
}

/** Whether histograms of both layouts fit into one chunk. Spans are compared literally, so an equal set of buckets may differ. */
export function isSameLayout(a: Layout, b: Layout): boolean {
  return (
    a.schema === b.schema &&
    a.zeroThreshold === b.zeroThreshold &&
    isSameSpans(a.positiveSpans, b.positiveSpans) &&
    isSameSpans(a.negativeSpans, b.negativeSpans) &&
    a.bounds.length === b.bounds.length &&
    a.bounds.every((bound, at) => bound === b.bounds[at])
  );
}

const isSameSpans = (a: readonly Span[], b: readonly Span[]): boolean =>
  a.length === b.length && a.every((span, at) => span.offset === b[at]?.offset && span.length === b[at]?.length);

/** The number of buckets in `spans`. */
export const bucketCount = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + span.length, 0);

function readThreshold(reader: BitReader): number {
  const octet = reader.bits(8);
  if (octet === 0) return 0;
  if (octet !== THRESHOLD_IN_FULL) return 2 ** (octet - THRESHOLD_SHIFT - 1);
  return reader.float();
}

function writeThreshold(writer: BitWriter, threshold: number): void {
  const octet = Math.log2(threshold) + THRESHOLD_SHIFT + 1;
  if (threshold === 0) writer.bits(0, 8);
  else if (Number.isInteger(octet) && octet >= 1 && octet < THRESHOLD_IN_FULL && 2 ** (octet - THRESHOLD_SHIFT - 1) === threshold)
    writer.bits(octet, 8);
  else {
    writer.bits(THRESHOLD_IN_FULL, 8);
    writer.float(threshold);
  }
}

function readSpans(reader: BitReader): Span[] {
  const spans: Span[] = [];
  for (let left = reader.varbitUint(); left > 0 && !reader.short; left--) {
    const length = reader.varbitUint();
    spans.push({ length, offset: reader.varbitInt() });
  }
  return spans;
}

function writeSpans(writer: BitWriter, spans: readonly Span[]): void {
  writer.varbitUint(spans.length);
  for (const { length, offset } of spans) {
    writer.varbitUint(length);
    writer.varbitInt(offset);
  }
}

function readBounds(reader: BitReader): number[] {
  const bounds: number[] = [];
  for (let left = reader.varbitUint(); left > 0 && !reader.short; left--) {
    const thousandths = reader.varbitUint();
    bounds.push(thousandths > 0 ? (thousandths - 1) / 1_000 : reader.float());
  }
  return bounds;
}

function writeBounds(writer: BitWriter, bounds: readonly number[]): void {
  writer.varbitUint(bounds.length);
  for (const bound of bounds) {
    const thousandths = bound * 1_000;
    if (Number.isInteger(thousandths) && thousandths >= 0 && thousandths <= MOST_THOUSANDTHS && thousandths / 1_000 === bound) {
      writer.varbitUint(thousandths + 1);
    } else {
      writer.varbitUint(0);
      writer.float(bound);
    }
  }
}
