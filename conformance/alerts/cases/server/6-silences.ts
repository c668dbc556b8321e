import type { Action, Step } from "../../vocabulary.ts";
import { about, answered, exactly, firing, get, own, post, routed, seen, setup, unseen, until } from "../phrases.ts";

/** Silences. */

const S = "openapi.silences";
const MUTES = "alertmanager.silences/mutes";
type Matcher = { readonly name: string; readonly value: string; readonly isRegex: boolean; readonly isEqual?: boolean };
const is = (name: string, value: string, more: Partial<Matcher> = {}): Matcher => ({ name, value, isRegex: false, isEqual: true, ...more });
const CASE = is("case", "{case}");
type Silence = Readonly<Record<string, unknown>>;
const silence = (more: Silence = {}): Silence => ({
  matchers: [CASE, is("n", "1")],
  startsAt: "{now-1}",
  endsAt: "{now+3600}",
  createdBy: "the suite",
  comment: "for a while",
  ...more,
});
type Request = Extract<Action, { do: "request" }>;
const silenced = (as: string, more: Silence = {}): Request => ({
  do: "request",
  as,
  method: "POST",
  path: "/api/v2/silences",
  body: silence(more),
});
const remove = (id: string): Request => ({ do: "request", as: "removed", method: "DELETE", path: `/api/v2/silence/${id}` });
const one = (as: string, id = "{made.silenceID}"): Request => get(as, `/api/v2/silence/${id}`);

const ROUTE = { group_by: ["..."], routes: [{ receiver: "clock", matchers: ['n="clock"'], repeat_interval: "1s" }] };
const START = setup(ROUTE, { ends: { clock: {} } });
const passed: readonly Step[] = [post(firing({ n: "clock" })), until("clock", 2)];
const NOBODY = "01234567-89ab-4cde-8f01-23456789abcd";

const MATCHERS: readonly (readonly [id: string, title: string, matchers: readonly Matcher[], isMuted: boolean])[] = [
  ["equal", "whose label has the value of a matcher", [CASE, is("n", "1")], true],
  ["other-value", "whose label has another value", [CASE, is("n", "2")], false],
  ["only-one", "that matches only one of the matchers", [CASE, is("n", "1"), is("m", "1")], false],
  ["pattern", "whose label matches a regular expression", [CASE, is("n", "1|2", { isRegex: true })], true],
  ["pattern-anchored", "whose label matches a regular expression in part", [CASE, is("alertname", "Dow", { isRegex: true })], false],
  [
    "not-equal",
    "whose label does not have the value of a negative matcher",
    [CASE, is("n", "2", { isEqual: false }), is("n", "clock", { isEqual: false })],
    true,
  ],
  ["not-equal-but-is", "whose label has the value of a negative matcher", [CASE, is("n", "1", { isEqual: false })], false],
  [
    "not-pattern",
    "whose label does not match a negative regular expression",
    [CASE, is("n", "2|clock", { isRegex: true, isEqual: false })],
    true,
  ],
];

const WRONG: readonly (readonly [id: string, title: string, body: unknown])[] = [
  ["no-matchers", "without matchers", silence({ matchers: [] })],
  ["matches-everything", "whose only matcher matches an empty value", silence({ matchers: [is("n", ".*", { isRegex: true })] })],
  ["bad-pattern", "with a regular expression that cannot be read", silence({ matchers: [CASE, is("n", "(", { isRegex: true })] })],
  ["ends-first", "that ends before it starts", silence({ startsAt: "{now+60}", endsAt: "{now+30}" })],
  ["is-over", "that is over already", silence({ startsAt: "{now-60}", endsAt: "{now-30}" })],
  ["no-end", "without an end", silence({ endsAt: undefined })],
  ["no-comment", "without a comment", silence({ comment: undefined })],
  ["no-author", "without an author", silence({ createdBy: undefined })],
  ["matcher-without-name", "with a matcher without a name", silence({ matchers: [{ value: "1", isRegex: false }] })],
  ["bad-time", "with a start that is not a time", silence({ startsAt: "soon" })],
  ["no-object", "that is a list", [silence()]],
];

