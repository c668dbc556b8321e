import { Columns, CUSTOM_BOUNDS, type Histogram, Labels, Matcher, METRIC_NAME } from "../../../reference/metrics/model/index.ts";
import { MessageWriter } from "../../../reference/metrics/remote/message-writer.ts";
import {
  messageOf,
  outcomeOf,
  type QueuedSeries,
  readFrames,
  readRequest,
  readResponse,
  receiveWrite,
  RequestWriter,
  type SendBatch,
  SentForms,
  type SendOutcome,
  SendQueue,
  type SentSample,
  ShardPlan,
  unpackedMessage,
  type WriteMessage,
} from "../../../reference/metrics/remote/index.ts";
import { MemoryStorage } from "../../../reference/metrics/storage/index.ts";
import { Packer } from "../../../reference/metrics/tsdb/codec/index.ts";
import { seeded } from "../../../reference/core/index.ts";
import { Chance } from "./chance.ts";
import { damagedOctets } from "./metrics-draw.ts";
import { octetsText, outcome } from "./text.ts";

const LIVES = { queue: queueLife, messages: messagesLife, read: readLife, answers: answersLife } as const;

/** One life of a queue of samples, of write requests, of remote read, or of answers to requests. */
export function live(seed: number): string {
  const chance = new Chance(seed);
  return LIVES[chance.weighed({ queue: 3, messages: 4, read: 3, answers: 1 })](chance);
}

const LABELS = Array.from({ length: 5 }, (_, at) => Labels.of({ __name__: `m${at}`, ...(at > 2 && { i: "ä" }) }));
const seriesOf = (forms: SentForms): QueuedSeries[] => LABELS.map((labels, at) => ({ ...forms.of(labels), hash: at * 7 }));
const FLOAT = { isStale: false, histogram: undefined, exemplar: undefined } as const;
const EXEMPLARS = [Labels.NONE, Labels.of({ trace: "t" }), Labels.of({ i: "ä", m1: "ö" })] as const;

const HISTOGRAM: Histogram = {
  schema: 1,
  zeroThreshold: 0.25,
  zeroCount: 2,
  count: 13,
  sum: -4.5,
  positiveSpans: [
    { offset: -3, length: 2 },
    { offset: 4, length: 1 },
  ],
  negativeSpans: [{ offset: 0, length: 1 }],
  positive: [5, 1, 3],
  negative: [2],
  bounds: [],
  resetHint: "reset",
  isInteger: true,
};
const HISTOGRAMS: readonly [Histogram, ...Histogram[]] = [
  HISTOGRAM,
  { ...HISTOGRAM, isInteger: false, count: 13.5, zeroCount: 0.5, positive: [5.5, 1, 3], resetHint: "gauge" },
  {
    ...HISTOGRAM,
    schema: CUSTOM_BOUNDS,
    zeroThreshold: 0,
    zeroCount: 0,
    negativeSpans: [],
    negative: [],
    bounds: [1, 2, 3, 4, 5, 6, 7],
    positiveSpans: [{ offset: 1, length: 3 }],
    count: 9,
    resetHint: "none",
  },
  { ...HISTOGRAM, positiveSpans: [], positive: [], negativeSpans: [], negative: [], count: 2, resetHint: "unknown" },
  { ...HISTOGRAM, schema: -4, count: 1e12 + 13, positive: [1e12, 1, 10] },
];

function sampleOf(chance: Chance, all: readonly QueuedSeries[], time: number): SentSample & { readonly series: QueuedSeries } {
  const series = chance.any(all)!;
  if (chance.once(4)) return { ...FLOAT, series, time, value: 0, histogram: chance.one(HISTOGRAMS) };
  if (chance.once(6)) return { ...FLOAT, series, time, value: 2, exemplar: { labels: chance.one(EXEMPLARS), value: 2, time } };
  return { series, time, ...FLOAT, value: chance.one([0, 1, -2.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY]), isStale: chance.once(6) };
}

