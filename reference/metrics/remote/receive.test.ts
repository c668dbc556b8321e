import { describe, expect, test } from "vitest";
import snappy from "snappyjs";
import { Misuse } from "../../core/index.ts";
import { Columns, type LabelOctets, Matcher, STALE_HIGH, STALE_LOW } from "../model/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { MessageFault, messageOf, RECEIVE_LIMITS, receiveWrite, type WriteMessage } from "./index.ts";

/** A protobuf field, written apart from the reader. */
const varint = (value: bigint): number[] => {
  const octets: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) octets.push(Number(rest & 127n) | 128);
  return [...octets, Number(rest)];
};
const tag = (field: number, kind: number): number[] => varint(BigInt(field * 8 + kind));
const int = (field: number, value: number | bigint): number[] => [...tag(field, 0), ...varint(BigInt(value))];
const sint = (field: number, value: number): number[] => int(field, value < 0 ? -2 * value - 1 : 2 * value);
const inner = (field: number, octets: readonly number[]): number[] => [...tag(field, 2), ...varint(BigInt(octets.length)), ...octets];
const text = (field: number, value: string): number[] => inner(field, [...new TextEncoder().encode(value)]);
const double = (field: number, value: number): number[] => [...tag(field, 1), ...new Uint8Array(new Float64Array([value]).buffer)];
const stale = (field: number): number[] => [...tag(field, 1), ...new Uint8Array(new Uint32Array([STALE_LOW, STALE_HIGH]).buffer)];

const sample = (value: number, time: number): number[] => inner(2, [...double(1, value), ...int(2, time)]);
const labels = (pairs: Record<string, string>): number[] =>
  Object.entries(pairs).flatMap(([name, value]) => inner(1, [...text(1, name), ...text(2, value)]));
const one = (pairs: Record<string, string>, ...rest: readonly number[][]): number[] => inner(1, [...labels(pairs), ...rest.flat()]);
const two = (symbols: readonly string[], ...series: readonly number[][]): number[] => [
  ...symbols.flatMap((symbol) => text(4, symbol)),
  ...series.flatMap((body) => inner(5, body)),
];
const refs = (...numbers: number[]): number[] =>
  inner(
    1,
    numbers.flatMap((number) => varint(BigInt(number))),
  );

const NOW = 1_000_000;
const V2: WriteMessage = "io.prometheus.write.v2.Request";
const receive = (
  octets: readonly number[],
  storage = new MemoryStorage(),
  message: WriteMessage = "prometheus.WriteRequest",
  limits = RECEIVE_LIMITS,
) => receiveWrite(storage, snappy.compress(new Uint8Array(octets)), message, { now: NOW, limits });
const stored = (storage: MemoryStorage): string[] => {
  const found: string[] = [];
  for (const series of storage.querier().select([new Matcher("__name__", "=~", ".+")], -1e15, 1e15)) {
    const columns = new Columns();
    series.read(columns, -1e15, 1e15);
    for (let row = 0; row < columns.length; row++) {
      const histogram = columns.histograms?.[row];
      const value = histogram === undefined ? columns.values[row] : `count ${histogram.count}`;
      found.push(`${series.labels} ${columns.times[row]} ${columns.isStale(row) ? "stale" : value}`);
    }
  }
  return found;
};

const HISTOGRAM = (field: number): number[] =>
  inner(field, [
    ...int(1, 6),
    ...double(3, 10),
    ...sint(4, 1),
    ...double(5, 0.5),
    ...int(6, 1),
    ...inner(11, [...sint(1, -1), ...int(2, 2)]),
    ...inner(12, [...varint(4n), ...varint(2n)]),
    ...int(15, 5_000),
  ]);

