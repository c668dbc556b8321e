import { Bug } from "../../core/index.ts";
import { FIXED, LONG } from "./header.ts";
import type { Aead, Primitives } from "../primitives.ts";
import type { Side } from "../stream-id.ts";
import type { Version } from "../version.ts";
import { expandLabel, extract, type Secret } from "./hkdf.ts";
import type { NumberLength } from "./number.ts";
import { INITIAL_SUITE, SAMPLE_LENGTH, SUITES, TAG_LENGTH, type SuiteName } from "./suites.ts";

export type KeyOptions = { readonly primitives: Primitives; readonly suite: SuiteName; readonly version: Version };
type Mask = (sample: Uint8Array) => Uint8Array;
const NONCE_LENGTH = 12;

/** The keys of one direction at one level, or of one key phase (rfc9001#5.1). */
export class Keys {
  readonly suite: SuiteName;
  readonly #options: KeyOptions;
  readonly #secret: Secret;
  readonly #aead: Aead;
  readonly #iv: Uint8Array;
  readonly #mask: Mask;
  readonly #nonce = new Uint8Array(NONCE_LENGTH);

  /** A later phase keeps the mask of the first (rfc9001#6.1). */
  constructor(options: KeyOptions, secret: Uint8Array, mask?: Mask) {
    const { primitives, suite, version } = options;
    const { hash, aead, keyLength } = SUITES[suite];
    this.suite = suite;
    this.#options = options;
    this.#secret = { hash, octets: secret };
    const derived = (label: string, length: number): Uint8Array =>
      expandLabel(primitives, this.#secret, `${version.label} ${label}`, length);
    this.#aead = primitives.aead(aead, derived("key", keyLength));
    this.#iv = derived("iv", NONCE_LENGTH);
    this.#mask = mask ?? primitives.headerMask(aead, derived("hp", keyLength));
  }

  /** The keys of the next phase. */
  next(): Keys {
    const { primitives, version } = this.#options;
    const secret = expandLabel(primitives, this.#secret, `${version.label} ku`, this.#secret.octets.length);
    return new Keys(this.#options, secret, this.#mask);
  }

  /**
   * Protects a packet in place: `packet` has its header with the packet number at `numberAt`, its payload, and room for the tag at its end
   * (rfc9001#5.3). The payload and the number together have at least four octets (rfc9001#5.4.2).
   */
  protect(packet: Uint8Array, numberAt: number, length: NumberLength, number: number): void {
    const from = numberAt + length;
    const to = packet.length - TAG_LENGTH;
    if (to - numberAt < 4) throw new Bug("a packet is too short for a sample");
    packet.set(this.#aead.seal(this.#nonceOf(number), packet.subarray(0, from), packet.subarray(from, to)), from);
    const mask = this.#mask(packet.subarray(numberAt + 4, numberAt + 4 + SAMPLE_LENGTH));
    packet[0]! ^= mask[0]! & lowBits(packet[0]!);
    for (let at = 0; at < length; at++) packet[numberAt + at]! ^= mask[1 + at]!;
  }

  /** Removes the protection of the header: a copy of it, which ends with the packet number; undefined if there are too few octets (rfc9001#5.4.2). */
  unmask(
    packet: Uint8Array,
    numberAt: number,
  ): { readonly header: Uint8Array; readonly length: NumberLength; readonly number: number } | undefined {
    if (packet.length < numberAt + 4 + SAMPLE_LENGTH) return undefined;
    const mask = this.#mask(packet.subarray(numberAt + 4, numberAt + 4 + SAMPLE_LENGTH));
    const first = packet[0]! ^ (mask[0]! & lowBits(packet[0]!));
    const length = ((first & 3) + 1) as NumberLength;
    const header = packet.slice(0, numberAt + length);
    header[0] = first;
    let number = 0;
    for (let at = 0; at < length; at++) {
      header[numberAt + at]! ^= mask[1 + at]!;
      number = number * 256 + header[numberAt + at]!;
    }
    return { header, length, number };
  }

  /** The payload of a packet whose header is `header`; undefined if it is not authentic. */
  open(packet: Uint8Array, header: Uint8Array, number: number): Uint8Array | undefined {
    return this.#aead.open(this.#nonceOf(number), header, packet.subarray(header.length));
  }

  #nonceOf(number: number): Uint8Array {
    this.#nonce.set(this.#iv);
    let rest = number;
    for (let at = NONCE_LENGTH - 1; rest > 0; at--) {
      this.#nonce[at]! ^= rest % 256;
      rest = Math.floor(rest / 256);
    }
    return this.#nonce;
  }
}

/** The protected bits of the first octet: four in a long header, five in a short one (rfc9001#5.4.1). */
const lowBits = (first: number): number => ((first & LONG) === 0 ? 0x1f : 0x0f);
/** The reserved bits, which are zero once the protection is removed (rfc9000#17.2, rfc9000#17.3.1). */
export const reservedBits = (first: number): number => first & ((first & LONG) === 0 ? 0x18 : 0x0c);
/** The bit that tells key phases apart (rfc9001#6). */
export const KEY_PHASE = 0x04;
/** The first octet of a short header, with a number of this length. */
export const shortFirst = (phase: 0 | 1, length: NumberLength): number => FIXED | (phase === 1 ? KEY_PHASE : 0) | (length - 1);

/** The keys of Initial packets that `side` protects: anybody who sees the first ID of the client can derive them (rfc9001#5.2). */
export function initialKeys(primitives: Primitives, version: Version, destination: Uint8Array, side: Side): Keys {
  const { hash } = SUITES[INITIAL_SUITE];
  const octets = extract(primitives, hash, fromHex(version.salt), destination);
  const secret = expandLabel(primitives, { hash, octets }, `${side} in`, 32);
  return new Keys({ primitives, suite: INITIAL_SUITE, version }, secret);
}

export const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
