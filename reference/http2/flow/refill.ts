import { NEVER, type Instant } from "../../core/index.ts";
import type { ReceiveWindow } from "./window.ts";

/**
 * Grows receive windows to fit the path. A window that is used up in less than two round trips was the bottleneck, so it doubles, up to a
 * limit. The round trip is measured on an answer that the peer has to send anyway, the acknowledgement of SETTINGS.
 */
export class AutoTune {
  readonly #max: number;
  /** The shortest round trip seen, in milliseconds. */
  #rtt = Number.POSITIVE_INFINITY;

  constructor(max: number) {
    this.#max = max;
  }

  sample(ms: number): void {
    // On a clock of whole milliseconds a fast path takes zero: count it as one.
    this.#rtt = Math.min(this.#rtt, Math.max(ms, 1));
  }

  /** Credit is being announced: doubles a window that was too small, and returns the extra credit to announce. */
  refill(window: ReceiveWindow, now: Instant): number {
    const since = window.refilledAt;
    window.refilledAt = now;
    if (since === NEVER || now - since >= 2 * this.#rtt) return 0;
    window.grow(Math.min(window.size * 2, this.#max));
    return window.giveAll();
  }
}
