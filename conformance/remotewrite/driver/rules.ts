import type { ReadSeries } from "../../wire/remotewrite/read.ts";
import { ESCAPED, EXTERNAL, HELP, nativeAt, SPECIAL, UTF8 } from "./page.ts";
import { type Arrived, isGood, keyOf, labelOf, type Point, pointsOf, type Record, writes } from "./record.ts";

/** What must be true of the requests of a sender. Each rule returns its first fault. */

export type Rule = (record: Record, status: number | undefined) => string | undefined;

/** The first fault among all requests with samples; nothing is proved without any. */
const each =
  (fault: (request: Arrived, record: Record) => string | undefined): Rule =>
  (record) => {
    const all = writes(record);
    if (all.length === 0) return "No request with samples arrived";
    for (const one of all) {
      const found = fault(one, record);
      if (found !== undefined) return found;
    }
    return undefined;
  };
/** The first fault among all series. */
const eachSeries = (fault: (series: ReadSeries, record: Record) => string | undefined): Rule =>
  each(({ message, fault: why }, record) => {
    if (message === undefined) return `A request cannot be read: ${why}`;
    for (const one of message.series) {
      const found = fault(one, record);
      if (found !== undefined) return `${found} in ${JSON.stringify(one.labels)}`;
    }
    return undefined;
  });
const field = ({ headers }: Arrived, name: string): string | undefined => headers.find(([own]) => own === name)?.[1];
const fieldIs = (name: string, allowed: (record: Record) => readonly string[]): Rule =>
  each((request, record) => {
    const value = field(request, name);
    return value !== undefined && allowed(record).includes(value.toLowerCase().replaceAll(/\s/g, ""))
      ? undefined
      : `${name} is ${value === undefined ? "missing" : JSON.stringify(value)}`;
  });

const TYPES = {
  1: ["application/x-protobuf", "application/x-protobuf;proto=prometheus.writerequest"],
  2: ["application/x-protobuf;proto=io.prometheus.write.v2.request"],
} as const;
const METRIC = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const RESERVED = ["content-encoding", "content-type", "user-agent", "x-prometheus-remote-write-version"];

const HEADER_RULES = {
  post: each(({ method }) => (method === "POST" ? undefined : `The method is ${method}`)),
  path: each(({ path }, { url }) => (path === new URL(url).pathname + new URL(url).search ? undefined : `The path is ${path}`)),
  coding: fieldIs("content-encoding", () => ["snappy"]),
  type: fieldIs("content-type", ({ protocol }) => TYPES[protocol]),
  version: fieldIs("x-prometheus-remote-write-version", ({ protocol }) => (protocol === 1 ? ["0.1.0"] : ["2.0.0"])),
  agent: each((request) => ((field(request, "user-agent") ?? "") === "" ? "There is no User-Agent" : undefined)),
  "agent-version": each((request) =>
    /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]*/.test(field(request, "user-agent") ?? "")
      ? undefined
      : `User-Agent is ${JSON.stringify(field(request, "user-agent"))}`,
  ),
  once: each(({ headers }) => {
    const twice = RESERVED.find((name) => headers.filter(([own]) => own === name).length > 1);
    return twice === undefined ? undefined : `${twice} is there twice`;
  }),
} satisfies Readonly<{ [name: string]: Rule }>;

const MESSAGE_RULES = {
  block: each(({ fault }) =>
    fault?.includes("Snappy") === true || fault?.startsWith("the block") === true ? `The content is wrong: ${fault}` : undefined,
  ),
  message: each(({ message, fault }) => (message === undefined ? `The message is wrong: ${fault}` : undefined)),
  schema: each(({ message, fault }) =>
    message === undefined
      ? `The message is wrong: ${fault}`
      : message.unknown[0] === undefined
        ? undefined
        : `The schema has no ${message.unknown[0]}`,
  ),
  references: each(({ fault }) =>
    fault?.includes("reference") === true || fault?.includes("label name") === true
      ? `There is ${fault}`
      : fault === undefined
        ? undefined
        : `The message is wrong: ${fault}`,
  ),
  "first-symbol": each(({ message }) =>
    message?.symbols[0] === "" ? undefined : `The first symbol is ${JSON.stringify(message?.symbols[0])}`,
  ),
  "symbols-once": each(({ message }) =>
    message !== undefined && new Set(message.symbols).size === message.symbols.length ? undefined : "A symbol is there twice",
  ),
  "several-series": (record) =>
    writes(record).some(({ message }) => (message?.series.length ?? 0) > 1) ? undefined : "No request has several series",
} satisfies Readonly<{ [name: string]: Rule }>;

