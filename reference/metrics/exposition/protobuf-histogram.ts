import type { Histogram, Span } from "../model/index.ts";
import { type Message, Refusal } from "./protobuf-message.ts";
import { varint, type WireField, zigzag } from "./protobuf-wire.ts";

/** The native histogram of a message; undefined if it has only a classic one (Prometheus specs, native_histograms.md, "Exposition formats"). */
export function nativeOf(message: Message, count: number, isGauge: boolean): Histogram | undefined {
  const isNative = message.has(9) || message.has(12) || message.double(6) > 0 || message.count(7) > 0 || message.double(8) > 0;
  if (!isNative) return undefined;
  const schema = zigzagged(message, 5).at(-1) ?? 0;
  const [positiveSpans, negativeSpans] = [spans(message, 12), spans(message, 9)];
  const [positive, negative] = [counts(message, positiveSpans, 13, 14), counts(message, negativeSpans, 10, 11)];
  const isInteger = !(message.double(4) > 0) && !(message.double(8) > 0) && !message.has(11) && !message.has(14);
  const zeroCount = message.double(8) > 0 ? message.double(8) : message.count(7);
  if (schema < -4 || schema > 8 || !(message.double(6) >= 0)) throw new Refusal("histogramInvalid", message.offset);
  return {
    schema,
    zeroThreshold: message.double(6),
    zeroCount,
    count,
    sum: message.double(2),
    positiveSpans,
    negativeSpans,
    positive,
    negative,
    bounds: [],
    resetHint: isGauge ? "gauge" : "unknown",
    isInteger,
  };
}

/** The spans. A single span without buckets, which only marks the histogram as native, is dropped. */
function spans(message: Message, number: number): Span[] {
  const all = message.messages(number).map((one): Span => ({ offset: zigzagged(one, 1).at(-1) ?? 0, length: one.count(2) }));
  const buckets = all.reduce((sum, { length }) => sum + length, 0);
  if (buckets > message.limits.buckets) throw new Refusal("tooManyBuckets", message.offset);
  if (all.some(({ offset }, i) => i > 0 && offset < 0)) throw new Refusal("histogramInvalid", message.offset);
  return all.length === 1 && buckets === 0 ? [] : all;
}

/** Absolute counts, also for integer histograms, which have differences. */
function counts(message: Message, all: readonly Span[], deltas: number, absolute: number): number[] {
  let last = 0;
  const found = message.has(absolute)
    ? message.list(absolute, doubleOf(message), doubles)
    : zigzagged(message, deltas).map((delta) => (last += delta));
  const due = all.reduce((sum, { length }) => sum + length, 0);
  if (found.length !== due || found.some((count) => !(count >= 0))) throw new Refusal("histogramInvalid", message.offset);
  return found;
}

function zigzagged(message: Message, number: number): number[] {
  return message.list(
    number,
    (field) => {
      if (field.is !== "varint") throw new Refusal("fieldInvalid", message.offset);
      return zigzag(field.value);
    },
    varints,
  );
}
const doubleOf =
  (message: Message) =>
  (field: WireField): number => {
    if (field.is !== "double") throw new Refusal("fieldInvalid", message.offset);
    return field.value;
  };

/** A packed list: values without tags. */
function varints(octets: Uint8Array): WireField[] | undefined {
  const fields: WireField[] = [];
  for (let at = 0; at < octets.length;) {
    const found = varint(octets, at);
    if (found === undefined) return undefined;
    fields.push({ number: 0, is: "varint", value: found.value });
    at = found.next;
  }
  return fields;
}
function doubles(octets: Uint8Array): WireField[] | undefined {
  if (octets.length % 8 !== 0) return undefined;
  const view = new DataView(octets.buffer, octets.byteOffset, octets.length);
  return Array.from({ length: octets.length / 8 }, (_, i): WireField => ({ number: 0, is: "double", value: view.getFloat64(8 * i, true) }));
}
