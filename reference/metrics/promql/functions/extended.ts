import type { Columns } from "../../model/index.ts";
import type { Extension, FunctionName } from "../syntax/ast.ts";
import { ExecutionFailure } from "../evaluate/failure.ts";
import { FLOAT } from "../evaluate/value.ts";
import type { RowTarget } from "./rate-row.ts";

/** The functions that accept an extended range (Prometheus docs, feature_flags.md, "Extended Range Selectors"). */
const KNOWN: Readonly<Record<Extension, readonly FunctionName[]>> = {
  anchored: ["changes", "delta", "increase", "rate", "resets"],
  smoothed: ["delta", "increase", "rate"],
};

/** Throws `ExecutionFailure` if the function does not accept such a range. */
export function checkExtension(extension: Extension, name: FunctionName): void {
  const known = KNOWN[extension];
  if (!known.includes(name))
    throw new ExecutionFailure(`${extension} modifier can only be used with: ${known.join(", ")} - not with ${name}`);
}

/** The value at a time between two samples by linear interpolation; for a counter with a reset in between, interpolated from zero. */
export function between(columns: Columns, row: number, time: number, isCounter: boolean): number {
  const [before, after] = [columns.values[row] ?? 0, columns.values[row + 1] ?? 0];
  const [from, to] = [columns.times[row] ?? 0, columns.times[row + 1] ?? 0];
  const base = isCounter && after < before ? 0 : before;
  return base + (after - base) * ((time - from) / (to - from));
}

/**
 * Ranges that use the samples just outside them instead of extrapolating: `anchored` starts with the sample before the range, `smoothed` with
 * values interpolated at both ends. Samples further away than the look-back are ignored.
 */
export class ExtendedRange {
  readonly #extension: Extension;
  readonly #name: FunctionName;
  readonly #rangeMs: number;
  readonly #lookbackMs: number;
  /** The values of a window, with those at its ends. */
  readonly #values: number[] = [];

  constructor(extension: Extension, name: FunctionName, rangeMs: number, lookbackMs: number) {
    this.#extension = extension;
    this.#name = name;
    this.#rangeMs = rangeMs;
    this.#lookbackMs = lookbackMs;
  }

  /** Computes all steps of one series. Returns the number of steps with a result. */
  over(columns: Columns, { ends, out, first }: RowTarget): number {
    let found = 0;
    for (let step = 0; step < ends.length; step++) {
      const end = ends[step] ?? 0;
      if (!this.#collect(columns, end)) continue;
      out.values[first + step] = this.#result();
      out.kinds[first + step] = FLOAT;
      found += 1;
    }
    return found;
  }

  /** Collects the values of a window; false if there are none. */
  #collect(columns: Columns, end: number): boolean {
    const start = end - this.#rangeMs;
    const lo = columns.rowAt(start + 1);
    const hi = columns.rowAt(end + 1, lo);
    const values = this.#values;
    values.length = 0;
    const hasBefore = lo > 0 && (columns.times[lo - 1] ?? 0) > start - this.#lookbackMs;
    const hasAfter = this.#extension === "smoothed" && hi < columns.length && (columns.times[hi] ?? 0) <= end + this.#lookbackMs;
    if (lo === hi && !(hasBefore && hasAfter)) return false;
    // Such ranges do not support native histograms (Prometheus docs, feature_flags.md, "Extended Range Selectors").
    for (let row = hasBefore ? lo - 1 : lo; row < (hasAfter ? hi + 1 : hi); row++)
      if (columns.histograms?.[row] !== undefined) return false;
    const isCounter = this.#name !== "delta";
    if (hasBefore) values.push(this.#extension === "anchored" ? (columns.values[lo - 1] ?? 0) : between(columns, lo - 1, start, isCounter));
    for (let row = lo; row < hi; row++) values.push(columns.values[row] ?? 0);
    if (hasAfter) values.push(between(columns, hi - 1, end, isCounter));
    return true;
  }

  #result(): number {
    const values = this.#values;
    let [resets, changes, fallen] = [0, 0, 0];
    for (let at = 1; at < values.length; at++) {
      const [before, value] = [values[at - 1] ?? 0, values[at] ?? 0];
      if (value !== before && !(value !== value && before !== before)) changes += 1;
      if (!(value < before)) continue;
      resets += 1;
      fallen += before;
    }
    if (this.#name === "resets") return resets;
    if (this.#name === "changes") return changes;
    const difference = (values.at(-1) ?? 0) - (values[0] ?? 0);
    if (this.#name === "delta") return difference;
    return this.#name === "rate" ? (difference + fallen) / (this.#rangeMs / 1_000) : difference + fallen;
  }
}
