import { concatenated } from "./bytes/concatenated.ts";
import { Writer } from "./bytes/writer.ts";

/** HMAC with one hash function (RFC 2104). Its result is as long as the hash, and its keys may have any length. */
type Hmac = (key: Uint8Array, octets: Uint8Array) => Uint8Array;
/** What keys are derived from. */
type Source = { readonly hmac: Hmac; readonly secret: Uint8Array };

/** HKDF-Expand-Label (rfc8446#7.1): `length` octets, at most 255 times as many as the hash has. `label` is ASCII, at most 249 characters. */
export function expandLabel(source: Source, label: string, context: Uint8Array, length: number): Uint8Array {
  const writer = new Writer();
  writer.u16(length).u8(6 + label.length);
  for (const character of `tls13 ${label}`) writer.u8(character.codePointAt(0)!);
  writer.u8(context.length).bytes(context);
  return expand(source, writer.take(), length);
}

/** HKDF-Expand (RFC 5869). */
function expand({ hmac, secret }: Source, info: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  let made = 0;
  for (let count = 1; made < length; count++) {
    const block = hmac(secret, concatenated([blocks.at(-1) ?? new Uint8Array(0), info, Uint8Array.of(count)]));
    blocks.push(block);
    made += block.length;
  }
  return concatenated(blocks).subarray(0, length);
}
