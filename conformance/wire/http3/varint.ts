import type { Width } from "./frame-spec.ts";

/** Variable-length integers (rfc9000#16), in the shortest form or in another one. */
export function varint(value: number, width: Width = shortest(value)): Uint8Array {
  const octets = new Uint8Array(width);
  let left = value;
  for (let at = width - 1; at >= 0; at--) {
    octets[at] = left % 256;
    left = Math.floor(left / 256);
  }
  octets[0] = (octets[0] ?? 0) | (Math.log2(width) << 6);
  return octets;
}

function shortest(value: number): Width {
  if (value < 2 ** 6) return 1;
  if (value < 2 ** 14) return 2;
  return value < 2 ** 30 ? 4 : 8;
}

/** The integer at the beginning, and how many octets it takes; undefined if they are not all there. */
export function readVarint(octets: Uint8Array, at = 0): { readonly value: number; readonly size: number } | undefined {
  const first = octets[at];
  if (first === undefined) return undefined;
  const size = 2 ** (first >> 6);
  if (octets.length - at < size) return undefined;
  let value = first & 0x3f;
  for (let next = 1; next < size; next++) value = value * 256 + (octets[at + next] ?? 0);
  return { value, size };
}
