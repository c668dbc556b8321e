import type { Group, Step } from "../vocabulary.ts";
import type { CaseRecord } from "./record.ts";

/** Settings and parameters that not every server has: one that refuses a rule file with it, or answers as without it, does not offer it. */

type FeatureProbe = { readonly step: Step; readonly has: (record: CaseRecord) => boolean; readonly how: string };
const RULES: Group["rules"] = [{ record: "probe", expr: "vector(1)" }];
const probe = (group: Partial<Group>, asks: readonly string[] = []): Step => ({
  do: "evaluate",
  groups: [{ name: "probe", rules: RULES, ...group }],
  stages: [{ until: { rule: "probe", health: "ok" } }],
  asks,
});
const setting = (name: string, group: Partial<Group>): FeatureProbe => ({
  step: probe(group),
  has: () => true,
  how: `it refuses a rule file with ${name}`,
});
const groupsOf = ({ answers }: CaseRecord): readonly unknown[] =>
  (answers[0]?.body as { data?: { groups?: readonly unknown[] } })?.data?.groups ?? [];

export const FEATURES = {
  "query-offset": setting("query_offset", { query_offset: "1s" }),
  "group-labels": setting("labels of a group", { labels: { a: "1" } }),
  "keep-firing": setting("keep_firing_for", { rules: [...RULES, { alert: "Probe", expr: "vector(1)", keep_firing_for: "1s" }] }),
  filters: {
    step: probe({}, ["/rules?rule_name[]=no_such_rule"]),
    has: (record) => groupsOf(record).length === 0,
    how: "it shows rules that rule_name[] does not name",
  },
  matching: {
    step: probe({}, ['/rules?match[]={no_such="label"}']),
    has: (record) => groupsOf(record).length === 0,
    how: "it shows rules that match[] does not select",
  },
  "exclude-alerts": {
    step: {
      ...probe({ rules: [...RULES, { alert: "Probe", expr: "vector(1)" }] }, ["/rules?exclude_alerts=true&type=alert"]),
      stages: [{ until: { alert: "Probe", is: "firing" } }],
    },
    has: ({ answers }) =>
      !JSON.stringify(answers[0]?.body ?? "").includes('"state":"firing","activeAt"') &&
      !JSON.stringify(answers[0]?.body ?? "").includes('"activeAt"'),
    how: "it shows alerts with exclude_alerts=true",
  },
  pages: {
    step: { ...probe({}, ["/rules?group_limit=1"]), more: [{ name: "other", rules: [{ record: "other", expr: "vector(1)" }] }] },
    has: (record) => groupsOf(record).length === 1,
    how: "it shows all groups with group_limit=1",
  },
} as const satisfies Readonly<Record<string, FeatureProbe>>;
