/** What happened since the last look. */
export type Flow = {
  /** Samples that came out of the log. */
  readonly read: number;
  /** Samples whose requests ended, and the time that those took together, in milliseconds. */
  readonly sent: number;
  readonly sendingMs: number;
  /** Samples in the log that were not read yet, as far as can be estimated. */
  readonly behind: number;
};

/** The share of the newest look in the averages. */
const NEWEST = 0.2;
/** The share of the backlog to catch up on in each second. */
const CATCH_UP = 0.05;
/** A change by less than this share is not worth it: shards have to drain first. */
const WORTHWHILE = 0.3;

/** Decides how many requests at once a receiver needs, from how long it takes and how much there is to send. */
export class ShardPlan {
  readonly #least: number;
  readonly #most: number;
  #readRate = 0;
  #sentRate = 0;
  #busyRate = 0;
  #looks = 0;

  constructor(least: number, most: number) {
    this.#least = least;
    this.#most = most;
  }

  /** The number of shards from now on. `present` stays while nothing was sent: more requests do not help a receiver that is away. */
  look({ read, sent, sendingMs, behind }: Flow, elapsedMs: number, present: number): number {
    const seconds = elapsedMs / 1_000;
    const share = this.#looks++ === 0 ? 1 : NEWEST;
    this.#readRate += share * (read / seconds - this.#readRate);
    this.#sentRate += share * (sent / seconds - this.#sentRate);
    this.#busyRate += share * (sendingMs / 1_000 / seconds - this.#busyRate);
    if (sent === 0 || this.#sentRate === 0) return present;
    const secondsEach = this.#busyRate / this.#sentRate;
    const wanted = secondsEach * (this.#readRate + CATCH_UP * behind);
    if (wanted > present * (1 - WORTHWHILE) && wanted < present * (1 + WORTHWHILE)) return present;
    return Math.min(this.#most, Math.max(this.#least, Math.ceil(wanted)));
  }
}
