const BARS = "▁▂▃▄▅▆▇█";
/** Shown for a missing, NaN or infinite value. */
const GAP = " ";

/**
 * Draws numbers as bars, scaled from their minimum to their maximum. If there are more numbers than cells, a cell shows a mean. `undefined`, NaN
 * and infinities are gaps.
 */
export function sparkline(values: readonly (number | undefined)[], width: number): string {
  const cells = Math.min(width, values.length);
  const means = Array.from({ length: cells }, (_, cell) =>
    mean(values.slice(Math.floor((cell * values.length) / cells), Math.floor(((cell + 1) * values.length) / cells))),
  );
  const known = means.filter((value) => value !== undefined);
  const min = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const max = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const height = (value: number): number => (max === min ? 0 : Math.round(((value - min) / (max - min)) * (BARS.length - 1)));
  return means.map((value) => (value === undefined ? GAP : (BARS[height(value)] ?? GAP))).join("");
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).filter(Number.isFinite);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value / known.length, 0);
}
