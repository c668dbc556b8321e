import snappy from "snappyjs";
import { STALE } from "../metrics/stale.ts";
import type { Protocol } from "./build.ts";

/** Reads requests of remote write strictly, and says what is wrong with them. */

export class WireFault extends Error {
  override readonly name = "WireFault";
}

/** A field of a message: its number, its wire type and its value. */
type Field = { readonly number: number; readonly kind: number; readonly value: bigint; readonly octets: Uint8Array };
export type ReadSample = { readonly value: number; readonly isStale: boolean; readonly time: number };
/** `positive`: the counts of its buckets, in order. */
export type ReadHistogram = {
  readonly count: number;
  readonly sum: number;
  readonly schema: number;
  readonly positive: readonly number[];
  readonly isStale: boolean;
  readonly time: number;
};
export type ReadSeries = {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly samples: readonly ReadSample[];
  readonly histograms: readonly ReadHistogram[];
  readonly exemplars: number;
  readonly metadata: { readonly type: number; readonly help: string; readonly unit: string } | undefined;
};
export type ReadRequest = {
  readonly series: readonly ReadSeries[];
  /** Protocol 2. */
  readonly symbols: readonly string[];
  /** Protocol 1: families of metadata. */
  readonly families: readonly string[];
  /** Fields that the schema does not have. */
  readonly unknown: readonly string[];
};

/** The message of a block of Snappy. Throws `WireFault`. */
export function unpacked(block: Uint8Array, most = 64 << 20): Uint8Array {
  let [length, at] = [0, 0];
  for (let weight = 1; ; weight *= 128, at++) {
    const octet = block[at];
    if (octet === undefined || weight > 128 ** 4) throw new WireFault("the content is not a block of Snappy");
    length += (octet & 127) * weight;
    if (octet < 128) break;
  }
  if (length > most) throw new WireFault(`the block claims ${length} octets`);
  let message: Uint8Array;
  try {
    message = snappy.uncompress(block);
  } catch {
    throw new WireFault("the content is not a block of Snappy");
  }
  if (message.length !== length || outputOf(block.subarray(at + 1)) !== length)
    throw new WireFault("the block does not have the octets that it claims");
  return message;
}

/** The octets that the elements of a block make. */
function outputOf(elements: Uint8Array): number {
  let [at, made] = [0, 0];
  while (at < elements.length) {
    const tag = elements[at++]!;
    const kind = tag & 3;
    let size = (tag >>> 2) + 1;
    if (kind === 0) {
      const octets = Math.max(0, size - 60);
      if (octets > 0) {
        size = 1;
        for (let place = 0; place < octets; place++) size += elements[at + place]! * 256 ** place;
      }
      at += octets + size;
    } else {
      if (kind === 1) size = ((tag >>> 2) & 7) + 4;
      at += kind === 3 ? 4 : kind;
    }
    made += size;
  }
  return at === elements.length ? made : -1;
}

function fieldsIn(octets: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const octet = octets[at++];
      if (octet === undefined) throw new WireFault("the message is cut off");
      value |= BigInt(octet & 127) << shift;
      if (octet < 128) return value;
    }
    throw new WireFault("a number has more than 64 bits");
  };
  while (at < octets.length) {
    const key = Number(varint());
    const [number, kind] = [Math.floor(key / 8), key % 8];
    if (number === 0) throw new WireFault("a field has the number 0");
    const value = kind === 0 || kind === 2 ? varint() : 0n;
    const length = kind === 2 ? Number(value) : kind === 1 ? 8 : kind === 5 ? 4 : kind === 0 ? 0 : -1;
    if (length < 0) throw new WireFault(`a field has the wire type ${kind}`);
    if (at + length > octets.length) throw new WireFault("a field is longer than its message");
    fields.push({ number, kind, value, octets: octets.subarray(at, at + length) });
    at += length;
  }
  return fields;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
function textOf({ octets, kind }: Field): string {
  if (kind !== 2) throw new WireFault("a text has the wrong wire type");
  try {
    return decoder.decode(octets);
  } catch {
    throw new WireFault("a text is not UTF-8");
  }
}
const inner = (field: Field): Field[] => {
  if (field.kind !== 2) throw new WireFault("a message has the wrong wire type");
  return fieldsIn(field.octets);
};
const whole = (field: Field): number => Number(BigInt.asIntN(64, field.value));
const view = ({ octets }: Field): DataView => new DataView(octets.buffer, octets.byteOffset, octets.byteLength);

/** The request in a message. Throws `WireFault`. */
export function readRequest(protocol: Protocol, message: Uint8Array): ReadRequest {
  const fields = fieldsIn(message);
  const symbols = protocol === 1 ? [] : fields.filter(({ number }) => number === 4).map(textOf);
  const unknown: string[] = [];
  const own = protocol === 1 ? [1, 3] : [4, 5];
  for (const { number } of fields) if (!own.includes(number)) unknown.push(`field ${number} of the request`);
  const series = fields
    .filter(({ number }) => number === (protocol === 1 ? 1 : 5))
    .map((one) => readSeries(protocol, inner(one), symbols, unknown));
  const families =
    protocol === 1 ? fields.filter(({ number }) => number === 3).map((one) => textOf(inner(one).find(({ number }) => number === 2)!)) : [];
  return { series, symbols, families, unknown };
}

