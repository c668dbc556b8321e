import { spreadIn } from "../model/index.ts";

/** When one target is scraped: at equal distances, at an offset of its own, and never twice at a time. */

/** Scrapes that begin later than this after their time get the time itself, so that samples lie at equal distances and compress better. */
const MOST_TOLERATED = 2;

/** The schedule of one target. Times are milliseconds since 1970; the caller asks `next` and reports what it does. */
export class Schedule {
  readonly #intervalMs: number;
  readonly #offset: number;
  #next: number;
  #isBusy = false;
  #missed = 0;

  /** `seed` distinguishes targets, and servers with the same targets. */
  constructor(seed: string, intervalMs: number, now: number) {
    this.#intervalMs = intervalMs;
    this.#offset = spreadIn(seed, intervalMs);
    this.#next = this.#after(now);
  }

  /** The time of the next scrape. */
  get next(): number {
    return this.#next;
  }

  /** Intervals without a scrape of their own, because the one before took too long. */
  get missed(): number {
    return this.#missed;
  }

  /**
   * The time that samples of a scrape get that begins now; undefined if none may: too early, or one is in progress. A scrape in progress costs the
   * interval its scrape: no sample is invented for it.
   */
  begin(now: number): number | undefined {
    // The clock went back by more than an interval: the plan of before would wait for it.
    if (this.#next - now > this.#intervalMs) this.#next = this.#after(now);
    if (now < this.#next) return undefined;
    const due = this.#next;
    // A process that slept scrapes once, and not for each interval that it missed.
    this.#next = Math.max(due + this.#intervalMs, this.#after(now));
    if (this.#isBusy) {
      this.#missed += 1;
      return undefined;
    }
    this.#isBusy = true;
    return now - due <= Math.min(MOST_TOLERATED, this.#intervalMs / 100) ? due : now;
  }

  end(): void {
    this.#isBusy = false;
  }

  /** The first time of the target after `now`. */
  #after(now: number): number {
    const since = (((now - this.#offset) % this.#intervalMs) + this.#intervalMs) % this.#intervalMs;
    return now - since + this.#intervalMs;
  }
}
