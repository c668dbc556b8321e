import { made } from "./phrases.ts";

/** Groups of rules: order, intervals, limits, offsets, labels. */

export const cases = [
  made({
    id: "same-time-in-group",
    covers: "recording.group/sequential",
    title: "All rules of a group are evaluated with the same time.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "out", expr: "vector(1)" },
          { record: "other", expr: "vector(2)" },
          { record: "third", expr: "vector(3)" },
        ],
      },
    ],
    stages: [{ until: { evaluated: 5 } }],
    see: ["same-times", "out", "other", "third"],
  }),
  made({
    id: "later-sees-earlier",
    covers: "recording.group/sequential",
    title: "A rule sees what a rule before it has stored in the same evaluation.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "first", expr: "vector(time())" },
          { record: "out", expr: 'first{case="{case}"}' },
        ],
      },
    ],
    stages: [{ until: { evaluated: 4 } }],
    see: ["is-own-time", "out"],
  }),
  made({
    id: "earlier-sees-last",
    covers: "recording.group/sequential",
    title: "A rule sees what a rule after it has stored in the evaluation before.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "out", expr: 'later{case="{case}"}' },
          { record: "later", expr: "vector(time())" },
        ],
      },
    ],
    stages: [{ until: { stored: "out" } }, { until: { evaluated: 4 } }],
    see: ["is-time-before", "out", "later"],
  }),
  made({
    id: "alert-sees-record",
    covers: "recording.group/sequential",
    title: "An alert sees what a rule before it has stored in the same evaluation.",
    groups: [
      {
        name: "a",
        rules: [
          { record: "cond", expr: 'input{{inputs},name="a"}' },
          { alert: "Seen", expr: 'cond{case="{case}"} == 1' },
        ],
      },
    ],
    stages: [
      { inputs: { a: 0 }, until: { evaluated: 4 } },
      { inputs: { a: 1 }, until: { alert: "Seen", is: "firing" } },
      { inputs: { a: 0 }, until: { alert: "Seen", is: "inactive" } },
      { until: { evaluated: 3 } },
    ],
    see: ["follows", "Seen", "cond"],
  }),
  made({
    id: "interval-default",
    covers: "recording.group/default-interval",
    title: "A group without an interval is evaluated at the global one.",
    groups: [{ name: "a", rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { evaluated: 5 } }],
    see: ["apart-by", "out", "250"],
  }),
  made({
    id: "interval-own",
    covers: "recording.group/interval",
    title: "A group is evaluated at its own interval.",
    groups: [{ name: "a", interval: "750ms", rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { evaluated: 4 } }],
    see: ["apart-by", "out", "750"],
  }),
  made({
    id: "interval-of-each",
    covers: "recording.group/interval",
    title: "Groups of one file have their own intervals.",
    groups: [
      { name: "a", interval: "1s", rules: [{ record: "slow", expr: "vector(1)" }] },
      { name: "b", interval: "500ms", rules: [{ record: "fast", expr: "vector(1)" }] },
    ],
    stages: [{ until: { evaluated: 4 } }],
    see: ["apart-by", "slow", "1000"],
  }),
  made({
    id: "limit-kept",
    covers: "recording.group/limit",
    title: "A rule that produces as many series as the limit stores them.",
    groups: [
      {
        name: "a",
        limit: 2,
        rules: [{ record: "out", expr: 'label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")' }],
      },
    ],
    stages: [{ until: { stored: "out" } }],
    see: ["count", "out", "2"],
  }),
  made({
    id: "limit-exceeded",
    covers: "recording.group/limit",
    title: "A rule that produces more series than the limit stores none.",
    groups: [
      {
        name: "a",
        limit: 1,
        rules: [
          { record: "out", expr: 'label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")' },
          { record: "other", expr: "vector(1)" },
        ],
      },
    ],
    stages: [{ until: { rule: "out", health: "err" } }, { until: { evaluated: 3 } }],
    see: ["not-stored", "out"],
  }),
  made({
    id: "limit-is-error",
    covers: "recording.group/limit",
    title: "A rule that produces more series than the limit is shown with an error.",
    groups: [
      {
        name: "a",
        limit: 1,
        rules: [{ record: "out", expr: 'label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")' }],
      },
    ],
    stages: [{ until: { rule: "out", health: "err" } }],
    see: ["has-error", "out"],
  }),
  made({
    id: "limit-of-each-rule",
    covers: "recording.group/limit",
    title: "The limit is one of each rule, not of the group.",
    groups: [
      {
        name: "a",
        limit: 1,
        rules: [
          { record: "out", expr: "vector(1)" },
          { record: "other", expr: "vector(2)" },
        ],
      },
    ],
    stages: [{ until: { stored: "other" } }],
    see: ["stored", "out", "1"],
  }),
  made({
    id: "limit-zero",
    covers: "recording.group/no-limit",
    title: "A limit of 0 means no limit.",
    groups: [
      {
        name: "a",
        limit: 0,
        rules: [{ record: "out", expr: 'label_replace(vector(1), "n", "1", "", "") or label_replace(vector(2), "n", "2", "", "")' }],
      },
    ],
    stages: [{ until: { stored: "out" } }],
    see: ["count", "out", "2"],
  }),
  made({
    id: "limit-no-stale-markers",
    covers: "recording.group/no-stale-after-limit",
    title: "Series of a rule that exceeds the limit are not marked as stale.",
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
      { inputs: { a: 1, more: 0 }, until: { stored: "out" } },
      { inputs: { more: 1 }, until: { rule: "out", health: "err" } },
      { until: { evaluated: 3 } },
    ],
    see: ["alive", "out"],
  }),
  made({
    id: "limit-clears-alerts",
    covers: "recording.group/limit-clears-alerts",
    title: "Alerts of a rule that exceeds the limit are cleared.",
    groups: [
      {
        name: "a",
        limit: 1,
        rules: [
          {
            alert: "Many",
            expr: 'input{{inputs},name="a"} or (label_replace(vector(2), "name", "b", "", "") and on() (input{{inputs},name="more"} == 1))',
          },
        ],
      },
    ],
    stages: [
      { inputs: { a: 1, more: 0 }, until: { alert: "Many", is: "firing" } },
      { inputs: { more: 1 }, until: { rule: "Many", health: "err" } },
      { until: { evaluated: 2 } },
    ],
    see: ["shows-count", "Many", "0"],
  }),
  made({
    id: "query-offset",
    covers: "recording.group/query-offset",
    title: "Samples of a group with an offset have a time that is earlier by it.",
    groups: [{ name: "a", query_offset: "10m", rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { evaluated: 4 } }],
    needs: ["query-offset"],
    see: ["is-older", "out", "540"],
  }),
  made({
    id: "query-offset-of-group",
    covers: "recording.group/query-offset",
    title: "The offset of a group is not one of others.",
    groups: [
      { name: "a", query_offset: "10m", rules: [{ record: "late", expr: "vector(1)" }] },
      { name: "b", rules: [{ record: "out", expr: "vector(time())" }] },
    ],
    stages: [{ until: { stored: "out" } }, { until: { evaluated: 2 } }],
    needs: ["query-offset"],
    see: ["is-own-time", "out"],
  }),
  made({
    id: "group-labels",
    covers: "recording.group/labels",
    title: "Labels of a group are added to recorded series.",
    groups: [{ name: "a", labels: { team: "x" }, rules: [{ record: "out", expr: "vector(1)" }] }],
    stages: [{ until: { stored: "out" } }],
    needs: ["group-labels"],
    see: ["stored", "out", "1", "team=x"],
  }),
  made({
    id: "group-labels-of-alerts",
    covers: "recording.group/labels",
    title: "Labels of a group are added to alerts.",
    groups: [{ name: "a", labels: { team: "x" }, rules: [{ alert: "Own", expr: "vector(1)" }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }, { until: { evaluated: 2 } }],
    needs: ["group-labels"],
    see: ["alerts-has", "Own", "team=x"],
  }),
  made({
    id: "group-labels-overridden",
    covers: "recording.group/labels-of-rule",
    title: "Labels of a rule prevail over those of its group.",
    groups: [{ name: "a", labels: { team: "group" }, rules: [{ record: "out", expr: "vector(1)", labels: { team: "rule" } }] }],
    stages: [{ until: { stored: "out" } }],
    needs: ["group-labels"],
    see: ["stored", "out", "1", "team=rule"],
  }),
  made({
    id: "group-name-twice",
    covers: "recording.group/names",
    title: "Groups of the same name in two files are both evaluated.",
    groups: [{ name: "a", rules: [{ record: "out", expr: "vector(1)" }] }],
    more: [{ name: "a", rules: [{ record: "other", expr: "vector(2)" }] }],
    stages: [{ until: { stored: "out" } }, { until: { stored: "other" } }],
    see: ["stored", "other", "2"],
  }),
];