function readSeries(protocol: Protocol, fields: readonly Field[], symbols: readonly string[], unknown: string[]): ReadSeries {
  const symbol = (ref: number): string => {
    const text = symbols[ref];
    if (text === undefined) throw new WireFault(`a reference to symbol ${ref} of ${symbols.length}`);
    return text;
  };
  const labels =
    protocol === 1
      ? fields.filter(({ number }) => number === 1).map(readLabel)
      : pairsOf(refsIn(fields.filter(({ number }) => number === 1)), symbol);
  const histogramField = protocol === 1 ? 4 : 3;
  const exemplarField = protocol === 1 ? 3 : 4;
  const metadata = protocol === 1 ? undefined : fields.find(({ number }) => number === 5);
  for (const { number } of fields) if (number > (protocol === 1 ? 4 : 5)) unknown.push(`field ${number} of a series`);
  return {
    labels,
    samples: fields.filter(({ number }) => number === 2).map((one) => readSample(inner(one))),
    histograms: fields.filter(({ number }) => number === histogramField).map((one) => readHistogram(inner(one))),
    exemplars: fields.filter(({ number }) => number === exemplarField).length,
    metadata: metadata === undefined ? undefined : readMetadata(inner(metadata), symbol),
  };
}

function readLabel(field: Field): readonly [string, string] {
  const parts = inner(field);
  const of = (wanted: number): string => {
    const part = parts.find(({ number }) => number === wanted);
    return part === undefined ? "" : textOf(part);
  };
  return [of(1), of(2)];
}

function refsIn(fields: readonly Field[]): number[] {
  const refs: number[] = [];
  for (const { kind, value, octets } of fields) refs.push(...(kind === 0 ? [value] : varintsIn(octets)).map(Number));
  return refs;
}
function pairsOf(refs: readonly number[], symbol: (ref: number) => string): (readonly [string, string])[] {
  if (refs.length % 2 === 1) throw new WireFault("a label name has no value");
  return Array.from({ length: refs.length / 2 }, (_, at) => [symbol(refs[at * 2]!), symbol(refs[at * 2 + 1]!)] as const);
}

function readSample(fields: readonly Field[]): ReadSample {
  const value = fields.find(({ number }) => number === 1);
  const time = fields.find(({ number }) => number === 2);
  if (value !== undefined && value.kind !== 1) throw new WireFault("a value is not a double");
  const bits = value === undefined ? undefined : view(value);
  const isStale = bits?.getUint32(0, true) === STALE[0] && bits.getUint32(4, true) === STALE[1];
  return { value: bits?.getFloat64(0, true) ?? 0, isStale, time: time === undefined ? 0 : whole(time) };
}

function readHistogram(fields: readonly Field[]): ReadHistogram {
  const of = (wanted: number): Field | undefined => fields.find(({ number }) => number === wanted);
  const double = (wanted: number): number => {
    const found = of(wanted);
    return found === undefined ? 0 : view(found).getFloat64(0, true);
  };
  const schema = zigzag(of(4)?.value ?? 0n);
  if (schema !== -53 && (schema < -4 || schema > 8)) throw new WireFault(`a histogram has the schema ${schema}`);
  const [integer, time, sum, counts] = [of(1), of(15), of(3), of(13)];
  const isStale = sum !== undefined && view(sum).getUint32(0, true) === STALE[0] && view(sum).getUint32(4, true) === STALE[1];
  let last = 0;
  const deltas = fields.filter(({ number }) => number === 12).flatMap((one) => (one.kind === 0 ? [one.value] : varintsIn(one.octets)));
  const positive =
    counts === undefined
      ? deltas.map((delta) => (last += zigzag(delta)))
      : Array.from({ length: counts.octets.length / 8 }, (_, at) => view(counts).getFloat64(at * 8, true));
  return {
    count: integer === undefined ? double(2) : whole(integer),
    sum: double(3),
    schema,
    positive,
    isStale,
    time: time === undefined ? 0 : whole(time),
  };
}

const zigzag = (value: bigint): number => Number((value >> 1n) ^ -(value & 1n));
function varintsIn(octets: Uint8Array): bigint[] {
  const found: bigint[] = [];
  let [value, shift] = [0n, 0n];
  for (const octet of octets) {
    value |= BigInt(octet & 127) << shift;
    shift += 7n;
    if (octet >= 128) continue;
    found.push(value);
    [value, shift] = [0n, 0n];
  }
  return found;
}

function readMetadata(fields: readonly Field[], symbol: (ref: number) => string): NonNullable<ReadSeries["metadata"]> {
  const of = (wanted: number): number =>
    whole(fields.find(({ number }) => number === wanted) ?? { number: 0, kind: 0, value: 0n, octets: new Uint8Array() });
  return { type: of(1), help: symbol(of(3)), unit: symbol(of(4)) };
}
