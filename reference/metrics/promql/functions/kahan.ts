/**
 * A compensated sum (Neumaier's variant of Kahan's algorithm): it keeps what rounding loses. One object serves many sums: `clear` starts a new one.
 */
export class Kahan {
  sum = 0;
  lost = 0;

  clear(): void {
    this.sum = 0;
    this.lost = 0;
  }

  add(value: number): void {
    const next = this.sum + value;
    // The compensation of an infinite sum would be NaN.
    if (next === Infinity || next === -Infinity) this.lost = 0;
    else if (Math.abs(this.sum) >= Math.abs(value)) this.lost += this.sum - next + value;
    else this.lost += value - next + this.sum;
    this.sum = next;
  }

  get total(): number {
    return this.sum + this.lost;
  }
}

/** The average of `values[lo..hi)`: a compensated sum divided by the count, or, if that sum overflows, a running mean. */
export function average(values: Float64Array, lo: number, hi: number): number {
  const kahan = new Kahan();
  for (let at = lo; at < hi; at++) {
    const [sum, lost] = [kahan.sum, kahan.lost];
    kahan.add(values[at] ?? 0);
    if (at > lo && Math.abs(kahan.sum) === Infinity) return movedMean(values.subarray(lo, hi), at - lo, { sum, lost });
  }
  return kahan.sum / (hi - lo) + kahan.lost / (hi - lo);
}

/** Continues from the sum of the first `count` values with a running mean. */
function movedMean(values: Float64Array, count: number, { sum, lost }: Pick<Kahan, "sum" | "lost">): number {
  const mean = new Kahan();
  mean.sum = sum / count;
  mean.lost = lost / count;
  for (let row = count; row < values.length; row++) moveMean(mean, values[row] ?? 0, row + 1);
  return mean.total;
}

/** Updates the mean of `count - 1` values to the mean of `count`. */
function moveMean(mean: Kahan, value: number, count: number): void {
  const share = (count - 1) / count;
  mean.sum *= share;
  mean.lost *= share;
  mean.add(value / count);
}
