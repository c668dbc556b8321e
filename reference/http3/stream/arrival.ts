import { after, instant, NEVER, type Instant } from "../../core/index.ts";

/** How the announced content of a request comes: without a pause, and at the least rate, while the owner reads it (rfc9114#10.5). */
export class Arrival {
  /** When it should have begun, without the time in which the owner did not read. */
  #since: number;
  /** When the last octet came, or the owner caught up. */
  #heardAt: number;
  #octets = 0;
  #unread = 0;
  /** An action since the last input, whose time was earlier: the wait goes on from the next one. */
  #isPending: boolean;

  /** `isPending`: it begins with an action. */
  constructor(now: Instant, isPending: boolean) {
    this.#since = now;
    this.#heardAt = now;
    this.#isPending = isPending;
  }

  came(octets: number, now: Instant): void {
    this.settle(now);
    this.#octets += octets;
    this.#unread += octets;
    this.#heardAt = now;
  }
  /** The owner has dealt with some of it. */
  consumed(octets: number): void {
    this.#unread -= octets;
    if (this.#unread === 0) this.#isPending = true;
  }
  /** The time in which the owner did not read is not the peer's. */
  settle(now: Instant): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    this.#since += now - this.#heardAt;
    this.#heardAt = now;
  }

  /** When more has to have come: `pauseMs` after the last octet, and `rate` octets a second on average after the first `pauseMs`. */
  by(pauseMs: number, rate: number): Instant {
    if (this.#unread > 0) return NEVER;
    if (this.#isPending) return instant(this.#heardAt);
    const byRate = this.#since + pauseMs + (this.#octets / rate) * 1_000;
    return instant(Math.min(byRate, after(instant(this.#heardAt), pauseMs)));
  }
}
