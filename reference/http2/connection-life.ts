import { after, type Instant, NEVER } from "../core/index.ts";

/** How long a server keeps its connections. Each is unlimited by default. */
export type LifeOptions = {
  /** Milliseconds without a stream until the connection is closed gracefully. */
  readonly maxIdleMs?: number | undefined;
  /** Milliseconds until it is closed gracefully, a tenth more or less: many connections would otherwise come back at once. */
  readonly maxAgeMs?: number | undefined;
  /** Milliseconds that streams have after `maxAgeMs`; then they end with the connection. */
  readonly graceMs?: number | undefined;
};

/** Share of an age by which it varies, up and down. */
const JITTER = 0.1;

/** Decides when a server's connection has lived long enough. */
export class ConnectionLife {
  readonly #idleMs: number | undefined;
  readonly #graceMs: number | undefined;
  readonly #agedAt: Instant;
  #idleSince: Instant | undefined;
  #isLeaving = false;
  #overAt: Instant = NEVER;

  /** @param random A number from 0 to 1. */
  constructor({ maxIdleMs, maxAgeMs, graceMs }: LifeOptions, now: Instant, random: number) {
    this.#idleMs = maxIdleMs;
    this.#graceMs = graceMs;
    this.#agedAt = maxAgeMs === undefined ? NEVER : after(now, Math.round(maxAgeMs * (1 + JITTER * (2 * random - 1))));
    this.#idleSince = now;
  }

  /** Streams have begun or ended. */
  streams(count: number, now: Instant): void {
    if (count > 0) this.#idleSince = undefined;
    else this.#idleSince ??= now;
  }
  get deadline(): Instant {
    if (this.#isLeaving) return this.#overAt;
    const idle = this.#idleMs === undefined || this.#idleSince === undefined ? NEVER : after(this.#idleSince, this.#idleMs);
    return idle < this.#agedAt ? idle : this.#agedAt;
  }
  /** At the deadline: why the connection closes gracefully, as existing servers say it; or that it is over. */
  tick(now: Instant): "max_idle" | "max_age" | "over" | undefined {
    if (now < this.deadline) return undefined;
    if (this.#isLeaving) {
      this.#overAt = NEVER;
      return "over";
    }
    this.#isLeaving = true;
    if (now < this.#agedAt) return "max_idle";
    if (this.#graceMs !== undefined) this.#overAt = after(now, this.#graceMs);
    return "max_age";
  }
}
