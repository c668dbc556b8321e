import { describe, expect, test } from "vitest";
import { Columns, Labels, Matcher } from "../model/index.ts";
import { loadRules } from "../config/index.ts";
import { finish } from "../promql/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { GroupRun, type PassContext } from "./group.ts";
import { RESTORE_TIMES } from "./alert-state.ts";

const MINUTE = 60_000;
const group = (rules: string, fields = "") =>
  loadRules(`groups: [{name: g, ${fields} rules: [${rules}]}]`, "r.yml", {
    evaluationIntervalMs: MINUTE,
    queryOffsetMs: 0,
    scheme: "utf8",
  });
const started = (rules: string, fields = "", isRestored = true): GroupRun => {
  const { groups, problems } = group(rules, fields);
  expect(problems).toEqual([]);
  return new GroupRun(groups[0]!, { isRestored });
};

/** A storage, and rules that are evaluated on it each minute. */
class Bench {
  readonly storage = new MemoryStorage();
  put(name: string, minute: number, value: number | undefined, labels: Record<string, string> = {}): void {
    const appender = this.storage.appender();
    const series = appender.series(Labels.of({ ...labels, __name__: name }));
    if (value === undefined) appender.appendStale(series, minute * MINUTE);
    else appender.append(series, minute * MINUTE, value);
    appender.commit();
  }
  pass(run: GroupRun, minute: number): void {
    const context: PassContext = {
      storage: this.storage,
      engine: {},
      atMs: minute * MINUTE,
      externalLabels: Labels.of({ region: "eu" }),
      externalUrl: "http://x/",
    };
    for (const at of run.batches.flat()) finish(run.evaluate(at, context));
    run.endOrphans(context);
  }
  /** The samples of a metric as `minute:value`, `stale` for an end. */
  samples(name: string, labels: Record<string, string> = {}): string[] {
    const found: string[] = [];
    const matchers = [new Matcher("__name__", "=", name), ...Object.entries(labels).map(([key, value]) => new Matcher(key, "=", value))];
    for (const series of this.storage.querier().select(matchers, 0, 1e15)) {
      const columns = new Columns();
      series.read(columns, 0, 1e15);
      for (let row = 0; row < columns.length; row++)
        found.push(`${columns.times[row]! / MINUTE}:${columns.isStale(row) ? "stale" : columns.values[row]}`);
    }
    return found;
  }
}

