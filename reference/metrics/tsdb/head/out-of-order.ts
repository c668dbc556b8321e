import type { Columns } from "../../model/index.ts";
import { roomFor, widerF64, widerU32 } from "../codec/index.ts";

/** Times `start` to `end`, and arrival numbers below `below`. */
export type LateRange = { readonly start: number; readonly end: number; readonly below: number };

/**
 * Late samples: older than the last sample of their series, within the out-of-order window (Prometheus docs, storage.md, out-of-order ingestion). They
 * are kept in arrival order with a running number and sorted when read, so that an earlier reader can leave out later arrivals.
 */
export class LateSamples {
  readonly #rows = new Map<number, Late>();
  #count = 0;

  /** The number of samples so far; a sample's number is the count before it. */
  get count(): number {
    return this.#count;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  has(row: number): boolean {
    return this.#rows.has(row);
  }

  rows(): Iterable<number> {
    return this.#rows.keys();
  }

  add(row: number, time: number, high: number, low: number): void {
    let late = this.#rows.get(row);
    if (late === undefined) this.#rows.set(row, (late = new Late()));
    late.add(time, high, low, this.#count++);
  }

  /** Appends the samples of a range by time; of several at one time the first that arrived. */
  read(row: number, into: Columns, range: LateRange): void {
    this.#rows.get(row)?.read(into, range);
  }

  /** Whether there is a late sample at this time, with the same value or another. */
  compare(row: number, time: number, high: number, low: number): "same" | "other" | "none" {
    return this.#rows.get(row)?.compare(time, high, low) ?? "none";
  }

  dropBefore(row: number, time: number): void {
    const late = this.#rows.get(row);
    if (late === undefined) return;
    late.keepFrom(time);
    if (late.count === 0) this.#rows.delete(row);
  }

  drop(row: number): void {
    this.#rows.delete(row);
  }

  /** Moves a series to another row. Called in ascending order; rows only move down. */
  move(from: number, to: number): void {
    const late = this.#rows.get(from);
    if (late === undefined || from === to) return;
    this.#rows.delete(from);
    this.#rows.set(to, late);
  }

  firstTime(row: number): number {
    return this.#rows.get(row)?.minTime() ?? Infinity;
  }

  lastTime(row: number): number {
    return this.#rows.get(row)?.maxTime() ?? -Infinity;
  }

  minTime(): number {
    let least = Infinity;
    for (const late of this.#rows.values()) least = Math.min(least, late.minTime());
    return least;
  }
}

class Late {
  count = 0;
  #times = new Float64Array(4);
  #highs = new Uint32Array(4);
  #lows = new Uint32Array(4);
  #numbers = new Float64Array(4);

  add(time: number, high: number, low: number, number: number): void {
    if (this.count === this.#times.length) this.#widen(this.count < 512 ? this.count * 2 : roomFor(this.count + 1));
    this.#times[this.count] = time;
    this.#highs[this.count] = high;
    this.#lows[this.count] = low;
    this.#numbers[this.count] = number;
    this.count++;
  }

  read(into: Columns, { start, end, below }: LateRange): void {
    const order: number[] = [];
    for (let at = 0; at < this.count; at++) {
      const time = this.#times[at] ?? 0;
      if (time >= start && time <= end && (this.#numbers[at] ?? 0) < below) order.push(at);
    }
    order.sort((a, b) => (this.#times[a] ?? 0) - (this.#times[b] ?? 0) || a - b);
    let before = Number.NaN;
    for (const at of order) {
      const time = this.#times[at] ?? 0;
      if (time !== before) into.pushBits(time, this.#highs[at] ?? 0, this.#lows[at] ?? 0);
      before = time;
    }
  }

  compare(time: number, high: number, low: number): "same" | "other" | "none" {
    for (let at = 0; at < this.count; at++) {
      if (this.#times[at] === time) return this.#highs[at] === high >>> 0 && this.#lows[at] === low >>> 0 ? "same" : "other";
    }
    return "none";
  }

  keepFrom(time: number): void {
    let to = 0;
    for (let from = 0; from < this.count; from++) {
      if ((this.#times[from] ?? 0) < time) continue;
      for (const column of [this.#times, this.#highs, this.#lows, this.#numbers]) column[to] = column[from] ?? 0;
      to++;
    }
    this.count = to;
  }

  minTime(): number {
    let least = Infinity;
    for (let at = 0; at < this.count; at++) least = Math.min(least, this.#times[at] ?? 0);
    return least;
  }

  maxTime(): number {
    let most = -Infinity;
    for (let at = 0; at < this.count; at++) most = Math.max(most, this.#times[at] ?? 0);
    return most;
  }

  #widen(length: number): void {
    this.#times = widerF64(this.#times, length);
    this.#highs = widerU32(this.#highs, length);
    this.#lows = widerU32(this.#lows, length);
    this.#numbers = widerF64(this.#numbers, length);
  }
}
