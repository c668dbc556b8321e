/** Fields of protobuf messages, as lists of octets. */
export type Octets = readonly number[];

/** A varint of up to 64 bits; negative numbers in two's complement. */
function varint(value: number | bigint): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const octets: number[] = [];
  for (; rest >= 0x80n; rest >>= 7n) octets.push(Number(rest & 0x7fn) | 0x80);
  return [...octets, Number(rest)];
}
const tag = (number: number, kind: number): number[] => varint((number << 3) | kind);

/** An integer, an enum or a bool. */
export const int = (number: number, value: number | bigint): number[] => [...tag(number, 0), ...varint(value)];
const zigzag = (value: number): number => (value >= 0 ? 2 * value : -2 * value - 1);
/** A sint32 or a sint64. */
export const sint = (number: number, value: number): number[] => int(number, zigzag(value));
export const double = (number: number, value: number): number[] => [...tag(number, 1), ...octetsOf(value)];
const octetsOf = (value: number): number[] => [...new Uint8Array(new Float64Array([value]).buffer)];
export const fixed32 = (number: number): number[] => [...tag(number, 5), 1, 2, 3, 4];
/** A message, or octets. */
export function message(number: number, ...parts: readonly Octets[]): number[] {
  const content = parts.flat();
  return [...tag(number, 2), ...varint(content.length), ...content];
}
export const text = (number: number, value: string): number[] => message(number, [...new TextEncoder().encode(value)]);
/** Packed lists. */
export const sints = (number: number, ...values: number[]): number[] => message(number, values.flatMap((value) => varint(zigzag(value))));
export const doubles = (number: number, ...values: number[]): number[] => message(number, values.flatMap(octetsOf));

/** A family with its length, as a page has it. */
export function family(...parts: readonly Octets[]): number[] {
  const content = parts.flat();
  return [...varint(content.length), ...content];
}
export const name = (value: string): number[] => text(1, value);
export const TYPE = { counter: 0, gauge: 1, summary: 2, untyped: 3, histogram: 4, gaugehistogram: 5 } as const;
export const type = (value: keyof typeof TYPE | number): number[] => int(3, typeof value === "number" ? value : TYPE[value]);
export const metric = (...parts: readonly Octets[]): number[] => message(4, ...parts);
export const label = (key: string, value: string): number[] => message(1, text(1, key), text(2, value));
/** A google.protobuf.Timestamp. */
export const time = (number: number, seconds: number, nanos = 0): number[] =>
  message(number, int(1, seconds), ...(nanos === 0 ? [] : [int(2, nanos)]));
export const span = (number: number, offset: number, length: number): number[] => message(number, sint(1, offset), int(2, length));
export const hex = (octets: Octets): string => Buffer.from(octets).toString("hex");
