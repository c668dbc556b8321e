import type { VectorSource } from "../../write.ts";
import { ex, s } from "./craft.ts";
import type { MessageFamily, MessageHistogram, MessageVector } from "./kinds.ts";
import {
  double,
  doubles,
  family,
  fixed32,
  hex,
  int,
  label,
  message,
  metric,
  name,
  type Octets,
  sint,
  sints,
  span,
  text,
  time,
  type,
} from "./message-craft.ts";

/** Eight families written by Go's client library (github.com/prometheus/client_model, expfmt 0.62). */
const GO =
  "700a07635f746f74616c12076772c3b6c39f65180022580a060a01611201620a090a03632e641202c3a91a38090000000000002940121f0a060a0174" +
  "12017811000000000000f03f1a0c08f78f9bd50510c0de9cf8021a0c08f78f9bd50510c0de9cf80230fbffffffffffffffff012a001f0a07675f6279" +
  "7465731801220b120909000000000000f0bf2a056279746573120a01751803220b2a09090000000000000840280a017118022221221f080311000000" +
  "00000014401a1209000000000000e03f11000000000000f03f420a01681804223b3a390804110000000000001e401a2c080311000000000000f03f1a" +
  "1f0a060a017412017811000000000000e03f1a0c08f78f9bd50510c0de9cf8026b0a016e180422643a62080c116666666666663240280131fca9f1d2" +
  "4d62503f38024a040803100150086204080010026204080210016802680468017a0c08f78f9bd50510c0de9cf80282011f0a060a0174120178110000" +
  "0000000000401a0c08f78f9bd50510c0de9cf802350a01661805222e3a2c11000000000000f03f21000000000000044028066204080d100271000000" +
  "000000f83f71000000000000f03f1c0a017a180422153a1308001100000000000000002800620408001000";
const AT = 1520879607789;

type Draft = Omit<MessageVector, "id">;
const SPEC = "prometheus-exposition#protobuf";
const reads = (note: string, octets: Octets | string, families: readonly MessageFamily[], flag = "Family"): Draft => ({
  note,
  spec: SPEC,
  wire: typeof octets === "string" ? octets : hex(octets),
  families,
  result: "valid",
  flags: [flag],
});
const refuses = (note: string, octets: Octets, [fault, offset]: readonly [string, number], flag = "Fault"): Draft => ({
  note,
  spec: SPEC,
  wire: hex(octets),
  fault,
  offset,
  result: "invalid",
  flags: [flag],
});
const limited = (limits: Readonly<Record<string, number>>, draft: Draft): Draft => ({ ...draft, limits, flags: ["Limit"] });

const h = (members: Partial<MessageHistogram> = {}): MessageHistogram => ({
  schema: 0,
  zeroThreshold: 0,
  zeroCount: 0,
  count: 0,
  sum: "0",
  positiveSpans: [],
  negativeSpans: [],
  positive: [],
  negative: [],
  bounds: [],
  resetHint: "unknown",
  isInteger: true,
  ...members,
});
const native = (members: Partial<MessageHistogram>, rest: object = {}) => [{ labels: [], exemplars: [], ...rest, histogram: h(members) }];

const A = name("a");
const GAUGE = type("gauge");
const HISTOGRAM = type("histogram");
const ZERO = metric(message(2));
/** A family `a` with one native histogram of these fields. */
const histogram = (...fields: readonly Octets[]): number[] => family(A, HISTOGRAM, metric(message(7, ...fields)));
const gauge = (...parts: readonly Octets[]): number[] => family(A, GAUGE, metric(...parts));
const isA = (...samples: ReturnType<typeof s>[]): MessageFamily[] => [{ name: "a", type: "gauge", samples }];
const bucket = (le: number, count: number, ...more: readonly Octets[]): number[] => message(3, double(2, le), int(1, count), ...more);
const le = (bound: string, value: number) => s("a_bucket", { le: bound }, value);
const classic = (...fields: readonly Octets[]) => family(A, HISTOGRAM, metric(message(7, ...fields)));
const EMPTY_SPAN = message(12);
const exemplar = (number: number, value: number, ...more: readonly Octets[]): number[] =>
  message(number, label("t", "x"), double(2, value), ...more);

