import { describe, expect, test } from "vitest";
import { describeProblem, loadRules, loadRuleTests } from "./index.ts";

const DEFAULTS = { evaluationIntervalMs: 15_000, queryOffsetMs: 1_000, scheme: "utf8" } as const;
const problems = (text: string, scheme: "utf8" | "legacy" = "utf8"): string[] =>
  loadRules(text, "r.yml", { ...DEFAULTS, scheme }).problems.map(describeProblem);

describe("rule files", () => {
  test("groups have their own settings, or those of the configuration", () => {
    const { groups } = loadRules(
      `groups:
- name: one
  interval: 30s
  query_offset: 5s
  limit: 3
  labels: {team: a, l: g}
  rules:
  - {record: "a:b", expr: "sum  by(x)(up)", labels: {l: r}}
  - {alert: A, expr: up == 0, for: 5m, keep_firing_for: 1m, annotations: {s: "{{ $value }}"}}
- name: two
`,
      "r.yml",
      DEFAULTS,
    );
    expect(groups).toMatchObject([
      { file: "r.yml", name: "one", intervalMs: 30_000, queryOffsetMs: 5_000, limit: 3 },
      { name: "two", intervalMs: 15_000, queryOffsetMs: 1_000, limit: 0, rules: [] },
    ]);
    const [record, alert] = groups[0]!.rules;
    expect(record).toMatchObject({ is: "recording", name: "a:b", query: "sum by (x) (up)" });
    expect(String(record?.labels)).toBe('{l="r", team="a"}');
    expect(alert).toMatchObject({
      is: "alerting",
      forMs: 300_000,
      keepFiringForMs: 60_000,
      labels: [
        { name: "team", text: "a" },
        { name: "l", text: "g" },
      ],
      annotations: [{ name: "s" }],
    });
  });
  test("an empty file has no groups and no problems", () => {
    expect(loadRules("", "r.yml", DEFAULTS)).toEqual({ groups: [], problems: [] });
  });

  test.each([
    ["groups: [{rules: []}]", "r.yml:1: groups[0].name: it is missing"],
    ["groups:\n- name: a\n- name: a", 'r.yml:3: groups[1].name: there is another group named "a"'],
    ["groups:\n- name: a\n  rule: []", "r.yml:3: groups[0].rule: unknown field; do you mean rules?"],
    ["groups:\n- name: a\n  rules:\n  - {expr: up}", "r.yml:4: groups[0].rules[0].record: a rule needs record or alert"],
    ["groups:\n- name: a\n  rules:\n  - {record: a, alert: b, expr: up}", "groups[0].rules[0].alert: a rule has either record or alert"],
    ["groups:\n- name: a\n  rules:\n  - record: a", "r.yml:4: groups[0].rules[0].expr: it is missing"],
    [
      "groups:\n- name: a\n  rules:\n  - record: a\n    expr: sum(",
      "r.yml:5: groups[0].rules[0].expr: could not parse expression: 1:5: parse error",
    ],
    ["groups:\n- name: a\n  rules:\n  - record: a\n    expr: up\n    for: 5m", "r.yml:6: groups[0].rules[0].for: it is for alerting rules"],
    ["groups:\n- name: a\n  rules:\n  - record: a\n    expr: up\n    annotations: {a: b}", "annotations: it is for alerting rules"],
    ["groups:\n- name: a\n  rules:\n  - record: 'a{b=\"c\"}'\n    expr: up", "has braces"],
    ["groups:\n- name: a\n  rules:\n  - alert: A\n    expr: up\n    for: 5x", 'r.yml:6: groups[0].rules[0].for: "5x" is not a duration'],
    ["groups:\n- name: a\n  rules:\n  - alert: A\n    expr: up\n    labels: {__name__: b}", "cannot be the name of a label"],
    [
      "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: up\n    annotations:\n      ok: a\n      bad: '{{ nope }}'",
      'r.yml:8: groups[0].rules[0].annotations.bad: the template cannot be parsed: function "nope" not defined',
    ],
    ["groups:\n- name: a\n  rules:\n  - alert: A\n    expr: up\n    labels: {l: '{{ $x }}'}", 'undefined variable "$x"'],
    ["groups: [", "r.yml:1:"],
  ])("%j is refused with its place", (text, problem) => {
    expect(problems(text)).toEqual([expect.stringContaining(problem) as string]);
  });
  test("with a bad rule, no group of the file is loaded, and every problem is named", () => {
    const { groups, problems: found } = loadRules(
      "groups:\n- name: a\n  rules:\n  - {record: a, expr: up}\n  - {record: b, expr: '('}\n  - {record: c, expr: ')'}",
      "r.yml",
      DEFAULTS,
    );
    expect(groups).toEqual([]);
    expect(found.map(({ line }) => line)).toEqual([5, 6]);
  });
  test("the older rule for names refuses what the newer allows", () => {
    const text = "groups:\n- name: a\n  rules:\n  - {record: a.b, expr: up}";
    expect(problems(text)).toEqual([]);
    expect(problems(text, "legacy")).toEqual([expect.stringContaining('"a.b" is not a metric name') as string]);
  });
});

describe("files of unit tests", () => {
  test.each([
    ["tests:\n- input_series:\n  - {series: 'a{', values: '1'}", "t.yml:3: tests[0].input_series[0].series: invalid series"],
    ["tests:\n- input_series:\n  - {series: a, values: '1+'}", "tests[0].input_series[0].values: expected a sample"],
    ["tests:\n- promql_expr_test:\n  - {expr: 'sum('}", "tests[0].promql_expr_test[0].expr: could not parse expression"],
    ["tests:\n- start_timestamp: x", "neither seconds since 1970 nor a date"],
    ["group_eval_order: [a, a]", '"a" is listed twice'],
    ["testz: []", "unknown field; do you mean tests?"],
  ])("%j is refused with its place", (text, problem) => {
    expect(loadRuleTests(text, "t.yml").problems.map(describeProblem)).toEqual([expect.stringContaining(problem) as string]);
  });
});
