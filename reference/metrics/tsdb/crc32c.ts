/**
 * The checksum of every file here: a cyclic redundancy check of 32 bits with the Castagnoli polynomial (tsdb-format/chunks.md, `checksum`).
 * Eight octets a round, by eight tables.
 */
const POLYNOMIAL = 0x82f6_3b78;

const TABLES = tables();

/** Goes on from the checksum of what came before: `crc32c(b, crc32c(a))` is that of both. */
export function crc32c(bytes: Uint8Array, before = 0, from = 0, to = bytes.length): number {
  let sum = ~before;
  let at = from;
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES;
  for (const last = to - 8; at <= last; at += 8) {
    const one =
      sum ^
      ((bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24));
    sum =
      (t7[one & 255] as number) ^
      (t6[(one >>> 8) & 255] as number) ^
      (t5[(one >>> 16) & 255] as number) ^
      (t4[one >>> 24] as number) ^
      (t3[bytes[at + 4] as number] as number) ^
      (t2[bytes[at + 5] as number] as number) ^
      (t1[bytes[at + 6] as number] as number) ^
      (t0[bytes[at + 7] as number] as number);
  }
  for (; at < to; at++) sum = (t0[(sum ^ (bytes[at] as number)) & 255] as number) ^ (sum >>> 8);
  return ~sum >>> 0;
}

type Table = Int32Array;

function tables(): readonly [Table, Table, Table, Table, Table, Table, Table, Table] {
  const table = (next: (index: number) => number): Table => Int32Array.from({ length: 256 }, (_, index) => next(index));
  const first = table((index) => {
    let sum = index;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ ((sum & 1) === 0 ? 0 : POLYNOMIAL);
    return sum;
  });
  const after = (before: Table): Table => table((index) => ((before[index] ?? 0) >>> 8) ^ (first[(before[index] ?? 0) & 255] ?? 0));
  const second = after(first);
  const third = after(second);
  const fourth = after(third);
  const fifth = after(fourth);
  const sixth = after(fifth);
  const seventh = after(sixth);
  return [first, second, third, fourth, fifth, sixth, seventh, after(seventh)];
}
