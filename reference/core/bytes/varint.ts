import { Misuse } from "../outcome.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** The greatest integer of QUIC, 2^62-1 (rfc9000#16). As a number it is 2^62. */
export const MAX_VARINT = 2 ** 62 - 1;

/**
 * Reads an integer of 1, 2, 4 or 8 octets. Values up to 2^53-1 are exact. Greater ones are rounded up to a number, so a comparison with a
 * power of two gives the right answer; `varint64` reads them exactly.
 */
export function readVarint(reader: Reader): number {
  const first = reader.u8();
  switch (first >>> 6) {
    case 0:
      return first;
    case 1:
      return ((first & 0x3f) << 8) | reader.u8();
    case 2:
      return ((first & 0x3f) << 24) | reader.u24();
    default:
      return joined(((first & 0x3f) << 24) | reader.u24(), reader.u32());
  }
}

/** The number of octets of the integer that begins with this octet. */
export const encodedLength = (first: number): number => 1 << (first >>> 6);

function joined(high: number, low: number): number {
  const base = high * 2 ** 32;
  const nearest = base + low;
  return nearest - base >= low ? nearest : nearest + 2 ** (Math.floor(Math.log2(nearest)) - 52);
}

/** The exact value of a complete encoded integer. */
export function varint64(octets: Uint8Array): bigint {
  let value = BigInt(octets[0]! & 0x3f);
  for (let at = 1; at < encodedLength(octets[0]!); at++) value = (value << 8n) | BigInt(octets[at]!);
  return value;
}

/** The fewest octets that hold `value`. */
export function varintLength(value: number): 1 | 2 | 4 | 8 {
  if (value < 0x40) return 1;
  if (value < 0x4000) return 2;
  return value < 0x4000_0000 ? 4 : 8;
}

/** Writes `value` in the fewest octets, or in exactly `length` of them. */
export function writeVarint(writer: Writer, value: number, length = varintLength(value)): void {
  if (!(value >= 0 && value <= MAX_VARINT) || length < varintLength(value))
    throw new Misuse(`${value} is not an integer that ${length} octets of QUIC can hold`);
  switch (length) {
    case 1:
      writer.u8(value);
      return;
    case 2:
      writer.u16(0x4000 | value);
      return;
    case 4:
      writer.u32((0x8000_0000 | value) >>> 0);
      return;
    default: {
      const high = value === MAX_VARINT ? 0x3fff_ffff : Math.floor(value / 2 ** 32);
      writer.u32((0xc000_0000 | high) >>> 0).u32(value === MAX_VARINT ? 0xffff_ffff : value % 2 ** 32);
    }
  }
}
