import { describe, expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { parse } from "../promql/index.ts";
import type { Alert } from "./alert-state.ts";
import { dueAlerts, type Notification, notificationJson, notificationOf, RESEND_MS } from "./notify.ts";
import { NotifyQueue, QUEUE_LIMITS } from "./notify-queue.ts";
import type { AlertingRule } from "./rule.ts";

const alert = (fields: Partial<Alert> = {}): Alert => ({
  state: "firing",
  labels: Labels.of({ alertname: "A" }),
  annotations: Labels.NONE,
  value: 1,
  activeAt: 0,
  firedAt: 1_000,
  resolvedAt: undefined,
  keptSince: undefined,
  ...fields,
});
const times = (atMs: number) => ({ atMs, intervalMs: 15_000, resendMs: RESEND_MS });

describe("alerts that are due", () => {
  test("a firing alert is sent at once, and again after the resend delay; a pending one is not", () => {
    const sent = new Map<string, number>();
    const at = (now: number, one: Alert): number => dueAlerts(new Map([["k", one]]), sent, times(now)).length;
    expect(at(0, alert({ state: "pending" }))).toBe(0);
    expect([1_000, 16_000, 61_000, 61_001, 62_000].map((now) => at(now, alert()))).toEqual([1, 0, 0, 1, 0]);
  });
  test("its end is sent at once", () => {
    const sent = new Map<string, number>();
    dueAlerts(new Map([["k", alert()]]), sent, times(1_000));
    const ended = alert({ state: "inactive", resolvedAt: 2_000 });
    expect(dueAlerts(new Map([["k", ended]]), sent, times(2_000))).toEqual([ended]);
    expect(dueAlerts(new Map([["k", ended]]), sent, times(3_000))).toEqual([]);
    dueAlerts(new Map(), sent, times(4_000));
    expect(sent.size).toBe(0);
  });
  test("the notification of one that goes on is valid for four intervals; of one that has ended it has the end", () => {
    const expr = parse("up > 1");
    if (expr.is === "fault") throw new Error(expr.message);
    const rule: AlertingRule = {
      is: "alerting",
      name: "A",
      expr,
      query: "up > 1",
      forMs: 0,
      keepFiringForMs: 0,
      labels: [],
      annotations: [],
    };
    const json = (one: Alert) => notificationJson(notificationOf(one, rule, { ...times(10_000), externalUrl: "http://x/" }));
    expect(json(alert())).toEqual({
      labels: { alertname: "A" },
      annotations: {},
      startsAt: "1970-01-01T00:00:01.000Z",
      endsAt: "1970-01-01T00:04:10.000Z",
      generatorURL: "http://x/graph?g0.expr=up+%3E+1&g0.tab=1",
    });
    expect(json(alert({ state: "inactive", resolvedAt: 9_000 }))["endsAt"]).toBe("1970-01-01T00:00:09.000Z");
  });
});

const note = (name: string, startsAt = 0): Notification => ({
  labels: Labels.of({ alertname: name }),
  annotations: Labels.NONE,
  startsAt,
  endsAt: 0,
  generatorUrl: "",
});
const names = (batch: readonly Notification[] | undefined): string[] => (batch ?? []).map(({ labels }) => labels.get("alertname"));

describe("the queue of one router", () => {
  test("batches are taken one at a time, oldest first", () => {
    const queue = new NotifyQueue({ ...QUEUE_LIMITS, batch: 2 });
    queue.add([note("a"), note("b"), note("c")]);
    expect(names(queue.take(0))).toEqual(["a", "b"]);
    expect([queue.take(0), queue.deadline, queue.length]).toEqual([undefined, undefined, 3]);
    queue.settle("accepted", 5);
    expect(names(queue.take(5))).toEqual(["c"]);
    queue.settle("accepted", 6);
    expect([queue.sent, queue.errors, queue.dropped, queue.length, queue.deadline]).toEqual([3, 0, 0, 0, undefined]);
  });
  test("after a failure the wait doubles up to the most, and a success ends it", () => {
    const queue = new NotifyQueue({ ...QUEUE_LIMITS, firstWaitMs: 10, mostWaitMs: 40 });
    queue.add([note("a")]);
    const waits = Array.from({ length: 4 }, () => {
      queue.take(0);
      queue.settle("retry", 0);
      const wait = queue.deadline;
      queue.settle("accepted", 0);
      return wait;
    });
    expect(waits[0]).toBe(10);
    const failing = new NotifyQueue({ ...QUEUE_LIMITS, firstWaitMs: 10, mostWaitMs: 40 });
    failing.add([note("a")]);
    let now = 0;
    const seen: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(failing.take(now - 1)).toBeUndefined();
      failing.take(now);
      failing.settle("retry", now);
      seen.push((failing.deadline ?? 0) - now);
      now = failing.deadline ?? 0;
    }
    expect(seen).toEqual([10, 20, 40, 40]);
    expect(failing.errors).toBe(4);
  });
  test("what the router refuses is dropped and counted", () => {
    const queue = new NotifyQueue();
    queue.add([note("a"), note("b")]);
    queue.take(0);
    queue.settle("refused", 0);
    expect([queue.length, queue.dropped, queue.errors]).toEqual([0, 2, 2]);
  });
  test("a newer state of an alert replaces the one that waits, and the one that failed", () => {
    const queue = new NotifyQueue({ ...QUEUE_LIMITS, firstWaitMs: 0 });
    queue.add([note("a", 1), note("b", 1)]);
    queue.add([note("a", 2)]);
    expect((queue.take(0) ?? []).map(({ startsAt }) => startsAt)).toEqual([1, 2]);
    queue.add([note("a", 3)]);
    queue.settle("retry", 0);
    expect((queue.take(0) ?? []).map(({ startsAt }) => startsAt)).toEqual([1, 3]);
  });
  test("beyond the capacity the oldest are dropped", () => {
    const queue = new NotifyQueue({ ...QUEUE_LIMITS, capacity: 2 });
    queue.add([note("a"), note("b"), note("c")]);
    expect(names(queue.take(0))).toEqual(["b", "c"]);
    expect(queue.dropped).toBe(1);
  });
});
