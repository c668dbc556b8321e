import type { Columns } from "../../model/index.ts";
import { FLOAT } from "../value.ts";
import { type Extrapolation, factorOf } from "./rate.ts";

/** By row, how many of the values before it are followed by a smaller one. */
let resets = new Uint32Array(256);

/**
 * `rate`, `increase` and `delta` of a series of floats at every step: the same as `extrapolated`, window by window, in one loop, because most of what
 * is ever asked of this language is this. Returns how many steps have a result, which it leaves from the cell `first` on.
 */
export function extrapolateRow(
  { times, values, length }: Columns,
  ends: Float64Array,
  rangeMs: number,
  how: Extrapolation,
  out: { readonly values: Float64Array; readonly kinds: Uint8Array },
  first: number,
): number {
  if (how.isCounter) countResets(values, length);
  const { values: results, kinds } = out;
  let [lo, hi, found] = [0, 0, 0];
  for (let step = 0; step < ends.length; step++) {
    const end = ends[step] ?? 0;
    while (hi < length && (times[hi] ?? 0) <= end) hi += 1;
    while (lo < hi && (times[lo] ?? 0) <= end - rangeMs) lo += 1;
    if (hi - lo < 2) continue;
    const start = values[lo] ?? 0;
    let result = (values[hi - 1] ?? 0) - start;
    if (how.isCounter && resets[hi - 1] !== resets[lo]) {
      for (let row = lo + 1; row < hi; row++) {
        const before = values[row - 1] ?? 0;
        if ((values[row] ?? 0) < before) result += before;
      }
    }
    results[first + step] = result * factorOf(times[lo] ?? 0, times[hi - 1] ?? 0, hi - lo, end, rangeMs, how, start, result);
    kinds[first + step] = FLOAT;
    found += 1;
  }
  return found;
}

function countResets(values: Float64Array, length: number): void {
  if (resets.length < length) resets = new Uint32Array(values.length);
  let found = 0;
  resets[0] = 0;
  for (let row = 1; row < length; row++) {
    if ((values[row] ?? 0) < (values[row - 1] ?? 0)) found += 1;
    resets[row] = found;
  }
}
