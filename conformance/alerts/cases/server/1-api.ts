import type { Action, Step } from "../../vocabulary.ts";
import { answered, firing, get, over, own, post, routed, seen, setup, until } from "../phrases.ts";

/** Alerts that are posted, and what the API shows. */

const P = "alerts-api.post";
const A = "openapi.alerts";
const SHOWN = get("alerts", own("/api/v2/alerts"));
const told = (...steps: readonly Step[]): readonly Step[] => [setup(), ...steps, SHOWN];

const sends = (content: Partial<Extract<Action, { do: "request" }>>): Step => ({
  do: "request",
  as: "posted",
  method: "POST",
  path: "/api/v2/alerts",
  ...content,
  mayFail: true,
});
const MANY = Array.from({ length: 300 }, (_, at) => firing({ n: String(at) }));
const LABELS = { alertname: "Down", case: "{case}" };
const WRONG: readonly (readonly [id: string, title: string, content: Parameters<typeof sends>[0]])[] = [
  ["not-json", "that is not JSON", { text: '[{"labels":' }],
  ["no-list", "that is one alert without a list", { body: { labels: LABELS } }],
  ["no-labels", "with an alert without labels", { body: [{ annotations: { a: "b" } }] }],
  ["empty-labels", "with an alert whose labels are empty", { body: [{ labels: {} }] }],
  ["number-as-label", "with a number as the value of a label", { body: [{ labels: { ...LABELS, n: 1 } }] }],
  ["labels-list", "with a list in place of labels", { body: [{ labels: ["Down"] }] }],
  ["bad-start", "with a startsAt that is not a time", { body: [{ labels: LABELS, startsAt: "yesterday" }] }],
  ["bad-end", "with an endsAt that is not a time", { body: [{ labels: LABELS, endsAt: 17 }] }],
  ["ends-first", "with an alert that ends before it starts", { body: [{ labels: LABELS, startsAt: "{now}", endsAt: "{now-60}" }] }],
];

