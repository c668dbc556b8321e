import { concatenated, Writer } from "../../core/index.ts";
import type { Primitives } from "../primitives.ts";
import type { Version } from "../version.ts";
import { writeLongHead, type LongHead } from "./header.ts";
import { fromHex } from "./keys.ts";

/** The tag of a Retry packet: it proves that its sender has seen the first ID of the client (rfc9001#5.8). */
export function retryTag(primitives: Primitives, version: Version, original: Uint8Array, untagged: Uint8Array): Uint8Array {
  const aead = primitives.aead("aes-128-gcm", fromHex(version.retry.key));
  const associated = concatenated([Uint8Array.of(original.length), original, untagged]);
  return aead.seal(fromHex(version.retry.nonce), associated, new Uint8Array(0));
}

/** A whole Retry packet in answer to an Initial packet with the destination `original` (rfc9000#17.2.5). */
export function writeRetry(
  primitives: Primitives,
  head: Omit<LongHead, "type" | "token">,
  token: Uint8Array,
  original: Uint8Array,
): Uint8Array {
  const writer = new Writer();
  writeLongHead(writer, { ...head, type: "retry" }, 0x0f);
  const untagged = writer.bytes(token).take();
  return concatenated([untagged, retryTag(primitives, head.version, original, untagged)]);
}
