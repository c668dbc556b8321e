/** Before the first sample (rfc9002#6.2.2). */
const INITIAL_RTT_MS = 333;
/** The resolution of timers (rfc9002#6.1.2). */
const GRANULARITY_MS = 1;

/** Estimates the round trip of a path (rfc9002#5). */
export class Rtt {
  #latest: number | undefined;
  #min = Number.POSITIVE_INFINITY;
  #smoothed = INITIAL_RTT_MS;
  #variation = INITIAL_RTT_MS / 2;

  get latest(): number {
    return this.#latest ?? this.#smoothed;
  }
  get smoothed(): number {
    return this.#smoothed;
  }
  get variation(): number {
    return this.#variation;
  }
  get min(): number {
    return this.#min;
  }
  get hasSample(): boolean {
    return this.#latest !== undefined;
  }

  /** `ackDelayMs` is what the peer says that it waited, limited by what it promised. */
  sample(ms: number, ackDelayMs: number): void {
    const isFirst = this.#latest === undefined;
    this.#latest = ms;
    this.#min = Math.min(this.#min, ms);
    if (isFirst) {
      this.#smoothed = ms;
      this.#variation = ms / 2;
      return;
    }
    // The delay is taken off unless that gives less than the path ever took (rfc9002#5.3).
    const adjusted = ms >= this.#min + ackDelayMs ? ms - ackDelayMs : ms;
    this.#variation = (3 * this.#variation + Math.abs(this.#smoothed - adjusted)) / 4;
    this.#smoothed = (7 * this.#smoothed + adjusted) / 8;
  }
  /** Persistent congestion: the path may be another one (rfc9002#5.2). */
  forgetMin(): void {
    this.#min = this.latest;
  }

  /** The base of the probe timeout, without the delay of acknowledgments (rfc9002#6.2.1). */
  get probeMs(): number {
    return this.#smoothed + Math.max(4 * this.#variation, GRANULARITY_MS);
  }
  /** How long after a later packet was acknowledged an earlier one counts as lost (rfc9002#6.1.2). */
  get lossDelayMs(): number {
    return Math.max((9 / 8) * Math.max(this.latest, this.#smoothed), GRANULARITY_MS);
  }
}
