import type { RouterSetup, Settings } from "../../vocabulary.ts";
import { about, exactly, firing, post, routed, seen, setup, unseen, until } from "../phrases.ts";

/** Times at which routes are muted, or active. What holds always, or never, holds at any time of a run. */

const T = "configuration.time-interval";
const ALWAYS: readonly (readonly [id: string, covers: string, title: string, interval: Settings])[] = [
  ["empty", "fields", "without fields", {}],
  ["whole-day", "ranges", "from 00:00 to 24:00", { times: [{ start_time: "00:00", end_time: "24:00" }] }],
  [
    "halves-of-day",
    "fields",
    "of both halves of the day",
    {
      times: [
        { start_time: "00:00", end_time: "12:00" },
        { start_time: "12:00", end_time: "24:00" },
      ],
    },
  ],
  ["weekdays", "ranges", "of all days of the week", { weekdays: ["sunday:saturday"] }],
  ["weekdays-case", "fields", "of all days of the week by name", { weekdays: ["Monday:Friday", "Saturday", "SUNDAY"] }],
  ["days", "ranges", "of all days of the month", { days_of_month: ["1:31"] }],
  ["days-from-end", "ranges", "of all days of the month, counted from its end", { days_of_month: ["-31:-1"] }],
  ["months", "ranges", "of all months by number", { months: ["1:12"] }],
  ["months-by-name", "ranges", "of all months by name", { months: ["January:june", "july", "August:December"] }],
  ["years", "ranges", "of the years to come", { years: ["2020:2999"] }],
  [
    "all-fields",
    "fields",
    "with every field",
    {
      times: [{ start_time: "00:00", end_time: "24:00" }],
      weekdays: ["sunday:saturday"],
      months: ["1:12"],
      years: ["2020:2999"],
      days_of_month: ["1:31"],
    },
  ],
  ["location", "location", "of a location", { times: [{ start_time: "00:00", end_time: "24:00" }], location: "Australia/Sydney" }],
];
const NEVER: readonly (readonly [id: string, covers: string, title: string, interval: Settings])[] = [
  ["past", "fields", "of years that are over", { years: ["1990:1999"] }],
  ["one-field", "fields", "of which one field never holds", { weekdays: ["sunday:saturday"], months: ["1:12"], years: ["1990"] }],
  ["location-past", "location", "of a location, in years that are over", { years: ["1990"], location: "Australia/Sydney" }],
];

/** A route with times, a sibling after it, and a clock. */
const timed = (kind: "mute" | "active", ...intervals: readonly Settings[]): RouterSetup =>
  setup(
    {
      routes: [
        { receiver: "timed", matchers: ['n="1"'], [`${kind}_time_intervals`]: intervals.map((_, at) => `i${at}`) },
        { receiver: "clock", matchers: ['n="clock"'], repeat_interval: "1s" },
        { receiver: "sibling" },
      ],
    },
    { ends: { timed: {}, clock: {}, sibling: {} }, intervals: Object.fromEntries(intervals.map((interval, at) => [`i${at}`, [interval]])) },
  );
const POST = post(firing({ n: "1" }), firing({ n: "clock" }));
const heard = (setting: RouterSetup) => ({ steps: [setting, POST, until("timed")], see: seen("timed", exactly({ n: "1" })) });
const quiet = (setting: RouterSetup, control: RouterSetup) => ({
  steps: [setting, POST, until("clock", 3)],
  see: [unseen("timed"), unseen("sibling")],
  control: [control, POST, until("timed")],
});
const PAST = { years: ["1990"] };

export const cases = [
  ...ALWAYS.flatMap(([id, covers, title, interval]) => [
    routed({
      id: `active-${id}`,
      covers: [`${T}/${covers}`, "configuration.route/active-times"],
      title: `A route sends notifications in its active times: an interval ${title}.`,
      ...heard(timed("active", interval)),
    }),
    routed({
      id: `mute-${id}`,
      covers: [`${T}/${covers}`, "configuration.route/mute-times"],
      title: `A route sends no notifications in its mute times: an interval ${title}.`,
      ...quiet(timed("mute", interval), timed("mute", PAST)),
    }),
  ]),
  ...NEVER.flatMap(([id, covers, title, interval]) => [
    routed({
      id: `active-${id}`,
      covers: [`${T}/${covers}`, "configuration.route/active-times"],
      title: `A route sends no notifications outside of its active times: an interval ${title}.`,
      ...quiet(timed("active", interval), timed("active", {})),
    }),
    routed({
      id: `mute-${id}`,
      covers: [`${T}/${covers}`, "configuration.route/mute-times"],
      title: `A route sends notifications outside of its mute times: an interval ${title}.`,
      ...heard(timed("mute", interval)),
    }),
  ]),
  routed({
    id: "active-several",
    covers: "configuration.route/active-times",
    title: "A route is active if one of its active times holds.",
    ...heard(timed("active", PAST, {})),
  }),
  routed({
    id: "mute-several",
    covers: "configuration.route/mute-times",
    title: "A route is muted if one of its mute times holds.",
    ...quiet(timed("mute", PAST, {}), timed("mute", PAST, PAST)),
  }),
  routed({
    id: "mute-continues",
    covers: ["configuration.route/mute-times", "configuration.route/continue"],
    title: "A muted route with continue lets the next one take the alert.",
    steps: [
      setup(
        {
          routes: [
            { receiver: "timed", continue: true, mute_time_intervals: ["always"] },
            { receiver: "clock", repeat_interval: "1s" },
          ],
        },
        { ends: { timed: {}, clock: {} }, intervals: { always: [{}] } },
      ),
      post(firing()),
      until("clock", 2),
    ],
    see: [unseen("timed"), seen("clock", about({ alertname: "Down" }))],
    control: [
      setup({ routes: [{ receiver: "timed", continue: true }, { receiver: "clock" }] }, { ends: { timed: {}, clock: {} } }),
      post(firing()),
      until("timed"),
      until("clock"),
    ],
  }),
];
