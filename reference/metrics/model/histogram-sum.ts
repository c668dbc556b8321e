import { addHistograms, type Combined, divideHistogram, lostBySum, scaleHistogram, withHint } from "./histogram-arithmetic.ts";
import type { Histogram, ResetHint } from "./histogram.ts";

/**
 * The compensated sum or average of histograms: it keeps what rounding loses (Neumaier's variant of Kahan's algorithm). An average whose sum
 * overflows continues as a running mean.
 */
export class HistogramSum {
  #sum: Histogram;
  #lost: Histogram | undefined;
  #count = 1;
  #isMean = false;
  readonly #isAverage: boolean;
  readonly #hints: Set<ResetHint>;

  constructor(first: Histogram, isAverage: boolean) {
    this.#sum = first;
    this.#isAverage = isAverage;
    this.#hints = new Set([first.resetHint]);
  }

  /** Whether some of the histograms begin a counter anew and others continue one (Prometheus specs, native_histograms.md, "Counter reset considerations"). */
  get areHintsContradictory(): boolean {
    return this.#hints.has("reset") && this.#hints.has("none");
  }

  /** Adds a histogram and returns whether that merged custom bounds; undefined, and nothing added, if the layouts are incompatible. */
  add(next: Histogram): Pick<Combined, "areBoundsMerged"> | undefined {
    const sum = this.#isMean ? undefined : addHistograms(this.#sum, next);
    if (!this.#isMean && sum === undefined) return undefined;
    this.#count += 1;
    this.#hints.add(next.resetHint);
    if (sum !== undefined && !(this.#isAverage && overflows(sum.histogram))) return this.#take(sum, next);
    if (!this.#isMean) this.#divide(this.#count - 1);
    this.#isMean = true;
    const share = (this.#count - 1) / this.#count;
    this.#sum = scaleHistogram(this.#sum, share);
    this.#lost = this.#lost && scaleHistogram(this.#lost, share);
    const part = divideHistogram(next, this.#count);
    const mean = addHistograms(this.#sum, part);
    return mean && this.#take(mean, part);
  }

  get total(): Histogram {
    if (this.#isAverage && !this.#isMean) this.#divide(this.#count);
    this.#isMean = true;
    if (this.#lost === undefined) return this.#sum;
    return addHistograms(this.#sum, withHint(this.#lost, this.#sum.resetHint))?.histogram ?? this.#sum;
  }

  #take(sum: Combined, next: Histogram): Combined {
    const lost = lostBySum(this.#sum, next);
    if (lost !== undefined) this.#lost = this.#lost === undefined ? lost : addHistograms(this.#lost, lost)?.histogram;
    this.#sum = sum.histogram;
    return sum;
  }

  #divide(divisor: number): void {
    this.#sum = divideHistogram(this.#sum, divisor);
    this.#lost = this.#lost && divideHistogram(this.#lost, divisor);
  }
}

const isInfinite = (value: number): boolean => Math.abs(value) === Infinity;
const overflows = ({ zeroCount, count, sum, positive, negative }: Histogram): boolean =>
  isInfinite(zeroCount) || isInfinite(count) || isInfinite(sum) || positive.some(isInfinite) || negative.some(isInfinite);