function queueLife(chance: Chance): string {
  const queue = new SendQueue<number>(
    {
      capacity: chance.one([4, 20]),
      batch: chance.one([1, 3, 5]),
      deadlineMs: 100,
      minBackoffMs: 30,
      maxBackoffMs: 100,
      ageLimitMs: chance.one([0, 0, 200]),
    },
    chance.between(1, 4),
    0,
  );
  const series = seriesOf(new SentForms("prometheus.WriteRequest"));
  const lines: string[] = [];
  const open: SendBatch[] = [];
  let now = 1_000;
  let time = 900;
  for (let step = chance.between(10, 40); step > 0; step--) {
    const action = chance.weighed({ add: 4, take: 6, settle: 5, wait: 3, resize: 0.5, flush: 0.2 });
    if (action === "add")
      queue.add(
        Array.from({ length: chance.below(6) }, () => sampleOf(chance, series, (time += chance.below(30)))),
        step,
        now,
      );
    else if (action === "wait") now = chance.once(2) ? (queue.deadline ?? now) : now + chance.one([1, 29, 30, 99, 100, 250]);
    else if (action === "resize") queue.resize(chance.between(1, 4));
    else if (action === "flush") queue.flush();
    else if (action === "take") {
      const batch = queue.take(now);
      if (batch !== undefined) open.push(batch);
      lines.push(
        batch === undefined
          ? "none"
          : `${batch.shard} ${batch.attempt} ${batch.since} ${batch.samples.map((one) => `${one.series.metric}@${one.time}`).join(" ")}`,
      );
    } else {
      const batch = open.splice(chance.below(open.length), 1)[0];
      if (batch !== undefined)
        queue.settle(
          batch,
          chance.one<SendOutcome>([
            { is: "accepted" },
            { is: "accepted" },
            { is: "refused", why: "400" },
            { is: "retry", why: "503" },
            { is: "retry", why: "429", afterMs: 500 },
          ]),
          now,
        );
    }
    lines.push(
      JSON.stringify([
        now,
        queue.acknowledged,
        queue.length,
        queue.shards,
        queue.isFull,
        queue.isStuck,
        queue.deadline,
        queue.floats,
        queue.histograms,
        queue.exemplars,
        queue.newestSent,
      ]),
    );
  }
  const plan = new ShardPlan(chance.between(1, 2), chance.between(3, 20));
  for (let left = 8; left > 0; left--)
    lines.push(
      String(
        plan.look(
          {
            read: chance.below(1_000),
            sent: chance.once(3) ? 0 : chance.below(1_000),
            sendingMs: chance.below(20_000),
            behind: chance.one([0, 100, 100_000]),
          },
          chance.one([1_000, 10_000]),
          chance.between(1, 20),
        ),
      ),
    );
  return lines.join("\n");
}

const MESSAGES: readonly [WriteMessage, ...WriteMessage[]] = ["prometheus.WriteRequest", "io.prometheus.write.v2.Request"];
const METADATA = [
  undefined,
  { type: "counter", help: "about", unit: "" },
  { type: "nope", help: "", unit: "s" },
  { type: "stateset", help: "ä", unit: "s" },
] as const;

function messagesLife(chance: Chance): string {
  const message = chance.one(MESSAGES);
  const writer = new RequestWriter(message);
  let series = seriesOf(writer.forms);
  const storage = new MemoryStorage();
  const lines: string[] = [];
  let time = 0;
  for (let left = 4; left > 0; left--) {
    if (chance.once(4)) {
      writer.forms.keep(series.slice(0, chance.between(0, 3)));
      series = seriesOf(writer.forms);
    }
    const samples = Array.from({ length: chance.between(0, 6) }, () => sampleOf(chance, series, (time += chance.one([0, 1, 60_000, -5]))));
    const metadata = chance.one(METADATA);
    const content = (
      chance.once(6)
        ? writer.metadata([["m", { type: chance.one(["gauge", "info", "x"]), help: chance.one(["", "h"]), unit: chance.one(["", "u"]) }]])
        : writer.samples(samples, () => metadata)
    ).slice();
    lines.push(octetsText(content));
    const random = seeded(chance.below(1e9));
    const sent = chance.once(3)
      ? damagedOctets(random, content, [
          content.slice(0, 9),
          Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
          Uint8Array.of(0),
        ])
      : content;
    const packed = new Packer().pack(sent);
    const limits = { packedOctets: 1 << 20, octets: chance.once(8) ? 20 : 1 << 20, aheadMs: 1_000 };
    lines.push(
      outcome(() => {
        const { floats, histograms, exemplars, refused, problem } = receiveWrite(
          storage,
          packed,
          chance.once(12) ? chance.one(MESSAGES) : message,
          {
            now: time - chance.one([0, 0, 70_000]),
            limits,
          },
        );
        return JSON.stringify([floats, histograms, exemplars, [...refused], problem]);
      }),
    );
  }
  return [...lines, ...samplesIn(storage)].join("\n");
}