const listed = (as: string, query = ""): Request => get(as, own("/api/v2/silences", query));
const awaited = (state: string): Action => ({
  do: "await-answer",
  as: "state",
  path: "/api/v2/silence/{made.silenceID}",
  is: { status: { state } },
});

export const cases = [
  routed({
    id: "silence-created",
    covers: `${S}/created`,
    title: "A silence that is posted gets an ID.",
    steps: [START, silenced("made")],
    see: answered("made", { silenceID: { $is: "text" } }, 200),
  }),
  routed({
    id: "silence-shape",
    covers: `${S}/shape`,
    title: "A silence is shown as it was posted, with its ID and its status.",
    steps: [START, silenced("made", { matchers: [CASE, is("n", "1"), is("m", "a|b", { isRegex: true, isEqual: false })] }), one("shown")],
    see: answered("shown", {
      id: "{made.silenceID}",
      status: { state: "active" },
      updatedAt: { $near: 0 },
      startsAt: { $near: 0 },
      endsAt: { $near: 3_600 },
      createdBy: "the suite",
      comment: "for a while",
      matchers: [CASE, is("n", "1"), is("m", "a|b", { isRegex: true, isEqual: false })],
    }),
  }),
  routed({
    id: "silence-equal-by-default",
    covers: `${S}/shape`,
    title: "A matcher without isEqual is a positive one.",
    steps: [START, silenced("made", { matchers: [{ name: "case", value: "{case}", isRegex: false }] }), one("shown")],
    see: answered("shown", { matchers: [CASE] }),
  }),
  routed({
    id: "silence-starts-now",
    covers: `${S}/shape`,
    title: "A silence that is posted with a start in the past starts now.",
    level: "SHOULD",
    steps: [START, silenced("made", { startsAt: "{now-600}" }), one("shown")],
    see: answered("shown", { startsAt: { $near: 0 } }),
  }),
  ...MATCHERS.map(([id, title, matchers, isMuted]) =>
    routed({
      id: `silence-${id}`,
      covers: MUTES,
      title: `An alert ${title} is ${isMuted ? "silenced" : "not silenced"}.`,
      steps: [START, silenced("made", { matchers }), post(firing({ n: "1" })), ...(isMuted ? passed : [until("main")])],
      see: isMuted ? unseen("main") : seen("main", exactly({ n: "1" })),
      ...(isMuted && { control: [START, silenced("made", { matchers: [CASE, is("n", "3")] }), post(firing({ n: "1" })), until("main")] }),
    }),
  ),
  routed({
    id: "silence-of-group",
    covers: MUTES,
    title: "Of a group only the alerts that are not silenced are notified.",
    steps: [setup(), silenced("made"), post(firing({ n: "1" }), firing({ n: "2" })), until("main")],
    see: seen("main", exactly({ n: "2" }), 1),
  }),
  routed({
    id: "silence-shown",
    covers: ["openapi.alerts/shape", MUTES],
    title: "A silenced alert is shown as suppressed, with the ID of the silence.",
    steps: [
      START,
      silenced("made"),
      post(firing({ n: "1" }), firing({ n: "2" })),
      { do: "await-answer", as: "alerts", path: own("/api/v2/alerts"), is: { $has: [{ status: { state: "suppressed" } }] } },
    ],
    see: answered("alerts", [
      { labels: { n: "1" }, status: { state: "suppressed", silencedBy: ["{made.silenceID}"], inhibitedBy: null } },
      { labels: { n: "2" }, status: { silencedBy: null } },
    ]),
  }),
  routed({
    id: "silence-left-out",
    covers: "openapi.alerts/silenced",
    title: "A request with silenced=false leaves silenced alerts out.",
    steps: [
      START,
      silenced("made"),
      post(firing({ n: "1" }), firing({ n: "2" })),
      { do: "await-answer", as: "alerts", path: own("/api/v2/alerts"), is: { $has: [{ status: { state: "suppressed" } }] } },
      get("some", own("/api/v2/alerts", "&silenced=false")),
    ],
    see: answered("some", [{ labels: { n: "2" } }]),
  }),
  routed({
    id: "silence-deleted",
    covers: [`${S}/deleted`, MUTES],
    title: "An alert is notified after its silence was deleted.",
    steps: [START, silenced("made"), post(firing({ n: "1" })), ...passed, remove("{made.silenceID}"), until("main"), one("after")],
    see: [answered("after", { status: { state: "expired" } }), seen("main", exactly({ n: "1" }))],
  }),
  routed({
    id: "silence-ends",
    covers: MUTES,
    title: "A silence is over at its end.",
    steps: [START, silenced("made", { endsAt: "{now+3}" }), post(firing({ n: "1" })), until("main"), awaited("expired")],
    see: seen("main", exactly({ n: "1" })),
  }),
  routed({
    id: "silence-pending",
    covers: [MUTES, `${S}/shape`],
    title: "A silence that has not begun is pending, and silences nothing.",
    steps: [START, silenced("made", { startsAt: "{now+1800}" }), one("shown"), post(firing({ n: "1" })), until("main")],
    see: [answered("shown", { status: { state: "pending" } }), seen("main", exactly({ n: "1" }))],
  }),
  routed({
    id: "silence-begins",
    covers: MUTES,
    title: "A pending silence begins at its start.",
    steps: [START, silenced("made", { startsAt: "{now+2}" }), awaited("active"), post(firing({ n: "1" })), ...passed],
    see: unseen("main", about({ n: "1" })),
    control: [START, silenced("made", { startsAt: "{now+1800}" }), post(firing({ n: "1" })), until("main")],
  }),
  routed({
    id: "silence-updated",
    covers: `${S}/updated`,
    title: "A silence that is posted with its ID and another end has that end.",
    steps: [
      START,
      silenced("made"),
      silenced("again", { id: "{made.silenceID}", endsAt: "{now+7200}" }),
      one("shown", "{again.silenceID}"),
    ],
    see: answered("shown", { endsAt: { $near: 7_200 }, status: { state: "active" } }),
  }),
  routed({
    id: "silence-updated-matchers",
    covers: [`${S}/updated`, MUTES],
    title: "A silence that is posted with its ID and other matchers silences by those.",
    steps: [
      START,
      silenced("made"),
      silenced("again", { id: "{made.silenceID}", matchers: [CASE, is("n", "2")] }),
      post(firing({ n: "1" }), firing({ n: "2" })),
      until("main"),
      ...passed,
    ],
    see: [seen("main", exactly({ n: "1" })), unseen("main", about({ n: "2" }))],
  }),
  ...(
    [
      ["get", "MUST", "GET of", one("it", NOBODY)],
      // The text lists 500 beside it.
      ["delete", "SHOULD", "DELETE of", { ...remove(NOBODY), as: "it" }],
      ["update", "MUST", "An update of", silenced("it", { id: NOBODY })],
    ] as const
  ).map(([id, level, title, request]) =>
    routed({
      id: `silence-unknown-${id}`,
      covers: `${S}/unknown`,
      level,
      title: `${title} a silence that is not there is answered with 404.`,
      steps: [START, { ...request, mayFail: true }],
      see: answered("it", {}, 404),
      control: [START, silenced("made"), one("it")],
    }),
  ),
  ...WRONG.map(([id, title, body]) =>
    routed({
      id: `silence-${id}`,
      covers: `${S}/bad-request`,
      level: "SHOULD",
      title: `A silence ${title} is answered with 400.`,
      steps: [START, { ...silenced("it"), body, mayFail: true }],
      see: answered("it", {}, [400, 422]),
      control: [START, silenced("it")],
    }),
  ),
  routed({
    id: "silences-filtered",
    covers: `${S}/listed`,
    title: "A filter selects silences by their matchers.",
    steps: [
      START,
      silenced("made"),
      silenced("other", { matchers: [CASE, is("n", "2")] }),
      listed("all"),
      listed("some", "&filter=n%3D%222%22"),
    ],
    see: [
      answered("all", [{ id: "{made.silenceID}" }, { id: "{other.silenceID}" }]),
      answered("some", [{ id: "{other.silenceID}", matchers: [CASE, is("n", "2")] }]),
    ],
  }),
];
