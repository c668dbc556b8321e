import { compareText, type Labels } from "../model/index.ts";
import { fingerprintOf } from "./fingerprint.ts";

/** An alert as a router keeps it. Times are milliseconds since 1970. */
export type Alert = {
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly startsAt: number;
  /** When it ended, or when it counts as ended unless it is sent again. */
  readonly endsAt: number;
  /** Whether `endsAt` is presumed, because the sender named none (`resolve_timeout`). */
  readonly isPresumed: boolean;
  readonly updatedAt: number;
  /** A link to what causes it. */
  readonly generatorUrl: string;
  readonly fingerprint: string;
};

/** An alert as a client posts it. */
export type PostedAlert = Pick<Alert, "labels" | "annotations" | "generatorUrl"> & {
  readonly startsAt?: number | undefined;
  readonly endsAt?: number | undefined;
};

/** Fills in the times that a client leaves out; undefined if the alert ends before it starts. */
export function settledAlert(
  { labels, annotations, generatorUrl, startsAt, endsAt }: PostedAlert,
  { now, resolveTimeoutMs }: { readonly now: number; readonly resolveTimeoutMs: number },
): Alert | undefined {
  const begin = startsAt ?? Math.min(now, endsAt ?? now);
  const end = endsAt ?? now + resolveTimeoutMs;
  if (end < begin) return undefined;
  return {
    labels,
    annotations,
    generatorUrl,
    startsAt: begin,
    endsAt: end,
    isPresumed: endsAt === undefined,
    updatedAt: now,
    fingerprint: fingerprintOf(labels),
  };
}

export const isResolved = ({ endsAt }: Pick<Alert, "endsAt">, now: number): boolean => endsAt <= now;

/** Joins what is known of an alert with what came later, if both are about one time of activity. */
export function merged(before: Alert, after: Alert): Alert {
  const overlaps =
    (after.endsAt > before.startsAt && after.endsAt < before.endsAt) ||
    (after.startsAt > before.startsAt && after.startsAt < before.endsAt);
  if (!overlaps) return after;
  const startsAt = Math.min(before.startsAt, after.startsAt);
  const isEnded = isResolved(after, after.updatedAt);
  const wasEnded = isResolved(before, after.updatedAt);
  // An end that a sender states counts; a presumed one gives way to it.
  const isLater = isEnded ? wasEnded && before.endsAt > after.endsAt : before.endsAt > after.endsAt && !before.isPresumed;
  return { ...after, startsAt, ...(isLater && { endsAt: before.endsAt }) };
}

/** Their order in a notification: by job, by instance, then by all labels. */
export function compareAlerts(a: Pick<Alert, "labels">, b: Pick<Alert, "labels">): number {
  for (const name of ["job", "instance"]) {
    const order = compareText(a.labels.get(name), b.labels.get(name));
    if (order !== 0) return order;
  }
  return compareSets(a.labels, b.labels);
}

/** The order of sets of labels among alerts and groups: fewer labels first, then by names and values. */
export function compareSets(a: Labels, b: Labels): number {
  if (a.size !== b.size) return a.size - b.size;
  for (const name of [...new Set([...a, ...b].map(([one]) => one))].sort(compareText)) {
    if (!a.has(name)) return -1;
    if (!b.has(name)) return 1;
    const order = compareText(a.get(name), b.get(name));
    if (order !== 0) return order;
  }
  return 0;
}
