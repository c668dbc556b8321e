import type { Labels, Matcher } from "../model/index.ts";
import { type Alert, isResolved } from "./alert.ts";
import { matchesAll } from "./route.ts";

/** Alerts that mute others: Alertmanager docs, configuration.md, `<inhibit_rule>`. */

export type InhibitRule = {
  readonly source: readonly Matcher[];
  readonly target: readonly Matcher[];
  /** Labels with equal values in both; a missing one is empty. */
  readonly equal: readonly string[];
};

/** Which firing alerts are sources of which rules. */
export class Inhibitor {
  readonly #rules: readonly IndexedRule[];

  constructor(rules: readonly InhibitRule[]) {
    this.#rules = rules.map((rule) => new IndexedRule(rule));
  }

  /** Takes a new alert, or a new state of one. */
  put(alert: Alert): void {
    for (const rule of this.#rules) rule.put(alert);
  }

  remove(alert: Alert): void {
    for (const rule of this.#rules) rule.remove(alert);
  }

  /** The fingerprints of alerts that mute one with these labels: one for each rule that applies. */
  mutedBy(labels: Labels, now: number): string[] {
    return [...new Set(this.#rules.flatMap((rule) => rule.sourceOf(labels, now) ?? []))];
  }
}

class IndexedRule {
  readonly #rule: InhibitRule;
  /** By the values of the labels that must be equal, then by fingerprint. */
  readonly #sources = new Map<string, Map<string, Alert>>();

  constructor(rule: InhibitRule) {
    this.#rule = rule;
  }

  #key(labels: Labels): string {
    return this.#rule.equal.map((name) => labels.get(name)).join("\uDCFF");
  }

  put(alert: Alert): void {
    if (!matchesAll(this.#rule.source, alert.labels)) return;
    const key = this.#key(alert.labels);
    const known = this.#sources.get(key) ?? new Map<string, Alert>();
    this.#sources.set(key, known);
    known.set(alert.fingerprint, alert);
  }

  remove({ labels, fingerprint }: Alert): void {
    const key = this.#key(labels);
    const known = this.#sources.get(key);
    known?.delete(fingerprint);
    if (known?.size === 0) this.#sources.delete(key);
  }

  sourceOf(labels: Labels, now: number): string | undefined {
    const { source, target } = this.#rule;
    if (!matchesAll(target, labels)) return undefined;
    // An alert on both sides of a rule is not muted by another such one, and so not by itself.
    const isBoth = matchesAll(source, labels);
    for (const [fingerprint, alert] of this.#sources.get(this.#key(labels)) ?? [])
      if (!isResolved(alert, now) && !(isBoth && matchesAll(target, alert.labels))) return fingerprint;
    return undefined;
  }
}
