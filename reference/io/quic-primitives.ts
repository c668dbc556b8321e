import { createCipheriv, createDecipheriv, createHmac, randomFillSync, timingSafeEqual } from "node:crypto";
import type { Aead, AeadName, QuicPrimitives } from "../quic/index.ts";

const TAG_LENGTH = 16;
const ZEROS = Buffer.alloc(5);
const ECB = { "aes-128-gcm": "aes-128-ecb", "aes-256-gcm": "aes-256-ecb" } as const;

/** The cryptography of QUIC packets by `node:crypto`. */
export const QUIC_PRIMITIVES: QuicPrimitives = Object.freeze<QuicPrimitives>({
  random: (into) => randomFillSync(into),
  hmac: (hash, key, octets) => plainOctets(createHmac(hash, key).update(octets).digest()),
  aead,
  headerMask,
  isEqual: (a, b) => a.length === b.length && timingSafeEqual(a, b),
});

/** A `Buffer` has a `slice` that copies nothing, so none leaves this file. */
const plainOctets = ({ buffer, byteOffset, length }: Buffer): Uint8Array => new Uint8Array(buffer, byteOffset, length);

function aead(name: AeadName, key: Uint8Array): Aead {
  // The type of this name differs from that of other ciphers, their objects do not.
  const cipher = name as "aes-128-gcm";
  return {
    seal(nonce, associated, plain) {
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: TAG_LENGTH });
      sealing.setAAD(associated);
      const sealed = sealing.update(plain);
      sealing.final();
      const whole = new Uint8Array(sealed.length + TAG_LENGTH);
      whole.set(sealed);
      whole.set(sealing.getAuthTag(), sealed.length);
      return whole;
    },
    open(nonce, associated, sealed) {
      if (sealed.length < TAG_LENGTH) return undefined;
      const end = sealed.length - TAG_LENGTH;
      const opening = createDecipheriv(cipher, key, nonce, { authTagLength: TAG_LENGTH });
      opening.setAAD(associated);
      opening.setAuthTag(sealed.subarray(end));
      const plain = opening.update(sealed.subarray(0, end));
      try {
        opening.final();
      } catch {
        return undefined;
      }
      return plainOctets(plain);
    },
  };
}

function headerMask(name: AeadName, key: Uint8Array): (sample: Uint8Array) => Uint8Array {
  // The sample is the counter and the nonce of ChaCha20 (rfc9001#5.4.4), or a block of AES (rfc9001#5.4.3).
  if (name === "chacha20-poly1305") return (sample) => createCipheriv("chacha20", key, sample).update(ZEROS);
  const blocks = createCipheriv(ECB[name], key, null).setAutoPadding(false);
  return (sample) => blocks.update(sample);
}