function* samplesIn(storage: MemoryStorage): Generator<string> {
  for (const series of storage.querier().select([new Matcher(METRIC_NAME, "=~", ".*")], -1e15, 1e15)) {
    const columns = new Columns();
    series.read(columns, -1e15, 1e15);
    const values = Array.from(
      { length: columns.length },
      (_, row) =>
        `${columns.times[row]}:${columns.isStale(row) ? "stale" : (JSON.stringify(columns.histograms?.[row]) ?? columns.values[row])}`,
    );
    yield `${series.labels} ${values.join(" ")}`;
  }
  yield JSON.stringify([...storage.exemplars.select([[]], -1e15, 1e15)]);
}

function readLife(chance: Chance): string {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  for (const labels of LABELS) {
    const id = appender.series(labels);
    const isHistogram = chance.once(3);
    for (let time = chance.below(50), left = chance.one([0, 1, 5, 130, 300]); left > 0; left--) {
      time += chance.between(1, 40);
      if (isHistogram) appender.appendHistogram(id, time, chance.one(HISTOGRAMS));
      else if (chance.once(20)) appender.appendStale(id, time);
      else appender.append(id, time, chance.below(100));
    }
  }
  appender.commit();
  const external = Labels.of(chance.once(2) ? { region: "eu", i: "x" } : {});
  const octets = requestOf(chance);
  const random = seeded(chance.below(1e9));
  const asked = chance.once(4) ? damagedOctets(random, octets, [octets.slice(0, 5), Uint8Array.of(18, 1, 1)]) : octets;
  const packed = new Packer().pack(asked);
  return [
    outcome(() => octetsText(unpackedMessage(packed, chance.once(6) ? 10 : 1 << 20))),
    outcome(() => JSON.stringify(readRequest(asked))),
    outcome(() => {
      const made = readResponse(storage, readRequest(asked).queries, { external, mostSamples: chance.one([50, 1e6]) });
      for (;;) {
        const { done, value } = made.next();
        if (done === true) return octetsText(value);
      }
    }),
    outcome(() =>
      [...readFrames(storage, readRequest(asked).queries, external)]
        .map((frame) => (frame === undefined ? "pause" : octetsText(frame)))
        .join(" "),
    ),
  ].join("\n");
}

function requestOf(chance: Chance): Uint8Array {
  const to = new MessageWriter();
  for (let left = chance.between(1, 3); left > 0; left--) {
    const query = to.begin(1);
    to.integer(1, chance.one([0, 100, 2_000]));
    to.integer(2, chance.one([50, 3_000, 1e9]));
    for (let more = chance.below(3); more > 0; more--) {
      const matcher = to.begin(3);
      to.integer(1, chance.below(chance.once(9) ? 6 : 4));
      to.text(2, chance.one(["__name__", "i", "region"]));
      to.text(3, chance.one(["m1", "m.*", "", "ä", "eu", "x", "("]));
      to.end(matcher);
    }
    to.end(query);
  }
  for (let left = chance.below(3); left > 0; left--) to.integer(2, chance.below(3));
  return to.content.slice();
}

function answersLife(chance: Chance): string {
  const lines: string[] = [];
  for (let left = 12; left > 0; left--) {
    const fields: Record<string, string> = {
      ...(chance.once(2) && {
        "retry-after": chance.one(["5", "0", "-1", "x", "999999", "Thu, 01 Jan 1970 00:00:10 GMT", "Thu, 01 Jan 1970 00:00:01 GMT"]),
      }),
      ...(chance.once(2) && { [`x-prometheus-remote-write-${chance.one(["samples", "histograms", "exemplars"])}-written`]: "1" }),
    };
    const answer = {
      status: chance.one([199, 200, 204, 299, 300, 400, 404, 429, 499, 500, 503]),
      field: (name: string) => fields[name],
      text: chance.one(["", "no"]),
    };
    lines.push(JSON.stringify(outcomeOf(answer, chance.one(MESSAGES), { retry429: chance.once(2), now: 5_000 })));
    lines.push(
      String(
        messageOf(
          chance.one([
            undefined,
            "application/x-protobuf",
            "Application/X-Protobuf; PROTO=prometheus.WriteRequest",
            'application/x-protobuf;proto="io.prometheus.write.v2.Request"',
            "application/x-protobuf; a=b; proto=nope",
            "text/plain",
          ]),
        ),
      ),
    );
  }
  return lines.join("\n");
}
