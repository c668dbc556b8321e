import { gzipSync } from "node:zlib";
import snappy from "snappyjs";
import { histogramMessage, type WrittenHistogram } from "../metrics/histogram.ts";
import { STALE } from "../metrics/stale.ts";
import { joined, lengthDelimited as field, varint } from "../protobuf.ts";

/** Requests of remote write, right or wrong (Prometheus specs, prw/remote_write_spec.md and prw/remote_write_spec_2_0.md). */

export type Protocol = 1 | 2;
/** A value as text where JSON has no number for it. */
export type WrittenValue = number | "stale" | "NaN" | "+Inf" | "-Inf" | "-0";
/** A point: the value, and milliseconds since 1970. */
export type Point<V> = readonly [value: V, time: number];
export type RequestSeries = {
  /** Names and values in the order in which they are sent. */
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly samples?: readonly Point<WrittenValue>[];
  readonly histograms?: readonly Point<WrittenHistogram>[];
  readonly exemplars?: readonly Point<number>[];
  /** Protocol 2: the number of the type, the help text and the unit. */
  readonly metadata?: readonly [type: number, help: string, unit: string];
  /** Protocol 2: instead of the numbers of the labels. */
  readonly refs?: readonly number[];
};

/** How a message differs from what a plain writer makes. The first group is legal, the second is not. */
export type Shape =
  | "unknown-field"
  | "unknown-in-series"
  | "unknown-in-sample"
  | "unpacked-refs"
  | "symbols-last"
  | "labels-last"
  | "start-time"
  | "torn"
  | "wrong-wire-type"
  | "field-zero"
  | "long-length"
  | "not-utf8";

/** How the message becomes the content of a request. `copies` and `literals` are legal blocks; none of the others is one. */
export type Packing =
  | "copies"
  | "literals"
  | "framed"
  | "raw"
  | "gzip"
  | "torn"
  | "claims-more"
  | "claims-less"
  | "claims-huge"
  | "bad-copy"
  | "trailing"
  | "nothing";

export type RequestContent = {
  readonly series: readonly RequestSeries[];
  /** Protocol 2: the texts before those of the series; the empty one by default. */
  readonly symbols?: readonly string[];
  readonly shape?: Shape;
  readonly packing?: Packing;
};

const text = (value: string): Uint8Array => Buffer.from(value);
const key = (number: number, kind: number): Uint8Array => varint(number * 8 + kind);
const whole = (number: number, value: number): Uint8Array => {
  if (value >= 0) return joined([key(number, 0), varint(value)]);
  let rest = BigInt.asUintN(64, BigInt(value));
  const octets: number[] = [];
  for (; rest > 127n; rest >>= 7n) octets.push(Number(rest & 127n) | 128);
  return joined([key(number, 0), Uint8Array.from([...octets, Number(rest)])]);
};
const VALUES = { NaN: Number.NaN, "+Inf": Infinity, "-Inf": -Infinity, "-0": -0 } as const;

function double(number: number, value: WrittenValue): Uint8Array {
  const octets = new Uint8Array(8);
  const view = new DataView(octets.buffer);
  if (value === "stale") {
    view.setUint32(0, STALE[0], true);
    view.setUint32(4, STALE[1], true);
  } else view.setFloat64(0, typeof value === "number" ? value : VALUES[value], true);
  return joined([key(number, 1), octets]);
}

/** The content of a request. */
export const requestOf = (protocol: Protocol, content: RequestContent): Uint8Array =>
  packed(messageOf(protocol, content), content.packing ?? "copies");

/** The message before it is compressed. */
function messageOf(protocol: Protocol, { series, symbols = [""], shape }: RequestContent): Uint8Array {
  const table = [...symbols];
  const ref = (value: string): number => {
    const at = table.indexOf(value);
    return at >= 0 ? at : table.push(value) - 1;
  };
  const body = series.map((one) => field(protocol === 1 ? 1 : 5, seriesOf(protocol, one, ref, shape)));
  const texts = protocol === 1 ? [] : table.map((one) => field(4, text(one)));
  const parts = shape === "symbols-last" ? [...body, ...texts] : [...texts, ...body];
  if (shape === "unknown-field") parts.unshift(field(99, text("later")), whole(98, 7));
  if (shape === "wrong-wire-type") parts.push(whole(protocol === 1 ? 1 : 5, 1));
  if (shape === "field-zero") parts.push(Uint8Array.of(0, 0));
  if (shape === "long-length") parts.push(joined([key(protocol === 1 ? 1 : 5, 2), varint(1_000_000)]));
  const all = joined(parts);
  return shape === "torn" ? all.subarray(0, -3) : all;
}

