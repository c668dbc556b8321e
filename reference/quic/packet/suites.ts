import type { AeadName, HashName } from "../primitives.ts";

export const TAG_LENGTH = 16;
export const SAMPLE_LENGTH = 16;

type Suite = {
  readonly hash: HashName;
  readonly aead: AeadName;
  readonly keyLength: number;
  /** How many packets one key may protect (rfc9001#6.6). */
  readonly confidentialityLimit: number;
  /** How many packets may fail to open in the life of a connection (rfc9001#6.6). */
  readonly integrityLimit: number;
};

/** The cipher suites of TLS that protect packets. */
export const SUITES = {
  TLS_AES_128_GCM_SHA256: { hash: "sha256", aead: "aes-128-gcm", keyLength: 16, confidentialityLimit: 2 ** 23, integrityLimit: 2 ** 52 },
  TLS_AES_256_GCM_SHA384: { hash: "sha384", aead: "aes-256-gcm", keyLength: 32, confidentialityLimit: 2 ** 23, integrityLimit: 2 ** 52 },
  TLS_CHACHA20_POLY1305_SHA256: {
    hash: "sha256",
    aead: "chacha20-poly1305",
    keyLength: 32,
    confidentialityLimit: Number.POSITIVE_INFINITY,
    integrityLimit: 2 ** 36,
  },
} as const satisfies Record<string, Suite>;
export type SuiteName = keyof typeof SUITES;

/** Initial packets always have this one (rfc9001#5.2). */
export const INITIAL_SUITE: SuiteName = "TLS_AES_128_GCM_SHA256";
