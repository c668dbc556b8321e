import type { Labels } from "../model/index.ts";
import { type Alert, isResolved, merged } from "./alert.ts";
import { Inhibitor, type InhibitRule } from "./inhibit.ts";

/** All alerts by their labels, and which of them mute others. */
export class AlertStore {
  /** By fingerprint. */
  readonly #byId = new Map<string, Alert>();
  #inhibitor: Inhibitor;

  constructor(rules: readonly InhibitRule[]) {
    this.#inhibitor = new Inhibitor(rules);
  }

  get size(): number {
    return this.#byId.size;
  }
  get all(): Iterable<Alert> {
    return this.#byId.values();
  }
  has(fingerprint: string): boolean {
    return this.#byId.has(fingerprint);
  }

  /** Joins an alert with what is known of it, and returns the result. */
  put(alert: Alert): Alert {
    const before = this.#byId.get(alert.fingerprint);
    const now = before === undefined ? alert : merged(before, alert);
    this.#byId.set(now.fingerprint, now);
    this.#inhibitor.put(now);
    return now;
  }

  inhibitedBy(labels: Labels, now: number): string[] {
    return this.#inhibitor.mutedBy(labels, now);
  }

  /** Takes other rules. */
  reindex(rules: readonly InhibitRule[]): void {
    this.#inhibitor = new Inhibitor(rules);
    for (const alert of this.#byId.values()) this.#inhibitor.put(alert);
  }

  /** Forgets alerts that have ended. */
  forget(now: number): void {
    for (const alert of this.#byId.values()) {
      if (!isResolved(alert, now)) continue;
      this.#byId.delete(alert.fingerprint);
      this.#inhibitor.remove(alert);
    }
  }
}
