import { CUSTOM_BOUNDS, type Histogram, type ResetHint, type Span } from "../model/index.ts";
import { type MessageCursor, MessageFault } from "./cursor.ts";

/** Native histograms of remote write (Prometheus specs, prw/remote_write_spec_2_0.md, "Protobuf Message"). */

/** The most buckets of one histogram. */
const MOST_BUCKETS = 100_000;
const HINTS: readonly ResetHint[] = ["unknown", "reset", "none", "gauge"];

/** Reads the histogram that the cursor has entered, with its time in milliseconds since 1970. Throws `MessageFault`. */
export function readHistogramMessage(at: MessageCursor): { readonly time: number; readonly histogram: Histogram } {
  let [count, sum, schema, zeroThreshold, zeroCount, time] = [0, 0, 0, 0, 0, 0];
  let isInteger = true;
  let resetHint: ResetHint = "unknown";
  const [positiveSpans, negativeSpans]: [Span[], Span[]] = [[], []];
  const positiveDeltas: number[] = [];
  const negativeDeltas: number[] = [];
  const positiveCounts: number[] = [];
  const negativeCounts: number[] = [];
  const bounds: number[] = [];
  while (at.next()) {
    switch (at.field) {
      case 1:
        count = at.integer();
        break;
      case 2:
        count = at.double();
        isInteger = false;
        break;
      case 3:
        sum = at.double();
        break;
      case 4:
        schema = at.signed();
        break;
      case 5:
        zeroThreshold = at.double();
        break;
      case 6:
        zeroCount = at.integer();
        break;
      case 7:
        zeroCount = at.double();
        break;
      case 8:
        negativeSpans.push(readSpan(at));
        break;
      case 9:
        at.numbers(negativeDeltas, 0, (one) => one.zigzag());
        break;
      case 10:
        at.numbers(negativeCounts, 1, (one) => one.double());
        break;
      case 11:
        positiveSpans.push(readSpan(at));
        break;
      case 12:
        at.numbers(positiveDeltas, 0, (one) => one.zigzag());
        break;
      case 13:
        at.numbers(positiveCounts, 1, (one) => one.double());
        break;
      case 14:
        resetHint = HINTS[at.integer()] ?? "unknown";
        break;
      case 15:
        time = at.integer();
        break;
      case 16:
        at.numbers(bounds, 1, (one) => one.double());
        break;
      default:
        at.skip();
    }
  }
  if (schema !== CUSTOM_BOUNDS && (schema < -4 || schema > 8)) throw new MessageFault(`a histogram has the unknown schema ${schema}`);
  const positive = isInteger ? summed(positiveDeltas) : positiveCounts;
  const negative = isInteger ? summed(negativeDeltas) : negativeCounts;
  checkSide(positiveSpans, positive);
  checkSide(negativeSpans, negative);
  const observed = [zeroCount, ...positive, ...negative].reduce((sum, one) => sum + one, 0);
  // Sums of floats are not exact.
  if (observed > count + (isInteger ? 0 : Math.abs(count) * 1e-9))
    throw new MessageFault(`a histogram of ${count} observations has ${observed} in its buckets`);
  const histogram = {
    schema,
    zeroThreshold,
    zeroCount,
    count,
    sum,
    positiveSpans,
    negativeSpans,
    positive,
    negative,
    bounds: bounds,
    resetHint,
    isInteger,
  };
  return { time, histogram };
}

function readSpan(at: MessageCursor): Span {
  let [offset, length] = [0, 0];
  const outer = at.enter();
  while (at.next()) {
    if (at.field === 1) offset = at.signed();
    else if (at.field === 2) length = at.integer();
    else at.skip();
  }
  at.leave(outer);
  return { offset, length };
}

function summed(deltas: readonly number[]): number[] {
  let last = 0;
  return deltas.map((delta) => (last += delta));
}

function checkSide(spans: readonly Span[], counts: readonly number[]): void {
  const due = spans.reduce((sum, { length }) => sum + length, 0);
  if (due > MOST_BUCKETS) throw new MessageFault(`a histogram has more than ${MOST_BUCKETS} buckets`);
  if (spans.some(({ offset, length }, at) => length < 0 || (at > 0 && offset < 0)))
    throw new MessageFault("a histogram has an invalid span");
  if (due !== counts.length) throw new MessageFault(`a histogram has ${counts.length} buckets for spans of ${due}`);
  if (counts.some((count) => count < 0)) throw new MessageFault("a histogram has a negative bucket");
}
