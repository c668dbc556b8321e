import { expect, test } from "vitest";
import { loadRules } from "../config/index.ts";
import { lintRules } from "./lint.ts";

const findings = (rules: string): string[] => {
  const { groups, problems } = loadRules(`groups: [{name: g, rules: [${rules}]}]`, "r.yml", {
    evaluationIntervalMs: 60_000,
    queryOffsetMs: 0,
    scheme: "utf8",
  });
  expect(problems).toEqual([]);
  return [...lintRules(groups, { scrapeIntervalMs: 60_000 })].map(({ check }) => check);
};

test.each<[string, string[]]>([
  ["{record: 'job:a:sum', expr: sum(a)}", []],
  ["{record: ':a:sum', expr: sum(a)}", []],
  ["{record: a_sum, expr: sum(a)}", ["name"]],
  ["{record: 'job:a:rate1m', expr: 'rate(a_total[1m])'}", ["window"]],
  ["{record: 'job:a:rate2m', expr: 'rate(a_total[2m])'}", []],
  ["{record: 'job:a:max', expr: 'max_over_time(a[1m])'}", []],
  ["{record: 'job:a:rate5m', expr: 'sum(rate(node_memory_free_bytes[5m]))'}", ["counter"]],
  ["{record: 'job:a:delta5m', expr: 'delta(a_total[5m])'}", ["counter"]],
  ["{record: 'job:a:delta5m', expr: 'delta(free_bytes[5m])'}", []],
  ["{alert: A, expr: up == 2}", ["never"]],
  ["{alert: A, expr: up == 0}", []],
  ["{alert: A, expr: '(up > 1) or (up < 0)'}", ["never"]],
  ["{alert: A, expr: '(up > 1) and on () a'}", ["never"]],
  ["{alert: A, expr: '(up > 1) or a > 1'}", []],
  ["{alert: A, expr: 'up > bool 1'}", []],
  ["{alert: A, expr: 'absent(a) == 0'}", ["never"]],
  ["{alert: A, expr: 'rate(a_total[5m]) < 0'}", ["never"]],
  ["{alert: A, expr: 'count(a) < 1'}", ["never"]],
  ["{alert: A, expr: 'count(a) <= 1'}", []],
  ["{alert: A, expr: up == 0, for: 30s}", ["for"]],
  ["{alert: A, expr: up == 0, for: 1m}", []],
  ["{alert: A, expr: up == 0}, {alert: A, expr: up == 0}", ["duplicate"]],
  ["{alert: A, expr: up == 0}, {alert: A, expr: a == 0}", []],
  ["{record: 'a:b:c', expr: a}, {record: 'a:b:c', expr: b}", ["duplicate"]],
  ["{record: 'a:b:c', expr: a}, {record: 'a:b:c', expr: b, labels: {x: y}}", []],
  ["{alert: A, expr: 'job:a:sum > 1'}", ["vanished"]],
  ["{alert: A, expr: 'job:a:sum > 1'}, {record: 'job:a:sum', expr: sum(a)}", []],
])("%s: %j", (rules, wanted) => {
  expect(findings(rules)).toEqual(wanted);
});
