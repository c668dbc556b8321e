import type { Reader, Writer } from "../core/index.ts";

/** Vectors: a length in 8, 16 or 24 bits, and that number of octets (rfc8446#3.4). */

export const u16 = (r: Reader): number => (r.u8() << 8) | r.u8();

/** The octets of a vector, as a view of the message. */
export const vector8 = (r: Reader): Uint8Array => r.view(r.u8());
export const vector16 = (r: Reader): Uint8Array => r.view(u16(r));
export const vector24 = (r: Reader): Uint8Array => r.view(r.u24());

/** All numbers of 16 bits in a vector; undefined if it is empty or ends within one. */
export function numbers16(octets: Uint8Array): readonly number[] | undefined {
  if (octets.length === 0 || octets.length % 2 !== 0) return undefined;
  return Array.from({ length: octets.length / 2 }, (_, at) => ((octets[at * 2] ?? 0) << 8) | (octets[at * 2 + 1] ?? 0));
}

/** Writes what `body` writes, after its length in 8 bits. */
export function sized8(w: Writer, body: () => void): void {
  const at = w.length;
  w.u8(0);
  body();
  w.patch8(at, w.length - at - 1);
}
export function sized16(w: Writer, body: () => void): void {
  const at = w.length;
  w.u16(0);
  body();
  const length = w.length - at - 2;
  w.patch8(at, length >>> 8);
  w.patch8(at + 1, length & 0xff);
}
export const sized24 = (w: Writer, body: () => void): void => void w.sized24(0, body);
