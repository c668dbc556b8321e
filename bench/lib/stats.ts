/** The median: half of the samples are below, half above. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The lower and upper quartile. */
export function spread(samples: readonly number[]): readonly [number, number] {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return [at(0.25), at(0.75)];
}

/** The median of `a` over `b`, pair by pair in the order of measurement, so that a slow phase of the machine cancels out. */
export function pairedRatio(a: readonly number[], b: readonly number[]): number {
  const count = Math.min(a.length, b.length);
  return median(Array.from({ length: count }, (_, i) => (a[i] ?? Number.NaN) / (b[i] ?? Number.NaN)));
}