export const cases = [
  routed({
    id: "post-accepted",
    covers: `${P}/list`,
    title: "A list of alerts is accepted with 200.",
    steps: told(post(firing())),
    see: answered("posted", {}, 200),
  }),
  routed({
    id: "post-empty-list",
    covers: `${P}/list`,
    title: "A list without alerts is accepted with 200.",
    steps: [setup(), post()],
    see: answered("posted", {}, 200),
  }),
  routed({
    id: "post-several",
    covers: [`${P}/shown`, `${P}/list`],
    title: "All alerts of a list are shown.",
    steps: told(post(firing({ n: "1" }), firing({ n: "2" }), firing({ n: "3" }))),
    see: answered("alerts", [{ labels: { n: "1" } }, { labels: { n: "2" } }, { labels: { n: "3" } }]),
  }),
  routed({
    id: "post-many",
    covers: [`${P}/list`, `${P}/shown`],
    title: "Each of 300 alerts of a list is shown, and notified.",
    steps: [setup(), post(...MANY), until("main", 1, { alerts: MANY.map(({ labels }) => ({ labels })) }), SHOWN],
    see: answered(
      "alerts",
      MANY.map(({ labels }) => ({ labels })),
    ),
  }),
  routed({
    id: "post-labels-shown",
    covers: [`${P}/shown`, `${A}/shape`],
    title: "An alert is shown with its labels, annotations and generatorURL.",
    steps: told(
      post(firing({ n: 'é "1"\\' }, { annotations: { summary: "all of it\nis lost" }, generatorURL: "http://127.0.0.1/graph?g0.expr=up" })),
    ),
    see: answered("alerts", [
      {
        labels: { alertname: "Down", n: 'é "1"\\' },
        annotations: { summary: "all of it\nis lost" },
        generatorURL: "http://127.0.0.1/graph?g0.expr=up",
      },
    ]),
  }),
  routed({
    id: "alerts-shape",
    covers: `${A}/shape`,
    title: "A shown alert has its receivers, fingerprint, times and status.",
    steps: [
      setup(),
      post(firing()),
      { do: "await-answer", as: "alerts", path: own("/api/v2/alerts"), is: [{ status: { state: "active" } }] },
    ],
    see: answered("alerts", [
      {
        annotations: {},
        receivers: [{ name: "{case}/main" }],
        fingerprint: { $is: "text" },
        startsAt: { $is: "time" },
        updatedAt: { $near: 0 },
        endsAt: { $is: "time" },
        status: { state: "active", silencedBy: { $is: "list" }, inhibitedBy: { $is: "list" } },
      },
    ]),
  }),
  ...(
    [
      ["now", "without startsAt and endsAt", {}],
      ["now-with-end", "without startsAt, and with endsAt,", { endsAt: "{now+3600}" }],
    ] as const
  ).map(([id, title, times]) =>
    routed({
      id: `starts-${id}`,
      covers: `${P}/starts-at`,
      title: `An alert ${title} starts at the time of the request.`,
      steps: told(post({ labels: LABELS, ...times })),
      see: answered("alerts", [{ startsAt: { $near: 0 } }]),
    }),
  ),
  routed({
    id: "starts-as-posted",
    covers: `${P}/starts-at`,
    title: "An alert with startsAt has it.",
    steps: told(post(firing({}, { startsAt: "{now-600}" }))),
    see: answered("alerts", [{ startsAt: { $near: -600 } }]),
  }),
  routed({
    id: "ends-as-posted",
    covers: `${P}/ends-at`,
    title: "An alert with endsAt has it.",
    steps: told(post(firing({}, { endsAt: "{now+600}" }))),
    see: answered("alerts", [{ endsAt: { $near: 600 } }]),
  }),
  routed({
    id: "ends-by-default",
    covers: `${P}/ends-at`,
    title: "An alert without endsAt ends resolve_timeout later.",
    steps: told(post({ labels: LABELS })),
    see: answered("alerts", [{ endsAt: { $near: 3 } }]),
  }),
  routed({
    id: "ends-renewed",
    covers: `${P}/ends-at`,
    title: "An alert that is posted again with a later endsAt ends then.",
    steps: told(post(firing({}, { endsAt: "{now+600}" })), post(firing({}, { endsAt: "{now+1800}" }))),
    see: answered("alerts", [{ endsAt: { $near: 1_800 } }]),
  }),
  routed({
    id: "same-labels-once",
    covers: `${P}/deduplicated`,
    title: "Alerts with the same labels, also in another order, are one alert.",
    steps: told(post(firing({ a: "1", b: "2" }), firing({ b: "2", a: "1" })), post(firing({ b: "2", a: "1" }))),
    see: answered("alerts", [{ labels: { a: "1", b: "2" } }]),
  }),
  routed({
    id: "other-labels-another",
    covers: `${P}/deduplicated`,
    title: "An alert with one label more is another alert.",
    steps: told(post(firing(), firing({ a: "1" }))),
    see: answered("alerts", [{}, {}]),
  }),
  routed({
    id: "fingerprint-of-labels",
    covers: `${A}/shape`,
    title: "The fingerprint of an alert stays when it is posted again.",
    steps: [setup(), post(firing()), get("first", own("/api/v2/alerts")), post(firing({}, { annotations: { a: "other" } })), SHOWN],
    see: answered("alerts", [{ fingerprint: "{first.0.fingerprint}" }]),
  }),
  ...WRONG.map(([id, title, content]) =>
    routed({
      id: `post-${id}`,
      covers: `${A}/bad-request`,
      level: "SHOULD",
      title: `A POST ${title} is answered with 400.`,
      steps: [setup(), sends(content)],
      see: answered("posted", {}, [400, 422]),
      control: [setup(), post(firing())],
    }),
  ),
  routed({
    id: "filter-by-label",
    covers: `${A}/filter`,
    title: "A filter selects alerts by a label.",
    steps: [setup(), post(firing({ n: "1" }), firing({ n: "2" })), get("alerts", own("/api/v2/alerts", "&filter=n%3D%221%22"))],
    see: answered("alerts", [{ labels: { n: "1" } }]),
  }),
  routed({
    id: "filter-by-pattern",
    covers: `${A}/filter`,
    title: "A filter selects alerts by a regular expression.",
    steps: [
      setup(),
      post(firing({ n: "10" }), firing({ n: "11" }), firing({ n: "2" })),
      get("alerts", own("/api/v2/alerts", "&filter=n%3D~%221.%22")),
    ],
    see: answered("alerts", [{ labels: { n: "10" } }, { labels: { n: "11" } }]),
  }),
  routed({
    id: "filter-negative",
    covers: `${A}/filter`,
    title: "A negative filter leaves alerts out.",
    steps: [setup(), post(firing({ n: "1" }), firing({ n: "2" })), get("alerts", own("/api/v2/alerts", "&filter=n%21%3D%221%22"))],
    see: answered("alerts", [{ labels: { n: "2" } }]),
  }),
  ...(
    [
      ["filter-malformed", "filter", "/api/v2/alerts?filter=%7D%7B", "A filter that cannot be read is answered with 400."],
      [
        "receiver-malformed",
        "receiver",
        "/api/v2/alerts?receiver=%5B",
        "A receiver that is not a regular expression is answered with 400.",
      ],
    ] as const
  ).map(([id, covers, path, title]) =>
    routed({
      id,
      covers: [`${A}/bad-request`, `${A}/${covers}`],
      level: "SHOULD",
      title,
      steps: [setup(), { ...get("alerts", path), mayFail: true }],
      see: answered("alerts", {}, 400),
      control: [setup(), SHOWN],
    }),
  ),
  routed({
    id: "alerts-by-receiver",
    covers: `${A}/receiver`,
    title: "Alerts are selected by a regular expression for their receivers.",
    steps: [
      setup({ routes: [{ receiver: "other", matchers: ['n="2"'] }] }, { ends: { other: {} } }),
      post(firing({ n: "1" }), firing({ n: "2" })),
      { do: "await-answer", as: "all", path: own("/api/v2/alerts"), is: [{}, {}] },
      get("alerts", own("/api/v2/alerts", "&receiver=.*%2Fother")),
    ],
    see: answered("alerts", [{ labels: { n: "2" }, receivers: [{ name: "{case}/other" }] }]),
  }),
  routed({
    id: "resolved-not-shown",
    covers: `${P}/elapsed`,
    title: "An alert that is over is not shown as active.",
    steps: [setup(), post(firing({ n: "1" }), firing({ n: "2" })), until("main"), post(over({ n: "2" })), SHOWN],
    see: answered("alerts", [{ labels: { n: "1" } }]),
  }),
  routed({
    id: "fingerprint-as-notified",
    covers: [`${A}/shape`, "configuration.webhook/alerts"],
    title: "The fingerprint of an alert is the same in the API and in notifications.",
    steps: [setup(), post(firing()), until("main"), SHOWN],
    see: seen("main", { alerts: [{ fingerprint: "{alerts.0.fingerprint}" }] }),
  }),
];
