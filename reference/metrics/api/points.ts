import type { Columns } from "../model/index.ts";
import { histogramJson } from "./histogram-json.ts";
import type { JsonWriter } from "./json.ts";
import { formatTime } from "./number.ts";
import { MOST_TIME_OCTETS, MOST_VALUE_OCTETS, putTime, putValue } from "./number-octets.ts";

const [QUOTE, COMMA, OPEN, CLOSE] = [0x22, 0x2c, 0x5b, 0x5d];
/** The octets before a value, `,[1435781451.781,"`, and after it. */
const MOST_BEGIN_OCTETS = MOST_TIME_OCTETS + ',[,"'.length;
const END_OCTETS = '"]'.length;
/** The number of floats that are written, and reserved space for, at a time. */
const TOGETHER = 512;
/** The number of point prefixes that are kept, from the start of a series. */
const KEPT = 1_024;

/**
 * Writes the points of one series after another (Prometheus docs, querying/api.md, "Range vectors"). Most series have the same times: copying the octets of
 * the series before takes a third of the time of formatting them.
 */
export class Points {
  readonly #begins = new Uint8Array(KEPT * MOST_BEGIN_OCTETS);
  readonly #ends = new Uint8Array(KEPT);
  readonly #times = new Float64Array(KEPT).fill(Number.NaN);

  /** Writes all rows as floats, with the closing bracket. */
  *floats(out: JsonWriter, columns: Columns): Generator<void> {
    for (let from = 0; from < columns.length; from += TOGETHER) {
      this.#some(out, columns, from, Math.min(columns.length, from + TOGETHER));
      yield;
    }
    out.ascii("]");
  }

  /** Writes the rows that are histograms, with the closing bracket. */
  *histograms(out: JsonWriter, { times, histograms = [], length }: Columns): Generator<void> {
    let begin = "[";
    for (let row = 0; row < length; row++) {
      const histogram = histograms[row];
      if (histogram === undefined) continue;
      yield void out.ascii(`${begin}${formatTime(times[row] ?? 0)},${histogramJson(histogram)}]`);
      begin = ",[";
    }
    out.ascii("]");
  }

  #some({ writer }: JsonWriter, { times, values }: Columns, from: number, to: number): void {
    let at = writer.claim((to - from) * (MOST_BEGIN_OCTETS + MOST_VALUE_OCTETS + END_OCTETS));
    const { octets } = writer;
    for (let row = from; row < to; row++) {
      at = this.#begin(octets, at, row, times[row] ?? 0);
      at = putValue(octets, at, values[row] ?? 0);
      octets[at++] = QUOTE;
      octets[at++] = CLOSE;
    }
    writer.settle(at);
  }

  #begin(octets: Uint8Array, from: number, row: number, time: number): number {
    if (row >= KEPT) return putBegin(octets, from, row, time);
    const first = row * MOST_BEGIN_OCTETS;
    if (this.#times[row] !== time) {
      this.#times[row] = time;
      this.#ends[row] = putBegin(this.#begins, first, row, time) - first;
    }
    const length = this.#ends[row] ?? 0;
    for (let at = 0; at < length; at++) octets[from + at] = this.#begins[first + at] ?? 0;
    return from + length;
  }
}

/** The first point has no comma before it. */
function putBegin(octets: Uint8Array, from: number, row: number, time: number): number {
  let at = from;
  if (row > 0) octets[at++] = COMMA;
  octets[at++] = OPEN;
  at = putTime(octets, at, time);
  octets[at++] = COMMA;
  octets[at++] = QUOTE;
  return at;
}
