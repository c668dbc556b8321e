import { made } from "./phrases.ts";

/** What the API shows of rules and alerts. */

export const cases = [
  made({
    id: "group-interval",
    covers: "api.rules/groups",
    title: "The interval of a group is shown in seconds.",
    groups: [{ name: "own-interval", interval: "2s", rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { stored: "out" } }],
    see: ["group-is", "own-interval", "interval", "2"],
  }),
  made({
    id: "group-limit",
    covers: "api.rules/groups",
    title: "The limit of a group is shown.",
    groups: [{ name: "own-limit", limit: 5, rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { stored: "out" } }],
    see: ["group-is", "own-limit", "limit", "5"],
  }),
  made({
    id: "group-file",
    covers: "api.rules/groups",
    title: "The file of a group is shown.",
    groups: [{ name: "own-file", rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { stored: "out" } }],
    see: ["group-file", "own-file"],
  }),
  made({
    id: "rule-order",
    covers: "api.rules/order",
    level: "SHOULD",
    title: "Rules are shown in the order of their file.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "z", expr: "vector(1)" },
          { record: "a", expr: "vector(1)" },
          { record: "m", expr: "vector(1)" },
        ],
      },
    ],
    stages: [{ until: { stored: "m" } }],
    see: ["rules-in-order", "z", "a", "m"],
  }),
  made({
    id: "alerting-fields",
    covers: "api.rules/alerting",
    title: "An alerting rule has all of its fields.",
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
    see: [
      "rule-fields",
      "Own",
      "name:string",
      "query:string",
      "duration:number",
      "labels:object",
      "annotations:object",
      "alerts:array",
      "health:string",
      "type:string",
    ],
  }),
  made({
    id: "alerting-type",
    covers: "api.rules/alerting",
    title: "The type of an alerting rule is alerting.",
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
    see: ["rule-is", "Own", "type", "alerting"],
  }),
  made({
    id: "alerting-duration",
    covers: "api.rules/alerting",
    title: "The duration of an alerting rule is shown in seconds.",
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
    see: ["rule-is", "Own", "duration", "3600"],
  }),
  made({
    id: "alerting-labels",
    covers: "api.rules/alerting",
    title: "The labels of an alerting rule are shown.",
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
    see: ["rule-is", "Own", "labels.severity", "page"],
  }),
  made({
    id: "alerting-annotations",
    covers: "api.rules/alerting",
    title: "The annotations of an alerting rule are shown before they are expanded.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: "vector(1)", annotations: { summary: "{{ $value }}" } }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }],
    see: ["rule-is", "Own", "annotations.summary", "{{ $value }}"],
  }),
  made({
    id: "alerting-alerts",
    covers: "api.rules/alerts",
    title: "A rule is shown with its active alerts.",
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
    see: ["rule-is", "Own", "alerts.0.state", "pending"],
  }),
  made({
    id: "recording-fields",
    covers: "api.rules/recording",
    title: "A recording rule has all of its fields.",
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
    see: ["rule-fields", "out", "name:string", "query:string", "health:string", "type:string"],
  }),
  made({
    id: "recording-type",
    covers: "api.rules/recording",
    title: "The type of a recording rule is recording.",
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
    see: ["rule-is", "out", "type", "recording"],
  }),
  made({
    id: "recording-query",
    covers: "api.rules/recording",
    title: "The query of a recording rule is shown.",
    groups: [{ name: "a", rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { stored: "out" } }],
    see: ["rule-is", "out", "query", "vector(1)"],
  }),
  made({
    id: "rule-health",
    covers: "api.rules/recording",
    title: "The health of a rule that was evaluated is ok.",
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
    see: ["rule-is", "out", "health", "ok"],
  }),
  made({
    id: "rule-evaluation",
    covers: "api.rules/evaluation",
    level: "SHOULD",
    title: "The time of the last evaluation of a rule is shown.",
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
    see: ["rule-fields", "out", "lastEvaluation:time", "evaluationTime:number"],
  }),
  made({
    id: "rule-state",
    covers: "api.rules/evaluation",
    level: "SHOULD",
    title: "The state of an alerting rule is shown.",
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
    see: ["rule-is", "Own", "state", "pending"],
  }),
  made({
    id: "alerts-fields",
    covers: "api.alerts/shown",
    title: "An alert is shown with labels, annotations, state, value and activeAt.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: "vector(1)", annotations: { summary: "So." } }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }],
    see: ["alert-fields", "Own", "labels:object", "annotations:object", "state:string", "value:string", "activeAt:time"],
  }),
  made({
    id: "alerts-firing",
    covers: "api.alerts/shown",
    title: "A firing alert is shown as such.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: "vector(1)" }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }],
    see: ["shows-state", "Own", "firing"],
  }),
  made({
    id: "alerts-pending",
    covers: "api.alerts/shown",
    title: "A pending alert is shown as such.",
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
    see: ["shows-state", "Own", "pending"],
  }),
  made({
    id: "alerts-value",
    covers: "api.alerts/shown",
    title: "The value of an alert is shown as in the example of the text.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: "vector(1)" }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }],
    see: ["shows-value", "Own", "1e+00"],
  }),
  made({
    id: "alerts-active-at",
    covers: "api.alerts/shown",
    title: "The field activeAt is the time of the evaluation at which the alert became active.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"} == 1' }] }],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { until: { evaluated: 3 } },
    ],
    see: ["active-at-first", "Own"],
  }),
];
