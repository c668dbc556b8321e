import { after, type Instant } from "../../core/index.ts";
import { BASE_DATAGRAM } from "./newreno.ts";

/** How much faster than the window in a round trip (rfc9002#7.7). */
const GAIN = 1.25;
/** Octets that may leave at once: a short flight need not wait. */
const BURST = 10 * BASE_DATAGRAM;
/** Timers are this coarse, in milliseconds: what is due until the next rings may leave at once, however much that is on a short path. */
const GRANULARITY_MS = 2;

/** Spreads a window over the round trip as a bucket of tokens (rfc9002#7.7). */
export class Pacer {
  /** The size of datagrams. */
  datagram = BASE_DATAGRAM;
  #tokens = BURST;
  #at: Instant | undefined;

  /** When a full datagram may leave. */
  next(now: Instant, window: number, rttMs: number): Instant {
    const perMs = (GAIN * window) / Math.max(rttMs, 1);
    const most = Math.max(BURST, 2 * this.datagram, perMs * GRANULARITY_MS);
    if (this.#at !== undefined) this.#tokens = Math.min(most, this.#tokens + Math.max(0, now - this.#at) * perMs);
    this.#at = now;
    return this.#tokens >= this.datagram ? now : after(now, (this.datagram - this.#tokens) / perMs);
  }
  sent(octets: number): void {
    this.#tokens -= octets;
  }
}
