const BARS = "▁▂▃▄▅▆▇█";
/** Stands where there is no sample, or one that has no height. */
const GAP = " ";

/**
 * Numbers as a line of bars, from the lowest to the highest of them; cells of more than one number show their mean. `undefined`, NaN and
 * infinities are gaps.
 */
export function sparkline(values: readonly (number | undefined)[], width: number): string {
  const cells = Math.min(width, values.length);
  const means = Array.from({ length: cells }, (_, cell) =>
    mean(values.slice(Math.floor((cell * values.length) / cells), Math.floor(((cell + 1) * values.length) / cells))),
  );
  const known = means.filter((value) => value !== undefined);
  const least = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const height = (value: number): number => (most === least ? 0 : Math.round(((value - least) / (most - least)) * (BARS.length - 1)));
  return means.map((value) => (value === undefined ? GAP : (BARS[height(value)] ?? GAP))).join("");
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value / known.length, 0);
}
