import { after, type Instant, NEVER } from "../../core/index.ts";
import { type Counts, type Ejection, highFailurePercentages, lowSuccessRates, type OutlierDetectionConfig } from "./outliers.ts";
import type { Address, ChildPolicy, Command, ConnectivityState, Pick, Policy } from "./policy.ts";

/** What is known of an address. */
type Judged = {
  /** Of the interval that goes on. */
  good: number;
  bad: number;
  /** When it was ejected; undefined while it takes calls. */
  ejectedAt: Instant | undefined;
  /** How many times the base it is out: grows with each ejection, and shrinks with each interval in which it takes calls. */
  multiplier: number;
};

/**
 * Takes addresses whose calls fail more than those of others out for a while, around a policy that spreads the calls (A50). Their connections
 * stay: only calls go elsewhere. Around `pick_first` it has no effect, as that has one connection.
 */
export class OutlierDetection implements Policy {
  readonly #config: OutlierDetectionConfig;
  readonly #child: ChildPolicy;
  readonly #random: () => number;
  readonly #judged = new Map<string, Judged>();
  /** When the addresses are judged next. */
  #sweepAt: Instant = NEVER;

  /** @param random A number from 0 to 1. */
  constructor(config: OutlierDetectionConfig, child: ChildPolicy, random: () => number) {
    this.#config = config;
    this.#child = child;
    this.#random = random;
  }

  get state(): ConnectivityState {
    return this.#child.state;
  }
  get deadline(): Instant {
    const { deadline } = this.#child;
    return deadline < this.#sweepAt ? deadline : this.#sweepAt;
  }

  update(addresses: readonly Address[], now: Instant): void {
    const wanted = new Set(addresses.map(({ key }) => key));
    for (const key of this.#judged.keys()) if (!wanted.has(key)) this.#judged.delete(key);
    for (const key of wanted) if (!this.#judged.has(key)) this.#judged.set(key, { good: 0, bad: 0, ejectedAt: undefined, multiplier: 0 });
    this.#child.update(addresses, now);
    const { successRate, failurePercentage } = this.#config;
    const isOn = successRate !== undefined || failurePercentage !== undefined;
    if (isOn && this.#sweepAt === NEVER) this.#sweepAt = this.#next(now);
  }
  #next(now: Instant): Instant {
    return after(now, Math.max(1, this.#config.intervalMs));
  }
  connected(key: string, now: Instant): void {
    this.#child.connected(key, now);
  }
  failed(key: string, why: string, now: Instant): void {
    this.#child.failed(key, why, now);
  }
  lost(key: string, now: Instant): void {
    this.#child.lost(key, now);
  }
  wake(now: Instant): void {
    this.#child.wake(now);
  }
  get healthy(): Policy["healthy"] {
    const child = this.#child;
    return child.healthy && ((key, isHealthy) => child.healthy?.(key, isHealthy));
  }
  get reported(): Policy["reported"] {
    return this.#child.reported;
  }
  get reportsEveryMs(): number | undefined {
    return this.#child.reportsEveryMs;
  }
  pick(): Pick {
    return this.#child.pick();
  }
  take(): readonly Command[] {
    return this.#child.take();
  }

  ended(key: string, isGood: boolean): void {
    const judged = this.#judged.get(key);
    if (judged === undefined) return;
    if (isGood) judged.good += 1;
    else judged.bad += 1;
  }

  tick(now: Instant): void {
    if (now >= this.#sweepAt) this.#sweep(now);
    this.#child.tick(now);
  }

  /** Judges every address by its calls since the last time (A50#outlier-detection-behavior). */
  #sweep(now: Instant): void {
    this.#sweepAt = this.#next(now);
    const keys = [...this.#judged.keys()];
    const all = [...this.#judged.values()];
    const counts: Counts[] = all.map(({ good, bad }) => ({ good, bad }));
    for (const judged of all) Object.assign(judged, { good: 0, bad: 0 });
    const { successRate, failurePercentage } = this.#config;
    const eject = (outliers: readonly number[], ejection: Ejection): void => {
      for (const at of outliers) this.#eject(keys[at]!, ejection, now);
    };
    if (successRate !== undefined) eject(lowSuccessRates(counts, successRate), successRate);
    if (failurePercentage !== undefined) eject(highFailurePercentages(counts, failurePercentage), failurePercentage);
    for (const [key, judged] of this.#judged) {
      if (judged.ejectedAt === undefined) judged.multiplier = Math.max(0, judged.multiplier - 1);
      else if (now > this.#endOf(judged.multiplier, judged.ejectedAt)) {
        judged.ejectedAt = undefined;
        this.#child.exclude(key, false);
      }
    }
  }

  /** Ejects an outlier, unless enough addresses are out, or chance spares it. */
  #eject(key: string, { enforcementPercent }: Ejection, now: Instant): void {
    const judged = this.#judged.get(key)!;
    const out = [...this.#judged.values()].filter(({ ejectedAt }) => ejectedAt !== undefined).length;
    if ((out / this.#judged.size) * 100 >= this.#config.maxEjectionPercent || judged.ejectedAt !== undefined) return;
    if (Math.floor(this.#random() * 100) >= enforcementPercent) return;
    judged.ejectedAt = now;
    judged.multiplier += 1;
    this.#child.exclude(key, true);
  }
  #endOf(multiplier: number, ejectedAt: Instant): Instant {
    const { baseEjectionMs, maxEjectionMs } = this.#config;
    return after(ejectedAt, Math.min(baseEjectionMs * multiplier, Math.max(baseEjectionMs, maxEjectionMs)));
  }
}