describe("recording rules", () => {
  test("the result is stored under the name and labels of the rule, at the time of the evaluation", () => {
    const bench = new Bench();
    const run = started("{record: a:sum, expr: sum by (job) (a), labels: {x: y, job: z}}", "labels: {team: t, x: g},");
    bench.put("a", 1, 5, { job: "j", i: "1" });
    bench.pass(run, 1);
    expect(
      [...bench.storage.querier().select([new Matcher("__name__", "=", "a:sum")], 0, 1e15)].map(({ labels }) => String(labels)),
    ).toEqual(['a:sum{job="z", team="t", x="y"}']);
    expect(bench.samples("a:sum")).toEqual(["1:5"]);
  });
  test("a rule sees what the one before it in the file has just stored", () => {
    const bench = new Bench();
    const run = started("{record: b, expr: a + 1}, {record: c, expr: b * 2}");
    bench.put("a", 1, 5);
    bench.pass(run, 1);
    expect(bench.samples("c")).toEqual(["1:12"]);
  });
  test("a rule that reads a later one sees its value of the evaluation before", () => {
    const bench = new Bench();
    const run = started("{record: c, expr: b * 2}, {record: b, expr: a + 1}");
    bench.put("a", 1, 5);
    bench.pass(run, 1);
    bench.put("a", 2, 6);
    bench.pass(run, 2);
    expect(bench.samples("c")).toEqual(["2:12"]);
    expect(run.batches).toEqual([[0], [1]]);
  });
  test("a series that vanishes ends; one that failed to be evaluated does not", () => {
    const bench = new Bench();
    const run = started("{record: b, expr: a}");
    bench.put("a", 1, 5);
    bench.pass(run, 1);
    bench.put("a", 2, undefined);
    bench.pass(run, 2);
    bench.pass(run, 3);
    expect(bench.samples("b")).toEqual(["1:5", "2:stale"]);
  });
  test("two elements with the same labels after those of the rule are an error", () => {
    const bench = new Bench();
    const run = started("{record: b, expr: a, labels: {i: same}}");
    bench.put("a", 1, 5, { i: "1" });
    bench.put("a", 1, 6, { i: "2" });
    bench.pass(run, 1);
    expect(run.states[0]).toMatchObject({ health: "err", failures: 1, lastError: expect.stringContaining("same labelset") as string });
    expect(bench.samples("b")).toEqual([]);
  });
  test("beyond the limit nothing is stored and nothing ends", () => {
    const bench = new Bench();
    const run = started("{record: b, expr: a}", "limit: 1,");
    bench.put("a", 1, 5, { i: "1" });
    bench.pass(run, 1);
    bench.put("a", 2, 5, { i: "1" });
    bench.put("a", 2, 6, { i: "2" });
    bench.pass(run, 2);
    expect(run.states[0]?.lastError).toBe("exceeded limit of 1 with 2 series");
    expect(bench.samples("b")).toEqual(["1:5"]);
  });
  test("the query offset moves what is read and what is stored into the past", () => {
    const bench = new Bench();
    const run = started("{record: b, expr: a}", "query_offset: 2m,");
    bench.put("a", 1, 1);
    bench.put("a", 3, 3);
    bench.pass(run, 3);
    expect(bench.samples("b")).toEqual(["1:1"]);
  });
  test("a scalar is one series, a text an error", () => {
    const bench = new Bench();
    const run = started(`{record: b, expr: "7"}, {record: c, expr: "'x'"}`);
    bench.pass(run, 1);
    expect(bench.samples("b")).toEqual(["1:7"]);
    expect(run.states[1]?.lastError).toBe("rule result is not a vector or scalar");
  });
  test("before its first evaluation nothing is known of a rule", () => {
    expect(started("{record: b, expr: a}").states[0]).toMatchObject({
      health: "unknown",
      lastError: "",
      lastEvaluation: 0,
      evaluationTime: 0,
      isRestored: true,
      evaluations: 0,
      failures: 0,
    });
  });
  test("samples that the storage refuses are counted by reason, and those of the evaluation before are forgotten", () => {
    const bench = new Bench();
    const run = started("{record: b, expr: a}");
    for (const i of ["1", "2"]) {
      bench.put("a", 1, 5, { i });
      bench.put("b", 3, 9, { i });
    }
    bench.pass(run, 1);
    expect([...run.states[0]!.refused.values()]).toEqual([2]);
    expect(run.states[0]!.health).toBe("ok");
    bench.pass(run, 4);
    expect([...run.states[0]!.refused.values()]).toEqual([]);
  });
  test("without labels query gives a number as one sample, and a text as the value of a sample that is 0", () => {
    const bench = new Bench();
    const run = started(
      `{alert: A, expr: a, annotations: {n: '{{ range query "7" }}{{ .Value }} {{ .Labels }}{{ end }}', t: "{{ range query \\"'x'\\" }}{{ .Value }} {{ . | strvalue }}{{ end }}"}}`,
    );
    bench.put("a", 1, 1);
    bench.pass(run, 1);
    expect([...run.states[0]!.alerts.values()][0]?.annotations).toEqual(Labels.of({ n: "7 map[]", t: "0 x" }));
  });
  test("a rule that a change removes leaves series that end; one that stays does not", () => {
    const bench = new Bench();
    const before = started("{record: b, expr: a}, {record: c, expr: a}");
    bench.put("a", 1, 5);
    bench.pass(before, 1);
    const { groups } = group("{record: c, expr: a}");
    const after = new GroupRun(groups[0]!, { before, isRestored: true });
    bench.pass(after, 2);
    expect(bench.samples("b")).toEqual(["1:5", "2:stale"]);
    expect(bench.samples("c")).toEqual(["1:5", "2:5"]);
  });
  test("a group that is gone ends its series, but not those that another goes on with", () => {
    const bench = new Bench();
    const run = started("{record: b, expr: a}, {record: c, expr: a}");
    bench.put("a", 1, 5);
    bench.pass(run, 1);
    bench.put("c", 3, 9);
    run.end(bench.storage, 2 * MINUTE);
    expect(bench.samples("b")).toEqual(["1:5", "2:stale"]);
    expect(bench.samples("c")).toEqual(["1:5", "3:9"]);
  });
});

