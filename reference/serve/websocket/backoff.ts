/** How long a client waits before it reconnects (rfc6455#7.2.3). */
export type Backoff = {
  /** The longest wait before the first attempt, in milliseconds; 500 by default. */
  readonly firstMs?: number;
  /** The longest wait of all, in milliseconds: each is twice as long as the one before; 30,000 by default. */
  readonly mostMs?: number;
  /** Failed attempts in a row before it gives up; 10 by default. */
  readonly attempts?: number;
};

const FIRST_MS = 500;
const MOST_MS = 30_000;
const ATTEMPTS = 10;

/**
 * Milliseconds to wait before an attempt, counted from 1; undefined after the last one. Half of each wait is random, so that clients that
 * have lost their server at the same time do not return at the same time. `chance` is from 0 to 1.
 */
export function waitBefore(
  attempt: number,
  { firstMs = FIRST_MS, mostMs = MOST_MS, attempts = ATTEMPTS }: Backoff,
  chance: number,
): number | undefined {
  if (attempt > attempts) return undefined;
  const longest = Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 52));
  return longest / 2 + (longest / 2) * chance;
}
