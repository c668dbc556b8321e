import { fromLatin1, join } from "../octets.ts";

/** Field sections and instructions of QPACK, piece by piece, legal or not (rfc9204#4). */

/** An integer with a prefix of so many bits, below the bits of `head` (rfc9204#4.1.1). */
function integer(head: number, prefix: number, value: number): Uint8Array {
  const full = 2 ** prefix - 1;
  if (value < full) return Uint8Array.of(head | value);
  const octets = [head | full];
  let left = value - full;
  while (left >= 0x80) {
    octets.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return Uint8Array.from([...octets, left]);
}

/** A string without Huffman coding, whose length has a prefix of so many bits (rfc9204#4.1.2). */
const string = (head: number, prefix: number, text: string): Uint8Array => {
  const octets = fromLatin1(text);
  return join([integer(head, prefix, octets.length), octets]);
};

/** The prefix of a section as it is encoded (rfc9204#4.5.1): its insert count is not translated. */
export const prefix = (encodedCount: number, delta = 0, sign = false): Uint8Array =>
  join([integer(0, 8, encodedCount), integer(sign ? 0x80 : 0, 7, delta)]);

/** A line of a section. */
export const line = {
  /** A literal with a literal name (rfc9204#4.5.6). */
  literal: (name: string, value: string): Uint8Array => join([string(0x20, 3, name), string(0, 7, value)]),
  /** An entry of the static table, or of the dynamic table before the base (rfc9204#4.5.2). */
  static: (index: number): Uint8Array => integer(0xc0, 6, index),
  dynamic: (index: number): Uint8Array => integer(0x80, 6, index),
  /** An entry after the base (rfc9204#4.5.3). */
  postBase: (index: number): Uint8Array => integer(0x10, 4, index),
  /** A literal whose name is that of an entry (rfc9204#4.5.4, #4.5.5). */
  staticName: (index: number, value: string): Uint8Array => join([integer(0x50, 4, index), string(0, 7, value)]),
  dynamicName: (index: number, value: string): Uint8Array => join([integer(0x40, 4, index), string(0, 7, value)]),
  postBaseName: (index: number, value: string): Uint8Array => join([integer(0x00, 3, index), string(0, 7, value)]),
} as const;

/** Instructions on an encoder stream (rfc9204#4.3). */
export const insert = {
  capacity: (octets: number): Uint8Array => integer(0x20, 5, octets),
  literal: (name: string, value: string): Uint8Array => join([string(0x40, 5, name), string(0, 7, value)]),
  staticName: (index: number, value: string): Uint8Array => join([integer(0xc0, 6, index), string(0, 7, value)]),
  dynamicName: (index: number, value: string): Uint8Array => join([integer(0x80, 6, index), string(0, 7, value)]),
  duplicate: (index: number): Uint8Array => integer(0, 5, index),
} as const;

/** Instructions on a decoder stream (rfc9204#4.4). */
export const decoded = {
  acknowledge: (stream: number): Uint8Array => integer(0x80, 7, stream),
  cancel: (stream: number): Uint8Array => integer(0x40, 6, stream),
  increment: (by: number): Uint8Array => integer(0, 6, by),
} as const;

/** A section of literals, without any table. */
export const literals = (fields: readonly (readonly [string, string])[]): Uint8Array =>
  join([prefix(0), ...fields.map(([name, value]) => line.literal(name, value))]);
