import { NEVER, type Instant } from "../core/index.ts";
import type { ReceiveWindow } from "./flow-window.ts";

/**
 * Grows receive windows to fit the path, where asked for. A window that is used up in less than two round trips was the bottleneck: it
 * doubles, up to a limit. The round trip is sampled from an answer that the peer owes anyway: to SETTINGS.
 */
export class AutoTune {
  readonly #max: number;
  /** The shortest round trip seen, in milliseconds. */
  #rtt = Number.POSITIVE_INFINITY;

  constructor(max: number) {
    this.#max = max;
  }

  sample(ms: number): void {
    // A clock of whole milliseconds sees a fast path as zero: one is the least that means anything.
    this.#rtt = Math.min(this.#rtt, Math.max(ms, 1));
  }

  /** Credit is being announced: doubles a window that was too small, and returns the octets to announce with it. */
  refill(window: ReceiveWindow, now: Instant): number {
    const since = window.refilledAt;
    window.refilledAt = now;
    if (since === NEVER || now - since >= 2 * this.#rtt) return 0;
    window.grow(Math.min(window.size * 2, this.#max));
    return window.giveAll();
  }
}
