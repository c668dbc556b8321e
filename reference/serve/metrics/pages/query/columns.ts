import type { RangeRow } from "./result.ts";

/** Lines over common times, as a chart draws them. */
export type Columns = {
  /** Seconds since 1970, one for each step. */
  readonly times: readonly number[];
  /** By series: its value at each step, null where it has none. */
  readonly lines: readonly (readonly (number | null)[])[];
  /** Series that have only histograms, which are no lines. */
  readonly histograms: number;
};

type Steps = { readonly startMs: number; readonly endMs: number; readonly stepMs: number };

/** Infinite values are left out: a chart with them shows nothing else. */
export function columnsOf(rows: readonly RangeRow[], { startMs, endMs, stepMs }: Steps): Columns {
  const count = Math.floor((endMs - startMs) / stepMs) + 1;
  const times = Array.from({ length: count }, (_, at) => (startMs + at * stepMs) / 1_000);
  const lines = rows.map(({ values = [] }) => {
    const line = Array.from<number | null>({ length: count }).fill(null);
    for (const [seconds, text] of values) {
      const at = Math.round((seconds * 1_000 - startMs) / stepMs);
      const value = Number(text);
      if (at >= 0 && at < count && Number.isFinite(value)) line[at] = value;
    }
    return line;
  });
  return { times, lines, histograms: rows.filter(({ values, histograms }) => values === undefined && histograms !== undefined).length };
}
