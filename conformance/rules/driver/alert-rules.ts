import type { ApiAlert, CaseRecord } from "./record.ts";
import { isSame, MILLISECOND, pointsOf, type Rules, seriesOf, shown } from "./seen.ts";

/** What must be true of alerts. The first word is the name of the alert. */

const statesOf = (record: CaseRecord, alert: string, state: string) =>
  pointsOf(record, "ALERTS", `alertname=${alert}`, `alertstate=${state}`);
/** The alerts of this name at the end of a stage, from 1 on; of the last by default. */
const alertsOf = ({ shown: all }: CaseRecord, alert: string, stage = all.length): ApiAlert[] =>
  all[stage - 1]?.alerts.filter(({ labels }) => labels["alertname"] === alert) ?? [];
/** A time of RFC 3339 in seconds. */
const secondsOf = (text: string): number => Date.parse(text) / 1_000;
const none = (alert: string): string => `the alert ${alert} is not shown`;

export const ALERT_RULES: Rules = {
  /** It fires without having been pending. */
  "fires-at-once": (record, [alert = ""]) => {
    const pending = statesOf(record, alert, "pending")[0];
    if (statesOf(record, alert, "firing").length === 0) return `${alert} never fired`;
    return pending === undefined ? undefined : `${alert} was pending at ${pending.time}`;
  },
  /** It is pending for so many seconds after its first sample, and fires from then on. */
  "fires-after": (record, [alert = "", seconds = ""]) => {
    const pending = statesOf(record, alert, "pending");
    const firing = statesOf(record, alert, "firing");
    if (pending.length === 0) return `${alert} was never pending`;
    const [begin, hold] = [pending[0]!.time, Number(seconds)];
    const late = pending.find(({ time }) => time - begin > hold + MILLISECOND);
    if (late !== undefined) return `${alert} is still pending ${(late.time - begin).toFixed(3)} s after it began`;
    const early = firing.find(({ time }) => time - begin < hold - MILLISECOND);
    return early === undefined ? undefined : `${alert} fires ${(early.time - begin).toFixed(3)} s after it began to be pending`;
  },
  /** Begins again: after a time without the alert it is pending again for the whole duration. */
  "begins-again": (record, [alert = "", seconds = "", condition = ""]) => {
    const pending = statesOf(record, alert, "pending");
    const broken = pointsOf(record, condition)
      .filter(({ value }) => value === 0)
      .map(({ time }) => time);
    const again = pending.find(({ time }) => broken.some((one) => one < time && one > pending[0]!.time));
    if (again === undefined) return `${alert} was not pending again`;
    const early = statesOf(record, alert, "firing").find(({ time }) => time < again.time + Number(seconds) - MILLISECOND);
    return early === undefined ? undefined : `${alert} fires ${(early.time - again.time).toFixed(3)} s after it began again`;
  },
  "never-fires": (record, [alert = ""]) => {
    const firing = statesOf(record, alert, "firing")[0];
    return firing === undefined ? undefined : `${alert} fires at ${firing.time}`;
  },
  "never-pending": (record, [alert = ""]) => {
    const pending = statesOf(record, alert, "pending")[0];
    return pending === undefined ? undefined : `${alert} is pending at ${pending.time}`;
  },
  /** At every time of the condition, the alert is there if and only if the condition is 1. */
  follows: (record, [alert = "", condition = ""]) => {
    const active = [...statesOf(record, alert, "pending"), ...statesOf(record, alert, "firing")].map(({ time }) => time);
    const points = pointsOf(record, condition);
    if (!points.some(({ value }) => value === 0) || !points.some(({ value }) => value === 1)) return `${condition} was not 0 and 1`;
    const odd = points.slice(0, -1).find(({ time, value }) => active.some((one) => isSame(one, time)) !== (value === 1));
    return odd === undefined
      ? undefined
      : `${alert} is ${odd.value === 1 ? "not " : ""}active at ${odd.time}, when ${condition} is ${odd.value}`;
  },
  /** After the condition was last met, it fires on for so many seconds, and no longer. */
  "keeps-firing": (record, [alert = "", seconds = "", condition = ""]) => {
    const firing = statesOf(record, alert, "firing").map(({ time }) => time);
    const points = pointsOf(record, condition);
    const met = points.findLast(({ value }) => value === 1)?.time;
    const [cleared] = points.filter(({ time, value }) => value === 0 && met !== undefined && time > met);
    if (met === undefined || cleared === undefined) return `${condition} was not 1, and then 0`;
    const hold = Number(seconds);
    const gap = points.find(
      ({ time, value }) =>
        value === 0 && time >= cleared.time && time - cleared.time < hold - MILLISECOND && !firing.some((one) => isSame(one, time)),
    );
    if (gap !== undefined) return `${alert} does not fire ${(gap.time - cleared.time).toFixed(3)} s after its condition was no longer met`;
    const late = firing.find((time) => time - cleared.time > hold + MILLISECOND);
    return late === undefined
      ? undefined
      : `${alert} still fires ${(late - cleared.time).toFixed(3)} s after its condition was no longer met`;
  },
  /** Never pending and firing at the same time. */
  "one-state": (record, [alert = ""]) => {
    const pending = statesOf(record, alert, "pending").map(({ time }) => time);
    const both = statesOf(record, alert, "firing").find(({ time }) => pending.some((one) => isSame(one, time)));
    if (pending.length === 0) return `${alert} was never pending`;
    return both === undefined ? undefined : `${alert} is pending and firing at ${both.time}`;
  },
  /** Every sample of its series is 1. */
  "alerts-is-one": (record, [alert = ""]) => {
    const points = seriesOf(record, "ALERTS", `alertname=${alert}`).flatMap((one) => one.points);
    const odd = points.find(({ value }) => value !== 1);
    if (points.length === 0) return `ALERTS of ${alert} is not stored`;
    return odd === undefined ? undefined : `ALERTS of ${alert} is ${odd.value} at ${odd.time}`;
  },
  /** ALERTS has these labels, written as `a=b`. */
  "alerts-has": (record, [alert = "", ...labels]) => {
    const found = seriesOf(record, "ALERTS", `alertname=${alert}`);
    if (found.length === 0) return `ALERTS of ${alert} is not stored`;
    return seriesOf(record, "ALERTS", `alertname=${alert}`, ...labels).length > 0 ? undefined : `${shown(found[0]!)} is stored`;
  },
  "alerts-without": (record, [alert = "", ...names]) => {
    const found = seriesOf(record, "ALERTS", `alertname=${alert}`);
    const odd = found.find(({ labels }) => names.some((name) => labels[name] !== undefined));
    if (found.length === 0) return `ALERTS of ${alert} is not stored`;
    return odd === undefined ? undefined : `${shown(odd)} is stored`;
  },
  /** The API shows the alert with these labels, written as `a=b`. */
  "shows-labels": (record, [alert = "", ...wanted]) => {
    const all = alertsOf(record, alert);
    if (all.length === 0) return none(alert);
    const missing = wanted.find(
      (one) => !all.some(({ labels }) => labels[one.slice(0, one.indexOf("="))] === one.slice(one.indexOf("=") + 1)),
    );
    return missing === undefined ? undefined : `the labels of ${alert} are ${JSON.stringify(all[0]!.labels)}`;
  },
  "shows-annotation": (record, [alert = "", name = "", ...texts]) => {
    const all = alertsOf(record, alert);
    if (all.length === 0) return none(alert);
    return all.some(({ annotations }) => texts.includes(annotations[name] ?? ""))
      ? undefined
      : `the annotation ${name} is ${JSON.stringify(all[0]!.annotations[name])}`;
  },
  /** So many alerts are shown at a stage. */
  "shows-count": (record, [alert = "", count = "", stage]) => {
    const found = alertsOf(record, alert, stage === undefined ? undefined : Number(stage)).length;
    return found === Number(count) ? undefined : `${found} alerts ${alert} are shown${stage === undefined ? "" : ` after stage ${stage}`}`;
  },
  "shows-state": (record, [alert = "", state = "", stage]) => {
    const all = alertsOf(record, alert, stage === undefined ? undefined : Number(stage));
    if (all.length === 0) return none(alert);
    return all.every((one) => one.state === state) ? undefined : `${alert} is shown as ${all.map((one) => one.state).join(", ")}`;
  },
  "shows-value": (record, [alert = "", value = ""]) => {
    const [found] = alertsOf(record, alert);
    if (found === undefined) return none(alert);
    return found.value === value ? undefined : `its value is shown as ${JSON.stringify(found.value)}`;
  },
  /** activeAt is the time of the first evaluation at which the alert was active. */
  "active-at-first": (record, [alert = ""]) => {
    const [found] = alertsOf(record, alert);
    const first = pointsOf(record, "ALERTS", `alertname=${alert}`)[0];
    if (found === undefined || first === undefined) return none(alert);
    return isSame(secondsOf(found.activeAt), first.time)
      ? undefined
      : `activeAt is ${found.activeAt}, and the first sample of ALERTS is at ${first.time}`;
  },
  /** ALERTS_FOR_STATE is the time at which the alert became active, in seconds. */
  "for-state-is-active-at": (record, [alert = ""]) => {
    const [found] = alertsOf(record, alert);
    const points = pointsOf(record, "ALERTS_FOR_STATE", `alertname=${alert}`);
    if (found === undefined || points.length === 0) return `ALERTS_FOR_STATE of ${alert} is not stored`;
    const odd = points.find(({ value }) => Math.abs(value - secondsOf(found.activeAt)) >= 1);
    return odd === undefined ? undefined : `ALERTS_FOR_STATE is ${odd.value}, and activeAt is ${found.activeAt}`;
  },
  /** After the restart it has been active since before. */
  "active-since-before": (record, [alert = ""]) => {
    const [found] = alertsOf(record, alert);
    if (found === undefined) return none(alert);
    return secondsOf(found.activeAt) < record.restarted ? undefined : `activeAt is ${found.activeAt}, after the restart`;
  },
};
