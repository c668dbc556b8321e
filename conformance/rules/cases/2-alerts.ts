import { made } from "./phrases.ts";

/** Alerts and their states. */

export const cases = [
  made({
    id: "fires-at-once",
    covers: "alerting.rules/without-for",
    title: "An alert without a duration fires at once.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"} == 1' }] }],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { until: { evaluated: 3 } },
    ],
    see: ["fires-at-once", "Own"],
  }),
  made({
    id: "fires-for-zero",
    covers: "alerting.rules/without-for",
    title: "An alert with a duration of 0 fires at once.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"} == 1', for: "0s" }] }],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { until: { evaluated: 3 } },
    ],
    see: ["fires-at-once", "Own"],
  }),
  made({
    id: "false-is-inactive",
    covers: "alerting.rules/without-for",
    title: "An alert whose expression has no result is inactive.",
    groups: [
      {
        name: "a",
        rules: [
          { alert: "Own", expr: 'input{{inputs},name="a"} == 1' },
          { record: "out", expr: 'input{{inputs},name="a"}' },
        ],
      },
    ],
    stages: [{ inputs: { a: 0 }, until: { stored: "out", value: 0 } }, { until: { evaluated: 3 } }],
    see: ["shows-count", "Own", "0"],
  }),
  made({
    id: "zero-is-active",
    covers: "alerting.rules/without-for",
    title: "An alert whose expression has a result of 0 is active.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: '(input{{inputs},name="a"} == 1) - 1' }] }],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { until: { evaluated: 2 } },
    ],
    see: ["fires-at-once", "Own"],
  }),
  made({
    id: "for-pending-first",
    covers: "alerting.rules/pending",
    title: "An alert with a duration is shown as pending.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: "vector(1)", for: "1h" }] }],
    stages: [{ until: { alert: "Own", is: "pending" } }],
    see: ["shows-state", "Own", "pending"],
  }),
  made({
    id: "for-never-early",
    covers: "alerting.rules/for",
    title: "An alert with a long duration does not fire.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: "vector(1)", for: "1h" }] }],
    stages: [{ until: { alert: "Own", is: "pending" } }, { until: { evaluated: 6 } }],
    see: ["never-fires", "Own"],
  }),
  made({
    id: "for-exact",
    covers: "alerting.rules/for",
    title: "An alert is pending for its duration, and fires from then on.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"} == 1', for: "1s" }] }],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "pending" } },
      { until: { alert: "Own", is: "firing" } },
      { until: { evaluated: 3 } },
    ],
    see: ["fires-after", "Own", "1"],
  }),
  made({
    id: "for-in-a-slow-group",
    covers: "alerting.rules/for",
    title: "An alert of a group with another interval is pending for its duration, too.",
    groups: [{ name: "a", interval: "500ms", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"} == 1', for: "1s" }] }],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "pending" } },
      { until: { alert: "Own", is: "firing" } },
      { until: { evaluated: 2 } },
    ],
    see: ["fires-after", "Own", "1"],
  }),
  made({
    id: "for-begins-again",
    covers: "alerting.rules/for-again",
    title: "An alert whose condition was not met in between is pending for its whole duration again.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "cond", expr: 'input{{inputs},name="a"}' },
          { alert: "Own", expr: 'cond{case="{case}"} == 1', for: "1s" },
        ],
      },
    ],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "pending" } },
      { inputs: { a: 0 }, until: { alert: "Own", is: "inactive" } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "pending" } },
      { until: { alert: "Own", is: "firing" } },
    ],
    see: ["begins-again", "Own", "1", "cond"],
  }),
  made({
    id: "for-broken-ends",
    covers: "alerting.rules/for-again",
    title: "A pending alert whose condition is not met any more is inactive.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"} == 1', for: "1h" }] }],
    stages: [
      { inputs: { a: 1 }, until: { alert: "Own", is: "pending" } },
      { inputs: { a: 0 }, until: { alert: "Own", is: "inactive" } },
    ],
    see: ["shows-count", "Own", "0"],
  }),
  made({
    id: "ends-at-once",
    covers: "alerting.rules/no-keep-firing",
    title: "An alert ends at the first evaluation at which its condition is not met.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "cond", expr: 'input{{inputs},name="a"}' },
          { alert: "Own", expr: 'cond{case="{case}"} == 1' },
        ],
      },
    ],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { inputs: { a: 0 }, until: { alert: "Own", is: "inactive" } },
      { until: { evaluated: 3 } },
    ],
    see: ["follows", "Own", "cond"],
  }),
  made({
    id: "input-gone-ends",
    covers: "alerting.rules/no-keep-firing",
    title: "An alert ends when its series has ended.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}' }] }],
    stages: [
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { inputs: { a: null }, until: { alert: "Own", is: "inactive" } },
    ],
    see: ["shows-count", "Own", "0"],
  }),
  made({
    id: "keep-firing-exact",
    covers: "alerting.rules/keep-firing",
    title: "An alert fires on for keep_firing_for, and no longer.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "cond", expr: 'input{{inputs},name="a"}' },
          { alert: "Own", expr: 'cond{case="{case}"} == 1', keep_firing_for: "1s" },
        ],
      },
    ],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { inputs: { a: 0 }, until: { alert: "Own", is: "inactive" } },
      { until: { evaluated: 2 } },
    ],
    needs: ["keep-firing"],
    see: ["keeps-firing", "Own", "1", "cond"],
  }),
  made({
    id: "keep-firing-long",
    covers: "alerting.rules/keep-firing",
    title: "An alert with a long keep_firing_for fires on.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "cond", expr: 'input{{inputs},name="a"}' },
          { alert: "Own", expr: 'cond{case="{case}"} == 1', keep_firing_for: "1h" },
        ],
      },
    ],
    stages: [
      { inputs: { a: 1 }, until: { alert: "Own", is: "firing" } },
      { inputs: { a: 0 }, until: { stored: "cond", value: 0 } },
      { until: { evaluated: 4 } },
    ],
    needs: ["keep-firing"],
    see: ["shows-state", "Own", "firing"],
  }),
  made({
    id: "keep-firing-not-pending",
    covers: "alerting.rules/keep-firing",
    title: "The setting keep_firing_for does not keep a pending alert.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"} == 1', for: "1h", keep_firing_for: "1h" }] }],
    stages: [
      { inputs: { a: 1 }, until: { alert: "Own", is: "pending" } },
      { inputs: { a: 0 }, until: { alert: "Own", is: "inactive" } },
    ],
    needs: ["keep-firing"],
    see: ["shows-count", "Own", "0"],
  }),
  made({
    id: "absent-fires",
    covers: "alerting.rules/absent",
    title: "The condition absent() fires where there is no such series.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'absent(input{{inputs},name="missing"})' }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }],
    see: ["shows-labels", "Own", "name=missing"],
  }),
  made({
    id: "absent-ends",
    covers: "alerting.rules/absent",
    title: "An alert of absent() ends when the series appears.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'absent(input{{inputs},name="a"})' }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }, { inputs: { a: 1 }, until: { alert: "Own", is: "inactive" } }],
    see: ["shows-count", "Own", "0"],
  }),
  made({
    id: "absent-begins",
    covers: "alerting.rules/absent",
    title: "An alert of absent() fires when the series ends.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'absent(input{{inputs},name="a"})' }] }],
    stages: [
      { inputs: { a: 1 }, until: { alert: "Own", is: "inactive" } },
      { inputs: { a: null }, until: { alert: "Own", is: "firing" } },
    ],
    see: ["shows-count", "Own", "1"],
  }),
];
