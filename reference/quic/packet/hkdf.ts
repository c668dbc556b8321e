import { concatenated, Writer } from "../../core/index.ts";
import type { HashName, Primitives } from "../primitives.ts";

/** HKDF-Extract of RFC 5869. */
export const extract = (primitives: Primitives, hash: HashName, salt: Uint8Array, secret: Uint8Array): Uint8Array =>
  primitives.hmac(hash, salt, secret);

/** What a key is derived from. */
export type Secret = { readonly hash: HashName; readonly octets: Uint8Array };

/** HKDF-Expand-Label without a context (rfc9001#5.1). */
export function expandLabel(primitives: Primitives, { hash, octets }: Secret, label: string, length: number): Uint8Array {
  const writer = new Writer();
  writer.u16(length).u8(6 + label.length);
  for (const character of `tls13 ${label}`) writer.u8(character.codePointAt(0)!);
  writer.u8(0);
  const info = writer.take();
  const blocks: Uint8Array[] = [];
  let made = 0;
  for (let count = 1; made < length; count++) {
    const block = primitives.hmac(hash, octets, concatenated([blocks.at(-1) ?? new Uint8Array(0), info, Uint8Array.of(count)]));
    blocks.push(block);
    made += block.length;
  }
  return concatenated(blocks).subarray(0, length);
}
