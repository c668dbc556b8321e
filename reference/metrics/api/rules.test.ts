import { describe, expect, test } from "vitest";
import { ApiError } from "./answer.ts";
import type { ApiParts, GroupStatus, RuleStatus } from "./contract.ts";
import { Params } from "./params.ts";
import { alertmanagers, alerts, rules } from "./rules.ts";

const rule = (name: string, type: RuleStatus["type"], labels: Record<string, string> = {}): RuleStatus => ({
  type,
  name,
  query: "up",
  labels,
  health: "ok",
  lastError: "",
  evaluationTime: 0.1,
  lastEvaluation: "2026-01-01T00:00:00.000Z",
  ...(type === "alerting" && {
    alerts: [{ labels: { alertname: name }, annotations: {}, state: "firing", activeAt: "2026-01-01T00:00:00.000Z", value: "1e+00" }],
  }),
});
const group = (file: string, name: string, all: readonly RuleStatus[]): GroupStatus => ({
  file,
  name,
  rules: all,
  interval: 60,
  limit: 0,
  evaluationTime: 0,
  lastEvaluation: "",
});
const GROUPS = [
  group("/a.yml", "one", [rule("r", "recording"), rule("A", "alerting", { severity: "page" })]),
  group("/b.yml", "two", [rule("B", "alerting", { severity: "info" })]),
  group("/b.yml", "three", [rule("r", "recording", { team: "x" })]),
];
const parts = {
  rules: { groups: () => GROUPS, routers: () => ({ active: ["http://a/api/v2/alerts"], dropped: [] }) },
} as Partial<ApiParts> as ApiParts;
type Page = {
  readonly groups: readonly { readonly name: string; readonly rules: readonly RuleStatus[] }[];
  readonly groupNextToken?: string;
};
const asked = (...pairs: (readonly [string, string])[]): Page => rules(parts, new Params(pairs)).data as Page;
const names = (...pairs: (readonly [string, string])[]): string[] =>
  asked(...pairs).groups.map((one) => `${one.name}:${one.rules.map(({ name }) => name).join("+")}`);

describe("/api/v1/rules", () => {
  test.each<[(readonly [string, string])[], string[]]>([
    [[], ["one:r+A", "two:B", "three:r"]],
    [[["type", "alert"]], ["one:A", "two:B"]],
    [[["type", "record"]], ["one:r", "three:r"]],
    [
      [
        ["rule_name[]", "A"],
        ["rule_name[]", "B"],
      ],
      ["one:A", "two:B"],
    ],
    [[["rule_group[]", "two"]], ["two:B"]],
    [[["file[]", "/b.yml"]], ["two:B", "three:r"]],
    [[["match[]", '{severity="page"}']], ["one:A"]],
    [
      [
        ["match[]", '{severity="page"}'],
        ["match[]", '{team=~"x|y"}'],
      ],
      ["one:A", "three:r"],
    ],
    [
      [
        ["type", "alert"],
        ["file[]", "/a.yml"],
      ],
      ["one:A"],
    ],
  ])("%j", (pairs, wanted) => {
    expect(names(...pairs)).toEqual(wanted);
  });
  test("exclude_alerts leaves the alerts out", () => {
    expect(asked(["exclude_alerts", "true"]).groups[1]?.rules[0]?.alerts).toEqual([]);
    expect(asked().groups[1]?.rules[0]?.alerts).toHaveLength(1);
  });
  test("a recording rule has no alerts, and a rule without an error no lastError", () => {
    expect(asked().groups[0]?.rules[0]).not.toHaveProperty("alerts");
    expect(asked().groups[0]?.rules[0]).not.toHaveProperty("lastError");
  });
  test("pages follow each other to the end", () => {
    const first = asked(["group_limit", "2"]);
    expect(first.groups.map(({ name }) => name)).toEqual(["one", "two"]);
    const second = asked(["group_limit", "2"], ["group_next_token", first.groupNextToken ?? ""]);
    expect(second.groups.map(({ name }) => name)).toEqual(["three"]);
    expect(second).not.toHaveProperty("groupNextToken");
  });
  test.each<(readonly [string, string])[]>([
    [["type", "x"]],
    [["exclude_alerts", "maybe"]],
    [["match[]", "{"]],
    [["group_limit", "-1"]],
    [["group_next_token", "aa"]],
    [
      ["group_limit", "1"],
      ["group_next_token", "aa"],
    ],
  ])("%j is bad data", (...pairs) => {
    expect(() => asked(...pairs)).toThrow(ApiError);
  });
});

test("/api/v1/alerts: the active alerts of all rules", () => {
  expect((alerts(parts).data as { alerts: { labels: unknown }[] }).alerts.map(({ labels }) => labels)).toEqual([
    { alertname: "A" },
    { alertname: "B" },
  ]);
});

test("/api/v1/alertmanagers: where alerts are sent", () => {
  expect(alertmanagers(parts).data).toEqual({ activeAlertmanagers: [{ url: "http://a/api/v2/alerts" }], droppedAlertmanagers: [] });
});