describe("alerting rules", () => {
  const states = (run: GroupRun): string[] => [...(run.states[0]?.alerts.values() ?? [])].map(({ state }) => state);

  test("an alert is pending for as long as the rule says, then fires, and is inactive when its element is gone", () => {
    const bench = new Bench();
    const run = started("{alert: A, expr: a > 0, for: 2m}");
    const seen: string[] = [];
    for (let minute = 1; minute <= 6; minute++) {
      bench.put("a", minute, minute < 5 ? 1 : 0);
      bench.pass(run, minute);
      seen.push(...states(run));
    }
    expect(seen).toEqual(["pending", "pending", "firing", "firing", "inactive", "inactive"]);
    expect(bench.samples("ALERTS", { alertstate: "pending" })).toEqual(["1:1", "2:1", "3:stale"]);
    expect(bench.samples("ALERTS", { alertstate: "firing" })).toEqual(["3:1", "4:1", "5:stale"]);
    expect(bench.samples("ALERTS_FOR_STATE")).toEqual(["1:60", "2:60", "3:60", "4:60", "5:stale"]);
  });
  test("a pending alert whose element is gone is forgotten, and begins anew", () => {
    const bench = new Bench();
    const run = started("{alert: A, expr: a > 0, for: 2m}");
    for (const [minute, value] of [
      [1, 1],
      [2, 0],
      [3, 1],
      [4, 1],
    ] as const) {
      bench.put("a", minute, value);
      bench.pass(run, minute);
      expect(states(run)).toEqual(value === 1 ? ["pending"] : []);
    }
  });
  test("keep_firing_for: a firing alert goes on without its element, and its time begins anew when the element comes back", () => {
    const bench = new Bench();
    const run = started("{alert: A, expr: a > 0, keep_firing_for: 2m}");
    const seen: string[] = [];
    for (const [minute, value] of [1, 0, 1, 0, 0, 0].entries()) {
      bench.put("a", minute, value);
      bench.pass(run, minute);
      seen.push(...states(run));
    }
    expect(seen).toEqual(["firing", "firing", "firing", "firing", "firing", "inactive"]);
  });
  test("an alert that has ended is kept for 15 minutes", () => {
    const bench = new Bench();
    const run = started("{alert: A, expr: a > 0}");
    bench.put("a", 0, 1);
    bench.pass(run, 0);
    bench.put("a", 1, 0);
    bench.pass(run, 1);
    bench.pass(run, 16);
    expect(states(run)).toEqual(["inactive"]);
    bench.pass(run, 17);
    expect(states(run)).toEqual([]);
  });
  test("labels and annotations are expanded; the value and annotations follow, the labels and the begin stay", () => {
    const bench = new Bench();
    const run = started(
      `{alert: A, expr: a > 0, for: 5m, labels: {s: "{{ $labels.i }}"}, annotations: {v: "{{ $value }} {{ $externalLabels.region }}"}}`,
    );
    bench.put("a", 1, 1, { i: "x" });
    bench.pass(run, 1);
    bench.put("a", 2, 2, { i: "x" });
    bench.pass(run, 2);
    expect([...run.states[0]!.alerts.values()]).toEqual([
      expect.objectContaining({
        labels: Labels.of({ alertname: "A", i: "x", s: "x" }),
        annotations: Labels.of({ v: "2 eu" }),
        activeAt: MINUTE,
        value: 2,
      }),
    ]);
  });
  test("beyond the limit all alerts of the rule are forgotten, and no series ends", () => {
    const bench = new Bench();
    const run = started("{alert: A, expr: a > 0}", "limit: 1,");
    bench.put("a", 1, 1, { i: "1" });
    bench.pass(run, 1);
    bench.put("a", 2, 1, { i: "1" });
    bench.put("a", 2, 1, { i: "2" });
    bench.pass(run, 2);
    expect(states(run)).toEqual([]);
    expect(run.states[0]?.lastError).toBe("exceeded limit of 1 with 2 alerts");
    expect(bench.samples("ALERTS")).toEqual(["1:1"]);
  });
  test("a template that fails leaves its message; the alert goes on", () => {
    const bench = new Bench();
    const run = started(`{alert: A, expr: a, annotations: {t: '{{ first (query "nothing") }}'}}`);
    bench.put("a", 1, 1);
    bench.pass(run, 1);
    expect([...run.states[0]!.alerts.values()][0]?.annotations.get("t")).toContain("<error expanding template: first()");
  });
});

