import { FLOAT, type Matrix } from "../evaluate/value.ts";
import type { Extrapolation, Window } from "../evaluate/window.ts";
import { factorOf } from "./rate.ts";

/** Where the results of one series go: from cell `first` of `out` on, one for each window end. */
export type RowTarget = { readonly ends: Float64Array; readonly out: Matrix; readonly first: number };

/**
 * `rate`, `increase` and `delta` of one series of floats at every step: the same results as `extrapolated`, in one loop, because these are by far the
 * most frequent functions. The window must be turned to the series. Returns the number of steps with a result.
 */
export function extrapolateRow(window: Window, how: Extrapolation, { ends, out, first }: RowTarget): number {
  const { times, values, length, rangeMs } = window;
  const resets = how.isCounter ? window.resets() : undefined;
  const { values: results, kinds } = out;
  let [lo, hi, found] = [0, 0, 0];
  for (let step = 0; step < ends.length; step++) {
    const end = ends[step] ?? 0;
    while (hi < length && (times[hi] ?? 0) <= end) hi += 1;
    while (lo < hi && (times[lo] ?? 0) <= end - rangeMs) lo += 1;
    if (hi - lo < 2) continue;
    const start = values[lo] ?? 0;
    let result = (values[hi - 1] ?? 0) - start;
    if (resets !== undefined && resets[hi - 1] !== resets[lo]) {
      for (let row = lo + 1; row < hi; row++) {
        const before = values[row - 1] ?? 0;
        if ((values[row] ?? 0) < before) result += before;
      }
    }
    window.lo = lo;
    window.hi = hi;
    window.toMs = end;
    results[first + step] = result * factorOf(window, how, start, result);
    kinds[first + step] = FLOAT;
    found += 1;
  }
  return found;
}