export const source: VectorSource<MessageVector> = {
  about: "Pages of protobuf messages: families, samples, native histograms, and faults",
  spec: SPEC,
  flags: {
    Go: { why: "written by another library", bug: "MISREAD_MESSAGE" },
    Wire: { why: "the notation of fields", bug: "MISREAD_MESSAGE" },
    Family: { why: "families and their samples", bug: "MISREAD_MESSAGE" },
    Native: { why: "native histograms", bug: "MISREAD_MESSAGE" },
    Fault: { why: "an invalid page, and where", bug: "MISSING_CHECK" },
    Limit: { why: "a limit, or one more than that", bug: "MISSING_LIMIT" },
  },
  vectors: [
    reads(
      "eight families of every type",
      GO,
      [
        {
          name: "c_total",
          type: "counter",
          help: "größe",
          samples: [s("c_total", { a: "b", "c.d": "é" }, 12.5, { at: -5, exemplar: ex({ t: "x" }, 1, AT) })],
          created: [{ labels: [["a", "b"], ["c.d", "é"]], timestamp: AT }],
        },
        { name: "g_bytes", type: "gauge", unit: "bytes", samples: [s("g_bytes", {}, -1)] },
        { name: "u", type: "unknown", samples: [s("u", {}, 3)] },
        { name: "q", type: "summary", samples: [s("q", { quantile: "0.5" }, 1), s("q_sum", {}, 5), s("q_count", {}, 3)] },
        {
          name: "h",
          type: "histogram",
          samples: [
            s("h_bucket", { le: "1.0" }, 3, { exemplar: ex({ t: "x" }, 0.5, AT) }),
            s("h_bucket", { le: "+Inf" }, 4),
            s("h_count", {}, 4),
            s("h_sum", {}, 7.5),
          ],
        },
        {
          name: "n",
          type: "histogram",
          samples: [],
          histograms: [
            {
              labels: [],
              exemplars: [ex({ t: "x" }, 2, AT)],
              histogram: h({
                schema: -1,
                zeroThreshold: 0.001,
                zeroCount: 2,
                count: 12,
                sum: "18.4",
                positiveSpans: [
                  { offset: 0, length: 2 },
                  { offset: 1, length: 1 },
                ],
                negativeSpans: [{ offset: -2, length: 1 }],
                positive: [1, 3, 2],
                negative: [4],
              }),
            },
          ],
          created: [{ labels: [], timestamp: AT }],
        },
        {
          name: "f",
          type: "gaugehistogram",
          samples: [],
          histograms: native({
            schema: 3,
            count: 2.5,
            sum: "1",
            positiveSpans: [{ offset: -7, length: 2 }],
            positive: [1.5, 1],
            resetHint: "gauge",
            isInteger: false,
          }),
        },
        { name: "z", type: "histogram", samples: [], histograms: native({}) },
      ],
      "Go",
    ),
    reads("an empty page", [], []),
    reads("a family without metrics", family(A, GAUGE), isA()),
    reads("a gauge without a number is 0", family(A, GAUGE, ZERO), isA(s("a", {}, 0))),
    reads("a family without a type is a counter", family(A, metric(message(3, double(1, 2)))), [
      { name: "a", type: "counter", samples: [s("a", {}, 2)] },
    ]),
    reads("two families", [...family(A, GAUGE, ZERO), ...family(name("b"), type("untyped"), metric(message(5, double(1, 3))))], [
      ...isA(s("a", {}, 0)),
      { name: "b", type: "unknown", samples: [s("b", {}, 3)] },
    ]),
    reads("two metrics", family(A, GAUGE, metric(label("b", "1"), message(2)), metric(label("b", "2"), message(2, double(1, 5)))), isA(s("a", { b: "1" }, 0), s("a", { b: "2" }, 5))),
    reads("special values", family(A, GAUGE, ...[NaN, Infinity, -Infinity, -0].map((value, i) => metric(label("i", String(i)), message(2, double(1, value))))), isA(s("a", { i: "0" }, "NaN"), s("a", { i: "1" }, "+Inf"), s("a", { i: "2" }, "-Inf"), s("a", { i: "3" }, "-0"))),
    reads("a timestamp of 0", gauge(message(2), int(6, 0)), isA(s("a", {}, 0, { at: 0 }))),
    reads("a negative timestamp", gauge(message(2), int(6, -1500)), isA(s("a", {}, 0, { at: -1500 }))),
    reads("a help text with a byte order mark and 2, 3 and 4 octets", family(A, text(2, "\ufeffé€😀"), GAUGE), [{ name: "a", type: "gauge", help: "\ufeffé€😀", samples: [] }]),
    reads("a label with an empty value", gauge(label("b", ""), message(2)), isA(s("a", { b: "" }, 0))),
    reads("a label without a value", gauge(message(1, text(1, "b")), message(2)), isA(s("a", { b: "" }, 0))),
    reads("unknown fields of every kind", family(A, GAUGE, int(101, 5), double(101, 0), fixed32(101), text(101, "x"), ZERO), isA(s("a", {}, 0)), "Wire"),
    reads("a field twice: the last counts", family(name("b"), GAUGE, name("a"), metric(message(2, double(1, 5), double(1, 7)))), isA(s("a", {}, 7)), "Wire"),
    reads("a type twice: the last counts", family(A, type("counter"), GAUGE, ZERO), isA(s("a", {}, 0)), "Wire"),
    reads("varints longer than they need to be", [0x87, 0x00, 0x0a, 0x81, 0x00, 0x61, 0x18, 0x81, 0x00], isA(), "Wire"),
    reads("a varint of ten octets", gauge(message(2), [0x30, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]), isA(s("a", {}, 0, { at: -1 })), "Wire"),
    reads("a message of 128 octets", family(name("a".repeat(124)), GAUGE), [{ name: "a".repeat(124), type: "gauge", samples: [] }], "Wire"),
    reads("a message of 300 octets", family(name("a".repeat(295)), GAUGE), [{ name: "a".repeat(295), type: "gauge", samples: [] }], "Wire"),
    reads("an unknown field with a number of 4 octets", family(A, GAUGE, int(2_097_152, 1), ZERO), isA(s("a", {}, 0)), "Wire"),
    reads("an unknown field with the largest number", family(A, GAUGE, [0xf8, 0xff, 0xff, 0xff, 0x0f, 0x01], ZERO), isA(s("a", {}, 0)), "Wire"),

    reads("a counter with an exemplar without a time", family(A, metric(message(3, double(1, 2), exemplar(2, 0.5)))), [
      { name: "a", type: "counter", samples: [s("a", {}, 2, { exemplar: ex({ t: "x" }, 0.5) })] },
    ]),
    reads("a created time with a fraction", family(A, metric(message(3, double(1, 2), time(3, 5, 250_000_000)))), [
      { name: "a", type: "counter", samples: [s("a", {}, 2)], created: [{ labels: [], timestamp: 5250 }] },
    ]),
    reads("the created time of a summary", family(A, type("summary"), metric(label("b", "c"), message(4, int(1, 2), double(2, 3), time(4, 7)))), [
      { name: "a", type: "summary", samples: [s("a_sum", { b: "c" }, 3), s("a_count", { b: "c" }, 2)], created: [{ labels: [["b", "c"]], timestamp: 7000 }] },
    ]),
    reads("two quantiles, after the label of the metric", family(A, type("summary"), metric(label("b", "c"), message(4, message(3, double(1, 0.5), double(2, 1)), message(3, double(1, 1), double(2, 4))))), [
      { name: "a", type: "summary", samples: [s("a", { b: "c", quantile: "0.5" }, 1), s("a", { b: "c", quantile: "1.0" }, 4), s("a_sum", { b: "c" }, 0), s("a_count", { b: "c" }, 0)] },
    ]),
    reads("a histogram with its bucket +Inf", classic(int(1, 3), double(2, 4.5), bucket(1, 2), bucket(Infinity, 3)), [
      { name: "a", type: "histogram", samples: [le("1.0", 2), le("+Inf", 3), s("a_count", {}, 3), s("a_sum", {}, 4.5)] },
    ]),
    reads("a histogram without buckets", classic(int(1, 3), double(2, 4.5)), [
      { name: "a", type: "histogram", samples: [le("+Inf", 3), s("a_count", {}, 3), s("a_sum", {}, 4.5)] },
    ]),
    reads("the created time of a histogram", classic(int(1, 3), time(15, 9)), [
      { name: "a", type: "histogram", samples: [le("+Inf", 3), s("a_count", {}, 3), s("a_sum", {}, 0)], created: [{ labels: [], timestamp: 9000 }] },
    ]),
    reads("a gauge histogram", family(A, type("gaugehistogram"), metric(message(7, int(1, 3), double(2, -1), bucket(1, 2), time(15, 9)), int(6, 4))), [
      { name: "a", type: "gaugehistogram", samples: [s("a_bucket", { le: "1.0" }, 2, { at: 4 }), s("a_bucket", { le: "+Inf" }, 3, { at: 4 }), s("a_gcount", {}, 3, { at: 4 }), s("a_gsum", {}, -1, { at: 4 })], created: [{ labels: [], timestamp: 9000 }] },
    ]),
    reads("counts as floats", classic(int(1, 3), double(4, 3.5), bucket(1, 2, double(4, 2.25))), [
      { name: "a", type: "histogram", samples: [le("1.0", 2.25), le("+Inf", 3.5), s("a_count", {}, 3.5), s("a_sum", {}, 0)] },
    ]),
    reads("small counts as floats", classic(double(4, 0.5), bucket(1, 2, double(4, 0.25))), [
      { name: "a", type: "histogram", samples: [le("1.0", 0.25), le("+Inf", 0.5), s("a_count", {}, 0.5), s("a_sum", {}, 0)] },
    ]),
    reads("a negative bound", classic(int(1, 3), bucket(-1, 2)), [
      { name: "a", type: "histogram", samples: [le("-1.0", 2), le("+Inf", 3), s("a_count", {}, 3), s("a_sum", {}, 0)] },
    ]),
    reads("a count of 2^53", classic(int(1, 2n ** 53n)), [
      { name: "a", type: "histogram", samples: [le("+Inf", 2 ** 53), s("a_count", {}, 2 ** 53), s("a_sum", {}, 0)] },
    ]),
    reads("a count of 2^64 - 1, rounded", classic(int(1, -1)), [
      { name: "a", type: "histogram", samples: [le("+Inf", 2 ** 64), s("a_count", {}, 2 ** 64), s("a_sum", {}, 0)] },
    ]),

    reads("classic and native buckets together", classic(int(1, 3), double(2, 4.5), bucket(1, 2), EMPTY_SPAN), [
      { name: "a", type: "histogram", samples: [le("1.0", 2), le("+Inf", 3), s("a_count", {}, 3), s("a_sum", {}, 4.5)], histograms: native({ count: 3, sum: "4.5" }) },
    ], "Native"),
    reads("labels, a timestamp and two exemplars", family(A, HISTOGRAM, metric(label("b", "c"), int(6, 5), message(7, span(12, 0, 1), sints(13, 2), exemplar(16, 1), exemplar(16, 2, time(3, 1))))), [
      { name: "a", type: "histogram", samples: [], histograms: native({ positiveSpans: [{ offset: 0, length: 1 }], positive: [2] }, { labels: [["b", "c"]], timestamp: 5, exemplars: [ex({ t: "x" }, 1), ex({ t: "x" }, 2, 1000)] }) },
    ], "Native"),
    reads("packed differences, positive and negative", histogram(int(1, 9), sint(5, 8), span(12, -3, 2), span(12, 1, 2), sints(13, 2, -1, 3, -4), span(9, 4, 2), sints(10, 1, 2)), [
      { name: "a", type: "histogram", samples: [], histograms: native({ schema: 8, count: 9, positiveSpans: [{ offset: -3, length: 2 }, { offset: 1, length: 2 }], positive: [2, 1, 4, 0], negativeSpans: [{ offset: 4, length: 2 }], negative: [1, 3] }) },
    ], "Native"),
    reads("the lowest schema", histogram(sint(5, -4), span(12, 0, 1), sint(13, 1)), [
      { name: "a", type: "histogram", samples: [], histograms: native({ schema: -4, positiveSpans: [{ offset: 0, length: 1 }], positive: [1] }) },
    ], "Native"),
    reads("packed floats, positive and negative", histogram(double(4, 4), span(12, 0, 2), doubles(14, 0.5, 1.5), span(9, 0, 1), doubles(11, 2)), [
      { name: "a", type: "histogram", samples: [], histograms: native({ count: 4, positiveSpans: [{ offset: 0, length: 2 }], positive: [0.5, 1.5], negativeSpans: [{ offset: 0, length: 1 }], negative: [2], isInteger: false }) },
    ], "Native"),
    ...([
      ["a positive count as a float", [span(12, 0, 1), double(14, 1)], { positiveSpans: [{ offset: 0, length: 1 }], positive: [1], isInteger: false }],
      ["a negative count as a float", [span(9, 0, 1), double(11, 1)], { negativeSpans: [{ offset: 0, length: 1 }], negative: [1], isInteger: false }],
      ["the count as a float", [EMPTY_SPAN, double(4, 0.5)], { count: 0.5, isInteger: false }],
      ["the count of the zero bucket as a float", [double(8, 0.5)], { zeroCount: 0.5, isInteger: false }],
      ["the count of the zero bucket", [int(7, 1)], { zeroCount: 1 }],
      ["a zero threshold", [double(6, 0.5)], { zeroThreshold: 0.5 }],
      ["a span of negative buckets without buckets", [message(9)], {}],
      ["two spans, the first without buckets", [span(12, 3, 0), span(12, 2, 1), sint(13, 1)], { positiveSpans: [{ offset: 3, length: 0 }, { offset: 2, length: 1 }], positive: [1] }],
      ["a span at an offset, without buckets", [span(12, 3, 0)], {}],
      ["two spans without a gap", [span(12, 3, 1), span(12, 0, 1), sints(13, 1, 0)], { positiveSpans: [{ offset: 3, length: 1 }, { offset: 0, length: 1 }], positive: [1, 1] }],
      ["a count of zero", [span(12, 3, 1), sint(13, 0)], { positiveSpans: [{ offset: 3, length: 1 }], positive: [0] }],
    ] as const).map(([note, fields, members]) =>
      reads(`a native histogram by ${note}`, histogram(...fields), [{ name: "a", type: "histogram", samples: [], histograms: native(members) }], "Native"),
    ),

    refuses("cut off within a family", family(A, GAUGE).slice(0, 3), ["messageTorn", 0]),
    refuses("cut off within the second family", [...family(A, GAUGE), ...family(A, GAUGE).slice(0, 3)], ["messageTorn", 6]),
    refuses("a length without an end", [0xff], ["messageTorn", 0]),
    refuses("a length beyond 64 bits", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0], ["messageTorn", 0]),
    refuses("a length of eleven octets", Array.from({ length: 11 }, () => 0xff), ["messageTorn", 0]),
    refuses("a length of eleven octets that ends", [...Array.from({ length: 10 }, () => 0x80), 0], ["messageTorn", 0]),
    refuses("a group", family(A, [0x0b]), ["messageTorn", 1]),
    refuses("the end of a group", family(A, [0x0c]), ["messageTorn", 1]),
    refuses("the kind 6, which is not defined", family(A, [0x0e]), ["messageTorn", 1]),
    refuses("a field with the number 0", family(A, [0x00, 0x01]), ["messageTorn", 1]),
    refuses("a tag beyond 32 bits", family(A, [0x80, 0x80, 0x80, 0x80, 0x10, 0x01]), ["messageTorn", 1]),
    refuses("a tag cut off", family(A, [0x80]), ["messageTorn", 1]),
    refuses("an integer cut off", family(A, [0x18, 0x80]), ["messageTorn", 1]),
    refuses("a length beyond its message", family([0x0a, 2, 0x61]), ["messageTorn", 1]),
    refuses("a length cut off", family([0x0a, 0x80]), ["messageTorn", 1]),
    refuses("a float cut off", gauge([0x09, 0, 0, 0, 0, 0, 0, 0]), ["messageTorn", 8]),
    refuses("a fixed number cut off", family(A, [0x0d, 0, 0, 0]), ["messageTorn", 1]),
    refuses("packed integers cut off", histogram(span(12, 0, 1), message(13, [0x80])), ["messageTorn", 10]),
    refuses("packed floats cut off", histogram(span(12, 0, 1), message(14, [0, 0, 0, 0, 0, 0, 0])), ["messageTorn", 10]),
    refuses("no name", family(GAUGE), ["nameMissing", 1]),
    refuses("no name in the second family", [...family(A, GAUGE), ...family(GAUGE)], ["nameMissing", 7]),
    refuses("an empty name", family(name(""), GAUGE), ["nameMissing", 1]),
    refuses("an unknown type", family(A, type(6)), ["typeUnknown", 1]),
    refuses("a negative type", family(A, type(-1)), ["typeUnknown", 1]),
    refuses("no value", family(A, GAUGE, metric()), ["valueMissing", 8]),
    refuses("the value of another type", family(A, type("counter"), ZERO), ["valueMissing", 8]),
    refuses("the value of a gauge in an untyped metric", family(A, type("untyped"), ZERO), ["valueMissing", 8]),
    refuses("the value of a gauge in a summary", family(A, type("summary"), ZERO), ["valueMissing", 8]),
    refuses("the value of a gauge in a histogram", family(A, type("histogram"), ZERO), ["valueMissing", 8]),
    refuses("the value of a gauge in a gauge histogram", family(A, type("gaugehistogram"), ZERO), ["valueMissing", 8]),
    refuses("a name that is not UTF-8", family(message(1, [0xff])), ["utf8Invalid", 3]),
    refuses("a name that ends within a character", family(message(1, [0xc3])), ["utf8Invalid", 3]),
    refuses("a label value that is not UTF-8", gauge(message(1, text(1, "b"), message(2, [0x80])), message(2)), ["utf8Invalid", 15]),
    refuses("a name that is a number", family(int(1, 1)), ["fieldInvalid", 1]),
    refuses("a number that is a text", family(A, text(3, "x")), ["fieldInvalid", 1]),
    refuses("a float that is an integer", gauge(message(2, int(1, 1))), ["fieldInvalid", 10]),
    refuses("bucket counts that are floats", histogram(span(12, 0, 1), double(13, 1)), ["fieldInvalid", 10]),
    refuses("float bucket counts that are integers", histogram(span(12, 0, 1), int(14, 1)), ["fieldInvalid", 10]),
    refuses("a label twice", gauge(label("a", "1"), label("a", "2"), message(2)), ["labelInvalid", 18]),
    refuses("a label without a name", gauge(message(1), message(2)), ["labelInvalid", 10]),
    refuses("a label with the name of the metric", gauge(label("__name__", "b"), message(2)), ["labelInvalid", 10]),
    refuses("an exemplar with a label twice", family(A, metric(message(3, message(2, label("b", "1"), label("b", "1"))))), ["labelInvalid", 20]),
    refuses("a schema of 9", histogram(sint(5, 9), EMPTY_SPAN), ["histogramInvalid", 10]),
    refuses("a schema of -5", histogram(sint(5, -5), EMPTY_SPAN), ["histogramInvalid", 10]),
    refuses("a zero threshold below 0", histogram(double(6, -1), EMPTY_SPAN), ["histogramInvalid", 10]),
    refuses("a zero threshold that is not a number", histogram(double(6, NaN), EMPTY_SPAN), ["histogramInvalid", 10]),
    refuses("more buckets than counts", histogram(span(12, 0, 1)), ["histogramInvalid", 10]),
    refuses("more counts than buckets", histogram(span(12, 0, 1), sints(13, 1, 1)), ["histogramInvalid", 10]),
    refuses("more negative buckets than counts", histogram(span(9, 0, 1)), ["histogramInvalid", 10]),
    refuses("a count below zero", histogram(span(12, 0, 2), sints(13, 1, -2)), ["histogramInvalid", 10]),
    refuses("a float count below zero", histogram(span(12, 0, 1), double(14, -1)), ["histogramInvalid", 10]),
    refuses("a float count that is not a number", histogram(span(12, 0, 1), double(14, NaN)), ["histogramInvalid", 10]),
    refuses("overlapping spans", histogram(span(12, 0, 1), span(12, -1, 1), sints(13, 1, 1)), ["histogramInvalid", 10]),
    refuses("spans with billions of buckets", histogram(span(12, 0, 0xffff_ffff)), ["tooManyBuckets", 10]),

    limited({ pageOctets: 6 }, reads("a page of 6 octets", family(A, GAUGE), isA())),
    limited({ pageOctets: 5 }, refuses("a page of 6 octets, limit 5", family(A, GAUGE), ["pageTooLarge", 0])),
    limited({ metadata: 2 }, reads("two families", [...family(A, GAUGE), ...family(A, GAUGE)], [...isA(), ...isA()])),
    limited({ metadata: 1 }, refuses("two families, limit 1", [...family(A, GAUGE), ...family(A, GAUGE)], ["tooManyMetadata", 6])),
    limited({ samples: 2 }, reads("two samples", family(A, GAUGE, ZERO, ZERO), isA(s("a", {}, 0), s("a", {}, 0)))),
    limited({ samples: 1 }, refuses("two samples, limit 1", family(A, GAUGE, ZERO, ZERO), ["tooManySamples", 12])),
    limited({ samples: 1 }, refuses("two families of a sample, limit 1", [...family(A, GAUGE, ZERO), ...family(A, GAUGE, ZERO)], ["tooManySamples", 18])),
    limited({ samples: 3 }, reads("three samples of a histogram", classic(int(1, 3)), [{ name: "a", type: "histogram", samples: [le("+Inf", 3), s("a_count", {}, 3), s("a_sum", {}, 0)] }])),
    limited({ samples: 2 }, refuses("three samples of a histogram, limit 2", classic(int(1, 3)), ["tooManySamples", 8])),
    limited({ samples: 1 }, reads("a native histogram is one sample", histogram(EMPTY_SPAN), [{ name: "a", type: "histogram", samples: [], histograms: native({}) }])),
    limited({ samples: 0 }, refuses("a native histogram, limit 0", histogram(EMPTY_SPAN), ["tooManySamples", 8])),
    limited({ samples: 1 }, refuses("a native histogram and a gauge, limit 1", [...histogram(EMPTY_SPAN), ...family(A, GAUGE, ZERO)], ["tooManySamples", 20])),
    limited({ samples: 2, buckets: 2 }, reads("four fields", family(A, GAUGE, int(9, 1), int(9, 1)), isA())),
    limited({ samples: 2, buckets: 1 }, refuses("four fields, limit 3", family(A, GAUGE, int(9, 1), int(9, 1)), ["tooManySamples", 1])),
    limited({ labels: 2 }, reads("two labels", gauge(label("b", ""), label("c", ""), message(2)), isA(s("a", { b: "", c: "" }, 0)))),
    limited({ labels: 1 }, refuses("two labels, limit 1", gauge(label("b", ""), label("c", ""), message(2)), ["tooManyLabels", 8])),
    limited({ nameOctets: 3 }, reads("names of 3 octets", family(name("abc"), text(5, "bcd"), GAUGE, metric(label("éf", "long value"), message(2))), [{ name: "abc", type: "gauge", unit: "bcd", samples: [s("abc", { éf: "long value" }, 0)] }])),
    limited({ nameOctets: 3 }, refuses("a name of 4 octets, limit 3", family(name("abcd")), ["textTooLong", 3])),
    limited({ nameOctets: 3 }, refuses("a unit of 4 octets, limit 3", family(A, text(5, "abcd")), ["textTooLong", 6])),
    limited({ nameOctets: 3 }, refuses("a label name of 4 octets, limit 3", gauge(label("abcd", ""), message(2)), ["textTooLong", 12])),
    limited({ valueOctets: 3 }, reads("a value of 3 octets", gauge(label("long", "abc"), message(2)), isA(s("a", { long: "abc" }, 0)))),
    limited({ valueOctets: 3 }, refuses("a value of 4 octets, limit 3", gauge(label("b", "abcd"), message(2)), ["textTooLong", 15])),
    limited({ lineOctets: 3 }, reads("a help text of 3 octets", family(A, text(2, "abc"), GAUGE), [{ name: "a", type: "gauge", help: "abc", samples: [] }])),
    limited({ lineOctets: 3 }, refuses("a help text of 4 octets, limit 3", family(A, text(2, "abcd"), GAUGE), ["textTooLong", 6])),
    limited({ buckets: 2 }, reads("two buckets", histogram(span(12, 0, 1), span(12, 1, 1), sints(13, 1, 0)), [{ name: "a", type: "histogram", samples: [], histograms: native({ positiveSpans: [{ offset: 0, length: 1 }, { offset: 1, length: 1 }], positive: [1, 1] }) }])),
    limited({ buckets: 1 }, refuses("two buckets, limit 1", histogram(span(12, 0, 1), span(12, 1, 1), sints(13, 1, 0)), ["tooManyBuckets", 10])),
  ],
};
