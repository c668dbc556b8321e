import type { Writer } from "../core/index.ts";

/** Writes characters from U+0000 to U+00FF as one octet each. */
export function writeText(w: Writer, text: string): void {
  const { length } = text;
  const at = w.claim(length);
  const { octets } = w;
  for (let i = 0; i < length; i++) octets[at + i] = text.charCodeAt(i);
}
export function textOctets(text: string): Uint8Array {
  const { length } = text;
  const octets = new Uint8Array(length);
  for (let i = 0; i < length; i++) octets[i] = text.charCodeAt(i);
  return octets;
}
