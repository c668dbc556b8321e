import type { RangeRow } from "./result.ts";

/** Lines over common times, as a chart draws them. */
export type Columns = {
  /** Seconds since 1970, one for each step. */
  readonly times: readonly number[];
  /** By series: its value at each step, null where it has none. */
  readonly lines: readonly (readonly (number | null)[])[];
  /** Samples that are infinite or not a number. */
  readonly undrawn: number;
  /** Series that have only histograms, which are no lines. */
  readonly histograms: number;
};

type Steps = { readonly startMs: number; readonly endMs: number; readonly stepMs: number };

/** Infinite values are left out: a chart with them shows nothing else. */
export function columnsOf(rows: readonly RangeRow[], { startMs, endMs, stepMs }: Steps): Columns {
  const count = Math.floor((endMs - startMs) / stepMs) + 1;
  const times = Array.from({ length: count }, (_, at) => (startMs + at * stepMs) / 1_000);
  let undrawn = 0;
  const lines = rows.map(({ values = [] }) => {
    const line = Array.from<number | null>({ length: count }).fill(null);
    for (const [seconds, text] of values) {
      const at = Math.round((seconds * 1_000 - startMs) / stepMs);
      const value = Number(text);
      // "+Inf", "-Inf" and "NaN" are no numbers of JavaScript's.
      if (!Number.isFinite(value)) undrawn += 1;
      else if (at >= 0 && at < count) line[at] = value;
    }
    return line;
  });
  return {
    times,
    lines,
    undrawn,
    histograms: rows.filter(({ values, histograms }) => values === undefined && histograms !== undefined).length,
  };
}
