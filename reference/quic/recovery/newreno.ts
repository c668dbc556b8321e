import { instant, type Instant } from "../../core/index.ts";
import type { Acknowledgment, Congestion } from "./congestion.ts";

/** Octets of a datagram that every path of QUIC carries (rfc9000#14). */
export const BASE_DATAGRAM = 1_200;
export const INITIAL_WINDOW = Math.min(10 * BASE_DATAGRAM, Math.max(2 * BASE_DATAGRAM, 14_720));
/** What is left of the window after a loss (rfc9002#B.1). */
const REDUCTION = 0.5;

/** NewReno as rfc9002#7 has it. */
export class NewReno implements Congestion {
  /** The size of datagrams, which windows are counted in (rfc9002#7.2). */
  datagram = BASE_DATAGRAM;
  #window = INITIAL_WINDOW;
  #threshold = Number.POSITIVE_INFINITY;
  /** Losses of packets sent before this belong to the same congestion event. */
  #recoveryStart: Instant = instant(Number.NEGATIVE_INFINITY);
  /** Octets acknowledged since the window last grew in congestion avoidance. */
  #acknowledged = 0;

  get window(): number {
    return this.#window;
  }
  get isSlowStart(): boolean {
    return this.#window < this.#threshold;
  }

  acknowledged({ octets, sentAt, isLimited }: Pick<Acknowledgment, "octets" | "sentAt" | "isLimited">): void {
    if (sentAt <= this.#recoveryStart || !isLimited) return;
    if (this.isSlowStart) {
      this.#window += octets;
      return;
    }
    this.#acknowledged += octets;
    if (this.#acknowledged < this.#window) return;
    this.#acknowledged -= this.#window;
    this.#window += this.datagram;
  }
  congested(sentAt: Instant, now: Instant): void {
    if (sentAt <= this.#recoveryStart) return;
    this.#recoveryStart = now;
    this.#window = Math.max(this.#window * REDUCTION, 2 * this.datagram);
    this.#threshold = this.#window;
    this.#acknowledged = 0;
  }
  persistent(): void {
    this.#window = 2 * this.datagram;
    this.#recoveryStart = instant(Number.NEGATIVE_INFINITY);
  }
}
