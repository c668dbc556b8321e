import type { Level } from "../../../../reference/core/index.ts";
import type { SenderCase } from "../../sender-vocabulary.ts";
import { made, NATIVE, PROTOCOLS } from "./phrases.ts";

/** What every request of a sender must be: header fields, content, labels, samples. */

/** The rule, what it covers in protocol 1 and in protocol 2 (empty: nothing), and their levels. */
type Row = readonly [rule: string, one: string, two: string, title: string, level?: Level | readonly [one: Level, two: Level]];

const ROWS: readonly Row[] = [
  ["post", "1.protocol/post", "2.protocol/post", "The sender uses POST"],
  ["path", "1.protocol/post", "2.protocol/post", "The sender posts to the path and the query of its URL"],
  ["coding", "1.protocol/headers", "2.content-encoding/snappy", "The sender states Content-Encoding: snappy"],
  ["type", "1.protocol/headers", "2.content-type/value", "The sender states the Content-Type of its message"],
  ["version", "1.protocol/headers", "2.version/newest", "The sender states the version of the protocol", ["MUST", "SHOULD"]],
  ["agent", "1.protocol/headers", "2.user-agent/present", "The sender states a User-Agent"],
  [
    "agent-version",
    "1.protocol/headers",
    "2.user-agent/format",
    "The User-Agent of the sender has a name and a version",
    ["MUST", "SHOULD"],
  ],
  ["once", "1.protocol/headers", "2.protocol/headers", "The sender states each reserved field once"],
  ["block", "1.protocol/block", "2.protocol/block", "The content of the sender is one Snappy block, not framed"],
  ["message", "1.protocol/schema", "2.message/schema", "The sender writes messages of protobuf that are whole"],
  ["schema", "1.protocol/schema", "2.message/schema", "The sender writes only fields of the schema"],
  ["first-symbol", "", "2.symbols/first-empty", "The first symbol of the sender is empty"],
  ["symbols-once", "", "2.symbols/deduplicated", "The sender writes each symbol once"],
  ["references", "", "2.symbols/in-range", "The references of the sender are in its table of symbols, and in pairs"],
  ["samples-or-histograms", "", "2.message/samples-or-histograms", "A series of the sender has samples or histograms, and not both"],
  ["metadata-type", "", "2.message/metadata", "The sender states the type of a counter", "SHOULD"],
  ["metadata-help", "", "2.message/metadata", "The sender states the help text of a metric", "SHOULD"],
  ["several-series", "", "2.partial-write/several-series", "The sender writes several series in one request", "SHOULD"],
  [
    "sorted",
    "1.labels/sorted",
    "2.series-labels/sorted",
    "The sender sorts labels by name, also capitals, underscores and those that it adds",
  ],
  [
    "unique",
    "1.labels/not-repeated",
    "2.series-labels/not-repeated",
    "The sender repeats no label name, also of labels that it adds",
    "MUST NOT",
  ],
  [
    "own-label",
    "1.labels/complete",
    "2.series-labels/complete",
    "The label of a series prevails over an external one of the same name",
    "SHOULD",
  ],
  [
    "not-reserved",
    "1.labels/reserved",
    "2.series-labels/reserved",
    "The sender writes no label that begins with two underscores, but __name__",
    "SHOULD NOT",
  ],
  ["names-not-empty", "1.labels/not-empty", "2.series-labels/not-empty", "The sender writes no label without a name", "MUST NOT"],
  [
    "values-not-empty",
    "1.labels/not-empty",
    "2.series-labels/not-empty",
    "The sender leaves out a label whose value is empty on the page",
    "MUST NOT",
  ],
  ["metric-name", "1.labels/metric-name", "2.series-labels/metric-name", "The sender writes the label __name__", "SHOULD"],
  ["metric-letters", "1.labels/names", "2.series-labels/names", "The sender writes metric names of the plain letters", ["MUST", "SHOULD"]],
  ["label-letters", "1.labels/names", "2.series-labels/names", "The sender writes label names of the plain letters", ["MUST", "SHOULD"]],
  [
    "complete",
    "1.labels/complete",
    "2.series-labels/complete",
    "The sender writes all labels with each sample: those of the target, and external ones",
  ],
  ["texts", "1.labels/complete", "2.series-labels/utf-8", "The sender writes label values as UTF-8, with nothing escaped"],
  ["milliseconds", "1.protocol/times", "2.samples/times", "The sender writes times in milliseconds"],
  ["values", "1.protocol/times", "2.samples/times", "The sender writes floats exactly: fractions, extremes, infinities, NaN"],
  ["order-within", "1.ordering/order", "2.samples/order", "The samples of a series are in order within a request of the sender"],
  ["order", "1.ordering/order", "2.samples/order", "The samples of a series are in order over all requests of the sender"],
  [
    "sent-once",
    "1.retries-backoff/no-retry",
    "2.invalid-samples/no-retry",
    "The sender sends no sample again that was accepted",
    ["MUST NOT", "SHOULD NOT"],
  ],
  ["marks-series", "1.stale-markers/sent", "2.samples/stale", "The sender marks the end of a series that its target no longer has"],
  ["marks-target", "1.stale-markers/sent", "2.samples/stale", "The sender marks the end of the series of a target that is down"],
  [
    "marks-nothing-else",
    "1.stale-markers/marker",
    "2.samples/marker",
    "The sender marks no series as stale that goes on, nor one whose value is NaN",
  ],
  ["loses-nothing", "1.labels/complete", "2.series-labels/complete", "The sender sends each scrape", "SHOULD"],
];

const NATIVES: readonly (readonly [id: string, rule: string, covers: string, title: string, level: Level])[] = [
  [
    "native-values",
    "native-values",
    "2.message/histograms",
    "The sender writes a native histogram with its count, sum, schema and buckets",
    "SHOULD",
  ],
  [
    "native-order",
    "native-order",
    "2.samples/order",
    "The native histograms of a series are in order over all requests of the sender",
    "MUST",
  ],
  ["marks-native", "marks-native", "2.samples/stale", "The sender marks the end of a native histogram of a target that is down", "MUST"],
  [
    "native-apart",
    "samples-or-histograms",
    "2.message/samples-or-histograms",
    "A series of the sender has either samples or histograms when the page has both",
    "MUST",
  ],
];

const plain = PROTOCOLS.flatMap((protocol) =>
  ROWS.flatMap(([rule, one, two, title, level = "MUST"]) => {
    const covers = protocol === 1 ? one : two;
    if (covers === "") return [];
    return [made(protocol, { id: rule, covers, level: typeof level === "string" ? level : level[protocol - 1]!, title, rule })];
  }),
);

export const cases: readonly SenderCase[] = [
  ...plain,
  ...NATIVES.map(([id, rule, covers, title, level]) => made(2, { id, covers, level, title, rule, step: NATIVE, needs: ["histograms"] })),
];
