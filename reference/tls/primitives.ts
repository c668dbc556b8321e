import type { Random } from "../core/index.ts";
import type { GroupName, HashName, SchemeName } from "./names.ts";

/** The cryptography that a handshake needs. `reference/io` implements it; this folder has none of its own. */
export interface Primitives {
  readonly random: Random;
  /** The groups that `offer` and `answer` know. */
  readonly groups: readonly GroupName[];
  hash(name: HashName): RunningHash;
  hmac(name: HashName, key: Uint8Array, octets: Uint8Array): Uint8Array;
  /** Client: a new key share. */
  offer(group: GroupName): KeyShare;
  /** Server: its own share and the shared secret for the share of a client; undefined if that share is invalid (rfc8446#4.2.8). */
  answer(group: GroupName, peer: Uint8Array): { readonly share: Uint8Array; readonly secret: Uint8Array } | undefined;
  /** The key in a certificate (DER); undefined if the certificate cannot be read. */
  publicKey(certificate: Uint8Array): PublicKey | undefined;
  /** AES-256-GCM, for tickets: `key` has 32 octets, `nonce` 12. */
  seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array): Uint8Array;
  /** Undefined if the octets are not authentic. */
  open(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array | undefined;
  /** Compares in constant time. */
  isEqual(a: Uint8Array, b: Uint8Array): boolean;
}

export interface RunningHash {
  update(octets: Uint8Array): void;
  /** The hash of all octets so far; more may follow. */
  digest(): Uint8Array;
  /** The hash of all octets so far and these, which do not become part of it. */
  digestWith(octets: Uint8Array): Uint8Array;
}

/** A share of the key exchange; the private key stays with it. */
export interface KeyShare {
  readonly group: GroupName;
  readonly share: Uint8Array;
  /** The shared secret for the share of a server; undefined if that is invalid. */
  secret(peer: Uint8Array): Uint8Array | undefined;
}

/** The public key of a certificate. */
export interface PublicKey {
  /** The schemes that this key can verify (rfc8446#4.2.3). */
  readonly schemes: readonly SchemeName[];
  verify(scheme: SchemeName, content: Uint8Array, signature: Uint8Array): boolean;
}

/** A certificate chain (DER, the own certificate first) with the use of its private key. */
export interface Credential {
  readonly chain: readonly Uint8Array[];
  /** The schemes that the key can sign with, the preferred one first. */
  readonly schemes: readonly SchemeName[];
  sign(scheme: SchemeName, content: Uint8Array): Uint8Array;
}

/** Why a chain is not trusted (rfc8446#4.4.2.4, rfc8446#6.2). */
export type ChainProblem =
  | "certificateUnreadable"
  | "certificateUntrusted"
  | "certificateExpired"
  | "certificateOfOther"
  | "certificateUnfit"
  | "certificateRefused";

/** Judges the chain of a peer, which has `limits.chain` certificates at most. */
export interface Trust {
  /** `name` is the host that the client asked for; undefined on a server. The result is the problem, if any. */
  check(chain: readonly Uint8Array[], name: string | undefined): ChainProblem | undefined;
}
