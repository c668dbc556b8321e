import { about, exactly, firing, over, post, routed, seen, setup, unseen, until } from "../phrases.ts";
import type { Settings, Sight } from "../../vocabulary.ts";

/** What is in one notification, and when it comes. */

const R = "configuration.route";
const SLOW = { group_wait: "2s" };
/** A second receiver of the same alerts, whose notifications are repeated: by then others would have been. */
const beside = (route: Settings = {}): Parameters<typeof setup> => [
  {
    routes: [
      { receiver: "clock", group_interval: "1s", repeat_interval: "1s", continue: true },
      { receiver: "one", ...route },
    ],
  },
  { ends: { clock: {}, one: {} } },
];
const resolved = (labels: Readonly<Record<string, string>>): object => ({ labels, status: "resolved" });
const count = (at: string, least: number, most: number, is?: object): Sight => ({ see: "count", at, least, most, ...(is && { is }) });

export const cases = [
  routed({
    id: "group-together",
    covers: `${R}/group-by`,
    title: "Alerts with the same values of group_by are one notification.",
    steps: [
      setup({ group_by: ["n"] }),
      post(firing({ n: "1", i: "a" }), firing({ n: "1", i: "b" }), firing({ n: "1", i: "c", alertname: "Up" })),
      until("main"),
    ],
    see: [
      seen("main", exactly({ i: "a" }, { i: "b" }, { i: "c" }), 1),
      seen("main", { body: { groupLabels: { n: "1", alertname: null } } }, 1),
    ],
  }),
  routed({
    id: "group-apart",
    covers: `${R}/group-by`,
    title: "Alerts with other values of group_by are notifications of their own.",
    steps: [
      setup({ group_by: ["n", "m"] }),
      post(firing({ n: "1", m: "1" }), firing({ n: "1", m: "2" }), firing({ n: "2", m: "1" })),
      until("main", 3),
    ],
    see: [
      seen("main", { body: { groupLabels: { n: "1", m: "1" } }, alerts: [{}] }),
      seen("main", { body: { groupLabels: { n: "1", m: "2" } }, alerts: [{}] }),
      seen("main", { body: { groupLabels: { n: "2", m: "1" } }, alerts: [{}] }),
    ],
  }),
  routed({
    id: "group-by-missing",
    covers: `${R}/group-by`,
    title: "An alert without a label of group_by is not in the group of one with it.",
    steps: [setup({ group_by: ["n"] }), post(firing({ n: "1" }), firing({ i: "a" })), until("main", 2)],
    see: [seen("main", exactly({ n: "1" })), seen("main", exactly({ i: "a" }))],
  }),
  routed({
    id: "group-by-all",
    covers: `${R}/group-by-all`,
    title: "With '...' each set of labels is a group of its own, with all its labels.",
    steps: [setup({ group_by: ["..."] }), post(firing({ n: "1" }), firing({ n: "2" })), until("main", 2)],
    see: [
      seen("main", { body: { groupLabels: { alertname: "Down", case: "{case}", n: "1" } }, alerts: [{}] }),
      seen("main", { body: { groupLabels: { alertname: "Down", case: "{case}", n: "2" } }, alerts: [{}] }),
    ],
  }),
  routed({
    id: "wait-collects",
    covers: `${R}/group-wait`,
    title: "Alerts that arrive within group_wait are in the first notification.",
    steps: [setup(SLOW), post(firing({ n: "1" })), post(firing({ n: "2" })), until("main")],
    see: seen("main", exactly({ n: "1" }, { n: "2" }), 1),
  }),
  routed({
    id: "wait-is-long",
    covers: `${R}/group-wait`,
    title: "The first notification of a group does not come before group_wait.",
    steps: [
      setup(
        {
          routes: [
            { receiver: "clock", group_wait: "100ms", continue: true },
            { receiver: "one", ...SLOW },
          ],
        },
        { ends: { clock: {}, one: {} } },
      ),
      post(firing({ n: "1" })),
      until("clock"),
      post(firing({ n: "2" })),
      until("one"),
    ],
    see: seen("one", exactly({ n: "1" }, { n: "2" }), 1),
  }),
  routed({
    id: "wait-resolved",
    covers: `${R}/resolved-early`,
    title: "A group whose alert is resolved within group_wait is not notified.",
    steps: [setup({ ...SLOW, group_by: ["n"] }), post(firing({ n: "1" })), post(over({ n: "1" })), post(firing({ n: "2" })), until("main")],
    see: [unseen("main", about({ n: "1" })), seen("main", exactly({ n: "2" }), 1)],
    control: [setup({ ...SLOW, group_by: ["n"] }), post(firing({ n: "1" })), post(firing({ n: "2" })), until("main", 2)],
  }),
  routed({
    id: "interval-brings-new",
    covers: `${R}/group-interval`,
    title: "An alert that joins a group later is notified with the others of the group.",
    steps: [setup(), post(firing({ n: "1" })), until("main"), post(firing({ n: "2" })), until("main", 2)],
    see: [seen("main", exactly({ n: "1" }), 1), seen("main", exactly({ n: "1" }, { n: "2" }), 2)],
  }),
  routed({
    id: "interval-is-long",
    covers: `${R}/group-interval`,
    title: "An alert that joins a group later is not notified before group_interval.",
    steps: [
      setup(
        {
          routes: [
            { receiver: "clock", group_by: ["n"], continue: true },
            { receiver: "one", group_interval: "3s" },
          ],
        },
        { ends: { clock: {}, one: {} } },
      ),
      post(firing({ n: "1" })),
      until("one"),
      post(firing({ n: "2" })),
      until("clock", 1, about({ n: "2" })),
      post(firing({ n: "3" })),
      until("one", 2),
    ],
    see: seen("one", exactly({ n: "1" }, { n: "2" }, { n: "3" }), 2),
  }),
  routed({
    id: "interval-brings-resolved",
    covers: [`${R}/group-interval`, "configuration.receiver/send-resolved", "notifications.data/status"],
    title: "An alert of a group that is resolved is notified as such, while another fires.",
    steps: [
      setup(),
      post(firing({ n: "1" }), firing({ n: "2" })),
      until("main"),
      post(over({ n: "2" })),
      until("main", 1, about({ n: "2" }, { status: "resolved" })),
    ],
    see: seen("main", { body: { status: "firing" }, alerts: [{ labels: { n: "1" }, status: "firing" }, resolved({ n: "2" })] }),
  }),
  routed({
    id: "resolved-all",
    covers: ["notifications.data/status", "configuration.receiver/send-resolved"],
    title: "When all alerts of a group are resolved, the notification is.",
    steps: [setup(), post(firing({ n: "1" })), until("main"), post(over({ n: "1" })), until("main", 2)],
    see: [
      seen("main", { body: { status: "firing" } }, 1),
      seen("main", { body: { status: "resolved" }, alerts: [{ status: "resolved", endsAt: { $near: 0 } }] }, 2),
    ],
  }),
  routed({
    id: "resolved-once",
    covers: `${R}/group-interval`,
    title: "An alert that was notified as resolved is in no later notification.",
    steps: [
      setup(),
      post(firing({ n: "1" }), firing({ n: "2" })),
      until("main"),
      post(over({ n: "2" })),
      until("main", 1, about({ n: "2" }, { status: "resolved" })),
      post(firing({ n: "3" })),
      until("main", 1, about({ n: "3" })),
    ],
    see: seen("main", exactly({ n: "1" }, { n: "3" })),
  }),
  routed({
    id: "resolved-again-firing",
    covers: `${R}/group-interval`,
    title: "An alert that fires again after it was resolved is notified again.",
    steps: [
      setup(),
      post(firing({ n: "1" })),
      until("main"),
      post(over({ n: "1" })),
      until("main", 1, { body: { status: "resolved" } }),
      post(firing({ n: "1" })),
      until("main", 2, { body: { status: "firing" } }),
    ],
    see: seen("main", exactly({ n: "1" })),
  }),
  routed({
    id: "resolved-by-end",
    covers: ["alerts-api.post/elapsed", "configuration.receiver/send-resolved"],
    title: "An alert is notified as resolved when its endsAt is over.",
    steps: [setup(), post(firing({}, { endsAt: "{now+3}" })), until("main"), until("main", 1, { body: { status: "resolved" } })],
    see: seen("main", { body: { status: "firing" } }, 1),
  }),
  routed({
    id: "resolved-by-silence-of-client",
    covers: ["alerts-api.post/ends-at", "alerts-api.post/elapsed"],
    title: "An alert without endsAt that is not posted again is notified as resolved after resolve_timeout.",
    steps: [
      setup(),
      post({ labels: { alertname: "Down", case: "{case}" } }),
      until("main"),
      until("main", 1, { body: { status: "resolved" } }),
    ],
    see: seen("main", { body: { status: "firing" } }, 1),
  }),
  routed({
    id: "resolved-not-sent",
    covers: "configuration.receiver/send-resolved",
    title: "With send_resolved: false a resolved alert is not notified.",
    steps: [
      setup(
        { routes: [{ receiver: "quiet", continue: true }, { receiver: "one" }] },
        { ends: { quiet: { settings: { send_resolved: false } }, one: {} } },
      ),
      post(firing({ n: "1" }), firing({ n: "2" })),
      until("quiet"),
      until("one"),
      post(over({ n: "2" })),
      until("one", 1, about({ n: "2" }, { status: "resolved" })),
      post(firing({ n: "3" })),
      until("quiet", 1, about({ n: "3" })),
    ],
    see: [unseen("quiet", { alerts: { $has: [{ status: "resolved" }] } }), seen("quiet", exactly({ n: "1" }, { n: "3" }))],
  }),
  routed({
    id: "repeat-not-early",
    covers: `${R}/repeat-interval`,
    title: "A notification without news is not repeated before repeat_interval.",
    steps: [setup(...beside()), post(firing()), until("one"), until("clock", 3)],
    see: count("one", 1, 1),
  }),
  routed({
    id: "repeat-when-due",
    covers: `${R}/repeat-interval`,
    title: "A notification without news is repeated after repeat_interval.",
    steps: [setup({ repeat_interval: "1s" }), post(firing()), until("main", 3)],
    see: { see: "every-request", at: "main", is: { ...(exactly({ alertname: "Down" }) as object), body: { status: "firing" } } },
  }),
  routed({
    id: "repeat-not-of-posts",
    covers: ["alerts-api.post/deduplicated", `${R}/repeat-interval`],
    title: "An alert that is posted again is not notified again.",
    steps: [setup(...beside()), post(firing()), until("one"), post(firing()), until("clock", 2), post(firing()), until("clock", 4)],
    see: count("one", 1, 1),
  }),
  routed({
    id: "repeat-not-of-resolved",
    covers: `${R}/repeat-interval`,
    title: "A resolved notification is not repeated.",
    steps: [
      setup({ repeat_interval: "1s", group_by: ["n"] }),
      post(firing({ n: "1" }), firing({ n: "2" })),
      until("main", 1, about({ n: "1" })),
      post(over({ n: "1" })),
      until("main", 1, about({ n: "1" }, { status: "resolved" })),
      until("main", 5, about({ n: "2" })),
    ],
    see: count("main", 1, 1, about({ n: "1" }, { status: "resolved" }) as object),
  }),
];
