import { after, type Instant } from "../../core/index.ts";
import { MAX_DATAGRAM } from "./newreno.ts";

/** How much faster than the window in a round trip (rfc9002#7.7). */
const GAIN = 1.25;
/** Octets that may leave at once: timers are coarse, and a short flight need not wait. */
const BURST = 10 * MAX_DATAGRAM;

/** Spreads a window over the round trip as a bucket of tokens (rfc9002#7.7). */
export class Pacer {
  #tokens = BURST;
  #at: Instant | undefined;

  /** When a full datagram may leave. */
  next(now: Instant, window: number, rttMs: number): Instant {
    const perMs = (GAIN * window) / Math.max(rttMs, 1);
    if (this.#at !== undefined) this.#tokens = Math.min(BURST, this.#tokens + Math.max(0, now - this.#at) * perMs);
    this.#at = now;
    return this.#tokens >= MAX_DATAGRAM ? now : after(now, (MAX_DATAGRAM - this.#tokens) / perMs);
  }
  sent(octets: number): void {
    this.#tokens -= octets;
  }
}
