import type { Instant } from "../../core/index.ts";

export type EarlyOptions = {
  /** How much the age that a client states may differ from ours: the time for which a recorded ClientHello could be repeated. */
  readonly windowMs?: number;
  /** Tickets that are remembered. When there are more, 0-RTT data is refused, and the handshake goes on without. */
  readonly most?: number;
};

/**
 * Lets a ticket bring 0-RTT data once (rfc8446#8.1), and only while it is fresh (rfc8446#8.3), so that what is remembered stays small: a ClientHello
 * outside of the window is refused by its age. All connections that share tickets share one guard.
 */
export class EarlyGuard {
  readonly #windowMs: number;
  readonly #most: number;
  readonly #openedAt: Instant;
  /** Used tickets of the current and the last period; a period lasts for two windows. */
  #young = new Set<string>();
  #old = new Set<string>();
  #since: Instant;

  constructor(openedAt: Instant, { windowMs = 10_000, most = 100_000 }: EarlyOptions = {}) {
    this.#windowMs = windowMs;
    this.#most = most;
    this.#openedAt = openedAt;
    this.#since = openedAt;
  }

  /** Whether 0-RTT data may come with this ticket now. `ageMs` is the age that the client states. */
  admit(ticket: Uint8Array, { issuedAt, ageMs }: { issuedAt: Instant; ageMs: number }, now: Instant): boolean {
    this.#turn(now);
    if (Math.abs(now - (issuedAt + ageMs)) > this.#windowMs) return false;
    // Another guard may have seen it: what was used before we remember anything cannot be known (rfc8446#8.2).
    if (issuedAt < this.#openedAt && now - this.#openedAt <= 2 * this.#windowMs) return false;
    const key = Buffer.from(ticket).toString("latin1", Math.max(0, ticket.length - UNIQUE));
    if (this.#young.has(key) || this.#old.has(key) || this.#young.size + this.#old.size >= this.#most) return false;
    this.#young.add(key);
    return true;
  }

  #turn(now: Instant): void {
    const period = 2 * this.#windowMs;
    const passed = now - this.#since;
    if (passed < period) return;
    this.#old = passed < 2 * period ? this.#young : new Set();
    this.#young = new Set();
    this.#since = now;
  }
}

/** The end of a ticket is its authentication tag and some of its ciphertext: no two tickets share it. */
const UNIQUE = 32;