const name = ({ labels }: ReadSeries): string => labels.find(([own]) => own === "__name__")?.[1] ?? "";
const LABEL_RULES = {
  sorted: eachSeries(({ labels }) =>
    labels.every(([own], at) => at === 0 || Buffer.compare(Buffer.from(labels[at - 1]![0]), Buffer.from(own)) <= 0)
      ? undefined
      : "Labels are not sorted",
  ),
  unique: eachSeries(({ labels }) => (new Set(labels.map(([own]) => own)).size === labels.length ? undefined : "A label name is repeated")),
  "not-reserved": eachSeries(({ labels }) => {
    const reserved = labels.find(([own]) => own.startsWith("__") && own !== "__name__");
    return reserved === undefined ? undefined : `There is a label ${reserved[0]}`;
  }),
  "names-not-empty": eachSeries(({ labels }) => (labels.some(([own]) => own === "") ? "A label has no name" : undefined)),
  "values-not-empty": eachSeries(({ labels }) => (labels.some(([, value]) => value === "") ? "A label has no value" : undefined)),
  "metric-name": eachSeries((one) => (name(one) === "" ? "There is no __name__" : undefined)),
  "metric-letters": eachSeries((one) => (name(one) === "" || METRIC.test(name(one)) ? undefined : "The metric name has other letters")),
  "label-letters": eachSeries(({ labels }) => (labels.every(([own]) => LABEL.test(own)) ? undefined : "A label name has other letters")),
  complete: eachSeries(({ labels }) => {
    const missing = ["job", "instance", ...EXTERNAL.map(([own]) => own)].find((own) => !labels.some(([label]) => label === own));
    return missing === undefined ? undefined : `There is no label ${missing}`;
  }),
  "own-label": (record) => {
    const found = pointsOf(writes(record)).find(({ series }) => labelOf(series, "__name__") === "conflict");
    if (found === undefined) return "The series conflict did not arrive";
    return labelOf(found.series, "region") === "us" ? undefined : "An external label replaces one of the series";
  },
  texts: (record) => {
    const found = pointsOf(writes(record)).find(({ series }) => labelOf(series, "__name__") === "texts");
    if (found === undefined) return "The series texts did not arrive";
    return labelOf(found.series, "a") === UTF8 && labelOf(found.series, "b") === ESCAPED
      ? undefined
      : `Its label values are others: ${found.series}`;
  },
  "samples-or-histograms": eachSeries(({ samples, histograms }) =>
    samples.length > 0 && histograms.length > 0
      ? "Samples and histograms are together"
      : samples.length + histograms.length === 0
        ? "There are no samples"
        : undefined,
  ),
  "metadata-type": metadata(({ type }) => (type === 1 ? undefined : `its type is ${type}`)),
  "metadata-help": metadata(({ help }) => (help === HELP ? undefined : `its help text is ${JSON.stringify(help)}`)),
} satisfies Readonly<{ [name: string]: Rule }>;

/** The metadata of the counter: of its last series, since the first may come before the page was read. */
function metadata(fault: (known: NonNullable<ReadSeries["metadata"]>) => string | undefined): Rule {
  return (record) => {
    const ticks = writes(record).flatMap(({ message }) => (message?.series ?? []).filter((one) => name(one) === "ticks_total"));
    const known = ticks.findLast((one) => one.metadata !== undefined)?.metadata;
    if (known === undefined) return "ticks_total has no metadata";
    const found = fault(known);
    return found === undefined ? undefined : `Of the metadata of ticks_total, ${found}`;
  };
}

const NATIVE_RULES = {
  "native-values": (record) => {
    const found = natives(record).flatMap(({ histogram, isStale }) => (histogram === undefined || isStale ? [] : [histogram]));
    if (found.length === 0) return "No native histogram arrived";
    for (const one of found) {
      const wanted = nativeAt(one.count - 3);
      if (one.schema !== 0 || one.sum !== wanted.sum || one.positive.join() !== wanted.positive.join())
        return `A histogram of ${one.count} arrived with the schema ${one.schema}, the sum ${one.sum} and the buckets ${one.positive.join(", ")}`;
    }
    return undefined;
  },
  "native-order": (record) => ordered(natives(record).filter(({ request }) => isGood(writes(record)[request]!.status))),
  "marks-native": (record) => {
    const found = natives(record);
    if (!found.some(({ histogram }) => histogram !== undefined)) return "No native histogram arrived";
    return found.some(({ isStale }) => isStale) ? undefined : "The histogram of a target that is down has no stale marker";
  },
} satisfies Readonly<{ [name: string]: Rule }>;
const natives = (record: Record): Point[] => pointsOf(writes(record)).filter(({ series }) => labelOf(series, "__name__") === "native");

