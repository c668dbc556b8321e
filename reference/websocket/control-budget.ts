import type { Instant } from "../core/index.ts";
import type { Limits } from "./limits.ts";

/** How many pings and pongs the peer may still send: a token bucket that is refilled only when it is empty. */
export class ControlBudget {
  readonly #limits: Limits;
  #left: number;
  #filledAt: Instant;

  constructor(limits: Limits, now: Instant) {
    this.#limits = limits;
    this.#left = limits.controls;
    this.#filledAt = now;
  }

  /** Spends one; false if none is left. */
  spend(now: Instant): boolean {
    if (this.#left < 1) {
      const { controls, controlsPerSecond } = this.#limits;
      this.#left = Math.min(controls, this.#left + ((now - this.#filledAt) * controlsPerSecond) / 1_000);
      this.#filledAt = now;
      if (this.#left < 1) return false;
    }
    this.#left--;
    return true;
  }
}
