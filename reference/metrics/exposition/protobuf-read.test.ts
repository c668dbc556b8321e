import { describe, expect, test } from "vitest";
import type { Limits } from "./limits.ts";
import { type ProtobufFamily, readProtobuf } from "./protobuf-read.ts";

/** Eight families written by Go's client library (github.com/prometheus/client_model, expfmt 0.62). */
const HEX =
  "700a07635f746f74616c12076772c3b6c39f65180022580a060a01611201620a090a03632e641202c3a91a38090000000000002940121f0a060a0174" +
  "12017811000000000000f03f1a0c08f78f9bd50510c0de9cf8021a0c08f78f9bd50510c0de9cf80230fbffffffffffffffff012a001f0a07675f6279" +
  "7465731801220b120909000000000000f0bf2a056279746573120a01751803220b2a09090000000000000840280a017118022221221f080311000000" +
  "00000014401a1209000000000000e03f11000000000000f03f420a01681804223b3a390804110000000000001e401a2c080311000000000000f03f1a" +
  "1f0a060a017412017811000000000000e03f1a0c08f78f9bd50510c0de9cf8026b0a016e180422643a62080c116666666666663240280131fca9f1d2" +
  "4d62503f38024a040803100150086204080010026204080210016802680468017a0c08f78f9bd50510c0de9cf80282011f0a060a0174120178110000" +
  "0000000000401a0c08f78f9bd50510c0de9cf802350a01661805222e3a2c11000000000000f03f21000000000000044028066204080d100271000000" +
  "000000f83f71000000000000f03f1c0a017a180422153a1308001100000000000000002800620408001000";
const page = new Uint8Array(Buffer.from(HEX, "hex"));

function read(octets: Uint8Array, limits: Partial<Limits> = {}): readonly ProtobufFamily[] {
  const found = readProtobuf(octets, limits);
  if ("is" in found) throw new Error(found.message);
  return found;
}
const faultOf = (octets: Uint8Array, limits: Partial<Limits> = {}): string | undefined => {
  const found = readProtobuf(octets, limits);
  return "is" in found ? found.name : undefined;
};
const EXEMPLAR = { labels: [["t", "x"]], timestamp: 1520879607789 };

describe("readProtobuf() of another library's page", () => {
  const families = new Map(read(page).map((family) => [family.name, family]));
  const samples = (name: string) => families.get(name)?.samples;

  test("names, types, help, units", () => {
    expect([...families.values()].map(({ name, type, help, unit }) => [name, type, help, unit])).toEqual([
      ["c_total", "counter", "größe", undefined],
      ["g_bytes", "gauge", undefined, "bytes"],
      ["u", "unknown", undefined, undefined],
      ["q", "summary", undefined, undefined],
      ["h", "histogram", undefined, undefined],
      ["n", "histogram", undefined, undefined],
      ["f", "gaugehistogram", undefined, undefined],
      ["z", "histogram", undefined, undefined],
    ]);
  });
  test("a counter with labels, timestamp, exemplar and created time", () => {
    const labels = [
      ["a", "b"],
      ["c.d", "é"],
    ];
    expect(samples("c_total")).toEqual([{ name: "c_total", labels, value: 12.5, timestamp: -5, exemplar: { ...EXEMPLAR, value: 1 } }]);
    expect(families.get("c_total")?.created).toEqual([{ labels, timestamp: 1520879607789 }]);
  });
  test("gauge, untyped and summary", () => {
    expect(samples("g_bytes")).toEqual([{ name: "g_bytes", labels: [], value: -1 }]);
    expect(samples("u")).toEqual([{ name: "u", labels: [], value: 3 }]);
    expect(samples("q")).toEqual([
      { name: "q", labels: [["quantile", "0.5"]], value: 1 },
      { name: "q_sum", labels: [], value: 5 },
      { name: "q_count", labels: [], value: 3 },
    ]);
  });
  test("a classic histogram without bucket +Inf", () => {
    expect(samples("h")).toEqual([
      { name: "h_bucket", labels: [["le", "1.0"]], value: 3, exemplar: { ...EXEMPLAR, value: 0.5 } },
      { name: "h_bucket", labels: [["le", "+Inf"]], value: 4 },
      { name: "h_count", labels: [], value: 4 },
      { name: "h_sum", labels: [], value: 7.5 },
    ]);
  });
  test("native histograms: integers, floats, empty", () => {
    expect([samples("n"), samples("f"), samples("z")]).toEqual([[], [], []]);
    const [integers, floats, nothing] = ["n", "f", "z"].map((name) => families.get(name)?.histograms[0]);
    expect(integers).toEqual({
      labels: [],
      exemplars: [{ ...EXEMPLAR, value: 2 }],
      histogram: {
        schema: -1,
        zeroThreshold: 0.001,
        zeroCount: 2,
        count: 12,
        sum: 18.4,
        positiveSpans: [
          { offset: 0, length: 2 },
          { offset: 1, length: 1 },
        ],
        negativeSpans: [{ offset: -2, length: 1 }],
        positive: [1, 3, 2],
        negative: [4],
        bounds: [],
        resetHint: "unknown",
        isInteger: true,
      },
    });
    expect(floats?.histogram).toMatchObject({ schema: 3, count: 2.5, positive: [1.5, 1], resetHint: "gauge", isInteger: false });
    expect(nothing?.histogram).toMatchObject({ count: 0, positiveSpans: [], positive: [] });
  });
});

