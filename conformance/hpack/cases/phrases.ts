import { Writer, field } from "../../../reference/core/index.ts";
import { Encoder } from "../../../reference/hpack/index.ts";
import type { FieldSpec, Outcome, Step } from "../vocabulary.ts";

/** Builders of field blocks, in lower-case hex. */

const octet = (value: number): string => value.toString(16).padStart(2, "0");

/** An integer with a prefix of this many bits, combined with `pattern` (rfc7541#5.1). `zeros` appends groups that add nothing. */
export function integer(value: number, prefix: number, pattern = 0, zeros = 0): string {
  const full = 2 ** prefix - 1;
  if (value < full) return octet(pattern | value);
  const groups: number[] = [];
  let rest = value - full;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) groups.push((rest % 0x80) | 0x80);
  groups.push(rest);
  for (let at = 0; at < zeros; at++) {
    groups.push((groups.pop() ?? 0) | 0x80);
    groups.push(0);
  }
  return octet(pattern | full) + groups.map(octet).join("");
}

/** Characters up to U+00FF as octets. */
export const octets = (text: string): string => [...text].map((one) => octet(one.charCodeAt(0))).join("");
/** A string without Huffman coding (rfc7541#5.2). */
export const plain = (text: string): string => integer(text.length, 7) + octets(text);
/** A string with the H bit and these octets. */
export const coded = (hex: string): string => integer(hex.length / 2, 7, 0x80) + hex;

export const indexed = (index: number): string => integer(index, 7, 0x80);
/** Literals (rfc7541#6.2), with an indexed or a new name. */
export const indexing = (name: number | string, value: string): string => literal(0x40, 6, name, value);
export const plainly = (name: number | string, value: string): string => literal(0x00, 4, name, value);
export const never = (name: number | string, value: string): string => literal(0x10, 4, name, value);
const literal = (pattern: number, prefix: number, name: number | string, value: string): string =>
  (typeof name === "number" ? integer(name, prefix, pattern) : octet(pattern) + plain(name)) + plain(value);
/** A table size update (rfc7541#6.3). */
export const size = (value: number): string => integer(value, 5, 0x20);

/** Blocks from the encoder that vectors have proved: Huffman-encoded wherever that is shorter. */
export function blocksOf(lists: readonly (readonly FieldSpec[])[]): string[] {
  const encoder = new Encoder();
  return lists.map((list) => {
    const writer = new Writer();
    encoder.encode(
      list.map(([name, text]) => field(name, text)),
      writer,
    );
    return Buffer.from(writer.take()).toString("hex");
  });
}

export const decode = (...blocks: string[]): Step[] => [{ do: "decode", blocks }];
export const encode = (...lists: (readonly FieldSpec[])[]): Step[] => [{ do: "encode", lists }];

type Allowed = readonly [Outcome, ...Outcome[]];
export const decodingError: Allowed = [{ see: { see: "decoding error" } }];
/** Exactly these lists, one for each block. */
export const gives = (...lists: (readonly FieldSpec[])[]): Allowed => [{ see: { see: "fields", lists } }];
export const roundTrip: Allowed = [{ see: { see: "round trip" } }];
