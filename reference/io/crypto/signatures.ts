import { constants, createPrivateKey, sign, verify, X509Certificate, type KeyObject } from "node:crypto";
import { Misuse } from "../../core/index.ts";
import type { Credential, PublicKey, SchemeName } from "../../tls/index.ts";
import type { Certificate } from "../make-certificate.ts";

/** Signatures of CertificateVerify by Node's cryptography (rfc8446#4.2.3). */

type Method = {
  readonly keyType: string;
  readonly curve?: string;
  readonly hash: string | null;
};
const ec = (curve: string, hash: string): Method => ({ keyType: "ec", curve, hash });
const rsa = (keyType: "rsa" | "rsa-pss", hash: string): Method => ({ keyType, hash });
const METHODS: Readonly<Record<SchemeName, Method>> = {
  ecdsa_secp256r1_sha256: ec("prime256v1", "sha256"),
  ecdsa_secp384r1_sha384: ec("secp384r1", "sha384"),
  ecdsa_secp521r1_sha512: ec("secp521r1", "sha512"),
  ed25519: { keyType: "ed25519", hash: null },
  rsa_pss_rsae_sha256: rsa("rsa", "sha256"),
  rsa_pss_rsae_sha384: rsa("rsa", "sha384"),
  rsa_pss_rsae_sha512: rsa("rsa", "sha512"),
  rsa_pss_pss_sha256: rsa("rsa-pss", "sha256"),
  rsa_pss_pss_sha384: rsa("rsa-pss", "sha384"),
  rsa_pss_pss_sha512: rsa("rsa-pss", "sha512"),
};
const SCHEMES = Object.keys(METHODS) as SchemeName[];

/** Below this size, RSA is too weak (and too small for PSS with SHA-512). */
const SMALLEST_RSA_BITS = 2_048;

function schemesOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly SchemeName[] {
  if ((asymmetricKeyDetails?.modulusLength ?? SMALLEST_RSA_BITS) < SMALLEST_RSA_BITS) return [];
  return SCHEMES.filter((name) => {
    const { keyType, curve, hash } = METHODS[name];
    if (keyType !== asymmetricKeyType || curve !== asymmetricKeyDetails?.namedCurve) return false;
    // A key of RSA-PSS may be for one hash only.
    const only = asymmetricKeyDetails?.hashAlgorithm;
    return only === undefined || only === hash;
  });
}

const isRsa = (scheme: SchemeName): boolean => METHODS[scheme].keyType.startsWith("rsa");
const keyFor = (scheme: SchemeName, key: KeyObject): Parameters<typeof verify>[2] =>
  isRsa(scheme) ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : key;

/** OpenSSL also verifies a signature of RSA that lacks its leading zeros; RFC 8017 §8.1.2 wants all octets of the modulus. */
const isWhole = ({ asymmetricKeyDetails }: KeyObject, signature: Uint8Array): boolean =>
  asymmetricKeyDetails?.modulusLength === undefined || signature.length === Math.ceil(asymmetricKeyDetails.modulusLength / 8);

/** Undefined if the certificate, or its key, cannot be read. */
export function publicKey(certificate: Uint8Array): PublicKey | undefined {
  try {
    const key = new X509Certificate(certificate).publicKey;
    return {
      schemes: schemesOf(key),
      verify: (scheme, content, signature) =>
        isWhole(key, signature) && verify(METHODS[scheme].hash, content, keyFor(scheme, key), signature),
    };
  } catch {
    return undefined;
  }
}

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** The certificates of a PEM text, in DER. */
export const certificatesIn = (pem: string): readonly X509Certificate[] => (pem.match(PEM) ?? []).map((one) => new X509Certificate(one));

/** A certificate with its chain and its private key, for handshakes. */
export function credentialOf({ cert, key: pem }: Certificate): Credential {
  const chain = certificatesIn(cert);
  const [own] = chain;
  const key = createPrivateKey(pem);
  if (own === undefined || !own.checkPrivateKey(key)) throw new Misuse("the first certificate in `cert` must be the one of `key`");
  const schemes = schemesOf(key);
  if (schemes.length === 0)
    throw new Misuse(`TLS 1.3 has no signature for a key of type ${key.asymmetricKeyType ?? "unknown"} like this one`);
  return {
    chain: chain.map((one) => new Uint8Array(one.raw)),
    schemes,
    sign: (scheme, content) => new Uint8Array(sign(METHODS[scheme].hash, content, keyFor(scheme, key) as Parameters<typeof sign>[2])),
  };
}
