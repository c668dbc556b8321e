import type { Labels } from "../model/index.ts";

/** What becomes of an alert in one evaluation (Prometheus docs, configuration/alerting_rules.md). Times are milliseconds since 1970. */

export type AlertState = "pending" | "firing" | "inactive";

/** One alert: an element of the expression of a rule. */
export type Alert = {
  readonly state: AlertState;
  /** With `alertname` and the labels of the rule. */
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly value: number;
  /** When its element came. */
  readonly activeAt: number;
  readonly firedAt: number | undefined;
  /** When it ended; such an alert is kept for a while, so that its end is reported. */
  readonly resolvedAt: number | undefined;
  /** Since when it goes on without its element. */
  readonly keptSince: number | undefined;
};

/** An element that the expression has now. */
export type Seen = Pick<Alert, "labels" | "annotations" | "value">;

/** How long an alert that has ended is kept. */
const RESOLVED_KEPT_MS = 15 * 60_000;

export type AlertTimes = { readonly forMs: number; readonly keepFiringForMs: number };

/** The alert after an evaluation at `now`; undefined if it is forgotten. `before` or `seen` may be absent. */
export function nextAlert(before: Alert | undefined, seen: Seen | undefined, now: number, times: AlertTimes): Alert | undefined {
  if (seen === undefined) return before === undefined ? undefined : withoutElement(before, now, times);
  const isNew = before === undefined || before.state === "inactive";
  const alert: Alert = isNew
    ? { ...seen, state: "pending", activeAt: now, firedAt: undefined, resolvedAt: undefined, keptSince: undefined }
    : { ...before, value: seen.value, annotations: seen.annotations, keptSince: undefined };
  return ripened(alert, now, times);
}

const ripened = (alert: Alert, now: number, { forMs }: AlertTimes): Alert =>
  alert.state === "pending" && now - alert.activeAt >= forMs ? { ...alert, state: "firing", firedAt: now } : alert;

function withoutElement(alert: Alert, now: number, { keepFiringForMs }: AlertTimes): Alert | undefined {
  switch (alert.state) {
    case "pending":
      return undefined;
    case "inactive":
      return now - (alert.resolvedAt ?? now) > RESOLVED_KEPT_MS ? undefined : alert;
    case "firing": {
      const keptSince = alert.keptSince ?? now;
      if (keepFiringForMs > 0 && now - keptSince < keepFiringForMs) return { ...alert, keptSince };
      return { ...alert, state: "inactive", resolvedAt: now, keptSince: undefined };
    }
  }
}

/** How long a server may be away, and how long a restored alert waits at least before it fires. */
export type RestoreTimes = { readonly outageToleranceMs: number; readonly gracePeriodMs: number };
export const RESTORE_TIMES: RestoreTimes = { outageToleranceMs: 3_600_000, gracePeriodMs: 600_000 };

/** When an alert counts as active after a restart: it was last stored at `lastMs`, active since `activeAt`. */
export function restoredActiveAt(
  stored: { readonly activeAt: number; readonly lastMs: number },
  now: number,
  forMs: number,
  graceMs: number,
): number {
  const { activeAt, lastMs } = stored;
  const remaining = forMs - (lastMs - activeAt);
  // It was firing, or about to.
  if (remaining <= 0) return activeAt;
  return remaining < graceMs ? now + graceMs - forMs : activeAt + (now - lastMs);
}
