import { about, firing, own, over, post, routed, seen, setup, unseen, until } from "../phrases.ts";
import type { Pattern, Reply, Settings, Sight } from "../../vocabulary.ts";

/** What webhooks get, and what becomes of those that fail. */

const W = "configuration.webhook";
const H = "configuration.http-config";
const TWO = [
  firing(
    { n: "1", dc: "a", empty: "" },
    { annotations: { summary: "s", of: "1" }, startsAt: "{now-600}", generatorURL: "http://127.0.0.1/one" },
  ),
  firing({ n: "2", dc: "a" }, { annotations: { summary: "s", of: "2" } }),
];
const whole = (id: string, covers: string | readonly [string, ...string[]], title: string, is: Pattern) =>
  routed({
    id: `webhook-${id}`,
    covers,
    title,
    steps: [setup({ group_by: ["alertname", "dc"] }), post(...TWO), until("main")],
    see: seen("main", is),
  });

const main = (settings: Settings) => setup({}, { ends: { main: { settings } } });
const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
const CREDENTIALS: readonly (readonly [id: string, title: string, settings: Settings, value: string])[] = [
  ["basic", "user and password", { basic_auth: { username: "u", password: "p w" } }, basic("u", "p w")],
  ["bearer", "credentials, of the type Bearer by default", { authorization: { credentials: "token" } }, "Bearer token"],
  ["own-type", "credentials of the configured type", { authorization: { type: "Key", credentials: "token" } }, "Key token"],
];

/** An end that fails, beside one that is well and whose notifications come back. */
const failing = (replies: readonly Reply[], settings: Settings = {}) =>
  setup(
    {
      group_interval: "1m",
      routes: [
        { receiver: "bad", continue: true },
        { receiver: "clock", group_interval: "1s", repeat_interval: "1s" },
      ],
    },
    { ends: { bad: { replies, settings }, clock: {} } },
  );
const FAULTS: readonly (readonly [id: string, title: string, reply: Reply])[] = [
  ["500", "that is answered with 500", { status: 500 }],
  ["503", "that is answered with 503", { status: 503 }],
  ["drop", "whose connection ends without an answer", { how: "drop" }],
];
const count = (at: string, least: number, most?: number): Sight => ({ see: "count", at, least, ...(most !== undefined && { most }) });

