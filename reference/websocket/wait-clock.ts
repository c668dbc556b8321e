import type { Instant } from "../core/index.ts";

/**
 * The time, and when the peer was last heard. Actions carry no time: what an action begins is pending until the next input says what time
 * it is.
 */
export class WaitClock {
  #now: Instant;
  #heardAt: Instant;
  #probedAt: Instant | undefined;
  #isHearingPending = false;

  constructor(now: Instant) {
    this.#now = now;
    this.#heardAt = now;
  }

  get now(): Instant {
    return this.#now;
  }
  /** When the peer last sent anything. */
  get heardAt(): Instant {
    return this.#heardAt;
  }
  /** When we sent a ping to a silent peer; undefined while no sign of life is due. */
  get probedAt(): Instant | undefined {
    return this.#probedAt;
  }

  /** Every input with a time begins with this. */
  advance(now: Instant): void {
    this.#now = now;
  }
  /** What actions began has begun by now. */
  settle(): void {
    if (!this.#isHearingPending) return;
    this.#isHearingPending = false;
    this.heard();
  }
  heard(): void {
    this.#heardAt = this.#now;
    this.#probedAt = undefined;
  }
  probe(): void {
    this.#probedAt = this.#now;
  }
  /** An action makes us listen again: the peer's silence counts from the next input. */
  hearPending(): void {
    this.#isHearingPending = true;
  }
}
