import * as core from "../../core/index.ts";
import type { HashName, Primitives } from "../primitives.ts";

/** HKDF-Extract of RFC 5869. */
export const extract = (primitives: Primitives, hash: HashName, salt: Uint8Array, secret: Uint8Array): Uint8Array =>
  primitives.hmac(hash, salt, secret);

/** What a key is derived from. */
export type Secret = { readonly hash: HashName; readonly octets: Uint8Array };

/** HKDF-Expand-Label without a context (rfc9001#5.1). */
export const expandLabel = (primitives: Primitives, { hash, octets }: Secret, label: string, length: number): Uint8Array =>
  core.expandLabel({ hmac: (key, data) => primitives.hmac(hash, key, data), secret: octets }, label, NO_CONTEXT, length);

const NO_CONTEXT = new Uint8Array(0);