const SECONDS = 1_000;
const SAMPLE_RULES = {
  milliseconds: (record) => {
    const points = pointsOf(writes(record));
    if (points.length === 0) return "No sample arrived";
    const wrong = points.find(({ time }) => time < record.began - 30 * SECONDS || time > record.ended + 30 * SECONDS);
    return wrong === undefined ? undefined : `A sample has the time ${wrong.time}`;
  },
  values: (record) => {
    const points = pointsOf(writes(record)).filter(({ series, isStale }) => labelOf(series, "__name__") === "special" && !isStale);
    for (const [kind, value] of Object.entries(SPECIAL)) {
      const found = points.find(({ series }) => labelOf(series, "kind") === kind);
      if (found === undefined) return `The value ${value} did not arrive`;
      if (!Object.is(found.value, value)) return `The value ${value} arrived as ${found.value}`;
    }
    return undefined;
  },
  "order-within": each(({ message }) => {
    for (const { labels, samples } of message?.series ?? [])
      if (samples.some(({ time }, at) => at > 0 && samples[at - 1]!.time > time))
        return `The samples of ${JSON.stringify(labels)} are not in order`;
    return message === undefined ? "The message cannot be read" : undefined;
  }),
  order: (record) => ordered(pointsOf(writes(record).filter(({ status }) => isGood(status)))),
  "sent-once": (record) => {
    const points = pointsOf(writes(record).filter(({ status }) => isGood(status)));
    if (points.length === 0) return "No sample was accepted";
    const seen = new Set<string>();
    for (const point of points) {
      if (seen.has(keyOf(point))) return `A sample of ${point.series} was sent again after it was accepted`;
      seen.add(keyOf(point));
    }
    return undefined;
  },
  "marks-series": (record) => {
    const points = pointsOf(writes(record)).filter(({ series }) => labelOf(series, "__name__") === "vanishing");
    if (points.length === 0) return "The series vanishing did not arrive";
    return points.some(({ isStale }) => isStale) ? undefined : "The series that went away has no stale marker";
  },
  "marks-target": (record) => {
    const points = pointsOf(writes(record)).filter(({ series }) => labelOf(series, "__name__") === "ticks_total");
    return points.some(({ isStale }) => isStale) ? undefined : "The series of a target that is down has no stale marker";
  },
  "marks-nothing-else": (record) => {
    const all = pointsOf(writes(record));
    const ticks = all.filter(({ series }) => labelOf(series, "__name__") === "ticks_total");
    if (ticks.length === 0) return "No sample arrived";
    // A scrape that fails ends all series for a while.
    const ends = new Set(ticks.flatMap(({ isStale, time }) => (isStale ? [time] : [])));
    const early = all.find(({ isStale, series, time }) => isStale && labelOf(series, "__name__") !== "vanishing" && !ends.has(time));
    return early === undefined ? undefined : `A stale marker of ${early.series} comes before its end`;
  },
} satisfies Readonly<{ [name: string]: Rule }>;

function ordered(points: readonly Point[]): string | undefined {
  if (points.length === 0) return "No sample was accepted";
  const last = new Map<string, number>();
  for (const { series, time } of points) {
    if (time < (last.get(series) ?? -Infinity)) return `A sample of ${series} comes after a newer one`;
    last.set(series, time);
  }
  return undefined;
}

/** The requests answered with a status, with their places. */
const answered = (record: Record, status: number | undefined): readonly number[] =>
  writes(record).flatMap((one, at) => (one.status === status ? [at] : []));

const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;

