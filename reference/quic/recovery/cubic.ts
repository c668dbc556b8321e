import { instant, type Instant } from "../../core/index.ts";
import type { Acknowledgment, Congestion } from "./congestion.ts";
import { BASE_DATAGRAM, INITIAL_WINDOW } from "./newreno.ts";

/** How fast the window grows again, in datagrams a second cubed (RFC 9438, section 5). */
const C = 0.4;
/** What is left of the window after a loss (RFC 9438, section 4.6). */
const REDUCTION = 0.7;
/** Datagrams a round trip by which NewReno would grow with that reduction (RFC 9438, section 4.3). */
const RENO_GROWTH = (3 * (1 - REDUCTION)) / (1 + REDUCTION);

/** CUBIC: after a loss the window grows by the time since then, not by round trips, and slowly where the loss was (RFC 9438). */
export class Cubic implements Congestion {
  datagram = BASE_DATAGRAM;
  #window = INITIAL_WINDOW;
  #threshold = Number.POSITIVE_INFINITY;
  #recoveryStart: Instant = instant(Number.NEGATIVE_INFINITY);
  /** The window before the last loss, in octets. */
  #top = 0;
  /** When congestion avoidance began, the time until the window is as it was, in seconds, and the window that NewReno would have. */
  #epoch: { readonly at: Instant; readonly seconds: number; reno: number } | undefined;

  get window(): number {
    return this.#window;
  }
  get isSlowStart(): boolean {
    return this.#window < this.#threshold;
  }

  acknowledged({ octets, sentAt, isLimited, now, rttMs }: Acknowledgment): void {
    if (sentAt <= this.#recoveryStart || !isLimited) return;
    if (this.isSlowStart) {
      this.#window += octets;
      return;
    }
    const { datagram } = this;
    if (this.#epoch === undefined) {
      const missing = Math.max(0, this.#top - this.#window) / datagram;
      this.#epoch = { at: now, seconds: Math.cbrt(missing / C), reno: this.#window };
      this.#top = Math.max(this.#top, this.#window);
    }
    const epoch = this.#epoch;
    epoch.reno += (RENO_GROWTH * datagram * octets) / this.#window;
    const seconds = (now - epoch.at + rttMs) / 1_000 - epoch.seconds;
    const target = Math.min(this.#top + C * seconds ** 3 * datagram, 1.5 * this.#window);
    if (target > this.#window) this.#window += ((target - this.#window) * octets) / this.#window;
    // Never slower than NewReno (RFC 9438, section 4.3).
    this.#window = Math.max(this.#window, epoch.reno);
  }
  congested(sentAt: Instant, now: Instant): void {
    if (sentAt <= this.#recoveryStart) return;
    this.#recoveryStart = now;
    // A window that did not come up to the last one makes room for others (RFC 9438, section 4.7).
    this.#top = this.#window < this.#top ? (this.#window * (1 + REDUCTION)) / 2 : this.#window;
    this.#window = Math.max(this.#window * REDUCTION, 2 * this.datagram);
    this.#threshold = this.#window;
    this.#epoch = undefined;
  }
  persistent(): void {
    this.#window = 2 * this.datagram;
    this.#recoveryStart = instant(Number.NEGATIVE_INFINITY);
    this.#epoch = undefined;
  }
}
