import { FloatHalves } from "./float-halves.ts";

/**
 * Writes the lower `width` bits of `value` (0 to 32) at bit `bit` of the chunk that begins at `start`, first bit highest, and returns the next
 * bit. It keeps the bits before and overwrites the rest (Prometheus TSDB docs, bstream.md). Positional arguments: this runs several times a sample.
 */
// oxlint-disable-next-line max-params -- called several times for each sample
export function putBits(bytes: Uint8Array, start: number, bit: number, value: number, width: number): number {
  let at = start + (bit >>> 3);
  let room = 8 - (bit & 7);
  let octet = room === 8 ? 0 : bytes[at]! & (0xff00 >> (8 - room));
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

/** The upper 32 bits of a whole number in two's complement, exact up to 2^53. `value >>> 0` is the lower half. */
export const upperHalf = (value: number): number => Math.floor(value / 0x1_0000_0000) | 0;

/** Zeros after a copied chunk: reading past its end needs no bounds check and never meets another chunk. */
const PADDING = 64;

/** A padded copy of the chunk being read. Belongs to one reader. */
export class BitDesk {
  bytes = new Uint8Array(4_096);
  view = new DataView(this.bytes.buffer);

  /** Copies a chunk and returns its number of bits. */
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

/** The 32 bits that start at `bit`. */
export const peek = (view: DataView, bit: number): number =>
  (view.getInt32(bit >>> 3) << (bit & 7)) | (view.getUint8((bit >>> 3) + 4) >>> (8 - (bit & 7)));

/** Width of a variable-width number, by the count of ones in its prefix (Prometheus TSDB docs, format/chunks.md, `<varbit_int>`). */
const WIDTHS = [0, 3, 6, 9, 12, 18, 25, 56, 64] as const;

/** Reads the bits of one chunk, number by number. It becomes `short` at the end, or at a number beyond 2^53, and then returns zeros. */
export class BitReader {
  readonly #desk: BitDesk;
  #bit = 0;
  #end = 0;
  short = false;
  /** The result of the last `half64`. */
  high = 0;
  low = 0;
  readonly halves: FloatHalves = new FloatHalves();

  constructor(desk: BitDesk) {
    this.#desk = desk;
  }

  begin(bytes: Uint8Array, from: number, to: number): void {
    this.#end = this.#desk.lay(bytes, from, to);
    this.#bit = 0;
    this.short = false;
  }

  get left(): number {
    return this.#end - this.#bit;
  }

  /** Up to 32 bits. */
  bits(width: number): number {
    if (width === 0) return 0;
    if (!this.#advance(width)) return 0;
    return peek(this.#desk.view, this.#bit - width) >>> (32 - width);
  }

  /** Reads 64 bits into `high` and `low`. */
  half64(): void {
    this.high = this.bits(32) | 0;
    this.low = this.bits(32) | 0;
  }

  /** A float of 64 bits. */
  float(): number {
    this.half64();
    return this.halves.join(this.high, this.low);
  }

  /** A number in two's complement. */
  signed(width: number): number {
    const upper = width > 32 ? (this.bits(width - 32) << (64 - width)) >> (64 - width) : 0;
    if (width > 32) return this.#safe(upper * 0x1_0000_0000 + this.bits(32));
    return (this.bits(width) << (32 - width)) >> (32 - width);
  }

  /** A signed variable-width number: the upper half of the range is negative. */
  varbitInt(): number {
    const width = this.#width();
    if (width === 0) return 0;
    if (width === 64) return this.signed(64);
    // Determine the sign first: 56 unsigned bits may exceed 2^53 and lose the lowest bits.
    const upper = width > 32 ? this.bits(width - 32) : 0;
    const lower = this.bits(Math.min(width, 32));
    const half = 2 ** (width - 1);
    const isNegative = upper * 0x1_0000_0000 + lower > half;
    if (width <= 32) return isNegative ? lower - 2 * half : lower;
    return this.#safe((isNegative ? upper - half / 0x8000_0000 : upper) * 0x1_0000_0000 + lower);
  }

  varbitUint(): number {
    return this.#safe(this.#wide(this.#width()));
  }

  /** Seven bits per octet, lowest first, the sign in the lowest bit. */
  varint(): number {
    const value = this.uvarint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  uvarint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      const octet = this.bits(8);
      value += (octet & 127) * scale;
      if (octet < 128) return this.#safe(value);
      scale *= 128;
    }
    return this.fail();
  }

  fail(): number {
    this.short = true;
    this.#bit = this.#end;
    return 0;
  }

  #wide(width: number): number {
    return width > 32 ? this.bits(width - 32) * 0x1_0000_0000 + this.bits(32) : this.bits(width);
  }

  /** Reads the prefix: up to eight ones, ended by a zero if there are fewer. */
  #width(): number {
    const ones = Math.min(8, Math.clz32(~peek(this.#desk.view, this.#bit)));
    if (!this.#advance(ones === 8 ? 8 : ones + 1)) return 0;
    return WIDTHS[ones] ?? 0;
  }

  #advance(width: number): boolean {
    if (this.#bit + width > this.#end) {
      this.fail();
      return false;
    }
    this.#bit += width;
    return true;
  }

  #safe(value: number): number {
    return Number.isSafeInteger(value) ? value : this.fail();
  }
}

/** Writes bits into a buffer that grows. */
export class BitWriter {
  bytes = new Uint8Array(256);
  bit = 0;
  readonly halves: FloatHalves = new FloatHalves();

  get length(): number {
    return (this.bit + 7) >>> 3;
  }

  bits(value: number, width: number): void {
    if (this.bit + 72 > this.bytes.length * 8) {
      const wider = new Uint8Array(this.bytes.length * 2);
      wider.set(this.bytes);
      this.bytes = wider;
    }
    this.bit = putBits(this.bytes, 0, this.bit, value, width);
  }

  /** A float of 64 bits. */
  float(value: number): void {
    const { halves } = this;
    halves.split(value);
    this.bits(halves.high, 32);
    this.bits(halves.low, 32);
  }

  varbitInt(value: number): void {
    const fits = (width: number): boolean => value > -(2 ** (width - 1)) && value <= 2 ** (width - 1);
    this.#varbit(value === 0 ? 0 : WIDTHS.findIndex((width) => width > 0 && fits(width)), value);
  }

  varbitUint(value: number): void {
    this.#varbit(
      WIDTHS.findIndex((width) => value < 2 ** width),
      value,
    );
  }

  #varbit(rank: number, value: number): void {
    const width = WIDTHS[rank] ?? 64;
    // The prefix: `rank` ones, ended by a zero if there are fewer than eight.
    this.bits(rank === 8 ? 0xff : 2 * (2 ** rank - 1), rank === 8 ? 8 : rank + 1);
    if (width > 32) this.bits(upperHalf(value), width - 32);
    this.bits(value >>> 0, Math.min(width, 32));
  }
}
