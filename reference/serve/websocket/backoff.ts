/** How a client comes back after its connection has broken (rfc6455#7.2.3). */
export type Backoff = {
  /** Milliseconds before the first attempt, at most; 500 by default. */
  readonly firstMs?: number;
  /** What no wait goes beyond: each is twice as long as the one before; 30,000 by default. */
  readonly mostMs?: number;
  /** Attempts in a row that may fail before it gives up; 10 by default. */
  readonly attempts?: number;
};

const FIRST_MS = 500;
const MOST_MS = 30_000;
const ATTEMPTS = 10;

/**
 * Milliseconds to wait before an attempt, counted from 1; undefined where it is one too many. The upper half of each wait is left to chance, so that
 * clients which have lost their server together do not come back together. `chance` is from 0 to 1.
 */
export function waitBefore(
  attempt: number,
  { firstMs = FIRST_MS, mostMs = MOST_MS, attempts = ATTEMPTS }: Backoff,
  chance: number,
): number | undefined {
  if (attempt > attempts) return undefined;
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 52));
  return whole / 2 + (whole / 2) * chance;
}
