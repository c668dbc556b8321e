import type { Columns } from "../../model/index.ts";

/** How many samples a query looked at (Prometheus docs, querying/api.md, "Query statistics"). */
export class Tally {
  /** As every step sees them: a window counts whole at each step. */
  loaded = 0;
  /** Each window without what the one before it had. */
  read = 0;

  /** Samples that steps found one by one. */
  add(samples: number): void {
    this.loaded += samples;
    this.read += samples;
  }

  /** The windows of one series: those that end at `ends`, each of `rangeMs` without its beginning. */
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
