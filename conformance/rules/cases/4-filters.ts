import { made } from "./phrases.ts";

/** Filters and pages of /api/v1/rules. */

export const cases = [
  made({
    id: "type-alert",
    covers: "api.rules/type",
    title: "The parameter type=alert shows no recording rules.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?type=alert"],
    see: ["answers-all", "1", "type", "alerting"],
  }),
  made({
    id: "type-record",
    covers: "api.rules/type",
    title: "The parameter type=record shows no alerting rules.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?type=record"],
    see: ["answers-all", "1", "type", "recording"],
  }),
  made({
    id: "type-alert-own",
    covers: "api.rules/type",
    title: "The parameter type=alert shows the alerting rules.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?type=alert"],
    see: ["answers", "1", "Own"],
  }),
  made({
    id: "type-empty",
    covers: "api.rules/type",
    title: "An empty type is no filter.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?type="],
    see: ["answers", "1", "Own", "out"],
  }),
  made({
    id: "type-invalid",
    covers: "api.rules/type-invalid",
    level: "SHOULD",
    title: "A type that does not exist is refused with 400.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?type=other"],
    see: ["status", "1", "400"],
  }),
  made({
    id: "rule-name",
    covers: "api.rules/rule-name",
    title: "The parameter rule_name[] shows rules of this name only.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ["/rules?rule_name[]=filtered_out"],
    needs: ["filters"],
    see: ["answers-only", "1", "filtered_out"],
  }),
  made({
    id: "rule-name-own",
    covers: "api.rules/rule-name",
    title: "The parameter rule_name[] shows the rule of this name.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ["/rules?rule_name[]=Filtered"],
    needs: ["filters"],
    see: ["answers", "1", "Filtered"],
  }),
  made({
    id: "rule-name-twice",
    covers: "api.rules/rule-name",
    title: "The parameter rule_name[] twice shows the rules of both names.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ["/rules?rule_name[]=Filtered&rule_name[]=filtered_out"],
    needs: ["filters"],
    see: ["answers", "1", "Filtered", "filtered_out"],
  }),
  made({
    id: "rule-name-no-groups",
    covers: "api.rules/rule-name",
    title: "The parameter rule_name[] leaves out groups without rules.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ["/rules?rule_name[]=Filtered"],
    needs: ["filters"],
    see: ["no-empty-groups", "1"],
  }),
  made({
    id: "rule-group",
    covers: "api.rules/rule-group",
    title: "The parameter rule_group[] shows the rules of this group only.",
    groups: [
      { name: "chosen-group", rules: [{ record: "chosen_rule", expr: "vector(1)" }] },
      { name: "b", rules: [{ record: "out", expr: "vector(1)" }] },
    ],
    stages: [{ until: { stored: "chosen_rule" } }],
    asks: ["/rules?rule_group[]=chosen-group"],
    needs: ["filters"],
    see: ["answers-only", "1", "chosen_rule"],
  }),
  made({
    id: "file",
    covers: "api.rules/file",
    title: "The parameter file[] shows the rules of this file only.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ["/rules?file[]={file}"],
    needs: ["filters"],
    see: ["answers-only", "1", "filtered_out", "Filtered"],
  }),
  made({
    id: "file-other",
    covers: "api.rules/file",
    title: "The parameter file[] does not show the rules of another file.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    more: [{ name: "a", rules: [{ record: "elsewhere", expr: "vector(1)" }] }],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ["/rules?file[]={more}"],
    needs: ["filters"],
    see: ["answers", "1", "elsewhere"],
  }),
  made({
    id: "name-and-file",
    covers: "api.rules/rule-name",
    title: "Several filters together show what all of them let through.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ["/rules?file[]={file}&rule_name[]=Filtered"],
    needs: ["filters"],
    see: ["answers-only", "1", "Filtered"],
  }),
  made({
    id: "exclude-alerts",
    covers: "api.rules/exclude-alerts",
    title: "The parameter exclude_alerts=true shows no alerts.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?exclude_alerts=true&type=alert"],
    needs: ["exclude-alerts"],
    see: ["answers-no-alerts", "1"],
  }),
  made({
    id: "exclude-alerts-false",
    covers: "api.rules/exclude-alerts",
    title: "The parameter exclude_alerts=false shows alerts.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?exclude_alerts=false&type=alert"],
    needs: ["exclude-alerts"],
    see: ["answers", "1", "Own"],
  }),
  made({
    id: "match",
    covers: "api.rules/match",
    title: "The parameter match[] shows rules with this label only.",
    groups: [
      {
        name: "filtered",
        rules: [
          { record: "filtered_out", expr: "vector(1)" },
          { alert: "Filtered", expr: "vector(1)", labels: { chosen: "yes" } },
        ],
      },
    ],
    stages: [{ until: { alert: "Filtered", is: "firing" } }],
    asks: ['/rules?match[]={chosen="yes"}'],
    needs: ["matching"],
    see: ["answers-only", "1", "Filtered"],
  }),
  made({
    id: "match-own",
    covers: "api.rules/match",
    title: "The parameter match[] selects by the labels of the definition, not by those of the alert.",
    groups: [{ name: "a", rules: [{ alert: "Templated", expr: "vector(1)", labels: { templated: "{{ $value }}" } }] }],
    stages: [{ until: { alert: "Templated", is: "firing" } }],
    asks: ['/rules?match[]={templated="{{ $value }}"}'],
    needs: ["matching"],
    see: ["answers", "1", "Templated"],
  }),
  made({
    id: "page-limit",
    covers: "api.rules/pages",
    title: "The parameter group_limit=1 shows one group, and a token.",
    groups: [
      { name: "a", rules: [{ record: "out", expr: "vector(1)" }] },
      { name: "b", rules: [{ record: "other", expr: "vector(1)" }] },
    ],
    stages: [{ until: { stored: "other" } }],
    asks: ["/rules?group_limit=1"],
    needs: ["pages"],
    see: ["page-of", "1", "1"],
  }),
  made({
    id: "page-next",
    covers: "api.rules/pages",
    title: "The token leads to the next page.",
    groups: [
      { name: "a", rules: [{ record: "out", expr: "vector(1)" }] },
      { name: "b", rules: [{ record: "other", expr: "vector(1)" }] },
    ],
    stages: [{ until: { stored: "other" } }],
    asks: ["/rules?group_limit=1", "/rules?group_limit=1000000&group_next_token={token}"],
    needs: ["pages"],
    see: ["last-page", "2"],
  }),
  made({
    id: "page-of-all",
    covers: "api.rules/pages",
    title: "An answer with all groups has no token.",
    groups: [
      {
        name: "a",
        limit: 5,
        rules: [
          { record: "out", expr: "vector(1)", labels: { team: "x" } },
          { alert: "Own", expr: "vector(1)", for: "1h", labels: { severity: "page" }, annotations: { summary: "So." } },
        ],
      },
    ],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 2 } }],
    asks: ["/rules?group_limit=1000000"],
    needs: ["pages"],
    see: ["last-page", "1"],
  }),
];
