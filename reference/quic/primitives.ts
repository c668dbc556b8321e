import type { Random } from "../core/index.ts";

export type HashName = "sha256" | "sha384";
export type AeadName = "aes-128-gcm" | "aes-256-gcm" | "chacha20-poly1305";

/** The cryptography that packets need. `reference/io` implements it; this folder has none of its own. */
export interface Primitives {
  readonly random: Random;
  hmac(hash: HashName, key: Uint8Array, octets: Uint8Array): Uint8Array;
  aead(name: AeadName, key: Uint8Array): Aead;
  /** The function that turns a sample of 16 octets into a mask of at least 5 (rfc9001#5.4.1). Its result is valid until the next call. */
  headerMask(name: AeadName, key: Uint8Array): (sample: Uint8Array) => Uint8Array;
  /** Compares in constant time. */
  isEqual(a: Uint8Array, b: Uint8Array): boolean;
}

/** One key of an AEAD. A nonce has 12 octets, a tag 16. */
export interface Aead {
  /** The ciphertext, followed by its tag. */
  seal(nonce: Uint8Array, associated: Uint8Array, plain: Uint8Array): Uint8Array;
  /** Undefined if the octets are not authentic. */
  open(nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array | undefined;
}
