import { NEVER, type Instant } from "../core/index.ts";

/** No window may exceed this (rfc9113#6.9.1). */
export const MAX_WINDOW = 0x7fff_ffff;
/** Where every window begins, the connection's included (rfc9113#6.9.2). */
export const INITIAL_WINDOW = 65_535;

/**
 * A window of the sending side is a plain number: how many octets may still be sent. It may be negative after the peer has lowered its
 * initial size (rfc9113#6.9.2). Raises it; undefined where it would pass the maximum.
 */
export function widen(window: number, by: number): number | undefined {
  return window + by > MAX_WINDOW ? undefined : window + by;
}

/** The receiving side of a window: what the peer may still send, and what it has sent that is not yet given back to it. */
export class ReceiveWindow {
  /** What the peer may still send. */
  left: number;
  /** Read by the application, and not yet announced to the peer. */
  owed = 0;
  /** What the peer may have outstanding in all; grows with `grow`. */
  size: number;
  /** When credit was announced last; for `AutoTune`. */
  refilledAt: Instant = NEVER;

  constructor(size: number) {
    this.left = size;
    this.size = size;
  }

  /** Octets have arrived; false where the peer had no credit for them, and then nothing is taken (rfc9113#6.9.1). */
  take(octets: number): boolean {
    if (octets > this.left) return false;
    this.left -= octets;
    return true;
  }

  /**
   * The application has read octets. Returns the increment worth a WINDOW_UPDATE, or 0: credit goes back when half the window is owed,
   * so that frames are few and the peer never waits for the last octet (rfc9113#6.9.1).
   */
  give(octets: number): number {
    this.owed += octets;
    return this.owed * 2 >= this.size ? this.#announce() : 0;
  }

  /** All that is owed, however little; for a window that the peer has used up. */
  giveAll(): number {
    return this.owed > 0 ? this.#announce() : 0;
  }

  /** A SETTINGS change of ours has been acknowledged: the window moves by the difference, below zero where need be (rfc9113#6.9.2). */
  shift(by: number): void {
    this.left += by;
    this.size = Math.max(this.size + by, 0);
  }

  /** Lets the peer have more outstanding; the additional credit leaves with the next announcement. */
  grow(to: number): void {
    const by = Math.min(to, MAX_WINDOW) - this.size;
    if (by <= 0) return;
    this.size += by;
    this.owed += by;
  }

  #announce(): number {
    const by = Math.min(this.owed, MAX_WINDOW - this.left);
    this.owed -= by;
    this.left += by;
    return by;
  }
}
