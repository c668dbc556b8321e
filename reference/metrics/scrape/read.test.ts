import { describe, expect, test } from "vitest";
import { type Content, formatOf, PageReader, type ReadOptions } from "./read.ts";

/** Messages as targets write them (Prometheus instrumenting docs, exposition_formats.md, "Protobuf format"), written apart from the reader. */
const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]);
const int = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)];
const sint = (field: number, value: number): number[] => int(field, value < 0 ? -2 * value - 1 : 2 * value);
const double = (field: number, value: number): number[] => [...varint(field * 8 + 1), ...new Uint8Array(new Float64Array([value]).buffer)];
const inner = (field: number, ...parts: readonly number[][]): number[] => {
  const octets = parts.flat();
  return [...varint(field * 8 + 2), ...varint(octets.length), ...octets];
};
const text = (field: number, value: string): number[] => inner(field, [...new TextEncoder().encode(value)]);
const label = (name: string, value: string): number[] => inner(1, text(1, name), text(2, value));
const COUNTER = 0;
const GAUGE = 1;
const HISTOGRAM = 4;
const family = (name: string, type: number, ...rest: readonly number[][]): number[] => {
  const octets = [...text(1, name), ...int(3, type), ...rest.flat()];
  return [...varint(octets.length), ...octets];
};
const gauge = (value: number, ...rest: readonly number[][]): number[] => inner(4, ...rest, inner(2, double(1, value)));
const exemplar = (field: number, name: string, value: number): number[] => inner(field, label("t", name), double(2, value));
/** A histogram with a bucket up to 1, in the classic form or in both. */
const histogram = (isNative: boolean, ...rest: readonly number[][]): number[] =>
  inner(
    4,
    ...rest,
    inner(
      7,
      int(1, 3),
      double(2, 4.5),
      inner(3, int(1, 2), double(2, 1), exemplar(3, "x", 0.5)),
      ...(isNative ? [sint(5, 0), double(6, 0.25), int(7, 1), inner(12, sint(1, 0), int(2, 1)), sint(13, 2)] : []),
    ),
  );

const PLAIN: ReadOptions = { isNative: false, isAlwaysClassic: false };
const NATIVE: ReadOptions = { isNative: true, isAlwaysClassic: false };
const read = (octets: readonly number[], options = PLAIN, reader = new PageReader()): Content | string =>
  reader.read(new Uint8Array(octets), "protobuf", options);
/** Samples as `name{labels} value`, with a count in place of a histogram. */
function shown(content: Content | string): string[] {
  if (typeof content === "string") return [content];
  return (content.samples ?? []).map(({ labels, value, timestamp, exemplars }) => {
    const [[, name] = ["", ""], ...others] = labels;
    const number = typeof value === "number" ? String(value) : `histogram of ${value.count}`;
    const examples = exemplars.map((one) => ` #${one.labels.map(([, of]) => of).join()}:${one.value}`).join("");
    return `${name}{${others.map((pair) => pair.join("=")).join(",")}} ${number}${Number.isNaN(timestamp) ? "" : ` @${timestamp}`}${examples}`;
  });
}

describe("a page of messages", () => {
  test("samples have their labels, values and times", () => {
    const octets = [...family("g", GAUGE, gauge(1.5), gauge(2.5, label("a", "b"), int(6, 5_000))), ...family("h", GAUGE, gauge(3))];
    expect(shown(read(octets))).toEqual(["g{} 1.5", "g{a=b} 2.5 @5000", "h{} 3"]);
  });
  test("exemplars come with their samples", () => {
    const counter = inner(4, inner(3, double(1, 7), exemplar(2, "y", 2)));
    expect(shown(read(family("c_total", COUNTER, counter)))).toEqual(["c_total{} 7 #y:2"]);
  });
  test("a page that is torn is a fault", () => {
    expect(typeof read(family("g", GAUGE, gauge(1)).slice(0, -1))).toBe("string");
  });
  test("types, helps and units are the metadata, where a target states them; the next page has its own", () => {
    const reader = new PageReader();
    read(
      [...family("g", GAUGE, text(2, "About."), text(5, "s"), gauge(1)), ...family("h", COUNTER, inner(4, inner(3, double(1, 7))))],
      PLAIN,
      reader,
    );
    expect([...reader.metadata]).toEqual([
      ["g", { type: "gauge", help: "About.", unit: "s" }],
      ["h", { type: "counter" }],
    ]);
    read(family("i", GAUGE, gauge(1)), PLAIN, reader);
    expect([...reader.metadata]).toEqual([["i", { type: "gauge" }]]);
  });
});

describe("histograms", () => {
  const CLASSIC = ["h_bucket{a=b,le=1.0} 2 #x:0.5", "h_bucket{a=b,le=+Inf} 3", "h_sum{a=b} 4.5", "h_count{a=b} 3"];
  const sorted = (octets: readonly number[], options: ReadOptions): string[] => shown(read(octets, options)).toSorted();
  test("without native histograms only the classic series are there", () => {
    expect(sorted(family("h", HISTOGRAM, histogram(true, label("a", "b"))), PLAIN)).toEqual(CLASSIC.toSorted());
  });
  test("a native one takes the place of its classic series", () => {
    expect(sorted(family("h", HISTOGRAM, histogram(true, label("a", "b"))), NATIVE)).toEqual(["h{a=b} histogram of 3"]);
  });
  test("both are there if both are wanted", () => {
    expect(sorted(family("h", HISTOGRAM, histogram(true, label("a", "b"))), { isNative: true, isAlwaysClassic: true })).toEqual(
      [...CLASSIC, "h{a=b} histogram of 3"].toSorted(),
    );
  });
  test("one without a native form keeps its classic series beside one that has it", () => {
    const octets = family("h", HISTOGRAM, histogram(true, label("z", "1"), label("a", "c")), histogram(false, label("a", "b")));
    expect(sorted(octets, NATIVE)).toEqual([...CLASSIC, "h{z=1,a=c} histogram of 3"].toSorted());
  });
});

describe("the format of a page", () => {
  test.each<[string | undefined, string | undefined, string | undefined]>([
    ["text/plain; version=0.0.4", undefined, "text"],
    ["text/plain", undefined, "text"],
    ["Text/Plain; version=7", undefined, "text"],
    ["text/plainer", undefined, undefined],
    ["application/openmetrics-text; version=1.0.0", undefined, "openmetrics"],
    ["text/html", undefined, undefined],
    ["text/html", "OpenMetricsText1.0.0", "openmetrics"],
    [undefined, undefined, undefined],
    [undefined, "PrometheusProto", "protobuf"],
    [undefined, "OpenMetricsText0.0.1", "openmetrics"],
    [undefined, "PrometheusText0.0.4", "text"],
    [undefined, "PrometheusText1.0.0", "text"],
    [undefined, "no such protocol", undefined],
    ["text/plain", "PrometheusProto", "text"],
  ])("content type %s with the fallback %s is %s", (contentType, fallback, format) => {
    expect(formatOf(contentType, fallback)).toBe(format);
  });
});
