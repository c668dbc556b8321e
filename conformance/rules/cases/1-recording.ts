import { made } from "./phrases.ts";

/** Recording rules, their failures and the ends of their series. */

export const cases = [
  made({
    id: "record-stored",
    covers: "recording.rule/record",
    title: "The result of an expression is stored with the name of the rule.",
    groups: [{ name: "a", rules: [{ record: "out", expr: "vector(7)" }] }],
    stages: [{ until: { stored: "out" } }],
    see: ["stored", "out", "7"],
  }),
  made({
    id: "record-renames",
    covers: "recording.rule/record",
    title: "The name of the rule takes the place of that of the metric.",
    groups: [{ name: "a", rules: [{ record: "out", expr: 'input{{inputs},name="a"}' }] }],
    stages: [{ inputs: { a: 3 }, until: { stored: "out", value: 3 } }],
    see: ["stored", "out", "3"],
  }),
  made({
    id: "record-keeps-labels",
    covers: "recording.rule/record",
    title: "Labels of the result are stored.",
    groups: [{ name: "a", rules: [{ record: "out", expr: 'input{{inputs},name="a"}' }] }],
    stages: [{ inputs: { a: 3 }, until: { stored: "out" } }],
    see: ["stored", "out", "3", "name=a"],
  }),
  made({
    id: "record-follows",
    covers: "recording.rule/evaluation-time",
    title: "A rule stores the value that the expression has at the time of each evaluation.",
    groups: [{ name: "a", rules: [{ record: "out", expr: 'input{{inputs},name="a"}' }] }],
    stages: [
      { inputs: { a: 3 }, until: { stored: "out", value: 3 } },
      { inputs: { a: 4 }, until: { stored: "out", value: 4 } },
    ],
    see: ["stored", "out", "4"],
  }),
  made({
    id: "record-every-series",
    covers: "recording.rule/record",
    title: "Every element of the result is a series.",
    groups: [
      {
        name: "a",
        rules: [{ record: "out", expr: 'label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")' }],
      },
    ],
    stages: [{ until: { stored: "out" } }],
    see: ["count", "out", "2"],
  }),
  made({
    id: "record-aggregates",
    covers: "recording.rule/record",
    title: "An aggregation is stored with the labels that it leaves.",
    groups: [
      {
        name: "a",
        rules: [
          {
            record: "level:out:sum",
            expr: 'sum(label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", ""))',
          },
        ],
      },
    ],
    stages: [{ until: { stored: "level:out:sum", value: 3 } }],
    see: ["has-labels", "level:out:sum"],
  }),
  made({
    id: "record-scalar",
    covers: "recording.rule/scalar",
    level: "SHOULD",
    title: "A scalar is stored as a series without labels.",
    groups: [{ name: "a", rules: [{ record: "out", expr: "scalar(vector(5))" }] }],
    stages: [{ until: { stored: "out" } }],
    see: ["stored", "out", "5"],
  }),
  made({
    id: "labels-added",
    covers: "recording.rule/labels",
    title: "Labels of a rule are added.",
    groups: [{ name: "a", rules: [{ record: "out", expr: "vector(1)", labels: { team: "x" } }] }],
    stages: [{ until: { stored: "out" } }],
    see: ["stored", "out", "1", "team=x"],
  }),
  made({
    id: "labels-overwrite",
    covers: "recording.rule/labels",
    title: "Labels of a rule overwrite those of the result.",
    groups: [{ name: "a", rules: [{ record: "out", expr: 'input{{inputs},name="a"}', labels: { name: "own" } }] }],
    stages: [{ inputs: { a: 1 }, until: { stored: "out" } }],
    see: ["stored", "out", "1", "name=own"],
  }),
  made({
    id: "time-of-evaluation",
    covers: "recording.rule/evaluation-time",
    title: "Samples have the time at which their expression was evaluated.",
    groups: [{ name: "a", rules: [{ record: "out", expr: "vector(time())" }] }],
    stages: [{ until: { evaluated: 4 } }],
    see: ["is-own-time", "out"],
  }),
  made({
    id: "limit-recovers",
    covers: "errors.evaluation/recovers",
    level: "SHOULD",
    title: "A rule that exceeded the limit stores again once it does not.",
    groups: [
      {
        name: "a",
        limit: 1,
        rules: [
          {
            record: "out",
            expr: 'input{{inputs},name="a"} or (label_replace(vector(2), "name", "b", "", "") and on() (input{{inputs},name="more"} == 1))',
          },
        ],
      },
    ],
    stages: [
      { inputs: { a: 1, more: 0 }, until: { stored: "out", value: 1 } },
      { inputs: { more: 1 }, until: { rule: "out", health: "err" } },
      { inputs: { a: 5, more: 0 }, until: { stored: "out", value: 5 } },
    ],
    see: ["health", "out", "ok"],
  }),
  made({
    id: "vanished-is-stale",
    covers: "staleness.rules/vanish",
    title: "A series that a rule no longer returns is not shown any more.",
    groups: [{ name: "a", rules: [{ record: "out", expr: 'input{{inputs},name="a"} == 1' }] }],
    stages: [
      { inputs: { a: 1 }, until: { stored: "out" } },
      { inputs: { a: 0 }, until: { gone: "out" } },
    ],
    see: ["ended", "out"],
  }),
  made({
    id: "input-gone-is-stale",
    covers: "staleness.rules/vanish",
    title: "A series whose input has ended is not shown any more.",
    groups: [{ name: "a", rules: [{ record: "out", expr: 'input{{inputs},name="a"}' }] }],
    stages: [
      { inputs: { a: 1 }, until: { stored: "out" } },
      { inputs: { a: null }, until: { gone: "out" } },
    ],
    see: ["ended", "out"],
  }),
  made({
    id: "vanished-returns",
    covers: "staleness.rules/returns",
    title: "A series that vanished is shown again when it comes back.",
    groups: [{ name: "a", rules: [{ record: "out", expr: 'input{{inputs},name="a"} > 0' }] }],
    stages: [
      { inputs: { a: 1 }, until: { stored: "out", value: 1 } },
      { inputs: { a: 0 }, until: { gone: "out" } },
      { inputs: { a: 2 }, until: { stored: "out", value: 2 } },
    ],
    see: ["alive", "out"],
  }),
  made({
    id: "same-labels-fail",
    covers: "errors.evaluation/same-labels",
    level: "SHOULD",
    title: "A rule whose labels make its results alike is shown with an error.",
    groups: [
      {
        name: "a",
        rules: [
          {
            record: "out",
            expr: 'label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")',
            labels: { n: "same" },
          },
        ],
      },
    ],
    stages: [{ until: { rule: "out", health: "err" } }],
    see: ["has-error", "out"],
  }),
  made({
    id: "same-labels-stored",
    covers: "errors.evaluation/same-labels",
    level: "SHOULD",
    title: "A rule whose labels make its results alike stores nothing.",
    groups: [
      {
        name: "a",
        rules: [
          {
            record: "out",
            expr: 'label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")',
            labels: { n: "same" },
          },
          { record: "other", expr: "vector(1)" },
        ],
      },
    ],
    stages: [{ until: { rule: "out", health: "err" } }, { until: { evaluated: 3 } }],
    see: ["not-stored", "out"],
  }),
  made({
    id: "failing-is-error",
    covers: "errors.evaluation/others-go-on",
    level: "SHOULD",
    title: "A rule whose evaluation fails is shown with an error.",
    groups: [
      {
        name: "a",
        rules: [
          {
            record: "bad",
            expr: '(label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")) * on() (label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", ""))',
          },
        ],
      },
    ],
    stages: [{ until: { rule: "bad", health: "err" } }],
    see: ["has-error", "bad"],
  }),
  made({
    id: "failing-others-go-on",
    covers: "errors.evaluation/others-go-on",
    level: "SHOULD",
    title: "Rules after one that fails are evaluated.",
    groups: [
      {
        name: "a",
        rules: [
          {
            record: "bad",
            expr: '(label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")) * on() (label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", ""))',
          },
          { record: "out", expr: "vector(1)" },
        ],
      },
    ],
    stages: [{ until: { rule: "bad", health: "err" } }, { until: { stored: "out" } }],
    see: ["stored", "out", "1"],
  }),
  made({
    id: "failing-recovers",
    covers: "errors.evaluation/recovers",
    level: "SHOULD",
    title: "A rule that failed stores again once it does not fail.",
    groups: [
      {
        name: "a",
        rules: [
          {
            record: "out",
            expr: 'vector(1) * on() (input{{inputs},name="more"} or (label_replace(vector(9), "n", "9", "", "") and on() input{{inputs},name="more"} == 1))',
          },
        ],
      },
    ],
    stages: [
      { inputs: { more: 1 }, until: { rule: "out", health: "err" } },
      { inputs: { more: 0 }, until: { stored: "out", value: 0 } },
    ],
    see: ["health", "out", "ok"],
  }),
];
