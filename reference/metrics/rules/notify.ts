import type { Labels } from "../model/index.ts";
import type { Alert } from "./alert-state.ts";
import type { AlertingRule } from "./rule.ts";
import { queryEscaped } from "./template/functions.ts";

/** Which alerts to send to the routers, and when (Prometheus docs, configuration/alerting_rules.md, "Sending alert notifications"). Times are milliseconds. */

/** An alert on its way to the routers. */
export type Notification = {
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly startsAt: number;
  /** When it ended, or until when it is valid unless it is sent again. */
  readonly endsAt: number;
  /** The page of the expression. */
  readonly generatorUrl: string;
};

/** How often an alert that goes on is sent again (`--rules.alert.resend-delay`). */
export const RESEND_MS = 60_000;
/** An alert stays valid for this many intervals without being sent again. */
const VALID_INTERVALS = 4;

export type SendTimes = { readonly atMs: number; readonly intervalMs: number; readonly resendMs: number };

/** The alerts of a rule that are due, by the key of their labels; `sent` has when each was last sent, and is brought up to date. */
export function dueAlerts(alerts: ReadonlyMap<string, Alert>, sent: Map<string, number>, { atMs, resendMs }: SendTimes): Alert[] {
  const due: Alert[] = [];
  for (const key of sent.keys()) if (!alerts.has(key)) sent.delete(key);
  for (const [key, alert] of alerts) {
    const last = sent.get(key) ?? Number.NEGATIVE_INFINITY;
    const isDue = alert.state !== "pending" && ((alert.resolvedAt ?? 0) > last || last + resendMs < atMs);
    // One that has ended and was never sent is no news.
    if (!isDue) continue;
    sent.set(key, atMs);
    due.push(alert);
  }
  return due;
}

/** The notification of an alert that is due. */
export const notificationOf = (
  { labels, annotations, firedAt, activeAt, resolvedAt }: Alert,
  rule: AlertingRule,
  { atMs, intervalMs, resendMs, externalUrl }: SendTimes & { readonly externalUrl: string },
): Notification => ({
  labels,
  annotations,
  startsAt: firedAt ?? activeAt,
  endsAt: resolvedAt ?? atMs + VALID_INTERVALS * Math.max(intervalMs, resendMs),
  generatorUrl: `${externalUrl.replace(/\/+$/, "")}/graph?g0.expr=${queryEscaped(rule.query)}&g0.tab=1`,
});

/** A notification as JSON for `/api/v2/alerts`. */
export const notificationJson = ({ labels, annotations, startsAt, endsAt, generatorUrl }: Notification): Record<string, unknown> => ({
  labels: labels.toJSON(),
  annotations: annotations.toJSON(),
  startsAt: new Date(startsAt).toISOString(),
  endsAt: new Date(endsAt).toISOString(),
  generatorURL: generatorUrl,
});
