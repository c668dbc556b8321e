import { after, NEVER, type Instant } from "../../core/index.ts";
import type { Limits } from "../limits.ts";

/**
 * Notices when content has waited too long for flow-control credit, of its stream or of the connection (rfc9113#10.5). A trickle of credit
 * does not end a wait: `stallOctets` of content must have left.
 */
export class StallWatch {
  readonly #limits: Pick<Limits, "stallMs" | "stallOctets">;
  #deadline: Instant = NEVER;
  #connectionSince: Instant = NEVER;
  /** Bytes sent since then. */
  #trickled = 0;

  constructor(limits: Pick<Limits, "stallMs" | "stallOctets">) {
    this.#limits = limits;
  }

  /** The earliest moment at which something may have waited too long. */
  get deadline(): Instant {
    return this.#deadline;
  }
  isOverdue(since: Instant, now: Instant): boolean {
    return now >= after(since, this.#limits.stallMs);
  }
  /** Something waits since then. */
  watch(since: Instant): void {
    const at = after(since, this.#limits.stallMs);
    if (at < this.#deadline) this.#deadline = at;
  }
  connectionBlocked(now: Instant): void {
    if (this.#connectionSince === NEVER) this.#connectionSince = now;
    this.watch(this.#connectionSince);
  }
  /** The connection had credit for so many bytes of content. */
  connectionSent(octets: number): void {
    if (this.#connectionSince === NEVER) return;
    this.#trickled += octets;
    if (this.#trickled >= this.#limits.stallOctets) this.connectionFree();
  }
  /** Nothing waits for the connection's credit. */
  connectionFree(): void {
    this.#connectionSince = NEVER;
    this.#trickled = 0;
  }
  /** Begins a look at everything that waits; returns whether the connection, if it has no credit now, has waited too long. */
  restart(now: Instant, hasCredit: boolean): boolean {
    this.#deadline = NEVER;
    // The next block is watched from the same moment.
    if (this.#connectionSince === NEVER || hasCredit) return false;
    if (this.isOverdue(this.#connectionSince, now)) {
      this.connectionFree();
      return true;
    }
    this.watch(this.#connectionSince);
    return false;
  }
}
