/** The relative difference of two counts that counts as a rounding error (Prometheus docs, querying/functions.md, "histogram_quantile()"). */
const ROUNDING = 1e-12;

/**
 * The buckets of one classic histogram at one step: ascending upper bounds with cumulative counts. One object serves many histograms: `clear`, then
 * `push` in the order of the bounds, then `settle` before a quantile.
 */
export class ClassicBuckets {
  uppers = new Float64Array(64);
  counts = new Float64Array(64);
  length = 0;
  /** A count was lower than the one before by more than rounding explains, and was raised. */
  wasRepaired = false;

  clear(): void {
    this.length = 0;
    this.wasRepaired = false;
  }

  /** Adds a bucket. Two spellings of the same bound are one bucket. */
  push(upper: number, count: number): void {
    const last = this.length - 1;
    if (last >= 0 && this.uppers[last] === upper) {
      this.counts[last] = (this.counts[last] ?? 0) + count;
      return;
    }
    if (this.length === this.uppers.length) this.#grow();
    this.uppers[this.length] = upper;
    this.counts[this.length] = count;
    this.length += 1;
  }

  /** Makes the counts non-decreasing; without a highest bucket they are not used. */
  settle(): void {
    if (!this.#hasEnd) return;
    for (let at = 1; at < this.length; at++) {
      const [before, count] = [this.counts[at - 1] ?? 0, this.counts[at] ?? 0];
      if (before === count) continue;
      if (Math.abs(before - count) <= ROUNDING * (Math.abs(before) + Math.abs(count))) this.counts[at] = before;
      else if (count < before) {
        this.counts[at] = before;
        this.wasRepaired = true;
      }
    }
  }

  get #hasEnd(): boolean {
    return this.uppers[this.length - 1] === Infinity;
  }

  get total(): number {
    return this.counts[this.length - 1] ?? 0;
  }

  /** Prometheus docs, querying/functions.md, "histogram_quantile()"; the buckets must be settled. */
  quantile(phi: number): number {
    const { uppers, counts, length, total } = this;
    if (phi < 0) return -Infinity;
    if (phi > 1) return Infinity;
    if (phi !== phi || length < 2 || !this.#hasEnd || total === 0 || total !== total) return Number.NaN;
    const rank = phi * total;
    let at = 0;
    while (at < length - 1 && (counts[at] ?? 0) < rank) at += 1;
    if (at === length - 1) return uppers[length - 2] ?? Number.NaN;
    const upper = uppers[at] ?? 0;
    if (at === 0 && upper <= 0) return upper;
    const [lower, below] = at === 0 ? [0, 0] : [uppers[at - 1] ?? 0, counts[at - 1] ?? 0];
    return lower + (upper - lower) * ((rank - below) / ((counts[at] ?? 0) - below));
  }

  /** Prometheus docs, querying/functions.md, "histogram_fraction()" */
  fraction(lower: number, upper: number): number {
    if (!this.#hasEnd || this.total === 0 || lower !== lower || upper !== upper) return Number.NaN;
    if (lower >= upper) return 0;
    return (this.#below(upper) - this.#below(lower)) / this.total;
  }

  /** The number of observations up to `value`, interpolated linearly within a bucket. */
  #below(value: number): number {
    const { uppers, counts, length } = this;
    let at = 0;
    while (at < length && (uppers[at] ?? 0) <= value) at += 1;
    const below = at === 0 ? 0 : (counts[at - 1] ?? 0);
    if (at === length) return below;
    const upper = uppers[at] ?? 0;
    // Observations of an unbounded bucket count as beyond every number: Prometheus does not interpolate there either.
    if (upper === Infinity) return below;
    const lower = at === 0 ? (upper > 0 ? 0 : -Infinity) : (uppers[at - 1] ?? 0);
    if (lower === -Infinity) return value === -Infinity ? 0 : (counts[at] ?? 0);
    if (value <= lower) return below;
    return below + ((counts[at] ?? 0) - below) * ((value - lower) / (upper - lower));
  }

  #grow(): void {
    const [uppers, counts] = [new Float64Array(this.length * 2), new Float64Array(this.length * 2)];
    uppers.set(this.uppers);
    counts.set(this.counts);
    this.uppers = uppers;
    this.counts = counts;
  }
}

/** The bound in a label `le`, in any notation of a number; undefined if it is not a number. */
export function boundOf(text: string): number | undefined {
  const named = /^([-+]?)(inf|infinity)$/i.exec(text);
  if (named !== null) return named[1] === "-" ? -Infinity : Infinity;
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return undefined;
  return Number(text);
}
