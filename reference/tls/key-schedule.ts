import { expandLabel } from "../core/index.ts";
import type { HashName } from "./names.ts";
import type { Primitives } from "./primitives.ts";

const NOTHING = new Uint8Array(0);
const LENGTH: Readonly<Record<HashName, number>> = { sha256: 32, sha384: 48 };

/** The derivations of rfc8446#7.1 for one hash. */
export class Derivation {
  readonly hash: HashName;
  readonly length: number;
  readonly #primitives: Primitives;

  constructor(primitives: Primitives, hash: HashName) {
    this.#primitives = primitives;
    this.hash = hash;
    this.length = LENGTH[hash];
  }

  hmac(key: Uint8Array, octets: Uint8Array): Uint8Array {
    return this.#primitives.hmac(this.hash, key, octets);
  }
  /** HKDF-Extract (RFC 5869). */
  extract(salt: Uint8Array, secret: Uint8Array): Uint8Array {
    return this.hmac(salt, secret);
  }
  /** HKDF-Expand-Label (rfc8446#7.1). */
  expand(secret: Uint8Array, label: string, context: Uint8Array, length = this.length): Uint8Array {
    return expandLabel({ hmac: (key, octets) => this.hmac(key, octets), secret }, label, context, length);
  }
  /** Derive-Secret with the hash of no messages (rfc8446#7.1). */
  deriveEmpty(secret: Uint8Array, label: string): Uint8Array {
    return this.expand(secret, label, this.#primitives.hash(this.hash).digest());
  }
  /** The MAC of Finished and of binders over a transcript hash (rfc8446#4.4.4). */
  finished(base: Uint8Array, transcript: Uint8Array): Uint8Array {
    return this.hmac(this.expand(base, "finished", NOTHING), transcript);
  }
  /** The key of a ticket with this nonce (rfc8446#4.6.1). */
  resumption(master: Uint8Array, nonce: Uint8Array): Uint8Array {
    return this.expand(master, "resumption", nonce);
  }
  get zeros(): Uint8Array {
    return new Uint8Array(this.length);
  }
}

/** The secrets of one connection in their order: early, handshake, master (rfc8446#7.1). */
export class KeySchedule {
  readonly derivation: Derivation;
  #secret: Uint8Array;

  constructor(derivation: Derivation, psk?: Uint8Array) {
    this.derivation = derivation;
    this.#secret = derivation.extract(derivation.zeros, psk ?? derivation.zeros);
  }

  /** The key of the binder of a ticket (rfc8446#4.2.11.2). */
  binderKey(): Uint8Array {
    return this.derivation.deriveEmpty(this.#secret, "res binder");
  }
  /** A secret of the current stage for a transcript hash. */
  derive(label: Label, transcript: Uint8Array): Uint8Array {
    return this.derivation.expand(this.#secret, LABELS[label], transcript);
  }
  /** From early to handshake with the secret of the key exchange, or from handshake to master with none. */
  advance(input: Uint8Array = this.derivation.zeros): void {
    const { derivation } = this;
    this.#secret = derivation.extract(derivation.deriveEmpty(this.#secret, "derived"), input);
  }
}

const LABELS = {
  clientEarly: "c e traffic",
  clientHandshake: "c hs traffic",
  serverHandshake: "s hs traffic",
  clientApplication: "c ap traffic",
  serverApplication: "s ap traffic",
  exporter: "exp master",
  resumption: "res master",
} as const;
type Label = keyof typeof LABELS;

/** Keying material for an application (rfc8446#7.5). */
export function exported(
  derivation: Derivation,
  primitives: Primitives,
  secret: Uint8Array,
  { label, context, length }: Exported,
): Uint8Array {
  const hash = primitives.hash(derivation.hash);
  hash.update(context);
  return derivation.expand(derivation.deriveEmpty(secret, label), "exporter", hash.digest(), length);
}
export type Exported = { readonly label: string; readonly context: Uint8Array; readonly length: number };
