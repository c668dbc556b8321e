import { describe, expect, test } from "vitest";
import { Columns, CUSTOM_BOUNDS, type Histogram, Labels, Matcher } from "../model/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { Packer } from "../tsdb/codec/index.ts";
import { MessageCursor } from "./cursor.ts";
import { RECEIVE_LIMITS, receiveWrite, type WriteMessage } from "./index.ts";
import type { SentForms, SentSeries } from "./sent-series.ts";
import { RequestWriter, type SentSample } from "./write-message.ts";

const ONE: WriteMessage = "prometheus.WriteRequest";
const TWO: WriteMessage = "io.prometheus.write.v2.Request";
const seriesFrom =
  (forms: SentForms) =>
  (labels: Record<string, string>): SentSeries =>
    forms.of(Labels.of(labels));
const float = (of: SentSeries, time: number, value: number): SentSample => ({
  series: of,
  time,
  value,
  isStale: false,
  histogram: undefined,
  exemplar: undefined,
});

const NATIVE: Histogram = {
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
const HISTOGRAMS: readonly Histogram[] = [
  NATIVE,
  { ...NATIVE, isInteger: false, count: 13.5, zeroCount: 1.5, positive: [5.5, 1, 3], resetHint: "gauge" },
  {
    ...NATIVE,
    schema: CUSTOM_BOUNDS,
    zeroThreshold: 0,
    zeroCount: 0,
    negativeSpans: [],
    negative: [],
    bounds: [1, 2, 3, 4, 5, 6, 7],
    positiveSpans: [{ offset: 1, length: 3 }],
    count: 9,
  },
];

function stored(
  message: WriteMessage,
  writer: RequestWriter,
  samples: readonly SentSample[],
): { readonly text: string; readonly histogram: Histogram | undefined }[] {
  const storage = new MemoryStorage();
  const packed = new Packer().pack(writer.samples(samples, () => ({ type: "counter", help: "h", unit: "" })));
  const received = receiveWrite(storage, packed, message, { now: 1e15, limits: RECEIVE_LIMITS });
  expect(received).toMatchObject({ problem: undefined });
  return [...storage.querier().select([new Matcher("__name__", "=~", ".+")], -1e15, 1e15)].flatMap((one) => {
    const columns = new Columns();
    one.read(columns, -1e15, 1e15);
    return Array.from({ length: columns.length }, (_, row) => ({
      text: `${one.labels} ${columns.times[row]} ${columns.isStale(row) ? "stale" : columns.values[row]}`,
      histogram: columns.histograms?.[row],
    }));
  });
}

describe.each([ONE, TWO])("requests of %s", (message) => {
  const writer = new RequestWriter(message);
  const series = seriesFrom(writer.forms);
  test("floats, stale markers, other NaNs and times before 1970 arrive as they were", () => {
    const [a, b] = [series({ __name__: "a", e: "é".repeat(90) }), series({ __name__: "b" })];
    const samples = [
      float(a, -5, -0),
      float(b, 1, Number.NaN),
      float(a, 2 ** 41, 1e300),
      { ...float(b, 3, 0), isStale: true },
      float(b, 2 ** 45, -Infinity),
    ];
    const long = "é".repeat(90);
    expect(stored(message, writer, samples).map(({ text }) => text)).toEqual([
      `a{e="${long}"} -5 0`,
      `a{e="${long}"} ${2 ** 41} 1e+300`,
      "b 1 NaN",
      "b 3 stale",
      `b ${2 ** 45} -Infinity`,
    ]);
  });
  test("labels are sorted by their octets in UTF-8, not by units of UTF-16", () => {
    // U+FF5E is ef bd 9e, U+1F600 is f0 9f 98 80; in UTF-16 the second begins with d83d and would come first.
    const names = ["__name__", "a", "a_b", "ab", "ä", "～", "😀"];
    const of = series(Object.fromEntries([...names].reverse().map((name) => [name, "v"])));
    const octets = writer.samples([float(of, 1, 1)], () => undefined);
    const text = Buffer.from(octets).toString("latin1");
    const places = names.map((name) =>
      text.indexOf(`${String.fromCharCode(Buffer.byteLength(name))}${Buffer.from(name).toString("latin1")}`),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    // The receiver refuses labels that are not in this order.
    expect(stored(message, writer, [float(of, 1, 1)])).toHaveLength(1);
  });
  test("exemplars arrive with their series, also without a sample", () => {
    const [a, b] = [series({ __name__: "a" }), series({ __name__: "b", trace: "shared" })];
    const exemplar = (of: SentSeries, time: number, labels: Record<string, string>): SentSample => ({
      ...float(of, time, 7),
      exemplar: { labels: Labels.of(labels), value: time / 2, time },
    });
    const samples = [
      exemplar(a, 5, { trace: "shared", ü: "😀" }),
      float(a, 6, 1),
      exemplar(a, 7, {}),
      { ...float(a, 8, 0), histogram: NATIVE },
      exemplar(b, 9, { trace: "other" }),
    ];
    const storage = new MemoryStorage();
    const octets = writer.samples(samples, () => undefined);
    const received = receiveWrite(storage, new Packer().pack(octets), message, { now: 1e15, limits: RECEIVE_LIMITS });
    expect(received).toMatchObject({ floats: 1, histograms: 1, exemplars: 3, problem: undefined });
    const found = [...storage.exemplars.select([[]], 0, 1e15)].map(({ series: of, exemplars }) => [
      `${of}`,
      ...exemplars.map(({ labels, value, time }) => `${labels} ${value} ${time}`),
    ]);
    expect(found).toEqual([
      ["a", '{trace="shared", "ü"="😀"} 2.5 5', "{} 3.5 7"],
      ['b{trace="shared"}', '{trace="other"} 4.5 9'],
    ]);
  });
  test("histograms of all kinds arrive as they were, between floats of their series", () => {
    const of = series({ __name__: "h" });
    const samples = [
      float(of, 1, 1),
      ...HISTOGRAMS.map((histogram, at): SentSample => ({ ...float(of, 2 + at, histogram.sum), histogram })),
      { ...float(of, 9, 0), isStale: true },
    ];
    expect(stored(message, writer, samples).map(({ histogram }) => histogram)).toEqual([undefined, ...HISTOGRAMS, undefined]);
  });
});

test("protocol 2: a text that was forgotten while its sample waited is there once", () => {
  const writer = new RequestWriter(TWO);
  const { forms } = writer;
  const old = forms.of(Labels.of({ __name__: "a", b: "x" }));
  forms.keep([]);
  const young = forms.of(Labels.of({ __name__: "a", b: "y" }));
  const octets = writer.samples([float(old, 1, 1), float(young, 1, 1)], () => undefined);
  const storage = new MemoryStorage();
  expect(receiveWrite(storage, new Packer().pack(octets), TWO, { now: 1e15, limits: RECEIVE_LIMITS }).floats).toBe(2);
  expect(symbolsIn(octets)).toEqual(["", "__name__", "a", "b", "x", "y"]);
});

function symbolsIn(octets: Uint8Array): string[] {
  const at = new MessageCursor(octets);
  const symbols: string[] = [];
  while (at.next()) {
    const outer = at.enter();
    if (at.field === 4) symbols.push(new TextDecoder().decode(octets.subarray(at.at, at.end)));
    at.leave(outer);
  }
  return symbols;
}

test("protocol 2: each text is there once, the first is empty, and metadata refers to them", () => {
  const writer = new RequestWriter(TWO);
  const series = seriesFrom(writer.forms);
  const octets = writer.samples([float(series({ __name__: "a", b: "a" }), 1, 1), float(series({ __name__: "b" }), 1, 1)], () => ({
    type: "gauge",
    help: "b",
    unit: "",
  }));
  expect(symbolsIn(octets)).toEqual(["", "__name__", "a", "b"]);
});
