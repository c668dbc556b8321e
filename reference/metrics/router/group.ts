import type { Labels } from "../model/index.ts";
import { type Alert, isResolved } from "./alert.ts";
import { labelsText, type Route } from "./route.ts";

/** Alerts of one route with equal group labels, and when their receiver hears of them. */
export class Group {
  readonly route: Route;
  readonly labels: Labels;
  /** As receivers see it. */
  readonly key: string;
  readonly alerts = new Map<string, Alert>();
  /** When it is looked at next. */
  dueAt: number;
  #hasFlushed = false;
  /** Notifications on their way; the group is not looked at meanwhile. */
  #open = 0;
  #isFailed = false;
  /** The alerts of the last look. */
  #seen: readonly Alert[] = [];
  #seenAt = 0;

  constructor(route: Route, labels: Labels, now: number) {
    this.route = route;
    this.labels = labels;
    this.key = `${route.key}:${labelsText(labels)}`;
    this.dueAt = now + route.options.groupWaitMs;
  }

  get isEmpty(): boolean {
    return this.alerts.size === 0;
  }
  isDue(now: number): boolean {
    return this.#open === 0 && !this.isEmpty && this.dueAt <= now;
  }
  /** When it is next looked at; infinite while it waits for an outcome or has no alerts. */
  get deadline(): number {
    return this.#open === 0 && !this.isEmpty ? this.dueAt : Number.POSITIVE_INFINITY;
  }

  put(alert: Alert, now: number): void {
    // The timer of a group without alerts goes on, unseen.
    if (this.isEmpty && this.#hasFlushed) this.#skipTo(now);
    this.alerts.set(alert.fingerprint, alert);
    // One that has waited long enough elsewhere, as after a restart, does not wait again.
    if (!this.#hasFlushed && alert.startsAt + this.route.options.groupWaitMs < now) this.dueAt = Math.min(this.dueAt, now);
  }

  /** The alerts to notify about; the group is due again after `group_interval`. */
  begin(now: number): readonly Alert[] {
    this.#hasFlushed = true;
    this.dueAt = now + this.route.options.groupIntervalMs;
    this.#seen = [...this.alerts.values()];
    this.#seenAt = now;
    this.#isFailed = false;
    return this.#seen;
  }

  /** Another notification is on its way. */
  opened(): void {
    this.#open += 1;
  }

  closed(isGood: boolean): void {
    this.#open -= 1;
    if (!isGood) this.#isFailed = true;
    this.end();
  }

  /** Forgets resolved alerts once every receiver knows of them. */
  end(): void {
    if (this.#open > 0 || this.#isFailed) return;
    for (const alert of this.#seen)
      if (isResolved(alert, this.#seenAt) && this.alerts.get(alert.fingerprint) === alert) this.alerts.delete(alert.fingerprint);
    this.#seen = [];
  }

  #skipTo(now: number): void {
    const { groupIntervalMs } = this.route.options;
    if (this.dueAt <= now) this.dueAt += Math.ceil((now - this.dueAt + 1) / groupIntervalMs) * groupIntervalMs;
  }
}
