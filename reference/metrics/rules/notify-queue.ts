import type { Notification } from "./notify.ts";

/** How an attempt to send a batch ended. `retry`: the router may accept it later. */
export type SendOutcome = "accepted" | "refused" | "retry";

export type QueueLimits = {
  /** Alerts that wait at most (`--alertmanager.notification-queue-capacity`). */
  readonly capacity: number;
  /** Alerts of one request. */
  readonly batch: number;
  readonly firstWaitMs: number;
  readonly mostWaitMs: number;
};
export const QUEUE_LIMITS: QueueLimits = { capacity: 10_000, batch: 256, firstWaitMs: 1_000, mostWaitMs: 30_000 };

/**
 * The alerts that wait for one router. A newer state of an alert takes the place of the older one, so that a router that comes back gets the present
 * and not the past; beyond the capacity the oldest are dropped. Times are milliseconds of the caller's clock.
 */
export class NotifyQueue {
  readonly #limits: QueueLimits;
  readonly #waiting = new Map<string, Notification>();
  #sending: readonly Notification[] | undefined;
  #waitMs = 0;
  #notBefore = 0;
  #dropped = 0;
  #sent = 0;
  #errors = 0;

  constructor(limits: QueueLimits = QUEUE_LIMITS) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiting.size + (this.#sending?.length ?? 0);
  }
  /** Alerts that were dropped because there was no room, or because the router refused them. */
  get dropped(): number {
    return this.#dropped;
  }
  get sent(): number {
    return this.#sent;
  }
  /** Alerts of attempts that failed. */
  get errors(): number {
    return this.#errors;
  }
  /** When the next batch may be taken; undefined if there is none, or one is being sent. */
  get deadline(): number | undefined {
    return this.#sending === undefined && this.#waiting.size > 0 ? this.#notBefore : undefined;
  }

  add(notifications: Iterable<Notification>): void {
    for (const one of notifications) {
      const { key } = one.labels;
      this.#waiting.delete(key);
      this.#waiting.set(key, one);
    }
    for (const key of this.#waiting.keys()) {
      if (this.#waiting.size <= this.#limits.capacity) break;
      this.#waiting.delete(key);
      this.#dropped += 1;
    }
  }

  /** The next batch, oldest first; undefined if it is too early, or one is being sent. */
  take(now: number): readonly Notification[] | undefined {
    if (this.deadline === undefined || now < this.deadline) return undefined;
    const batch = [...this.#waiting.values()].slice(0, this.#limits.batch);
    for (const { labels } of batch) this.#waiting.delete(labels.key);
    this.#sending = batch;
    return batch;
  }

  /** Says how sending the batch ended. */
  settle(outcome: SendOutcome, now: number): void {
    const batch = this.#sending ?? [];
    this.#sending = undefined;
    if (outcome === "accepted") {
      this.#sent += batch.length;
      this.#waitMs = 0;
      this.#notBefore = now;
      return;
    }
    this.#errors += batch.length;
    if (outcome === "refused") {
      this.#dropped += batch.length;
      return;
    }
    const { firstWaitMs, mostWaitMs } = this.#limits;
    this.#waitMs = Math.min(mostWaitMs, this.#waitMs === 0 ? firstWaitMs : this.#waitMs * 2);
    this.#notBefore = now + this.#waitMs;
    // What has a newer state by now is not sent in its older one.
    const newer = [...this.#waiting.values()];
    const older = batch.filter(({ labels }) => !this.#waiting.has(labels.key));
    this.#waiting.clear();
    this.add([...older, ...newer]);
  }
}