function seriesOf(protocol: Protocol, one: RequestSeries, ref: (text: string) => number, shape: Shape | undefined): Uint8Array {
  const { labels, samples = [], histograms = [], exemplars = [], metadata, refs } = one;
  const names = protocol === 1 ? labels.map((pair) => field(1, labelOf(pair, shape))) : refsOf(refs ?? labels.flat().map(ref), shape);
  const points = samples.map(([value, time]) => {
    const start = shape === "start-time" ? whole(3, 0) : new Uint8Array();
    const later = shape === "unknown-in-sample" ? field(90, text("later")) : new Uint8Array();
    return field(2, joined([double(1, value), whole(2, time), start, later]));
  });
  const examples = exemplars.map(([value, time]) =>
    protocol === 1
      ? field(3, joined([field(1, labelOf(["trace_id", "t1"], undefined)), double(2, value), whole(3, time)]))
      : field(4, joined([...refsOf([ref("trace_id"), ref("t1")], undefined), double(2, value), whole(3, time)])),
  );
  const parts = [
    ...(shape === "labels-last" ? [] : names),
    ...points,
    ...histograms.map(([value, time]) => field(protocol === 1 ? 4 : 3, histogramMessage(value, time))),
    ...examples,
    ...(metadata === undefined || protocol === 1
      ? []
      : [field(5, joined([whole(1, metadata[0]), whole(3, ref(metadata[1])), whole(4, ref(metadata[2]))]))]),
    ...(shape === "labels-last" ? names : []),
  ];
  if (shape === "unknown-in-series") parts.push(whole(91, 3), field(92, text("later")));
  return joined(parts);
}

const labelOf = ([name, value]: readonly [string, string], shape: Shape | undefined): Uint8Array =>
  joined([field(1, text(name)), field(2, shape === "not-utf8" && name !== "__name__" ? Uint8Array.of(0xc3, 0x28) : text(value))]);

const refsOf = (refs: readonly number[], shape: Shape | undefined): Uint8Array[] =>
  shape === "unpacked-refs" ? refs.map((one) => whole(1, one)) : [field(1, joined(refs.map(varint)))];

function packed(message: Uint8Array, packing: Packing): Uint8Array {
  const block = (): Uint8Array => snappy.compress(message);
  const after = (length: number, rest: Uint8Array): Uint8Array => joined([varint(length), rest]);
  const literals = (): Uint8Array => {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < message.length; at += 60) {
      const piece = message.subarray(at, at + 60);
      parts.push(Uint8Array.of((piece.length - 1) << 2), piece);
    }
    return joined(parts);
  };
  switch (packing) {
    case "copies":
      return block();
    case "literals":
      return after(message.length, literals());
    case "framed":
      // The stream identifier of the framing format, then an uncompressed chunk without a right checksum.
      return joined([
        Buffer.from("ff060000734e61507059", "hex"),
        Uint8Array.of(1, message.length + 4, (message.length + 4) >> 8, 0),
        new Uint8Array(4),
        message,
      ]);
    case "raw":
      return message;
    case "gzip":
      return gzipSync(message);
    case "torn":
      return block().subarray(0, -4);
    case "claims-more":
      return after(message.length + 9, literals());
    case "claims-less":
      return after(Math.max(0, message.length - 9), literals());
    case "claims-huge":
      return after(0xffff_ffff, literals());
    case "bad-copy":
      // A copy from before the beginning.
      return joined([varint(message.length + 4), Uint8Array.of(1, 200), literals()]);
    case "trailing":
      return joined([block(), Uint8Array.of(0, 0)]);
    case "nothing":
      return new Uint8Array();
  }
}
