/** Numbers of the registries that TLS 1.3 uses, by name (rfc8446#B). */

export type HashName = "sha256" | "sha384";
export type Aead = "aes-128-gcm" | "aes-256-gcm" | "chacha20-poly1305";

/** Cipher suites: the hash of the key schedule, and the AEAD that the transport applies (rfc8446#B.4). */
export const SUITES = {
  TLS_AES_128_GCM_SHA256: { id: 0x1301, hash: "sha256", aead: "aes-128-gcm" },
  TLS_AES_256_GCM_SHA384: { id: 0x1302, hash: "sha384", aead: "aes-256-gcm" },
  TLS_CHACHA20_POLY1305_SHA256: { id: 0x1303, hash: "sha256", aead: "chacha20-poly1305" },
} as const satisfies Record<string, { readonly id: number; readonly hash: HashName; readonly aead: Aead }>;
export type SuiteName = keyof typeof SUITES;

/** Key exchange: a curve, or a curve together with a post-quantum key encapsulation (rfc8446#4.2.7). */
export const GROUPS = { X25519MLKEM768: 0x11ec, x25519: 0x001d, secp256r1: 0x0017 } as const;
export type GroupName = keyof typeof GROUPS;

/** Signatures that CertificateVerify may have (rfc8446#4.2.3). */
export const SCHEMES = {
  ecdsa_secp256r1_sha256: 0x0403,
  ecdsa_secp384r1_sha384: 0x0503,
  ecdsa_secp521r1_sha512: 0x0603,
  ed25519: 0x0807,
  rsa_pss_rsae_sha256: 0x0804,
  rsa_pss_rsae_sha384: 0x0805,
  rsa_pss_rsae_sha512: 0x0806,
  rsa_pss_pss_sha256: 0x0809,
  rsa_pss_pss_sha384: 0x080a,
  rsa_pss_pss_sha512: 0x080b,
} as const;
export type SchemeName = keyof typeof SCHEMES;

/** Signatures that only certificates may have (rfc8446#4.2.3). */
export const CERTIFICATE_ONLY_SCHEMES: readonly number[] = [0x0401, 0x0501, 0x0601];

export const TLS13 = 0x0304;
export const LEGACY_VERSION = 0x0303;
/** `psk_dhe_ke`: a pre-shared key together with a key exchange (rfc8446#4.2.9). */
export const PSK_WITH_KEY_EXCHANGE = 1;
/** What a ticket permits of 0-RTT data in QUIC (rfc9001#4.6.1). */
export const EARLY_IN_QUIC = 0xffff_ffff;

const reversed = <Name extends string>(table: Readonly<Record<Name, number>>): ReadonlyMap<number, Name> =>
  new Map((Object.entries(table) as [Name, number][]).map(([name, id]) => [id, name]));

const suites: ReadonlyMap<number, SuiteName> = new Map(
  (Object.keys(SUITES) as SuiteName[]).map((name) => [SUITES[name].id as number, name]),
);
const groups = reversed<GroupName>(GROUPS);
const schemes = reversed<SchemeName>(SCHEMES);

/** The name of a number, or undefined where the number means nothing to us. */
export const suiteOf = (id: number): SuiteName | undefined => suites.get(id);
export const groupOf = (id: number): GroupName | undefined => groups.get(id);
export const schemeOf = (id: number): SchemeName | undefined => schemes.get(id);
