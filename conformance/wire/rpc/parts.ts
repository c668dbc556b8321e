import { joined, lengthDelimited, readMessage, varint } from "../protobuf.ts";
import { fromHex, toHex } from "../octets.ts";

/** Messages of any contract as fields by their numbers: enough to ask standard services, and to look at one place of what they answer. */

/** A field with its value: a number, a text, octets, or a message. */
export type FieldOf<Value> = readonly [number: number, value: Value];
export type Part = number | string | Uint8Array;

/** Octets of a varint of 64 bits; a negative one as in two's complement. */
const wide = (value: number): Uint8Array => {
  if (value >= 0) return varint(value);
  const octets: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) octets.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...octets, Number(rest)]);
};

/** A message of these fields. Unlike in proto3, a field of 0 or without content is written, too. */
export const messageOfParts = (fields: readonly FieldOf<Part>[]): Uint8Array =>
  joined(
    fields.map(([number, value]) => {
      if (typeof value === "number") return joined([varint(number << 3), wide(value)]);
      return lengthDelimited(number, typeof value === "string" ? new TextEncoder().encode(value) : value);
    }),
  );

/** The values at a place: the numbers of the fields that lead there, from the outside. None where the octets are no message. */
export function partsAt(message: Uint8Array, [field = 0, ...inner]: readonly number[]): readonly (number | Uint8Array)[] {
  const values = readMessage(message)?.values(field) ?? [];
  if (inner.length === 0) return values;
  return values.flatMap((value) => (typeof value === "number" ? [] : partsAt(value, inner)));
}

/** Where an address of version 4 stands in one of version 6. */
const MAPPED = `${"00".repeat(10)}ffff`;
/** The octets of an address, in hex: the same for both forms of version 4. */
const addressHex = (octets: Uint8Array): string => {
  const hex = toHex(octets);
  return octets.length === 16 && hex.startsWith(MAPPED) ? hex.slice(MAPPED.length) : hex;
};

/** Whether a value that came is the expected one. */
export function isPart(value: number | Uint8Array, expected: Part): boolean {
  if (typeof value === "number" || typeof expected === "number") return value === expected;
  return typeof expected === "string" ? Buffer.from(value).toString() === expected : addressHex(value) === addressHex(expected);
}

/** The octets of a numeric address; undefined for anything else. */
export function addressOctets(address: string): Uint8Array | undefined {
  const four = address.replace(/^::ffff:(?=[0-9.]+$)/, "");
  if (/^\d+(?:\.\d+){3}$/.test(four)) return Uint8Array.from(four.split("."), Number);
  if (!/^[0-9a-f:]+$/i.test(address)) return undefined;
  const [head = "", tail] = address.split("::");
  const hex = (groups: string): string =>
    groups
      .split(":")
      .map((group) => (group === "" ? "" : group.padStart(4, "0")))
      .join("");
  const behind = hex(tail ?? "");
  return fromHex(hex(head).padEnd(32 - behind.length, "0") + behind);
}

const LONGEST_TEXT = 60;
/** A message in words, as far as that can be without its contract: `{1: {1: 5}, 2: "text"}`. */
export function partsInWords(message: Uint8Array): string {
  const read = readMessage(message);
  if (read === undefined) return toHex(message.subarray(0, LONGEST_TEXT));
  const fields = [...read.numbers].flatMap((number) => read.values(number).map((value) => `${number}: ${valueInWords(value)}`));
  return `{${fields.join(", ")}}`;
}
function valueInWords(value: number | Uint8Array): string {
  if (typeof value === "number") return String(value);
  const text = Buffer.from(value).toString();
  if (/^[ -~]+$/.test(text)) return JSON.stringify(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
  return value.length === 0 ? '""' : partsInWords(value);
}
