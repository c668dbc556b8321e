import type { Answer, Stage } from "../vocabulary.ts";
import { bad, LEAK, made, openMetrics, page } from "./phrases.ts";

/** When a sample was, and when a series ends. */

const S = "configuration.scrape-config";
const GONE = "staleness.marking/series-gone";
const CONTROL: readonly Stage[] = [page(1, "a 1", "b 1")];
/** A series of a target that cannot be scraped any more, until it can. */
const FAILURES: readonly (readonly [id: string, title: string, answer: Answer])[] = [
  ["error", "answers with 500", { status: 500, page: "" }],
  ["dropped", "ends the connection", { how: "drop" }],
  ["hang", "does not answer in time", { how: "hang" }],
  ["malformed", "has a malformed page", { page: `${LEAK}\n}{ 1 1 1\n` }],
];

export const cases = [
  made({
    id: "time-of-scrape",
    covers: `${S}/honor-timestamps-true`,
    title: "Samples without a time of their own have that of their scrape.",
    stages: [page(1, "a 1", "b 2")],
    see: { see: "keeps", rule: "scrape-times", words: ["a", "b"] },
  }),
  made({
    id: "time-of-page",
    covers: `${S}/honor-timestamps-true`,
    title: "A sample of the text format has the time that the page gives it, in milliseconds.",
    stages: [page(1, "a {ms-5000} {ms-5000}")],
    see: { see: "keeps", rule: "own-times", words: ["a"] },
  }),
  made({
    id: "time-of-openmetrics",
    covers: `${S}/honor-timestamps-true`,
    title: "A sample of OpenMetrics has the time that the page gives it, in seconds with a fraction.",
    stages: [{ answer: openMetrics(1, "# TYPE a gauge", "a {ms-5000} {s-5000}"), until: "stored" }],
    see: { see: "keeps", rule: "own-times", words: ["a"] },
  }),
  made({
    id: "time-beside-others",
    covers: `${S}/honor-timestamps-true`,
    title: "A sample with a time of its own changes that of no other.",
    stages: [page(1, "a {ms-5000} {ms-5000}", "b 2")],
    see: [
      { see: "keeps", rule: "own-times", words: ["a"] },
      { see: "keeps", rule: "scrape-times", words: ["b"] },
    ],
  }),
  made({
    id: "time-ignored",
    covers: `${S}/honor-timestamps-false`,
    title: "Times of the page are ignored with honor_timestamps: false.",
    settings: { honor_timestamps: false },
    stages: [page(1, "a 1 {ms-5000}")],
    see: { see: "keeps", rule: "scrape-times", words: ["a"] },
  }),
  made({
    id: "ends-series",
    covers: GONE,
    title: "A series that the page no longer has ends.",
    stages: [page(1, "a 1", "b 1"), page(2, "b 1")],
    see: { see: "ended", name: "a" },
    control: CONTROL,
  }),
  made({
    id: "ends-nothing-else",
    covers: GONE,
    title: "The end of a series is that of no other.",
    stages: [page(1, "a 1", "b 1"), page(2, "b 1")],
    see: { see: "goes-on", name: "b" },
    control: CONTROL,
  }),
  made({
    id: "ends-one-of-metric",
    covers: GONE,
    title: "Of a metric only the series ends whose labels the page no longer has.",
    stages: [page(1, 'a{n="1"} 1', 'b{n="1"} 1', 'b{n="2"} 1'), page(2, 'b{n="2"} 1')],
    see: [
      { see: "goes-on", name: "b" },
      { see: "ended", name: "a" },
    ],
    control: CONTROL,
  }),
  made({
    id: "shows-series-again",
    covers: "staleness.marking/returns",
    title: "A series that comes back is shown again.",
    stages: [page(1, "a 1"), page(2), page(3, "a 3")],
    see: [
      { see: "goes-on", name: "a" },
      { see: "stored", name: "a", value: 3, stage: 3 },
    ],
    control: CONTROL,
  }),
  made({
    id: "ends-not-a-number",
    covers: GONE,
    title: "A series whose value is NaN goes on.",
    stages: [page(1, "a 1"), page(2, "a NaN")],
    see: { see: "goes-on", name: "a" },
    control: CONTROL,
  }),
  ...FAILURES.map(([id, title, answer]) =>
    made({
      id: `ends-on-${id}`,
      covers: GONE,
      title: `The series of a target that ${title} end.`,
      stages: [page(1, "a 1"), bad(answer), page(3)],
      see: { see: "ended", name: "a" },
      control: CONTROL,
    }),
  ),
  made({
    id: "end-is-no-sample",
    covers: GONE,
    title: "While a target cannot be scraped, its series have no samples.",
    stages: [page(1, "a 1"), bad({ status: 500 }), page(3, "a 3")],
    see: { see: "keeps", rule: "gap", words: ["a", "1", "3"] },
    control: CONTROL,
  }),
  made({
    id: "own-times-go-on",
    covers: "staleness.marking/own-times",
    level: "SHOULD",
    title: "A series with times of its own goes on for a while after the page no longer has it.",
    stages: [page(1, "a 1 {ms-1000}"), page(2)],
    see: { see: "goes-on", name: "a" },
    control: [page(1, "a 1 {ms-1000}")],
  }),
  made({
    id: "own-times-tracked",
    covers: `${S}/track-timestamps`,
    title: "A series with times of its own ends with the page where that is configured.",
    settings: { track_timestamps_staleness: true },
    needs: ["track"],
    stages: [page(1, "a 1 {ms-1000}"), page(2)],
    see: { see: "ended", name: "a" },
    control: [page(1, "a 1 {ms-1000}")],
  }),
  made({
    id: "ends-removed-target",
    covers: ["staleness.marking/target-removed", "configuration.file-sd-config/changes"],
    title: "The series of a target that leaves the file of targets end soon.",
    isListed: true,
    stages: [page(1, "a 1"), { answer: { page: "" }, until: "gone", leaves: true }],
    see: { see: "stored", name: "a", stage: 1 },
    control: [page(1, "a 1")],
  }),
];
