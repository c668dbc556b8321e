import type { Action, Settings, Sight, Step } from "../../vocabulary.ts";
import { about, answered, exactly, firing, get, over, own, post, routed, seen, setup, unseen, until } from "../phrases.ts";

/** Inhibition. */

const I = "configuration.inhibit-rule";
const RULE = { source_matchers: ['severity="critical"'], target_matchers: ['severity="warning"'], equal: ["i"] };
type Labels = Readonly<Record<string, string>>;
/** Each alert is a group of its own, and the group of a clock comes back again and again. */
const ROUTE = { group_by: ["..."], routes: [{ receiver: "clock", matchers: ['severity="clock"'], repeat_interval: "1s" }] };
const inhibits = (...rules: readonly Settings[]): Step => setup(ROUTE, { ends: { clock: {} }, inhibit: rules });
const critical = (labels: Labels = {}): Labels => ({ severity: "critical", i: "a", ...labels });
const warning = (labels: Labels = {}): Labels => ({ severity: "warning", i: "a", ...labels });
const CLOCK = { severity: "clock" };

/** What was muted would have been notified before the second notification of an alert that was posted after it. */
const passed: readonly Step[] = [post(firing(CLOCK)), until("clock", 2)];

const RULES: readonly (readonly [
  id: string,
  covers: string,
  title: string,
  rule: Settings,
  source: Labels,
  target: Labels,
  isMuted: boolean,
])[] = [
  ["equal", "mutes", "with the same value of a label of equal", RULE, critical(), warning(), true],
  ["not-equal", "mutes", "with another value of a label of equal", RULE, critical(), warning({ i: "b" }), false],
  [
    "one-not-equal",
    "mutes",
    "with another value of one of the labels of equal",
    { ...RULE, equal: ["i", "j"] },
    critical({ j: "1" }),
    warning({ j: "2" }),
    false,
  ],
  ["one-missing", "missing", "that lacks a label of equal which the source has", RULE, critical(), { severity: "warning" }, false],
  ["both-missing", "missing", "where both lack a label of equal", { ...RULE, equal: ["i", "none"] }, critical(), warning(), true],
  ["no-equal", "mutes", "by a rule without equal", { ...RULE, equal: [] }, critical(), warning({ i: "b" }), true],
  [
    "pattern",
    "mutes",
    "by a rule with regular expressions",
    { ...RULE, source_matchers: ['severity=~"crit.*"'], target_matchers: ['severity!~"crit.*|clock"'] },
    critical(),
    warning(),
    true,
  ],
  ["no-source", "mutes", "where no alert matches the source", RULE, critical({ severity: "major" }), warning(), false],
  ["no-target", "mutes", "that does not match the target", RULE, critical(), warning({ severity: "minor" }), false],
  [
    "several-matchers",
    "mutes",
    "that matches only one of the matchers of the target",
    { ...RULE, target_matchers: ['severity="warning"', 'kind="x"'] },
    critical(),
    warning({ kind: "y" }),
    false,
  ],
  [
    "deprecated",
    "deprecated",
    "by a rule with source_match and target_match",
    { source_match: { severity: "critical" }, target_match: { severity: "warning" }, equal: ["i"] },
    critical(),
    warning(),
    true,
  ],
  [
    "deprecated-pattern",
    "deprecated",
    "by a rule with source_match_re and target_match_re",
    { source_match_re: { severity: "crit.*" }, target_match_re: { severity: "warn.*" }, equal: ["i"] },
    critical(),
    warning(),
    true,
  ],
];

/** The API shows that the target is inhibited. */
const shownAs = (target: Labels, state: string): Action => ({
  do: "await-answer",
  as: "alerts",
  path: own("/api/v2/alerts"),
  is: { $has: [{ labels: target, status: { state } }] },
});

export const cases = [
  ...RULES.map(([id, covers, title, rule, source, target, isMuted]) =>
    routed({
      id: `inhibit-${id}`,
      covers: `${I}/${covers}`,
      title: `An alert ${title} is ${isMuted ? "inhibited" : "not inhibited"}.`,
      steps: [
        inhibits(rule),
        post(firing(source)),
        until("main", 1, about(source)),
        post(firing(target)),
        ...(isMuted ? passed : [until("main", 1, about(target))]),
      ],
      see: isMuted ? unseen("main", about(target)) : seen("main", exactly(target)),
      ...(isMuted && { control: [inhibits(), post(firing(source), firing(target)), until("main", 1, about(target))] }),
    }),
  ),
  routed({
    id: "inhibit-itself",
    covers: `${I}/itself`,
    title: "Alerts that match both sides do not inhibit themselves, nor each other.",
    steps: [
      inhibits({ source_matchers: ['kind="x"'], target_matchers: ['kind="x"'] }),
      post(firing({ kind: "x", n: "1" }), firing({ kind: "x", n: "2" })),
      until("main", 2),
    ],
    see: [seen("main", exactly({ n: "1" })), seen("main", exactly({ n: "2" }))],
  }),
  routed({
    id: "inhibit-ends",
    covers: `${I}/mutes`,
    title: "An inhibited alert is notified when its source is resolved.",
    steps: [
      inhibits(RULE),
      post(firing(critical())),
      until("main", 1, about(critical())),
      post(firing(warning())),
      shownAs(warning(), "suppressed"),
      post(over(critical())),
      until("main", 1, about(warning())),
    ],
    see: seen("main", exactly(warning())),
  }),
  routed({
    id: "inhibit-shown",
    covers: ["openapi.alerts/shape", `${I}/mutes`],
    title: "An inhibited alert is shown as suppressed, with the fingerprint of its source.",
    steps: [
      inhibits(RULE),
      post(firing(critical())),
      get("source", own("/api/v2/alerts", "&filter=severity%3Dcritical")),
      post(firing(warning())),
      shownAs(warning(), "suppressed"),
    ],
    see: answered("alerts", [
      { labels: warning(), status: { state: "suppressed", inhibitedBy: ["{source.0.fingerprint}"], silencedBy: null } },
      { labels: critical(), status: { state: "active", inhibitedBy: null } },
    ]),
  }),
  ...(
    [
      ["left-out", "inhibited", "inhibited=false", "&inhibited=false", "inhibited alerts", [critical()]],
      ["active-left-out", "active", "active=false", "&active=false", "active alerts", [warning()]],
    ] as const
  ).map(([id, covers, flag, query, what, left]) =>
    routed({
      id: `inhibit-${id}`,
      covers: `openapi.alerts/${covers}`,
      title: `A request with ${flag} leaves ${what} out.`,
      steps: [
        inhibits(RULE),
        post(firing(critical())),
        until("main", 1, about(critical())),
        post(firing(warning())),
        shownAs(warning(), "suppressed"),
        get("some", own("/api/v2/alerts", query)),
      ],
      see: answered(
        "some",
        left.map((labels) => ({ labels })),
      ) satisfies Sight,
    }),
  ),
];
