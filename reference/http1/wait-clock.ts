import type { Instant } from "../core/index.ts";

/**
 * When the current wait began, and what has arrived since. Actions carry no time: a wait that an action begins is `isPending` until the
 * next input says what time it is.
 */
export class WaitClock {
  #now: Instant;
  #since: Instant;
  #isPending = false;
  #heardAt: Instant;
  #octets = 0;

  constructor(now: Instant) {
    this.#now = now;
    this.#since = now;
    this.#heardAt = now;
  }

  /** The time of the last input. */
  get now(): Instant {
    return this.#now;
  }
  get since(): Instant {
    return this.#since;
  }
  get isPending(): boolean {
    return this.#isPending;
  }
  /** When the peer last sent anything. */
  get heardAt(): Instant {
    return this.#heardAt;
  }
  /** Octets of content received during this wait. */
  get octets(): number {
    return this.#octets;
  }

  /** Every input with a time begins with this. */
  advance(now: Instant): void {
    this.#now = now;
  }
  heard(): void {
    this.#heardAt = this.#now;
  }
  count(octets: number): void {
    this.#octets += octets;
  }
  /** The connection now waits for something else. */
  restart(): void {
    this.#since = this.#now;
    this.#octets = 0;
  }
  /** The same, caused by an action. */
  restartPending(): void {
    this.restart();
    this.#isPending = true;
  }
  /** Starts a pending wait now; false if none was pending. */
  settle(): boolean {
    if (!this.#isPending) return false;
    this.#isPending = false;
    this.restart();
    return true;
  }
}
