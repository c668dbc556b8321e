import { type Draw, oneOf, some, wholeBelow } from "./metrics-draw.ts";

/** Messages of the protobuf format (`io.prometheus.client.MetricFamily`), each after its length, mostly well formed. */

type Octets = readonly number[];

function varint(value: bigint): number[] {
  const octets: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) octets.push(Number(rest & 0x7fn) | 0x80);
  return [...octets, Number(rest)];
}
const tag = (field: number, wire: number): number[] => varint(BigInt((field << 3) | wire));
const whole = (field: number, value: number | bigint): number[] => [...tag(field, 0), ...varint(BigInt(value))];
const zigzag = (field: number, value: number): number[] => whole(field, value < 0 ? -2 * value - 1 : 2 * value);
const double = (field: number, value: number): number[] => [...tag(field, 1), ...new Uint8Array(new Float64Array([value]).buffer)];
const nested = (field: number, octets: Octets): number[] => [...tag(field, 2), ...varint(BigInt(octets.length)), ...octets];
const text = (field: number, value: string): number[] => nested(field, [...new TextEncoder().encode(value)]);

const number = (random: Draw): number => oneOf(random, [0, 1, 2.5, -3, Number.NaN, Infinity, -Infinity, -0, 1e300, wholeBelow(random, 99)]);
/** A message that leaves fields out at random, and has them in another order at times. */
const fields = (random: Draw, keep: number, ...parts: readonly (() => Octets)[]): number[] => {
  const kept = parts.filter(() => random() < keep).map((make) => make());
  return (random() < 0.1 ? kept.toReversed() : kept).flat();
};

const label = (random: Draw): Octets =>
  fields(
    random,
    0.97,
    () => text(1, oneOf(random, ["a", "b", "le", "é", "__name__", "quantile", "c"])),
    () => text(2, oneOf(random, ["x", "", "yy", "é"])),
  );
const timestamp = (random: Draw): Octets =>
  fields(
    random,
    0.9,
    () => whole(1, oneOf(random, [0, 5, 1_520_879_607, -1n, 2 ** 40])),
    () => whole(2, oneOf(random, [0, 999_999, 1_000_000, 999_999_999, 1_000_000_000, -1n])),
  );
const exemplar = (random: Draw): Octets =>
  fields(
    random,
    0.8,
    () => nested(1, label(random)),
    () => double(2, number(random)),
    () => nested(3, timestamp(random)),
  );
const span = (random: Draw): Octets =>
  fields(
    random,
    0.95,
    () => zigzag(1, oneOf(random, [0, 1, -2, 3, 8])),
    () => whole(2, oneOf(random, [0, 1, 2, 3, 2 ** 20])),
  );

function bucket(random: Draw, at: number): Octets {
  return fields(
    random,
    0.95,
    () => whole(1, at * 2),
    () => double(2, oneOf(random, [at, at, at, Infinity])),
    () => (random() < 0.2 ? double(4, at * 2 + 0.5) : []),
    () => (random() < 0.2 ? nested(3, exemplar(random)) : []),
  );
}

/** One side of a native histogram: spans, and counts as differences or floats. */
function side(random: Draw, [spans, deltas, counts]: readonly [number, number, number], isFloat: boolean): number[] {
  const lengths = some(random, [0, 2], () => 1 + wholeBelow(random, 2));
  const total = lengths.reduce((sum, length) => sum + length, 0) + (random() < 0.1 ? 1 : 0);
  const made = lengths.flatMap((length) =>
    nested(spans, random() < 0.95 ? [...zigzag(1, oneOf(random, [0, 1, 2, -1])), ...whole(2, length)] : span(random)),
  );
  const values = Array.from({ length: total }, () => wholeBelow(random, 6) - (random() < 0.05 ? 3 : 0));
  if (isFloat)
    return [
      ...made,
      ...(random() < 0.5
        ? nested(
            counts,
            values.flatMap((one) => [...new Uint8Array(new Float64Array([one + 0.5]).buffer)]),
          )
        : values.flatMap((one) => double(counts, one))),
    ];
  const signed = values.map((one, at) => one - (values[at - 1] ?? 0));
  const zig = (one: number): number[] => varint(BigInt(one < 0 ? -2 * one - 1 : 2 * one));
  return [...made, ...(random() < 0.5 ? nested(deltas, signed.flatMap(zig)) : signed.flatMap((one) => zigzag(deltas, one)))];
}

