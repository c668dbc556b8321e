/**
 * Writes the lower `width` bits of `value` (0 to 32) at bit `bit` of the chunk that begins at `start`, first bit highest, and returns the bit
 * behind them. What the octets held before does not matter, but for the bits in front (tsdb-format/bstream.md).
 */
export function putBits(bytes: Uint8Array, start: number, bit: number, value: number, width: number): number {
  let at = start + (bit >>> 3);
  let room = 8 - (bit & 7);
  let octet = room === 8 ? 0 : (bytes[at] ?? 0) & (0xff00 >> (8 - room));
  let left = width;
  while (left >= room) {
    left -= room;
    bytes[at++] = octet | ((value >>> left) & (0xff >> (8 - room)));
    octet = 0;
    room = 8;
  }
  if (left > 0) bytes[at] = octet | ((value & (0xff >> (8 - left))) << (room - left));
  return bit + width;
}

/** The upper 32 bits of a whole number in two's complement, and with `>>> 0` of the number itself, the lower. Exact up to 2^53. */
export const upperHalf = (value: number): number => Math.floor(value / 0x1_0000_0000) | 0;

/** A chunk is copied here before its bits are read, so that reading on past its end meets zeros, never another chunk, and no bound is checked. */
const PADDING = 64;

/** Where the bits of one chunk lie while they are read: one at a time, for the whole program. */
export class BitDesk {
  bytes = new Uint8Array(4_096);
  view = new DataView(this.bytes.buffer);

  /** Returns the number of bits. */
  lay(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length + PADDING > this.bytes.length) {
      this.bytes = new Uint8Array(2 * (length + PADDING));
      this.view = new DataView(this.bytes.buffer);
    }
    if (length > 0) this.bytes.set(bytes.subarray(from, to));
    this.bytes.fill(0, length, length + PADDING);
    return length * 8;
  }
}

/** The 32 bits at a bit. */
export const peek = (view: DataView, bit: number): number =>
  (view.getInt32(bit >>> 3) << (bit & 7)) | (view.getUint8((bit >>> 3) + 4) >>> (8 - (bit & 7)));
