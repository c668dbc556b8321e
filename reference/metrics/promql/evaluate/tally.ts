import type { Columns } from "../../model/index.ts";

/** The number of samples that a query read (Prometheus docs, querying/api.md, "Query statistics"). */
export class Tally {
  /** Summed over all steps: each step counts its whole window. */
  loaded = 0;
  /** Each window without the samples of the window before it. */
  read = 0;

  /** Counts samples of instant selectors. */
  add(samples: number): void {
    this.loaded += samples;
    this.read += samples;
  }

  /** Counts the windows of one series: each ends at one of `ends`, and is `rangeMs` long without its left edge. */
  addWindows({ times, length }: Columns, ends: Float64Array, rangeMs: number): void {
    let [lo, hi, before] = [0, 0, 0];
    for (const end of ends) {
      while (hi < length && (times[hi] ?? 0) <= end) hi += 1;
      while (lo < hi && (times[lo] ?? 0) <= end - rangeMs) lo += 1;
      this.loaded += hi - lo;
      this.read += hi - Math.max(lo, before);
      before = hi;
    }
  }
}