function histogram(random: Draw): Octets {
  const isNative = random() < 0.6;
  const isFloat = random() < 0.3;
  return fields(
    random,
    0.93,
    () => whole(1, wholeBelow(random, 40)),
    () => double(2, number(random)),
    () => (random() < 0.6 ? some(random, [0, 3], (at) => nested(3, bucket(random, at))).flat() : []),
    () => (isFloat ? double(4, wholeBelow(random, 40) + 0.5) : []),
    () => (isNative ? zigzag(5, oneOf(random, [0, 0, 3, -4, 8, 9, -5, -53])) : []),
    () => (isNative ? double(6, oneOf(random, [0, 0.001, 1, -1])) : []),
    () => (isNative ? whole(7, wholeBelow(random, 5)) : []),
    () => (isNative && isFloat ? double(8, wholeBelow(random, 5)) : []),
    () => (isNative ? side(random, [9, 10, 11], isFloat) : []),
    () => (isNative ? side(random, [12, 13, 14], isFloat) : []),
    () => (random() < 0.3 ? nested(15, timestamp(random)) : []),
    () => (random() < 0.3 ? some(random, [1, 2], () => nested(16, exemplar(random))).flat() : []),
  );
}

function metric(random: Draw, type: number): Octets {
  const value = ((): Octets => {
    switch (type) {
      case 0:
        return nested(
          3,
          fields(
            random,
            0.9,
            () => double(1, number(random)),
            () => (random() < 0.4 ? nested(2, exemplar(random)) : []),
            () => (random() < 0.4 ? nested(3, timestamp(random)) : []),
          ),
        );
      case 1:
        return nested(
          2,
          fields(random, 0.9, () => double(1, number(random))),
        );
      case 2:
        return nested(
          4,
          fields(
            random,
            0.9,
            () => whole(1, wholeBelow(random, 40)),
            () => double(2, number(random)),
            () => some(random, [0, 3], () => nested(3, [...double(1, random()), ...double(2, number(random))])).flat(),
            () => (random() < 0.3 ? nested(4, timestamp(random)) : []),
          ),
        );
      case 3:
        return nested(
          5,
          fields(random, 0.9, () => double(1, number(random))),
        );
      default:
        return nested(7, histogram(random));
    }
  })();
  return fields(
    random,
    0.97,
    () => some(random, [0, 2], () => nested(1, label(random))).flat(),
    () => value,
    () => (random() < 0.3 ? whole(6, oneOf(random, [0, 5, -7n, 1_520_879_607_789])) : []),
  );
}

export function message(random: Draw): Uint8Array {
  const type = oneOf(random, [0, 1, 2, 3, 4, 4, 4, 5]);
  const body = fields(
    random,
    0.97,
    () => text(1, oneOf(random, ["a", "b_total", "é", "m.n"])),
    () => (random() < 0.3 ? text(2, oneOf(random, ["help", "", "é\n"])) : []),
    () => whole(3, random() < 0.97 ? type : 6),
    () => some(random, [0, 2], () => nested(4, metric(random, random() < 0.95 ? type : wholeBelow(random, 6)))).flat(),
    () => (random() < 0.2 ? text(5, "seconds") : []),
    () => (random() < 0.1 ? oneOf(random, [whole(9, 5), double(10, 1), text(11, "x"), [...tag(12, 5), 1, 2, 3, 4]]) : []),
  );
  return new Uint8Array([...varint(BigInt(body.length)), ...body]);
}
