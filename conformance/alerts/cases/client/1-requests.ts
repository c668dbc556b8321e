import type { Pattern, Settings } from "../../vocabulary.ts";
import { about, seen, sender, sent, until } from "../phrases.ts";

/** What an alert looks like on its way. */

const A = "alerts-api.post";
const D = "alerting-rules.defining";
const T = "alerting-rules.templating";
const ALERT = { labels: { alertname: "Down", case: "{case}" } };
/** Every request of a case has this. */
const always = (id: string, covers: string, title: string, is: Pattern) =>
  sent({ id: `request-${id}`, covers, title, steps: [sender(), until("main")], see: { see: "every-request", at: "main", is } });
const MANY = Array.from({ length: 100 }, (_, at) => `A${at}`);
/** The alert of a rule has this. */
const RULED: readonly (readonly [id: string, covers: string, title: string, rule: Settings, alert: Settings])[] = [
  ["name", `${A}/alert`, "An alert has its name as the label alertname.", { alert: "OwnName" }, { labels: { alertname: "OwnName" } }],
  [
    "labels-of-element",
    `${D}/element`,
    "An alert has the labels of the element of the result, and no name of a metric.",
    {},
    { labels: { case: "{case}", __name__: null } },
  ],
  [
    "labels-of-rule",
    `${D}/labels`,
    "An alert has the labels of its rule.",
    { labels: { severity: "page", empty: "" } },
    { labels: { severity: "page", empty: null } },
  ],
  [
    "labels-overwritten",
    `${D}/labels`,
    "A label of the rule overwrites that of the element.",
    { expr: 'label_replace(signal{case="{case}"}, "n", "1", "", "") == 1', labels: { n: "2" } },
    { labels: { n: "2" } },
  ],
  [
    "annotations",
    `${D}/annotations`,
    "An alert has the annotations of its rule.",
    { annotations: { summary: 'a "b"\né' } },
    { annotations: { summary: 'a "b"\né' } },
  ],
  [
    "template-labels",
    `${T}/values`,
    "An annotation has the value of a label in place of $labels.",
    { annotations: { summary: "{{ $labels.case }} of {{ $labels.job }}" } },
    { annotations: { summary: "{case} of signals" } },
  ],
  [
    "template-value",
    `${T}/values`,
    "An annotation has the value of the element in place of $value.",
    { annotations: { summary: "is {{ $value }}" } },
    { annotations: { summary: "is 1" } },
  ],
  [
    "template-external",
    `${T}/values`,
    "An annotation has an external label in place of $externalLabels.",
    { annotations: { summary: "at {{ $externalLabels.site }}" } },
    { annotations: { summary: "at here" } },
  ],
  [
    "template-in-label",
    `${T}/values`,
    "A label of a rule is a template too.",
    { labels: { where: "{{ $labels.job }}-{{ $value }}" } },
    { labels: { where: "signals-1" } },
  ],
  ["external-labels", "configuration.global/external-labels", "An alert has the external labels.", {}, { labels: { site: "here" } }],
];

export const cases = [
  always("post", `${A}/content`, "Alerts are sent by POST.", { method: "POST" }),
  always("path", "configuration.alertmanager-config/path", "Alerts are sent to /api/v2/alerts.", { path: "/api/v2/alerts" }),
  always("content-type", `${A}/content`, "The content type of alerts is application/json.", {
    fields: { "content-type": { $re: "^application/json(?:\\s*;.*)?$" } },
  }),
  always("list", `${A}/content`, "Alerts are sent as a list in JSON.", { body: { $is: "list" } }),
  always("credentials-none", "configuration.http-config/authorization", "Without configured credentials none are sent.", {
    fields: { authorization: null },
  }),
  ...RULED.map(([id, covers, title, rule, alert]) =>
    sent({ id: `alert-${id}`, covers, title, steps: [sender({ rules: [rule] }), until("main")], see: seen("main", { alerts: [alert] }) }),
  ),
  sent({
    id: "alert-labels-of-group",
    covers: `${D}/group-labels`,
    title: "An alert has the labels of the group of its rule.",
    needs: ["group-labels"],
    steps: [sender({ group: { labels: { team: "one", severity: "low" } }, rules: [{ labels: { severity: "high" } }] }), until("main")],
    see: seen("main", { alerts: [{ labels: { team: "one", severity: "high" } }] }),
  }),
  sent({
    id: "alert-of-each-element",
    covers: `${D}/element`,
    title: "Each element of the result is an alert of its own.",
    steps: [
      sender({
        rules: [
          {
            expr: 'label_replace(signal{case="{case}"} == 1, "n", "1", "", "") or label_replace(signal{case="{case}"} == 1, "n", "2", "", "")',
          },
        ],
      }),
      until("main", 1, about({ n: "1" })),
      until("main", 1, about({ n: "2" })),
    ],
    see: [seen("main", about({ n: "1" })), seen("main", about({ n: "2" }))],
  }),
  sent({
    id: "alert-of-each-rule",
    covers: `${A}/alert`,
    title: "Each rule has alerts of its own.",
    steps: [
      sender({ rules: [{ alert: "One" }, { alert: "Two" }] }),
      until("main", 1, about({ alertname: "One" })),
      until("main", 1, about({ alertname: "Two" })),
    ],
    see: [seen("main", about({ alertname: "One" })), seen("main", about({ alertname: "Two" }))],
  }),
  sent({
    id: "alerts-many",
    covers: ["configuration.alertmanager-config/targets", `${A}/alert`],
    title: "Each of a hundred alerts that begin at the same time is sent.",
    steps: [sender({ rules: MANY.map((alert) => ({ alert })) }), ...MANY.map((alertname) => until("main", 1, about({ alertname })))],
    see: seen("main", about({ alertname: "A99" })),
  }),
  sent({
    id: "alert-times",
    covers: `${A}/alert`,
    title: "The times of an alert are those of RFC 3339.",
    steps: [sender(), until("main")],
    see: seen("main", { alerts: [{ ...ALERT, startsAt: { $is: "time" }, endsAt: { $is: "time" } }] }),
  }),
  sent({
    id: "alert-starts",
    covers: `${A}/starts-at`,
    level: "SHOULD",
    title: "The startsAt of a new alert is about now.",
    steps: [sender(), until("main")],
    see: seen("main", { alerts: [{ startsAt: { $near: 0 } }] }),
  }),
  sent({
    id: "alert-ends-later",
    covers: "alerts-api.expectations/valid",
    level: "SHOULD",
    title: "The endsAt of an alert that fires is later than now.",
    steps: [sender(), until("main")],
    see: { see: "every-request", at: "main", is: { alerts: [{ endsAt: { $past: false } }] } },
  }),
  sent({
    id: "alert-generator",
    covers: `${A}/generator`,
    level: "SHOULD",
    title: "The generatorURL of an alert is a URL.",
    steps: [sender(), until("main")],
    see: seen("main", { alerts: [{ generatorURL: { $is: "url" } }] }),
  }),
];
