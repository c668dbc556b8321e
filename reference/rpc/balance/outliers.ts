/** What both algorithms have (A50#lb-policy-config). */
export type Ejection = {
  /** The chance that an outlier is ejected, from 0 to 100. */
  readonly enforcementPercent: number;
  /** The fewest addresses with enough calls for a judgement. */
  readonly minimumHosts: number;
  /** The fewest calls of an address in one interval for a judgement of it. */
  readonly requestVolume: number;
};
/** Ejects addresses whose share of good calls is below the mean by this many thousandths of the standard deviation. */
export type SuccessRateEjection = Ejection & { readonly stdevFactor: number };
/** Ejects addresses of whose calls more than this percentage fails. */
export type FailurePercentageEjection = Ejection & { readonly threshold: number };

export type OutlierDetectionConfig = {
  /** Between two judgements. */
  readonly intervalMs: number;
  /** How long an address is out the first time; the second time twice as long. */
  readonly baseEjectionMs: number;
  /** The longest time; the base if that is longer. */
  readonly maxEjectionMs: number;
  /** No further address is ejected when this percentage is out. */
  readonly maxEjectionPercent: number;
  readonly successRate?: SuccessRateEjection;
  readonly failurePercentage?: FailurePercentageEjection;
};

/** The calls of an address that have ended in one interval. */
export type Counts = { readonly good: number; readonly bad: number };

/** Which addresses are outliers by their share of good calls, in the order of the list (A50#success-rate-algorithm). */
export function lowSuccessRates(all: readonly Counts[], { stdevFactor, ...config }: SuccessRateEjection): readonly number[] {
  const judged = withVolume(all, config);
  const rates = judged.map((at) => rateOf(all[at]!));
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length;
  const least = mean - Math.sqrt(variance) * (stdevFactor / 1_000);
  return judged.filter((_, index) => rates[index]! < least);
}

/** Which addresses are outliers by their percentage of failed calls (A50#failure-percentage-algorithm). */
export function highFailurePercentages(all: readonly Counts[], { threshold, ...config }: FailurePercentageEjection): readonly number[] {
  // In whole calls: percentages that are equal are not above.
  return withVolume(all, config).filter((at) => all[at]!.bad * 100 > threshold * totalOf(all[at]!));
}

/** The addresses with enough calls; none if they are too few. */
function withVolume(all: readonly Counts[], { requestVolume, minimumHosts }: Omit<Ejection, "enforcementPercent">): readonly number[] {
  const enough = [...all.keys()].filter((at) => totalOf(all[at]!) >= requestVolume);
  return enough.length < minimumHosts ? [] : enough;
}
const totalOf = ({ good, bad }: Counts): number => good + bad;
/** An address without calls, which a volume of 0 admits, has no bad ones. */
const rateOf = (counts: Counts): number => (totalOf(counts) === 0 ? 1 : counts.good / totalOf(counts));
