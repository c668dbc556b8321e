/**
 * The checksum of every file of the storage: CRC-32 with the Castagnoli polynomial (Prometheus TSDB docs, format/chunks.md, `checksum`).
 * A round takes sixteen octets and sixteen tables, one for each distance from the end of the round.
 */
const POLYNOMIAL = 0x82f6_3b78;
const OCTETS = 256;
const ROUND = 16;

/** One array for all tables: the compiled loop knows its address and length, so a lookup costs one load. */
const TABLES: ArrayLike<number> = tables();

/** Continues the checksum `before`: `crc32c(b, crc32c(a))` is the checksum of `a` followed by `b`. */
export function crc32c(bytes: Uint8Array, before = 0, from = 0, to = bytes.length): number {
  let sum = ~before;
  let at = from;
  for (const last = to - ROUND; at <= last; at += ROUND) {
    const one = sum ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    sum =
      TABLES[15 * OCTETS + (one & 255)]! ^
      TABLES[14 * OCTETS + ((one >>> 8) & 255)]! ^
      TABLES[13 * OCTETS + ((one >>> 16) & 255)]! ^
      TABLES[12 * OCTETS + (one >>> 24)]! ^
      TABLES[11 * OCTETS + bytes[at + 4]!]! ^
      TABLES[10 * OCTETS + bytes[at + 5]!]! ^
      TABLES[9 * OCTETS + bytes[at + 6]!]! ^
      TABLES[8 * OCTETS + bytes[at + 7]!]! ^
      TABLES[7 * OCTETS + bytes[at + 8]!]! ^
      TABLES[6 * OCTETS + bytes[at + 9]!]! ^
      TABLES[5 * OCTETS + bytes[at + 10]!]! ^
      TABLES[4 * OCTETS + bytes[at + 11]!]! ^
      TABLES[3 * OCTETS + bytes[at + 12]!]! ^
      TABLES[2 * OCTETS + bytes[at + 13]!]! ^
      TABLES[OCTETS + bytes[at + 14]!]! ^
      TABLES[bytes[at + 15]!]!;
  }
  for (; at < to; at++) sum = TABLES[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8);
  return ~sum >>> 0;
}

function tables(): Int32Array {
  const all = new Int32Array(ROUND * OCTETS);
  for (let octet = 0; octet < OCTETS; octet++) {
    let sum = octet;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ ((sum & 1) === 0 ? 0 : POLYNOMIAL);
    all[octet] = sum;
  }
  // Each table is for octets one place further from the end than the table before.
  for (let at = OCTETS; at < all.length; at++) {
    const nearer = all[at - OCTETS]!;
    all[at] = (nearer >>> 8) ^ all[nearer & 255]!;
  }
  return all;
}
