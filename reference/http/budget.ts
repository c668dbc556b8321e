import type { Instant } from "../core/index.ts";

/** How many of a kind are allowed at once, and how many more each second. */
export type Budget = { readonly burst: number; readonly perSecond: number };

/** One account: frames use it up, time and useful work fill it again. It begins full, and the refill is computed only once it is empty. */
export class Account {
  readonly #budget: Budget;
  #left: number;
  #since: Instant;

  constructor(budget: Budget, now: Instant) {
    this.#budget = budget;
    this.#left = budget.burst;
    this.#since = now;
  }
  /** Whether there is one left, which it takes. */
  spend(now: Instant): boolean {
    if (this.#left < 1) {
      this.earn(((now - this.#since) * this.#budget.perSecond) / 1000);
      this.#since = now;
      if (this.#left < 1) return false;
    }
    this.#left--;
    return true;
  }
  earn(count: number): void {
    this.#left = Math.min(this.#budget.burst, this.#left + count);
  }
}
