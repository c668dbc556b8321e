import crypto, { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from "node:crypto";
import { concatenated } from "../../core/index.ts";
import type { GroupName, KeyShare } from "../../tls/index.ts";

/** The key exchanges of TLS 1.3 by Node's cryptography. */

type Shared = { readonly share: Uint8Array; readonly secret: Uint8Array };
type Group = {
  offer(): { readonly share: Uint8Array; secret(peer: Uint8Array): Uint8Array | undefined };
  answer(peer: Uint8Array): Shared | undefined;
};

/** A key in DER ends with the raw key; what comes before it is the same for all keys of a kind. */
type Kind = { readonly prefix: Uint8Array; readonly length: number };
const kind = (prefix: string, length: number): Kind => ({ prefix: Buffer.from(prefix, "hex"), length });
const X25519 = kind("302a300506032b656e032100", 32);
const P256 = kind("3059301306072a8648ce3d020106082a8648ce3d030107034200", 65);
const MLKEM768 = kind("308204b2300b0609608648016503040402038204a100", 1_184);
const MLKEM768_CIPHERTEXT = 1_088;

const rawKey = ({ length }: Kind, key: KeyObject): Uint8Array =>
  new Uint8Array(key.export({ type: "spki", format: "der" }).subarray(-length));
const keyOf = ({ prefix, length }: Kind, raw: Uint8Array): KeyObject | undefined =>
  raw.length === length ? createPublicKey({ key: Buffer.concat([prefix, raw]), type: "spki", format: "der" }) : undefined;

/** Node throws where the key of a peer is not a point of the curve, or the result would be zero (rfc8446#7.4.2). */
function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_")) return undefined;
    throw error;
  }
}

function curve(kind: Kind, generate: () => { publicKey: KeyObject; privateKey: KeyObject }): Group {
  const agree = (privateKey: KeyObject, peer: Uint8Array): Uint8Array | undefined =>
    attempt(() => {
      const publicKey = keyOf(kind, peer);
      return publicKey && new Uint8Array(diffieHellman({ privateKey, publicKey }));
    });
  return {
    offer: () => {
      const { publicKey, privateKey } = generate();
      return { share: rawKey(kind, publicKey), secret: (peer) => agree(privateKey, peer) };
    },
    answer: (peer) => {
      const { publicKey, privateKey } = generate();
      const secret = agree(privateKey, peer);
      return secret && { share: rawKey(kind, publicKey), secret };
    },
  };
}

const x25519 = curve(X25519, () => generateKeyPairSync("x25519"));
/** An uncompressed point (rfc8446#4.2.8.2). */
const secp256r1 = curve(P256, () => generateKeyPairSync("ec", { namedCurve: "P-256" }));

/** ML-KEM-768 beside X25519: both shares, and both secrets, one after the other, with ML-KEM first (draft-ietf-tls-ecdhe-mlkem). */
const hybrid: Group = {
  offer: () => {
    const { publicKey, privateKey } = generateKeyPairSync("ml-kem-768");
    const other = x25519.offer();
    return {
      share: concatenated([rawKey(MLKEM768, publicKey), other.share]),
      secret: (peer) => {
        const second = other.secret(peer.subarray(MLKEM768_CIPHERTEXT));
        const first = second && attempt(() => new Uint8Array(crypto.decapsulate(privateKey, peer.subarray(0, MLKEM768_CIPHERTEXT))));
        return first && second && concatenated([first, second]);
      },
    };
  },
  answer: (peer) =>
    attempt(() => {
      const key = keyOf(MLKEM768, peer.subarray(0, MLKEM768.length));
      const other = x25519.answer(peer.subarray(MLKEM768.length));
      if (key === undefined || other === undefined) return undefined;
      const { sharedKey, ciphertext } = crypto.encapsulate(key);
      return { share: concatenated([ciphertext, other.share]), secret: concatenated([sharedKey, other.secret]) };
    }),
};

/** Older versions of Node have no ML-KEM, and cannot import its functions by name. */
const HAS_MLKEM = typeof crypto.encapsulate === "function";
const GROUPS: Readonly<Record<GroupName, Group>> = { X25519MLKEM768: hybrid, x25519, secp256r1 };

export const groups: readonly GroupName[] = HAS_MLKEM ? ["X25519MLKEM768", "x25519", "secp256r1"] : ["x25519", "secp256r1"];
export const offer = (group: GroupName): KeyShare => ({ group, ...GROUPS[group].offer() });
export const answer = (group: GroupName, peer: Uint8Array): Shared | undefined => GROUPS[group].answer(peer);
