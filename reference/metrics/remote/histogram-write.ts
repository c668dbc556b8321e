import { CUSTOM_BOUNDS, type Histogram, type Span } from "../model/index.ts";
import type { MessageWriter } from "./message-writer.ts";

const HINTS = { unknown: 0, reset: 1, none: 2, gauge: 3 } as const;

/** Writes the fields of a histogram, the same ones in both protocols (Prometheus specs, prw/remote_write_spec_2_0.md, "Protobuf Message"). */
export function writeHistogramMessage(to: MessageWriter, time: number, one: Histogram): void {
  const { isInteger } = one;
  if (isInteger) to.chosenInteger(1, one.count);
  else to.chosenDouble(2, one.count);
  to.double(3, one.sum);
  to.signed(4, one.schema);
  to.double(5, one.zeroThreshold);
  if (isInteger) to.chosenInteger(6, one.zeroCount);
  else to.chosenDouble(7, one.zeroCount);
  spans(to, 8, one.negativeSpans);
  buckets(to, isInteger ? 9 : 10, one.negative, isInteger);
  spans(to, 11, one.positiveSpans);
  buckets(to, isInteger ? 12 : 13, one.positive, isInteger);
  to.integer(14, HINTS[one.resetHint]);
  to.integer(15, time);
  if (one.schema === CUSTOM_BOUNDS) doubles(to, 16, one.bounds);
}

function spans(to: MessageWriter, field: number, all: readonly Span[]): void {
  for (const { offset, length } of all) {
    const start = to.begin(field);
    to.signed(1, offset);
    to.integer(2, length);
    to.end(start);
  }
}

/** Integers are differences from the bucket before. */
function buckets(to: MessageWriter, field: number, counts: readonly number[], isInteger: boolean): void {
  if (!isInteger) return doubles(to, field, counts);
  if (counts.length === 0) return undefined;
  const start = to.begin(field);
  let before = 0;
  for (const count of counts) {
    to.zigzag(count - before);
    before = count;
  }
  to.end(start);
  return undefined;
}

function doubles(to: MessageWriter, field: number, values: readonly number[]): void {
  if (values.length === 0) return;
  const start = to.begin(field);
  for (const value of values) to.eight(value);
  to.end(start);
}