const LATER_RULES = {
  /** Every sample of such a request comes again. */
  "sends-again": (record, status) => {
    const all = writes(record);
    const places = answered(record, status);
    if (places.length === 0) return `No request was answered with ${status}`;
    const points = pointsOf(all);
    for (const place of places) {
      if (!points.some(({ request }) => request === place)) return `What was answered with ${status} cannot be read`;
      const later = new Set(points.filter(({ request }) => request > place).map(keyOf));
      const lost = points.find((one) => one.request === place && !later.has(keyOf(one)));
      if (lost !== undefined) return `A sample of ${lost.series} was not sent again after ${status}`;
    }
    return undefined;
  },
  /** No sample of such a request comes again. */
  "gives-up": (record, status) => {
    const places = answered(record, status);
    if (places.length === 0) return `No request was answered with ${status}`;
    const points = pointsOf(writes(record));
    for (const place of places) {
      const own = new Set(points.filter(({ request }) => request === place).map(keyOf));
      if (own.size === 0) return `What was answered with ${status} cannot be read`;
      const again = points.find((one) => one.request > place && own.has(keyOf(one)));
      if (again !== undefined) return `A sample of ${again.series} was sent again after ${status}`;
    }
    return undefined;
  },
  /** Newer samples follow. */
  "goes-on": (record, status) => {
    const all = writes(record);
    const places = answered(record, status);
    if (places.length === 0) return `No request was answered with ${status}`;
    const last = Math.max(...places);
    const before = Math.max(...pointsOf(all.slice(0, last + 1)).map(({ time }) => time));
    return pointsOf(all.slice(last + 1)).some(({ time }) => time > before) ? undefined : `Nothing newer was sent after ${status}`;
  },
  /** Each scrape of the counter arrives, from the first that did, but for those that have failed: then a stale marker takes their place. */
  "loses-nothing": (record) => {
    const ticks = pointsOf(writes(record).filter(({ status }) => isGood(status)))
      .filter(({ series }) => labelOf(series, "__name__") === "ticks_total")
      .sort((a, b) => a.time - b.time);
    if (ticks.every(({ isStale }) => isStale)) return "No sample was accepted";
    for (const [at, { value, isStale }] of ticks.entries()) {
      const before = ticks[at - 1];
      if (before === undefined || isStale || before.isStale || value - before.value <= 1) continue;
      return `Between the scrapes ${before.value} and ${value} there is one that did not arrive`;
    }
    return undefined;
  },
  /** The waits between failures grow. */
  "backs-off": (record) => {
    const all = writes(record);
    const waits: number[] = [];
    for (let at = 1; at < all.length && all[at - 1]!.status >= 500; at++) waits.push(all[at]!.at - all[at - 1]!.answeredAt);
    if (waits.length < 4) return `There are only ${waits.length} waits`;
    // Means: a wait may be random, and a busy machine adds to each.
    const [early, late] = [mean(waits.slice(0, 2)), mean(waits.slice(-2))];
    return late >= early * 2 ? undefined : `The waits are ${waits.map((ms) => Math.round(ms)).join(", ")} ms`;
  },
  /** The next attempt comes as late as the answer asked for. */
  "waits-as-told": (record, status) => {
    const all = writes(record);
    const at = all.findIndex((one) => one.status === status);
    const next = all[at + 1];
    if (at < 0 || next === undefined) return `No request follows ${status}`;
    const waited = next.at - all[at]!.answeredAt;
    return waited >= 900 ? undefined : `It waits ${Math.round(waited)} ms, not 1 s`;
  },
  /** What was scraped before the end of the first life arrives. */
  "keeps-over-restart": (record) => {
    if (record.restartedAt === undefined) return "It was not restarted";
    return early(record, record.restartedAt, "of before the restart");
  },
  "keeps-while-away": (record) => {
    const values = accepted(record);
    return values.some((value) => value <= record.scrapesAway)
      ? undefined
      : `No scrape of the ${record.scrapesAway} before anything listened arrived`;
  },
} satisfies Readonly<{ [name: string]: Rule }>;

const accepted = (record: Record): number[] =>
  pointsOf(writes(record).filter(({ status }) => isGood(status)))
    .filter(({ series, isStale }) => labelOf(series, "__name__") === "ticks_total" && !isStale)
    .map(({ value }) => value);

/** Whether all samples that were refused before a moment were accepted later. */
function early(record: Record, before: number, words: string): string | undefined {
  const all = writes(record);
  const points = pointsOf(all);
  const good = new Set(points.filter(({ request }) => isGood(all[request]!.status)).map(keyOf));
  const first = points.filter(({ request }) => all[request]!.at < before && !isGood(all[request]!.status));
  if (first.length === 0) return `No sample ${words} was sent`;
  const lost = first.find((one) => !good.has(keyOf(one)));
  return lost === undefined ? undefined : `A sample of ${lost.series} ${words} did not arrive`;
}

export const RULES: Readonly<{ [name: string]: Rule }> = {
  ...HEADER_RULES,
  ...MESSAGE_RULES,
  ...LABEL_RULES,
  ...SAMPLE_RULES,
  ...NATIVE_RULES,
  ...LATER_RULES,
};
