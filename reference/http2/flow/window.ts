import { NEVER, type Instant } from "../../core/index.ts";

/** No window may exceed this (rfc9113#6.9.1). */
export const MAX_WINDOW = 0x7fff_ffff;
/** The initial size of every window, including the connection's (rfc9113#6.9.2). */
export const INITIAL_WINDOW = 65_535;

/**
 * Raises the window of the sending side, a plain number of bytes that may still be sent; undefined if it would exceed the maximum. The
 * window may be negative after the peer has lowered its initial size (rfc9113#6.9.2).
 */
export function widen(window: number, by: number): number | undefined {
  return window + by > MAX_WINDOW ? undefined : window + by;
}

/** The receiving side of a window: what the peer may still send, and the credit that it has not got back yet. */
export class ReceiveWindow {
  /** Bytes that the peer may still send. */
  left: number;
  /** Credit for bytes that the application has read, not yet announced to the peer. */
  owed = 0;
  /** The total that the peer may have outstanding; `grow` raises it. */
  size: number;
  /** When credit was last announced; for `AutoTune`. */
  refilledAt: Instant = NEVER;

  constructor(size: number) {
    this.left = size;
    this.size = size;
  }

  /** Bytes have arrived; false, and nothing changes, if the peer had no credit for them (rfc9113#6.9.1). */
  take(octets: number): boolean {
    if (octets > this.left) return false;
    this.left -= octets;
    return true;
  }

  /**
   * The application has read bytes. Returns the increment of a WINDOW_UPDATE, or 0 if it is too early: credit goes back when half the
   * window is owed, so that frames are few and the peer never waits for the last byte (rfc9113#6.9.1).
   */
  give(octets: number): number {
    this.owed += octets;
    return this.owed * 2 >= this.size ? this.#announce() : 0;
  }

  /** Announces all credit that is owed, however little; for a window that the peer has used up. */
  giveAll(): number {
    return this.owed > 0 ? this.#announce() : 0;
  }

  /** Our changed initial size has been acknowledged: the window moves by the difference, if need be below zero (rfc9113#6.9.2). */
  shift(by: number): void {
    this.left += by;
    this.size = Math.max(this.size + by, 0);
  }

  /** Lets the peer have more outstanding; it gets the extra credit with the next announcement. */
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
