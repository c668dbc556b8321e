import { type Alert, compareAlerts, isResolved, type PostedAlert, settledAlert } from "./alert.ts";
import { AlertStore } from "./alert-store.ts";
import { type Delivery, type DeliveryOutcome, type NotifiedAlert, waitAfter } from "./delivery.ts";
import { Group } from "./group.ts";
import { type RouterLimits, ROUTER_LIMITS } from "./limits.ts";
import { isNews, NotificationLog, type Notified } from "./notification-log.ts";
import { mutingIntervals, type RouterPlan } from "./plan.ts";
import { groupLabelsOf, matchingRoutes, type Route } from "./route.ts";
import { type PostedSilence, Silences, type Silence, type SilenceFault } from "./silences.ts";

/** State that outlives the process. */
export type RouterRecord = { readonly is: "silence"; readonly silence: Silence } | { readonly is: "notified"; readonly notified: Notified };

export type RouterOptions = {
  readonly newId: () => string;
  /** How long expired silences and what was sent are remembered (`--data.retention`). */
  readonly retentionMs: number;
  /** How often alerts that have ended are forgotten (`--alerts.gc-interval`). */
  readonly forgetMs: number;
  readonly limits?: RouterLimits;
};

/** How often groups without alerts are removed. */
const SWEEP_MS = 30_000;
/** The least time that attempts to notify last. */
const LEAST_UNTIL_MS = 10_000;

type Open = {
  readonly delivery: Delivery;
  readonly group: Group;
  readonly sent: Omit<Notified, "at" | "expiresAt">;
  readonly flushedAt: number;
  attempts: number;
  /** When the next attempt is due; undefined while one runs. */
  dueAt: number | undefined;
  /** It began under another configuration: its group is gone, so only its success counts. */
  isStale: boolean;
};

/** An alert as the API shows it. */
export type ShownAlert = {
  readonly alert: Alert;
  readonly receivers: readonly string[];
  readonly silencedBy: readonly string[];
  readonly inhibitedBy: readonly string[];
};
export type ShownGroup = { readonly group: Group; readonly mutedBy: readonly string[]; readonly alerts: readonly ShownAlert[] };

/**
 * An alert router without I/O (Alertmanager docs, alertmanager.md). Inputs: `receive`, the changes of silences, `configure`, `tick` and `settle`. Outputs,
 * to drain after each input: `take()` for notifications that are due, `changes()` for state to store, and `deadline`, when `tick` is due.
 */
export class Router {
  readonly silences: Silences;
  readonly log: NotificationLog;
  readonly limits: RouterLimits;
  /** Since the start. */
  readonly counts = { firing: 0, resolved: 0, invalid: 0, refused: 0, sent: { webhook: 0, email: 0 }, failed: { webhook: 0, email: 0 } };
  readonly #options: RouterOptions;
  readonly #alerts: AlertStore;
  #plan: RouterPlan;
  /** By the id of the route, then by group labels. */
  #groups = new Map<string, Group>();
  #open = new Map<number, Open>();
  #due: Delivery[] = [];
  #changes: RouterRecord[] = [];
  #lastId = 0;
  #sweepAt: number;
  #forgetAt: number;

