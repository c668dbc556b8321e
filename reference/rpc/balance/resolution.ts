import { after, type Instant, NEVER } from "../../core/index.ts";
import { Backoff, CONNECTION_BACKOFF } from "../backoff.ts";

/** The shortest time between two successful look-ups, by default: a server that is down is asked for again and again. */
export const LOOK_UPS_APART_MS = 30_000;

/** Decides when a name is looked up. It performs no I/O: the owner looks up when `take` says so, and reports the result. */
export class Resolution {
  readonly #backoff: Backoff;
  readonly #apartMs: number;
  #isWanted = false;
  #isBusy = false;
  /** The earliest time of the next look-up. */
  #notBefore: Instant;

  /**
   * @param random A number from 0 to 1.
   * @param apartMs Between two successful look-ups.
   */
  constructor(now: Instant, random: () => number, apartMs: number = LOOK_UPS_APART_MS) {
    this.#apartMs = apartMs;
    this.#backoff = new Backoff(CONNECTION_BACKOFF, random);
    this.#notBefore = now;
  }

  get deadline(): Instant {
    return this.#isWanted && !this.#isBusy ? this.#notBefore : NEVER;
  }
  want(): void {
    this.#isWanted = true;
  }
  /** Whether to look the name up now. */
  take(now: Instant): boolean {
    if (now < this.deadline) return false;
    this.#isWanted = false;
    this.#isBusy = true;
    return true;
  }
  /** The look-up is over. After a failure the next one follows by itself. */
  done(isGood: boolean, now: Instant): void {
    this.#isBusy = false;
    if (isGood) {
      this.#backoff.succeeded();
      this.#notBefore = after(now, this.#apartMs);
      return;
    }
    this.#isWanted = true;
    this.#notBefore = after(now, this.#backoff.failed());
  }
}