/** A field of octets. */
const field = (number: number, ...octets: number[]): number[] => [(number << 3) | 2, octets.length, ...octets];
const family = (...parts: number[][]): Uint8Array => Uint8Array.from([parts.flat().length, ...parts.flat()]);
const A = field(1, 0x61);
const GAUGE = [0x18, 1];
const VALUE = field(2);

describe("a faulty page of messages", () => {
  test("control: a gauge a with value 0", () => {
    expect(read(family(A, GAUGE, field(4, ...VALUE)))).toMatchObject([{ name: "a", type: "gauge", samples: [{ name: "a", value: 0 }] }]);
    expect(read(new Uint8Array())).toEqual([]);
  });
  test("unknown fields of every kind are skipped", () => {
    const unknown = [0xa8, 6, 5, 0xa1, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0xa5, 6, 0, 0, 0, 0, 0xa2, 6, 1, 0];
    expect(read(family(A, GAUGE, unknown, field(4, ...VALUE)))).toHaveLength(1);
  });
  test.each([
    ["cut off", family(A, GAUGE).subarray(0, 3), "messageTorn"],
    ["a group", family(A, [0x0b]), "messageTorn"],
    ["a length beyond its message", family([0x0a, 9, 0x61]), "messageTorn"],
    ["a length without end", new Uint8Array(11).fill(0xff), "messageTorn"],
    ["no name", family(GAUGE), "nameMissing"],
    ["an unknown type", family(A, [0x18, 6]), "typeUnknown"],
    ["no value", family(A, GAUGE, field(4)), "valueMissing"],
    ["the value of another type", family(A, [0x18, 0], field(4, ...VALUE)), "valueMissing"],
    ["a name that is not UTF-8", family(field(1, 0xff)), "utf8Invalid"],
    ["a name that is a number", family([0x08, 1]), "fieldInvalid"],
    ["a label twice", family(A, GAUGE, field(4, ...field(1, ...A), ...field(1, ...A), ...VALUE)), "labelInvalid"],
    ["a label without a name", family(A, GAUGE, field(4, ...field(1), ...VALUE)), "labelInvalid"],
    ["a schema beyond 8", family(A, [0x18, 4], field(4, ...field(7, 0x28, 18, ...field(12)))), "histogramInvalid"],
    ["more buckets than counts", family(A, [0x18, 4], field(4, ...field(7, ...field(12, 0x10, 1)))), "histogramInvalid"],
    ["a count below zero", family(A, [0x18, 4], field(4, ...field(7, ...field(12, 0x10, 1), 0x68, 1))), "histogramInvalid"],
  ])("%s", (_, octets, name) => {
    expect(faultOf(octets)).toBe(name);
  });
  test.each<[keyof Limits, number, string]>([
    ["pageOctets", page.length - 1, "pageTooLarge"],
    ["metadata", 7, "tooManyMetadata"],
    ["samples", 12, "tooManySamples"],
    ["labels", 1, "tooManyLabels"],
    ["nameOctets", 6, "textTooLong"],
    ["buckets", 2, "tooManyBuckets"],
  ])("limit %s: %i is too little for the page, one more is enough", (limit, most, name) => {
    expect(faultOf(page, { [limit]: most })).toBe(name);
    expect(faultOf(page, { [limit]: most + 1 })).toBeUndefined();
  });
  test("spans with billions of buckets are refused", () => {
    const huge = field(12, 0x10, 0xff, 0xff, 0xff, 0xff, 0x0f);
    expect(faultOf(family(A, [0x18, 4], field(4, ...field(7, ...huge))))).toBe("tooManyBuckets");
  });
  test("endless fields in one message are refused", () => {
    const many = Array.from({ length: 40 }, () => [0xa2, 6, 0]);
    expect(faultOf(family(A, GAUGE, ...many), { samples: 20, buckets: 21 })).toBe("tooManySamples");
    expect(faultOf(family(A, GAUGE, ...many), { samples: 21, buckets: 21 })).toBeUndefined();
  });
  test("a fault has its position", () => {
    expect(readProtobuf(Uint8Array.from([...family(A, GAUGE), ...family(GAUGE)]))).toMatchObject({ name: "nameMissing", offset: 7 });
  });
});
