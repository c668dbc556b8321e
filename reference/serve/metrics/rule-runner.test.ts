import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadRules } from "../../metrics/config/index.ts";
import { Columns, Labels, Matcher } from "../../metrics/model/index.ts";
import type { Notification, RuleGroup } from "../../metrics/rules/index.ts";
import { MemoryStorage } from "../../metrics/storage/index.ts";
import { RuleRunner } from "./rule-runner.ts";

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "setImmediate"], now: 0 }));
afterEach(() => void vi.useRealTimers());

const groupsOf = (text: string): readonly RuleGroup[] => {
  const { groups, problems } = loadRules(`groups: ${text}`, "r.yml", { evaluationIntervalMs: MINUTE, queryOffsetMs: 0, scheme: "utf8" });
  expect(problems).toEqual([]);
  return groups;
};

/** A runner over a storage in memory. */
class Bench {
  readonly storage = new MemoryStorage();
  readonly notices: string[] = [];
  readonly sent: Notification[] = [];
  /** Whether storing fails. */
  isFull = false;
  readonly runner = new RuleRunner({
    storage: {
      querier: (from, to) => this.storage.querier(from, to),
      appender: () => {
        if (this.isFull) throw new Error("no space left");
        return this.storage.appender();
      },
    },
    engine: {},
    now: Date.now,
    timeoutMs: 120_000,
    externalUrl: "http://x/",
    externalLabels: () => Labels.NONE,
    onNotice: (message) => this.notices.push(message),
    onNotifications: (notifications) => this.sent.push(...notifications),
  });
  /** The samples of a metric: `stale` for an end. */
  samples(name: string): (number | "stale")[] {
    return [...this.storage.querier().select([new Matcher("__name__", "=", name)], 0, 1e15)].flatMap((series) => {
      const columns = new Columns();
      series.read(columns, 0, 1e15);
      return Array.from({ length: columns.length }, (_, row) => (columns.isStale(row) ? "stale" : columns.values[row]!));
    });
  }
}

describe("the rules of a server", () => {
  test("a group is evaluated at each interval, at its own place in it", async () => {
    const bench = new Bench();
    await bench.runner.apply(groupsOf("[{name: g, rules: [{record: a, expr: '7'}, {record: b, expr: a + 1}]}]"));
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(bench.samples("b")).toEqual([8, 8, 8]);
    const [loop] = bench.runner.groups;
    expect([loop?.iterations, loop?.missed]).toEqual([3, 0]);
    await bench.runner.close();
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(bench.samples("b")).toHaveLength(3);
  });
  test("a clock that jumps ahead costs the evaluations in between, which are counted and reported", async () => {
    const bench = new Bench();
    await bench.runner.apply(groupsOf("[{name: g, rules: [{record: a, expr: '7'}]}]"));
    await vi.advanceTimersByTimeAsync(MINUTE);
    vi.setSystemTime(Date.now() + 5 * MINUTE);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(bench.runner.groups[0]?.missed).toBe(5);
    expect(bench.notices).toEqual(["rule group g: 5 evaluations missed, because the one before took too long"]);
    await bench.runner.close();
  });
  test("a change of a group keeps the alerts of rules that stay; a group that stays goes on undisturbed", async () => {
    const bench = new Bench();
    const other = "{name: other, rules: [{record: a, expr: '1'}]}";
    await bench.runner.apply(groupsOf(`[{name: g, rules: [{alert: A, expr: vector(1), for: 5m}]}, ${other}]`));
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    const [before, kept] = bench.runner.groups;
    await bench.runner.apply(groupsOf(`[{name: g, rules: [{record: b, expr: '2'}, {alert: A, expr: vector(1), for: 4m}]}, ${other}]`));
    const [after, same] = bench.runner.groups;
    expect(after).not.toBe(before);
    expect(same).toBe(kept);
    const begun = [...(before?.run.states[0]?.alerts.values() ?? [])][0]?.activeAt;
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    const [alert] = [...(after?.run.states[1]?.alerts.values() ?? [])];
    expect(alert).toMatchObject({ state: "firing", activeAt: begun });
    expect(bench.sent.map(({ labels }) => labels.get("alertname"))).toEqual(["A"]);
    await bench.runner.close();
  });
  test("the series of a group that is gone end after two intervals", async () => {
    const bench = new Bench();
    await bench.runner.apply(groupsOf("[{name: g, rules: [{record: a, expr: '7'}]}]"));
    await vi.advanceTimersByTimeAsync(MINUTE);
    await bench.runner.apply([]);
    await vi.advanceTimersByTimeAsync(2 * MINUTE - 1);
    expect(bench.samples("a")).toEqual([7]);
    await vi.advanceTimersByTimeAsync(1);
    expect(bench.samples("a")).toEqual([7, "stale"]);
    await bench.runner.close();
  });
  test("alerts are stored from the third evaluation on, once those of before a restart are restored", async () => {
    const bench = new Bench();
    await bench.runner.apply(groupsOf("[{name: g, rules: [{alert: A, expr: vector(1)}]}]"));
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(bench.samples("ALERTS")).toEqual([]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(bench.samples("ALERTS")).toEqual([1]);
    await bench.runner.close();
  });
  test("a storage that fails is reported once with the rule, alerts are sent all the same, and evaluation goes on when it has recovered", async () => {
    const bench = new Bench();
    await bench.runner.apply(groupsOf("[{name: g, rules: [{record: a, expr: '7'}, {alert: A, expr: vector(1)}]}]"));
    bench.isFull = true;
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    const why = "its samples could not be stored: no space left";
    expect(bench.notices).toContain(`rule group g, rule a: ${why}`);
    expect(bench.notices).toHaveLength(2);
    expect(bench.runner.groups[0]?.run.states[0]).toMatchObject({ health: "err", lastError: why, failures: 2 });
    expect(bench.sent.map(({ labels }) => labels.get("alertname"))).toEqual(["A"]);
    bench.isFull = false;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(bench.samples("a")).toEqual([7]);
    await bench.runner.close();
  });
});
