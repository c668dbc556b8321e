import type { Cursor } from "./cursor.ts";

/** The largest integer to accept: that of an HTTP/2 setting, which a table size can reach (rfc7541#5.1 requires a limit). */
export const MAX_INTEGER = 0xffff_ffff;
/** The most bytes after the prefix, even if their bits are zero: five hold the largest integer. */
const MAX_MORE = 5;
/** What QPACK must be able to read: 62 bits, in nine bytes after the prefix (rfc9204#4.1.1). */
const MAX_LONG_INTEGER = 2 ** 62;
const MAX_LONG_MORE = 9;

/** Reads the integer in the low `prefix` bits at the cursor and in the bytes that continue it (rfc7541#5.1); zero after a fault. */
export function readInteger(cursor: Cursor, prefix: number): number {
  const full = (1 << prefix) - 1;
  const { octets, end } = cursor;
  if (cursor.at >= end) return refuse(cursor, "integerTruncated");
  const low = octets[cursor.at++]! & full;
  return low < full ? low : readMore(cursor, full, MAX_INTEGER, MAX_MORE);
}

/**
 * As `readInteger`, up to 62 bits (rfc9204#4.1.1). Above 2^53 the result is the nearest number that JavaScript has: larger than any index or
 * identifier that a connection reaches.
 */
export function readLongInteger(cursor: Cursor, prefix: number): number {
  const full = (1 << prefix) - 1;
  const { octets, end } = cursor;
  if (cursor.at >= end) return refuse(cursor, "integerTruncated");
  const low = octets[cursor.at++]! & full;
  return low < full ? low : readMore(cursor, full, MAX_LONG_INTEGER, MAX_LONG_MORE);
}

/** The groups of seven bits after a full prefix, lowest first. */
function readMore(cursor: Cursor, full: number, most: number, groups: number): number {
  const { octets, end } = cursor;
  let value = full;
  let scale = 1;
  for (let count = 0; count < groups; count++) {
    if (cursor.at >= end) return refuse(cursor, "integerTruncated");
    const octet = octets[cursor.at++]!;
    // Multiplied, not shifted: the fifth group reaches beyond 32 bits.
    value += (octet & 0x7f) * scale;
    if (octet < 0x80) return value <= most ? value : refuse(cursor, "integerTooLarge");
    scale *= 0x80;
  }
  return refuse(cursor, "integerTooLarge");
}

function refuse(cursor: Cursor, fault: "integerTruncated" | "integerTooLarge"): 0 {
  cursor.fail(fault);
  return 0;
}

/**
 * Writes `value` in the low `prefix` bits of the byte at `at`, combined with the bits of `pattern`, and in as many more bytes as it needs;
 * returns the index after the last (rfc7541#5.1). At most six bytes.
 */
// oxlint-disable-next-line max-params -- called for each field of each block
export function writeInteger(octets: Uint8Array, at: number, pattern: number, prefix: number, value: number): number {
  const full = (1 << prefix) - 1;
  if (value < full) {
    octets[at] = pattern | value;
    return at + 1;
  }
  octets[at++] = pattern | full;
  let rest = value - full;
  while (rest >= 0x80) {
    octets[at++] = (rest & 0x7f) | 0x80;
    // Divided, not shifted: the value may need 32 bits.
    rest = Math.floor(rest / 0x80);
  }
  octets[at++] = rest;
  return at;
}
