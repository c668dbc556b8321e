/**
 * The φ-quantile of `values[lo..hi)`: interpolated between the two neighbours of rank φ·(n-1), with NaN as the smallest value. Reorders the
 * values (Prometheus docs, querying/operators.md, "quantile").
 */
export function quantile(phi: number, values: Float64Array, lo: number, hi: number): number {
  const size = hi - lo;
  if (size === 0 || phi !== phi) return Number.NaN;
  if (phi < 0) return -Infinity;
  if (phi > 1) return Infinity;
  const begin = nanFirst(values, lo, hi);
  const rank = phi * (size - 1);
  const below = Math.floor(rank);
  const weight = rank - below;
  const left = valueAt(values, begin, hi, lo + below);
  // Without a weight the right neighbour does not count, not even an infinite one.
  if (weight === 0) return left;
  // No value right of this place is smaller, so the next in order is the smallest of them.
  const right = lo + below + 1 < begin ? Number.NaN : smallest(values, Math.max(begin, lo + below + 1), hi);
  return left * (1 - weight) + right * weight;
}

const valueAt = (values: Float64Array, begin: number, hi: number, place: number): number => {
  if (place < begin) return Number.NaN;
  select(values, begin, hi - 1, place);
  return values[place] ?? 0;
};

/** Moves every NaN to the front and returns the index of the first number. */
function nanFirst(values: Float64Array, lo: number, hi: number): number {
  let begin = lo;
  for (let at = lo; at < hi; at++) {
    const value = values[at] ?? 0;
    if (value === value) continue;
    values[at] = values[begin] ?? 0;
    values[begin] = value;
    begin += 1;
  }
  return begin;
}

function smallest(values: Float64Array, lo: number, hi: number): number {
  let least = values[lo] ?? 0;
  for (let at = lo + 1; at < hi; at++) if ((values[at] ?? 0) < least) least = values[at] ?? 0;
  return least;
}

/** Reorders until the value at `place` is the one that sorting would put there (Hoare's selection). */
function select(values: Float64Array, first: number, last: number, place: number): void {
  let [lo, hi] = [first, last];
  while (lo < hi) {
    const pivot = median(values[lo] ?? 0, values[(lo + hi) >>> 1] ?? 0, values[hi] ?? 0);
    let [left, right] = [lo, hi];
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left += 1;
      while ((values[right] ?? 0) > pivot) right -= 1;
      if (left > right) break;
      const moved = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (place <= right) hi = right;
    else if (place >= left) lo = left;
    else return;
  }
}

const median = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
