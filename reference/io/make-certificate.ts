import { createPrivateKey } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its key, in PEM. */
export type Certificate = { readonly cert: string; readonly key: string };

/** What a certificate says. Without `issuer` it is signed by its own key. */
export type CertificateRequest = {
  /** The common name of the subject. */
  readonly name: string;
  readonly key: "rsa" | "ec";
  /** The first and the last moment at which it is valid; a day from now without. */
  readonly valid?: readonly [from: Date, to: Date];
  /** What it is valid for, as host names and as IP addresses (RFC 5280 §4.2.1.6). */
  readonly hosts?: { readonly dns?: readonly string[]; readonly ip?: readonly string[] };
  /** Whose certificate it is: of an authority that signs others, of a server or a client; of both ends without. */
  readonly purpose?: "authority" | "server" | "client";
  readonly issuer?: Certificate;
};

const DAY_MS = 86_400_000;
const RSA_BITS = 2_048;
const SIGNING: Readonly<Record<"rsa" | "ec", RsaHashedKeyGenParams | EcKeyGenParams>> = {
  rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: RSA_BITS, publicExponent: new Uint8Array([1, 0, 1]) },
  ec: { name: "ECDSA", namedCurve: "P-256" },
};

/** The bits of a key usage, from the left (RFC 5280 §4.2.1.3). */
const SIGNS_DATA = 0x80;
const SIGNS_CERTIFICATES_AND_LISTS = 0x06;
const USES = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;

/** Makes a key, and a certificate of version 3 for it (RFC 5280 §4.1). Both are returned in PEM. */
export async function makeCertificate(request: CertificateRequest): Promise<Certificate> {
  // Loaded on demand: it is larger than everything else, and most servers do not need it.
  const [pki, asn1] = await Promise.all([import("pkijs"), import("asn1js")]);
  const { name, key, hosts = {}, purpose, issuer, valid = [new Date(), new Date(Date.now() + DAY_MS)] } = request;
  const { publicKey, privateKey } = await crypto.subtle.generateKey(SIGNING[key], true, ["sign", "verify"]);

  // Later years have four digits (RFC 5280 §4.1.2.5).
  const timeOf = (value: Date) =>
    new pki.Time({ type: value.getUTCFullYear() < 2050 ? pki.TimeType.UTCTime : pki.TimeType.GeneralizedTime, value });
  const certificate = new pki.Certificate({ version: 2, serialNumber: new asn1.Integer({ valueHex: serial().buffer }) });
  certificate.subject.typesAndValues.push(new pki.AttributeTypeAndValue({ type: "2.5.4.3", value: new asn1.Utf8String({ value: name }) }));
  certificate.issuer = issuer === undefined ? certificate.subject : pki.Certificate.fromBER(octetsOf(issuer.cert)).subject;
  [certificate.notBefore, certificate.notAfter] = [timeOf(valid[0]), timeOf(valid[1])];
  await certificate.subjectPublicKeyInfo.importKey(publicKey);

  const isAuthority = purpose === "authority";
  const extension = (extnID: string, critical: boolean, parsedValue: { toSchema(): { toBER(): ArrayBuffer } }) =>
    new pki.Extension({ extnID, critical, extnValue: parsedValue.toSchema().toBER() });
  const usage = new Uint8Array([isAuthority ? SIGNS_CERTIFICATES_AND_LISTS : SIGNS_DATA]);
  const usageBits = new asn1.BitString({ valueHex: usage.buffer, unusedBits: isAuthority ? 1 : 7 });
  certificate.extensions = [
    extension("2.5.29.19", true, new pki.BasicConstraints({ cA: isAuthority })),
    new pki.Extension({ extnID: "2.5.29.15", critical: true, extnValue: usageBits.toBER() }),
  ];
  if (!isAuthority) {
    const keyPurposes = purpose === undefined ? Object.values(USES) : [USES[purpose]];
    certificate.extensions.push(extension("2.5.29.37", false, new pki.ExtKeyUsage({ keyPurposes })));
  }
  const names = [
    ...(hosts.dns ?? []).map((value) => new pki.GeneralName({ type: 2, value })),
    ...(hosts.ip ?? []).map((ip) => new pki.GeneralName({ type: 7, value: new asn1.OctetString({ valueHex: addressOctets(ip).buffer }) })),
  ];
  if (names.length > 0) certificate.extensions.push(extension("2.5.29.17", false, new pki.GeneralNames({ names })));

  await certificate.sign(issuer === undefined ? privateKey : await signingKey(issuer.key), "SHA-256");
  return {
    cert: pem("CERTIFICATE", certificate.toSchema(true).toBER()),
    key: pem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", privateKey)),
  };
}

/** A random number of 16 octets, positive, in its shortest form (RFC 5280 §4.1.2.2). */
function serial(): Uint8Array<ArrayBuffer> {
  const octets = crypto.getRandomValues(new Uint8Array(16));
  octets[0] = 0x40 | ((octets[0] ?? 0) & 0x3f);
  return octets;
}

function signingKey(text: string): Promise<CryptoKey> {
  const key = createPrivateKey(text);
  const algorithm = SIGNING[key.asymmetricKeyType === "ec" ? "ec" : "rsa"];
  return crypto.subtle.importKey("pkcs8", Uint8Array.from(key.export({ type: "pkcs8", format: "der" })), algorithm, false, ["sign"]);
}

/** The 4 or 16 octets of an IP address. */
function addressOctets(address: string): Uint8Array<ArrayBuffer> {
  if (isIP(address) === 4) return Uint8Array.from(address.split("."), Number);
  // A URL writes every IPv6 address in one form: groups in hexadecimal, at most one "::".
  const [left = "", right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const groups = (part: string | undefined): string[] => (part === undefined || part === "" ? [] : part.split(":"));
  const zeros = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(zeros).fill("0"), ...groups(right)].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The octets of the first block of a PEM text. */
const octetsOf = (text: string): ArrayBuffer =>
  Uint8Array.from(Buffer.from(/-----BEGIN [^-]+-----([^-]+)/.exec(text)?.[1] ?? "", "base64")).buffer;

const pem = (label: string, octets: ArrayBuffer): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(octets)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n")}-----END ${label}-----\n`;
