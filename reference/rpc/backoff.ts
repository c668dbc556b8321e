/** How long a client waits between attempts to connect. */
export type BackoffOptions = {
  readonly initialMs: number;
  readonly multiplier: number;
  /** The share of a wait by which it varies, up and down. */
  readonly jitter: number;
  readonly maxMs: number;
};
export const CONNECTION_BACKOFF: BackoffOptions = { initialMs: 1_000, multiplier: 1.6, jitter: 0.2, maxMs: 120_000 };

/** The waits between attempts: each is longer than the one before, until one succeeds. */
export class Backoff {
  readonly #options: BackoffOptions;
  /** A number from 0 to 1. */
  readonly #random: () => number;
  #nextMs: number;

  constructor(options: BackoffOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
    this.#nextMs = options.initialMs;
  }

  /** An attempt has failed: how many milliseconds from its begin the next one waits. */
  failed(): number {
    const { multiplier, jitter, maxMs } = this.#options;
    const waitMs = this.#nextMs;
    this.#nextMs = Math.min(waitMs * multiplier, maxMs);
    return waitMs * (1 + jitter * (2 * this.#random() - 1));
  }
  succeeded(): void {
    this.#nextMs = this.#options.initialMs;
  }
}