  constructor(plan: RouterPlan, options: RouterOptions, now: number) {
    this.#plan = plan;
    this.#options = options;
    this.limits = options.limits ?? ROUTER_LIMITS;
    this.#alerts = new AlertStore(plan.inhibitRules);
    this.#sweepAt = now + SWEEP_MS;
    this.#forgetAt = now + options.forgetMs;
    this.silences = new Silences({
      limits: this.limits,
      newId: options.newId,
      onChange: (silence) => void this.#changes.push({ is: "silence", silence }),
    });
    this.log = new NotificationLog((notified) => void this.#changes.push({ is: "notified", notified }));
  }

  get plan(): RouterPlan {
    return this.#plan;
  }
  get groupCount(): number {
    return this.#groups.size;
  }

  /** Takes state that `changes` or `snapshot` gave before. */
  restore(record: RouterRecord): void {
    if (record.is === "silence") this.silences.restore(record.silence);
    else this.log.restore(record.notified);
  }
  /** All state that outlives the process. */
  snapshot(): RouterRecord[] {
    return [
      ...this.silences.all.map((silence): RouterRecord => ({ is: "silence", silence })),
      ...this.log.all.map((notified): RouterRecord => ({ is: "notified", notified })),
    ];
  }
  /** The state that has changed since the last call. */
  changes(): RouterRecord[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }
  /** The notifications that are due since the last call; each needs a `settle`. */
  take(): Delivery[] {
    const due = this.#due;
    this.#due = [];
    return due;
  }

  /** Takes alerts. Returns what is wrong with each one that is refused. */
  receive(posted: readonly PostedAlert[], now: number): string[] {
    return posted.flatMap((one) => this.#receive(one, now) ?? []);
  }

  #receive(posted: PostedAlert, now: number): string | undefined {
    const alert = settledAlert(posted, { now, resolveTimeoutMs: this.#plan.resolveTimeoutMs });
    const problem = alert === undefined ? "the alert ends before it starts" : this.#problemOf(alert);
    if (alert === undefined || problem !== undefined) {
      this.counts.invalid += 1;
      return `${posted.labels.toString()}: ${problem}`;
    }
    if (!this.#alerts.has(alert.fingerprint) && this.#alerts.size >= this.limits.alerts) {
      this.counts.refused += 1;
      return `${posted.labels.toString()}: there are ${this.limits.alerts} alerts already`;
    }
    this.counts[isResolved(alert, now) ? "resolved" : "firing"] += 1;
    this.#dispatch(this.#alerts.put(alert), now);
    return undefined;
  }

  #problemOf({ labels, annotations }: Alert): string | undefined {
    if (labels.size === 0) return "an alert needs a label";
    if (labels.size > this.limits.labels || annotations.size > this.limits.labels)
      return `an alert has at most ${this.limits.labels} labels and as many annotations`;
    const length = [...labels.flat, ...annotations.flat].reduce((sum, text) => sum + text.length, 0);
    return length > this.limits.alertLength ? `the texts of an alert have at most ${this.limits.alertLength} characters` : undefined;
  }

  #dispatch(alert: Alert, now: number): void {
    for (const route of matchingRoutes(this.#plan.route, alert.labels)) {
      const labels = groupLabelsOf(route, alert.labels);
      const id = `${route.id}:${labels.key}`;
      let group = this.#groups.get(id);
      if (group === undefined) {
        if (this.#groups.size >= this.limits.groups) {
          this.counts.refused += 1;
          continue;
        }
        this.#groups.set(id, (group = new Group(route, labels, now)));
      }
      group.put(alert, now);
    }
  }

  setSilence(posted: PostedSilence, now: number): Silence | SilenceFault {
    return this.silences.set(posted, now);
  }
  expireSilence(id: string, now: number): Silence | SilenceFault {
    return this.silences.expire(id, now);
  }

  /** Takes another configuration: all alerts are routed again, and what was sent before is not sent again. */
  configure(plan: RouterPlan, now: number): void {
    this.#plan = plan;
    this.#groups = new Map();
    this.#due = [];
    for (const [id, open] of this.#open) {
      open.isStale = true;
      if (open.dueAt !== undefined) this.#open.delete(id);
    }
    this.#alerts.reindex(plan.inhibitRules);
    for (const alert of this.#alerts.all) this.#dispatch(alert, now);
  }

  /** When `tick` is due. */
  get deadline(): number {
    let least = Math.min(this.#sweepAt, this.#forgetAt);
    for (const group of this.#groups.values()) least = Math.min(least, group.deadline);
    for (const { dueAt } of this.#open.values()) least = Math.min(least, dueAt ?? Number.POSITIVE_INFINITY);
    return least;
  }

  tick(now: number): void {
    for (const open of this.#open.values())
      if (open.dueAt !== undefined && open.dueAt <= now) {
        open.dueAt = undefined;
        this.#due.push(open.delivery);
      }
    for (const group of this.#groups.values()) if (group.isDue(now)) this.#flush(group, now);
    if (this.#sweepAt <= now) {
      this.#sweepAt = now + SWEEP_MS;
      for (const [id, group] of this.#groups) if (group.isEmpty) this.#groups.delete(id);
    }
    if (this.#forgetAt <= now) {
      this.#forgetAt = now + this.#options.forgetMs;
      this.#alerts.forget(now);
      this.silences.forget(now, this.#options.retentionMs);
      this.log.forget(now);
    }
  }

  #flush(group: Group, now: number): void {
    const { receiver, repeatIntervalMs, groupIntervalMs } = group.route.options;
    const isMuted = mutingIntervals(group.route, this.#plan, now).length > 0;
    const alerts = group
      .begin(now)
      .filter(
        ({ labels }) => !isMuted && this.#alerts.inhibitedBy(labels, now).length === 0 && this.silences.mutedBy(labels, now).length === 0,
      )
      .map((alert): NotifiedAlert => ({ ...alert, isResolved: isResolved(alert, now) }))
      .sort(compareAlerts);
    const firing = new Set(alerts.filter((one) => !one.isResolved).map(({ fingerprint }) => fingerprint));
    const resolved = new Set(alerts.filter((one) => one.isResolved).map(({ fingerprint }) => fingerprint));
    for (const [index, { kind, sendResolved }] of (this.#plan.receivers.get(receiver) ?? []).entries()) {
      const key = `${group.key} ${JSON.stringify([receiver, kind, index])}`;
      if (alerts.length === 0 || !isNews(this.log.get(key, now), { firing, resolved }, { now, repeatIntervalMs, sendResolved })) continue;
      const sent = { key, firing: [...firing], resolved: [...resolved] };
      const wanted = sendResolved ? alerts : alerts.filter((one) => !one.isResolved);
      if (wanted.length === 0) {
        this.#logged(sent, group.route, now);
        continue;
      }
      const delivery: Delivery = {
        id: ++this.#lastId,
        receiver,
        index,
        kind,
        groupKey: group.key,
        groupLabels: group.labels,
        alerts: wanted,
        until: now + Math.max(groupIntervalMs, LEAST_UNTIL_MS),
      };
      group.opened();
      this.#open.set(delivery.id, { delivery, group, sent, flushedAt: now, attempts: 0, dueAt: undefined, isStale: false });
      this.#due.push(delivery);
    }
    group.end();
  }

  #logged(sent: Omit<Notified, "at" | "expiresAt">, { options: { repeatIntervalMs } }: Route, now: number): void {
    this.log.put({ ...sent, at: now, expiresAt: now + Math.min(this.#options.retentionMs, 2 * repeatIntervalMs) });
  }

  /** Says how an attempt to deliver ended. */
  settle(id: number, outcome: DeliveryOutcome, now: number): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    const { delivery, group, sent } = open;
    if (outcome === "sent") {
      this.#open.delete(id);
      this.counts.sent[delivery.kind] += 1;
      this.#logged(sent, group.route, open.flushedAt);
      group.closed(true);
      return;
    }
    if (open.isStale) {
      this.#open.delete(id);
      return;
    }
    this.counts.failed[delivery.kind] += 1;
    open.attempts += 1;
    const next = now + waitAfter(open.attempts);
    if (outcome === "retry" && next < delivery.until) {
      open.dueAt = next;
      return;
    }
    this.#open.delete(id);
    group.closed(false);
  }

  /** The alerts that have not ended. */
  alerts(now: number): ShownAlert[] {
    return [...this.#alerts.all].filter((alert) => !isResolved(alert, now)).map((alert) => this.#shown(alert, now));
  }

  /** The groups, with the alerts that have not ended. */
  groups(now: number): ShownGroup[] {
    return [...this.#groups.values()].map((group) => ({
      group,
      mutedBy: mutingIntervals(group.route, this.#plan, now),
      alerts: [...group.alerts.values()].filter((alert) => !isResolved(alert, now)).map((alert) => this.#shown(alert, now)),
    }));
  }

  #shown(alert: Alert, now: number): ShownAlert {
    return {
      alert,
      receivers: [...new Set(matchingRoutes(this.#plan.route, alert.labels).map(({ options }) => options.receiver))],
      silencedBy: this.silences.mutedBy(alert.labels, now),
      inhibitedBy: this.#alerts.inhibitedBy(alert.labels, now),
    };
  }
}