describe("restoring alerts after a restart", () => {
  /** An alert that has been pending since minute 1 until `down`, and a process that starts `away` minutes later. */
  const restarted = (forText: string, down: number, away: number): { readonly bench: Bench; readonly run: GroupRun } => {
    const bench = new Bench();
    const rule = `{alert: A, expr: a > 0, for: ${forText}}`;
    const first = started(rule);
    for (let minute = 1; minute <= down; minute++) {
      bench.put("a", minute, 1);
      bench.pass(first, minute);
    }
    const run = started(rule, "", false);
    for (const minute of [down + away, down + away + 1]) {
      bench.put("a", minute, 1);
      bench.pass(run, minute);
    }
    run.restore(bench.storage, (down + away + 1) * MINUTE, RESTORE_TIMES);
    return { bench, run };
  };
  const activeAt = (run: GroupRun): number => [...run.states[0]!.alerts.values()][0]!.activeAt / MINUTE;

  test("the time away does not count as pending", () => {
    const { bench, run } = restarted("30m", 5, 10);
    // Since minute 1, seen until minute 5, back at minute 16.
    expect(activeAt(run)).toBe(1 + (16 - 5));
    // Nothing is stored before it is restored.
    expect(bench.samples("ALERTS_FOR_STATE")).toHaveLength(5);
    bench.put("a", 17, 1);
    bench.pass(run, 17);
    expect(bench.samples("ALERTS_FOR_STATE").at(-1)).toBe(`17:${12 * 60}`);
  });
  test("one that was firing fires at once, with its begin", () => {
    const { bench, run } = restarted("12m", 20, 5);
    expect(activeAt(run)).toBe(1);
    bench.put("a", 27, 1);
    bench.pass(run, 27);
    expect([...run.states[0]!.alerts.values()][0]?.state).toBe("firing");
  });
  test("one with less than the grace period left waits for the grace period", () => {
    expect(activeAt(restarted("20m", 15, 5).run)).toBe(21 + 10 - 20);
  });
  test("a rule with a short for is not restored", () => {
    expect(activeAt(restarted("9m", 5, 2).run)).toBe(7);
  });
  test("an alert that had ended is not restored", () => {
    const { bench, run } = restarted("30m", 5, 10);
    expect(run.states[0]?.isRestored).toBe(true);
    const again = started("{alert: A, expr: a > 0, for: 30m}", "", false);
    const appender = bench.storage.appender();
    appender.appendStale(appender.series(Labels.of({ __name__: "ALERTS_FOR_STATE", alertname: "A" })), 18 * MINUTE);
    appender.commit();
    bench.put("a", 20, 1);
    bench.pass(again, 20);
    again.restore(bench.storage, 20 * MINUTE, RESTORE_TIMES);
    expect(activeAt(again)).toBe(20);
  });
  test("one that was stored more than an hour ago is not restored", () => {
    expect(activeAt(restarted("3h", 5, 61).run)).toBe(66);
  });
});

test("independent rules share a batch", () => {
  const run = started(
    "{record: a, expr: up}, {record: b, expr: up}, {record: c, expr: a + b}, {alert: D, expr: c > 1}, {record: e, expr: ALERTS}, {record: a, expr: down}, {record: f, expr: '{job=\"x\"}'}",
  );
  expect(run.batches).toEqual([[0, 1], [2], [3, 5], [4], [6]]);
});
