const FIRST_MS = 1_000;

/** How long to wait after failures: twice as long after each, up to a limit, with a tenth left to chance so that servers do not ask in step. */
export class Backoff {
  readonly #mostMs: number;
  readonly #random: () => number;
  #nextMs = FIRST_MS;

  constructor(mostMs: number, random: () => number) {
    this.#mostMs = mostMs;
    this.#random = random;
  }

  /** Milliseconds to wait after one more failure. */
  next(): number {
    const ms = Math.min(this.#nextMs, this.#mostMs);
    this.#nextMs = Math.min(this.#nextMs * 2, this.#mostMs);
    return ms * (0.9 + this.#random() / 10);
  }
  /** Something succeeded. */
  reset(): void {
    this.#nextMs = FIRST_MS;
  }
}
