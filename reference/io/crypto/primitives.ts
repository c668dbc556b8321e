import { createHash } from "node:crypto";
import type { Primitives } from "../../tls/index.ts";
import { QUIC_PRIMITIVES } from "../quic-primitives.ts";
import { answer, groups, offer } from "./key-exchange.ts";
import { publicKey } from "./signatures.ts";

const { random, hmac, aead, isEqual } = QUIC_PRIMITIVES;
const TICKET_AEAD = "aes-256-gcm";
const NO_OCTETS = new Uint8Array(0);

/** The cryptography of handshakes of TLS 1.3 by `node:crypto`. */
export const TLS_PRIMITIVES: Primitives = Object.freeze<Primitives>({
  random,
  groups,
  hash: (name) => {
    const hash = createHash(name);
    return {
      update: (octets) => void hash.update(octets),
      digest: () => hash.copy().digest(),
      digestWith: (octets) => hash.copy().update(octets).digest(),
    };
  },
  hmac,
  offer,
  answer,
  publicKey,
  seal: (key, nonce, plain) => aead(TICKET_AEAD, key).seal(nonce, NO_OCTETS, plain),
  open: (key, nonce, sealed) => {
    const plain = aead(TICKET_AEAD, key).open(nonce, NO_OCTETS, sealed);
    // What is read from it goes to the owner, who expects plain arrays.
    return plain && new Uint8Array(plain);
  },
  isEqual,
});
