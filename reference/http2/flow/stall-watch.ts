import { after, NEVER, type Instant } from "../../core/index.ts";

/** Notices when content has waited too long for flow-control credit, of its stream or of the connection (rfc9113#10.5). */
export class StallWatch {
  readonly #patienceMs: number;
  #deadline: Instant = NEVER;
  #connectionSince: Instant = NEVER;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** The earliest moment at which something may have waited too long. */
  get deadline(): Instant {
    return this.#deadline;
  }
  isOverdue(since: Instant, now: Instant): boolean {
    return now >= after(since, this.#patienceMs);
  }
  /** Something waits since then. */
  watch(since: Instant): void {
    const at = after(since, this.#patienceMs);
    if (at < this.#deadline) this.#deadline = at;
  }
  connectionBlocked(now: Instant): void {
    if (this.#connectionSince !== NEVER) return;
    this.#connectionSince = now;
    this.watch(now);
  }
  connectionFree(): void {
    this.#connectionSince = NEVER;
  }
  /** Begins a look at everything that waits; returns whether the connection has waited too long. */
  restart(now: Instant): boolean {
    this.#deadline = NEVER;
    if (this.#connectionSince === NEVER) return false;
    if (this.isOverdue(this.#connectionSince, now)) {
      this.#connectionSince = NEVER;
      return true;
    }
    this.watch(this.#connectionSince);
    return false;
  }
}