export const cases = [
  whole("version", `${W}/payload`, "A webhook has version 4.", { body: { version: "4" } }),
  whole("post", `${W}/post`, "A webhook is a POST of the type application/json.", {
    method: "POST",
    fields: { "content-type": { $re: "^application/json(?:;.*)?$" } },
  }),
  whole("receiver", `${W}/payload`, "A webhook has the name of its receiver.", { body: { receiver: "{case}/main" } }),
  routed({
    id: "webhook-receiver-dotted",
    covers: `${W}/payload`,
    title: "A webhook has the name of its receiver as it is, with its dots.",
    steps: [setup({ receiver: "a.b" }, { ends: { "a.b": {} } }), post(firing()), until("a.b")],
    see: seen("a.b", { body: { receiver: "{case}/a.b" } }),
  }),
  whole("status", `${W}/payload`, "A webhook about firing alerts has the status firing.", {
    body: { status: "firing" },
    alerts: [{ status: "firing" }, { status: "firing" }],
  }),
  whole("group-labels", `${W}/payload`, "A webhook has the labels of its group, and no others.", {
    body: { groupLabels: { alertname: "Down", dc: "a", case: null, n: null } },
  }),
  whole("common-labels", ["notifications.data/common", `${W}/payload`], "A webhook has the labels that its alerts have in common.", {
    body: { commonLabels: { alertname: "Down", dc: "a", case: "{case}", n: null } },
  }),
  whole(
    "common-annotations",
    ["notifications.data/common", `${W}/payload`],
    "A webhook has the annotations that its alerts have in common.",
    { body: { commonAnnotations: { summary: "s", of: null } } },
  ),
  whole("truncated-none", `${W}/payload`, "A webhook with all alerts of its group has truncatedAlerts: 0.", {
    body: { truncatedAlerts: 0 },
  }),
  whole("external-url", `${W}/payload`, "A webhook has the URL of its router.", { body: { externalURL: { $is: "url" } } }),
  whole("group-key", `${W}/group-key`, "A webhook has a groupKey.", { body: { groupKey: { $is: "text" } } }),
  whole("alert-labels", `${W}/alerts`, "The alerts of a webhook have their labels and annotations.", {
    alerts: [
      { labels: { alertname: "Down", n: "1" }, annotations: { summary: "s", of: "1" } },
      { labels: { alertname: "Down", n: "2" }, annotations: { summary: "s", of: "2" } },
    ],
  }),
  whole("alert-times", `${W}/alerts`, "The alerts of a webhook have the times of their start, and an end.", {
    alerts: [
      { labels: { n: "1" }, startsAt: { $near: -600 }, endsAt: { $is: "time" } },
      { labels: { n: "2" }, startsAt: { $near: 0 }, endsAt: { $is: "time" } },
    ],
  }),
  whole("alert-generator", `${W}/alerts`, "An alert of a webhook has its generatorURL.", {
    alerts: { $has: [{ labels: { n: "1" }, generatorURL: "http://127.0.0.1/one" }] },
  }),
  whole("alert-fingerprint", `${W}/alerts`, "The alerts of a webhook have fingerprints.", {
    alerts: [{ fingerprint: { $is: "text" } }, { fingerprint: { $is: "text" } }],
  }),
  routed({
    id: "webhook-group-key-stays",
    covers: `${W}/group-key`,
    title: "The groupKey of a group is the same in every notification.",
    steps: [
      setup(),
      post(firing({ n: "1" })),
      until("main"),
      post(firing({ n: "2" })),
      until("main", 2),
      post(over({ n: "1" })),
      until("main", 3),
    ],
    see: { see: "kinds", at: "main", member: "groupKey", most: 1 },
  }),
  routed({
    id: "webhook-group-key-own",
    covers: `${W}/group-key`,
    title: "Each group has a groupKey of its own.",
    steps: [setup({ group_by: ["n"] }), post(firing({ n: "1" }), firing({ n: "2" }), firing({ n: "3" })), until("main", 3)],
    see: { see: "kinds", at: "main", member: "groupKey", least: 3 },
  }),
  routed({
    id: "webhook-max-alerts",
    covers: `${W}/max-alerts`,
    title: "A webhook has at most max_alerts alerts, and says how many more there are.",
    steps: [main({ max_alerts: 2 }), post(firing({ n: "1" }), firing({ n: "2" }), firing({ n: "3" })), until("main")],
    see: seen("main", { body: { truncatedAlerts: 1 }, alerts: [{}, {}] }),
  }),
  routed({
    id: "webhook-max-alerts-enough",
    covers: `${W}/max-alerts`,
    title: "A webhook with as many alerts as max_alerts has all of them.",
    steps: [main({ max_alerts: 2 }), post(firing({ n: "1" }), firing({ n: "2" })), until("main")],
    see: seen("main", { body: { truncatedAlerts: 0 }, alerts: [{}, {}] }),
  }),
  routed({
    id: "webhook-resolved",
    covers: `${W}/payload`,
    title: "A webhook about resolved alerts has the status resolved, and the times of their ends.",
    steps: [
      setup(),
      post(firing({}, { startsAt: "{now-600}" })),
      until("main"),
      post(over({}, { startsAt: "{now-600}" })),
      until("main", 2),
    ],
    see: seen(
      "main",
      { body: { status: "resolved" }, alerts: [{ status: "resolved", startsAt: { $near: -600 }, endsAt: { $near: 0 } }] },
      2,
    ),
  }),
  ...CREDENTIALS.map(([id, title, settings, value]) =>
    routed({
      id: `webhook-${id}`,
      covers: `${H}/credentials`,
      title: `A webhook has the configured ${title}.`,
      steps: [main({ http_config: settings }), post(firing()), until("main")],
      see: { see: "every-request", at: "main", is: { fields: { authorization: value } } },
    }),
  ),
  routed({
    id: "webhook-no-credentials",
    covers: `${H}/credentials`,
    title: "A webhook without configured credentials has none.",
    steps: [setup(), post(firing()), until("main")],
    see: { see: "every-request", at: "main", is: { fields: { authorization: null } } },
  }),
  ...FAULTS.map(([id, title, reply]) =>
    routed({
      id: `retry-${id}`,
      covers: `${W}/retried`,
      level: "SHOULD",
      title: `A notification ${title} is tried again within group_interval.`,
      steps: [failing([reply, reply, {}]), post(firing()), until("bad", 3)],
      see: { see: "every-request", at: "bad", is: about({ alertname: "Down" }) },
    }),
  ),
  routed({
    id: "retry-ends",
    covers: `${W}/retried`,
    level: "SHOULD",
    title: "A notification that was accepted is not tried again.",
    steps: [failing([{ status: 500 }, {}]), post(firing()), until("bad", 2), until("clock", 4)],
    see: count("bad", 2, 2),
  }),
  routed({
    id: "retry-not-400",
    covers: `${W}/not-retried`,
    level: "SHOULD",
    title: "A notification that is answered with 400 is not tried again within group_interval.",
    steps: [failing([{ status: 400 }]), post(firing()), until("bad"), until("clock", 4)],
    see: count("bad", 1, 1),
  }),
  routed({
    id: "retry-timeout",
    covers: [`${W}/timeout`, `${W}/retried`],
    title: "A webhook that is not answered within its timeout is tried again.",
    level: "SHOULD",
    needs: ["webhook-timeout"],
    steps: [failing([{ how: "hang" }, {}], { timeout: "500ms" }), post(firing()), until("bad", 2)],
    see: count("bad", 2),
  }),
  ...(
    [
      ["500", "fails", { status: 500 }],
      ["hang", "does not answer", { how: "hang" }],
    ] as const
  ).map(([id, title, reply]) =>
    routed({
      id: `apart-${id}`,
      covers: `${W}/apart`,
      level: "SHOULD",
      title: `A receiver that ${title} does not keep notifications from others.`,
      steps: [failing([reply]), post(firing()), until("bad"), until("clock", 2)],
      see: seen("clock", about({ alertname: "Down" })),
    }),
  ),
  routed({
    id: "webhook-several-of-receiver",
    covers: "openapi.alerts/shape",
    title: "An alert that several routes take is shown with all of their receivers.",
    steps: [
      setup({ routes: [{ receiver: "one", continue: true }, { receiver: "two" }] }, { ends: { one: {}, two: {} } }),
      post(firing()),
      until("one"),
      until("two"),
      {
        do: "await-answer",
        as: "alerts",
        path: own("/api/v2/alerts"),
        is: [{ receivers: [{ name: "{case}/one" }, { name: "{case}/two" }] }],
      },
    ],
    see: [seen("one"), seen("two"), unseen("main")],
  }),
];
