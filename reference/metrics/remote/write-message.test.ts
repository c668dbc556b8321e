import { describe, expect, test } from "vitest";
import { Columns, CUSTOM_BOUNDS, type Histogram, Labels, Matcher } from "../model/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { Packer } from "../tsdb/codec/index.ts";
import { MessageCursor } from "./cursor.ts";
import { RECEIVE_LIMITS, receiveWrite, type WriteMessage } from "./index.ts";
import { RequestWriter, type SentSample, type SentSeries } from "./write-message.ts";

const ONE: WriteMessage = "prometheus.WriteRequest";
const TWO: WriteMessage = "io.prometheus.write.v2.Request";
const series = (labels: Record<string, string>): SentSeries => ({ labels: Labels.of(labels) });
const float = (of: SentSeries, time: number, value: number): SentSample => ({
  series: of,
  time,
  value,
  isStale: false,
  histogram: undefined,
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
  { ...NATIVE, isInteger: false, count: 13.5, zeroCount: 0, positive: [5.5, 1, 3], resetHint: "gauge" },
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
  samples: readonly SentSample[],
): { readonly text: string; readonly histogram: Histogram | undefined }[] {
  const storage = new MemoryStorage();
  const packed = new Packer().pack(new RequestWriter(message).samples(samples, () => ({ type: "counter", help: "h", unit: "" })));
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
    expect(stored(message, samples).map(({ text }) => text)).toEqual([
      `a{e="${long}"} -5 0`,
      `a{e="${long}"} ${2 ** 41} 1e+300`,
      "b 1 NaN",
      "b 3 stale",
      `b ${2 ** 45} -Infinity`,
    ]);
  });
  test("histograms of all kinds arrive as they were, between floats of their series", () => {
    const of = series({ __name__: "h" });
    const samples = [
      float(of, 1, 1),
      ...HISTOGRAMS.map((histogram, at): SentSample => ({ ...float(of, 2 + at, histogram.sum), histogram })),
      { ...float(of, 9, 0), isStale: true },
    ];
    expect(stored(message, samples).map(({ histogram }) => histogram)).toEqual([undefined, ...HISTOGRAMS, undefined]);
  });
});

test("protocol 2: each text is there once, the first is empty, and metadata refers to them", () => {
  const octets = new RequestWriter(TWO).samples(
    [float(series({ __name__: "a", b: "a" }), 1, 1), float(series({ __name__: "b" }), 1, 1)],
    () => ({
      type: "gauge",
      help: "b",
      unit: "",
    }),
  );
  const at = new MessageCursor(octets);
  const symbols: string[] = [];
  while (at.next()) {
    const outer = at.enter();
    if (at.field === 4) symbols.push(new TextDecoder().decode(octets.subarray(at.at, at.end)));
    at.leave(outer);
  }
  expect(symbols).toEqual(["", "__name__", "a", "b"]);
});