describe("write requests", () => {
  test("protocol 1: floats, stale marks, negative times, histograms", () => {
    const storage = new MemoryStorage();
    const got = receive(
      [
        ...one(
          { __name__: "a", b: "é" },
          inner(2, [...double(1, 1.5), ...int(2, -5)]),
          sample(2, 1_000),
          inner(2, [...stale(1), ...int(2, 2_000)]),
        ),
        ...one({ __name__: "h" }, HISTOGRAM(4)),
        ...inner(3, [...int(1, 1), ...text(2, "a")]),
        ...int(99, 7),
      ],
      storage,
    );
    expect(got).toMatchObject({ floats: 3, histograms: 1, problem: undefined });
    expect(stored(storage)).toEqual(['a{b="é"} -5 1.5', 'a{b="é"} 1000 2', 'a{b="é"} 2000 stale', "h 5000 count 6"]);
  });
  test("protocol 2: labels are numbers of symbols", () => {
    const storage = new MemoryStorage();
    const got = receive(
      two(["", "__name__", "a", "b", "c"], [...refs(1, 2, 3, 4), ...sample(7, 1_000)], [...refs(1, 3), ...HISTOGRAM(3)]),
      storage,
      V2,
    );
    expect(got).toMatchObject({ floats: 1, histograms: 1 });
    expect(stored(storage)).toEqual(['a{b="c"} 1000 7', "b 5000 count 6"]);
  });
  test("what is valid is stored, the rest is counted, and the first reason is named", () => {
    const storage = new MemoryStorage();
    receive(one({ __name__: "a" }, sample(1, 5_000)), storage);
    const got = receive(
      [
        ...one({ __name__: "a" }, sample(1, 4_000), sample(2, 6_000)),
        ...one({ b: "2", __name__: "b" }, sample(1, 1)),
        ...one({ b: "1" }, sample(1, 1)),
        ...one({ __name__: "c" }, sample(1, NOW + 11 * 60_000)),
        ...one({ __name__: "d" }, sample(1, 1)),
      ],
      storage,
    );
    expect(got.floats).toBe(2);
    expect(Object.fromEntries(got.refused)).toEqual({ "out of order sample": 1, "invalid labels": 2, "too far ahead": 1 });
    expect(got.problem).toBe("a at 4000: out of order sample");
    expect(stored(storage)).toEqual(["a 5000 1", "a 6000 2", "d 1 1"]);
  });
  test.each<[string, number[]]>([
    ["is not in order", one({ b: "1", __name__: "a" }, sample(1, 1))],
    ["empty value", one({ __name__: "a", b: "" }, sample(1, 1))],
    ["empty name", inner(1, [...inner(1, text(2, "x")), ...sample(1, 1)])],
    ["repeated", inner(1, [...labels({ __name__: "a" }), ...labels({ b: "1" }), ...labels({ b: "2" }), ...sample(1, 1)])],
    ["no metric name", one({ b: "1" }, sample(1, 1))],
  ])("a series whose labels are invalid is refused: %s", (why, octets) => {
    const got = receive(octets);
    expect(got).toMatchObject({ floats: 0, problem: expect.stringContaining(why) as string });
  });

  test.each<[string, number[], WriteMessage]>([
    ["is cut off", [...tag(1, 2), 5, 1], "prometheus.WriteRequest"],
    ["cut off", [...tag(99, 0), 0x80], "prometheus.WriteRequest"],
    ["number 0", [0, 0], "prometheus.WriteRequest"],
    ["more than 64 bits", [0x28, ...Array.from({ length: 11 }, () => 0xff)], "prometheus.WriteRequest"],
    ["wire type", int(1, 5), "prometheus.WriteRequest"],
    ["not UTF-8", inner(1, inner(1, inner(1, [0xff]))), "prometheus.WriteRequest"],
    ["first symbol", two(["x"], refs(0, 0)), V2],
    ["does not exist", two(["", "a"], [...refs(1, 9), ...sample(1, 1)]), V2],
    ["without a value", two(["", "a"], [...refs(1), ...sample(1, 1)]), V2],
    ["unknown schema", one({ __name__: "h" }, inner(4, sint(4, 9))), "prometheus.WriteRequest"],
    ["buckets for spans", one({ __name__: "h" }, inner(4, inner(11, int(2, 3)))), "prometheus.WriteRequest"],
    ["more than 100000 buckets", one({ __name__: "h" }, inner(4, inner(11, int(2, 1e9)))), "prometheus.WriteRequest"],
    ["invalid span", one({ __name__: "h" }, inner(4, inner(11, int(2, -1)))), "prometheus.WriteRequest"],
    [
      "more than 1000 labels",
      inner(1, Array.from({ length: 1_001 }, (_, at) => inner(1, [...text(1, `l${at}`), ...text(2, "v")])).flat()),
      "prometheus.WriteRequest",
    ],
  ])("a message that %s is refused as a whole", (why, octets, message) => {
    const storage = new MemoryStorage();
    const before = message === V2 ? [] : one({ __name__: "good" }, sample(1, 1));
    expect(() => receive([...before, ...octets], storage, message)).toThrow(why);
    expect(stored(storage)).toEqual([]);
  });
  test("exemplars: an older one is refused and counted, the samples are stored", () => {
    const storage = new MemoryStorage();
    const exemplar = (time: number): number[] =>
      inner(3, [...inner(1, [...text(1, "t"), ...text(2, String(time))]), ...double(2, 1), ...int(3, time)]);
    const got = receive(one({ __name__: "a" }, sample(1, 9), exemplar(9)), storage);
    expect(got).toMatchObject({ floats: 1, exemplars: 1, problem: undefined });
    const again = receive(one({ __name__: "a" }, sample(2, 10), exemplar(8), exemplar(9), exemplar(9e12)), storage);
    expect(again).toMatchObject({ floats: 1, exemplars: 1, problem: "a at 8: out of order exemplar" });
    expect(Object.fromEntries(again.refused)).toEqual({ "out of order exemplar": 1, "too far ahead": 1 });
  });

  test("a series beyond a limit of the storage is refused, and the others are stored", () => {
    const storage = new MemoryStorage();
    const full = {
      appender: () => {
        const appender = storage.appender();
        return Object.assign(appender, {
          seriesOf: (octets: LabelOctets) => {
            if (octets.size > 1) throw new Misuse("A series has at most 1 label.");
            return appender.series(octets.toLabels());
          },
        });
      },
    };
    const octets = new Uint8Array([...one({ __name__: "a", b: "1" }, sample(1, 1)), ...one({ __name__: "c" }, sample(2, 1))]);
    const got = receiveWrite(full, snappy.compress(octets), "prometheus.WriteRequest", { now: NOW, limits: RECEIVE_LIMITS });
    expect(got).toMatchObject({ floats: 1, problem: 'a{b="1"}: A series has at most 1 label.' });
    expect(stored(storage)).toEqual(["c 1 2"]);
  });
  test("a block that claims to unpack to more than the limit is refused before any memory is taken", () => {
    const bomb = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0x0f, 0]);
    expect(() => receiveWrite(new MemoryStorage(), bomb, V2, { now: NOW, limits: RECEIVE_LIMITS })).toThrow(MessageFault);
    const limits = { ...RECEIVE_LIMITS, octets: 10 };
    expect(() => receive(one({ __name__: "a" }, sample(1, 1)), new MemoryStorage(), "prometheus.WriteRequest", limits)).toThrow(
      "more than 10 octets",
    );
  });
  test.each<[string | undefined, WriteMessage | undefined]>([
    [undefined, "prometheus.WriteRequest"],
    ["application/x-protobuf", "prometheus.WriteRequest"],
    ["Application/X-Protobuf; proto=prometheus.WriteRequest", "prometheus.WriteRequest"],
    ["application/x-protobuf;proto=io.prometheus.write.v2.Request", V2],
    ["application/x-protobuf;proto=other", undefined],
    ["application/json", undefined],
  ])("the Content-Type %s announces %s", (type, message) => {
    expect(messageOf(type)).toBe(message);
  });

  test("fields that are not known are skipped, whatever their kind", () => {
    const unknown = [...tag(13, 0), 5, ...tag(14, 1), 1, 2, 3, 4, 5, 6, 7, 8, ...tag(15, 2), 2, 9, 9, ...tag(13, 5), 1, 2, 3, 4];
    const storage = new MemoryStorage();
    expect(receive([...unknown, ...one({ __name__: "a" }, unknown, sample(1, 5), unknown), ...unknown], storage).floats).toBe(1);
    expect(stored(storage)).toEqual(["a 5 1"]);
  });
  /** One field of each kind that no message has. */
  const UNKNOWN = [...tag(20, 0), 0x85, 1, ...tag(21, 1), 1, 2, 3, 4, 5, 6, 7, 8, ...tag(22, 2), 2, 9, 9, ...tag(23, 5), 1, 2, 3, 4];
  const between = (...parts: readonly number[][]): number[] => [UNKNOWN, ...parts.flatMap((part) => [part, UNKNOWN])].flat();
  const span = (...more: number[]): number[] => [...sint(1, -1), ...more, ...int(2, 2)];
  const histogramOf = (parts: (...fields: readonly number[][]) => number[]): number[] =>
    parts(int(1, 6), double(3, 10), sint(4, 1), double(5, 0.5), int(6, 1), inner(11, span()), inner(12, [4, 2]), int(15, 5_000));
  const plain = (...parts: readonly number[][]): number[] => parts.flat();
  const reversed = (...parts: readonly number[][]): number[] => parts.toReversed().flat();

  /** A series with a float and an exemplar, and one with a histogram, whose messages have their fields as `parts` puts them. */
  const requestOne = (parts: typeof plain): [number[], number[]] => {
    const label = (name: string, value: string): number[] => inner(1, parts(text(1, name), text(2, value)));
    const exemplar = inner(3, parts(label("t", "x"), double(2, 3), int(3, 5_000)));
    return [
      inner(1, [...label("__name__", "a"), ...label("b", "c"), ...inner(2, parts(double(1, 7), int(2, 5_000))), ...exemplar]),
      inner(1, [...label("__name__", "h"), ...inner(4, histogramOf(parts))]),
    ];
  };
  const requestTwo = (parts: typeof plain): [number[], number[]] => {
    const exemplar = inner(4, parts(refs(5, 6), double(2, 3), int(3, 5_000)));
    return [
      two(["", "__name__", "a", "b", "c", "t", "x", "h"], parts(refs(1, 2, 3, 4), inner(2, parts(double(1, 7), int(2, 5_000))), exemplar)),
      inner(5, parts(refs(1, 7), inner(3, histogramOf(parts)))),
    ];
  };
  test.each([
    ["prometheus.WriteRequest", requestOne],
    [V2, requestTwo],
  ] as const)("%s: the order of fields, and fields that are not known between them, change nothing at any depth", (message, request) => {
    for (const parts of [plain, between, reversed]) {
      const storage = new MemoryStorage();
      const got = receive(request(parts).flat(), storage, message);
      expect(got).toMatchObject({ floats: 1, histograms: 1, exemplars: 1, problem: undefined });
      expect(stored(storage)).toEqual(['a{b="c"} 5000 7', "h 5000 count 6"]);
    }
  });
  test.each([
    ["prometheus.WriteRequest", requestOne],
    [V2, requestTwo],
  ] as const)("%s: a series that is cut off anywhere, also within a field that is not known, is a fault", (message, request) => {
    for (const parts of [plain, between]) {
      const [before, last] = request(parts);
      for (let length = 1; length < last.length; length++)
        expect(() => receive([...before, ...last.slice(0, length)], new MemoryStorage(), message), `after ${length} octets`).toThrow(
          MessageFault,
        );
      // The twin: all of it.
      expect(receive([...before, ...last], new MemoryStorage(), message).problem).toBeUndefined();
    }
  });

  test.each([
    [[...tag(14, 1), 1, 2, 3, 4, 5, 6, 7]],
    [[...tag(13, 5), 1, 2, 3]],
    [[...tag(15, 2), 3, 9, 9]],
    [[...tag(13, 0)]],
    [[...tag(13, 3)]],
  ])("a field that is not known and is cut off or of no kind is a fault: %j", (octets) => {
    expect(() => receive(octets)).toThrow(MessageFault);
  });
});
