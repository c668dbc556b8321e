import { Reader, Writer } from "../core/index.ts";
import { numbers16, sized16, sized24, sized8, u16, vector16, vector24, vector8 } from "./codec.ts";
import { readExtensions, type Extensions } from "./extensions.ts";
import { fault, type Fault } from "./faults.ts";
import type { Limits } from "./limits.ts";
import { LEGACY_VERSION, SUITES, type SuiteName } from "./names.ts";

/** Handshake messages by name (rfc8446#4). */
export const MESSAGES = {
  ClientHello: 1,
  ServerHello: 2,
  NewSessionTicket: 4,
  EndOfEarlyData: 5,
  EncryptedExtensions: 8,
  Certificate: 11,
  CertificateRequest: 13,
  CertificateVerify: 15,
  Finished: 20,
  KeyUpdate: 24,
} as const;
export type MessageName = keyof typeof MESSAGES;
const names: ReadonlyMap<number, MessageName> = new Map((Object.keys(MESSAGES) as MessageName[]).map((name) => [MESSAGES[name], name]));
export const messageOf = (type: number): MessageName | undefined => names.get(type);

/** The random value that makes a ServerHello a HelloRetryRequest: the SHA-256 of those words (rfc8446#4.1.3). */
const RETRY_RANDOM: ArrayLike<number> = Buffer.from("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c", "hex");
export const retryRandom = (): Uint8Array => Uint8Array.from(RETRY_RANDOM);
export const isRetry = (random: Uint8Array): boolean => random.every((octet, at) => octet === RETRY_RANDOM[at]);

export type ClientHello = {
  readonly is: "ClientHello";
  readonly version: number;
  readonly random: Uint8Array;
  readonly sessionId: Uint8Array;
  readonly suites: readonly number[];
  readonly compressions: Uint8Array;
  readonly extensions: Extensions;
};
export type ServerHello = {
  readonly is: "ServerHello" | "HelloRetryRequest";
  readonly version: number;
  readonly random: Uint8Array;
  readonly sessionId: Uint8Array;
  readonly suite: number;
  readonly compression: number;
  readonly extensions: Extensions;
};
export type Certificate = { readonly is: "Certificate"; readonly context: Uint8Array; readonly chain: readonly Uint8Array[] };
export type CertificateRequest = { readonly is: "CertificateRequest"; readonly context: Uint8Array; readonly extensions: Extensions };
export type CertificateVerify = { readonly is: "CertificateVerify"; readonly scheme: number; readonly signature: Uint8Array };
export type NewSessionTicket = {
  readonly is: "NewSessionTicket";
  readonly lifetimeSeconds: number;
  readonly ageAdd: number;
  readonly nonce: Uint8Array;
  readonly ticket: Uint8Array;
  readonly extensions: Extensions;
};

const SESSION_ID_OCTETS = 32;
const RANDOM_OCTETS = 32;
const malformed = (): Fault => fault("messageMalformed");
const isWhole = (r: Reader): boolean => !r.short && r.left === 0;
export const isFault = (value: object): value is Fault => "is" in value && value.is === "fault";

/** Readers of message bodies. What they return holds views of the body. */
export function readClientHello(body: Uint8Array, { extensions: most }: Limits): ClientHello | Fault {
  const r = new Reader(body);
  const version = u16(r);
  const random = r.view(RANDOM_OCTETS);
  const sessionId = vector8(r);
  const suites = numbers16(vector16(r));
  const compressions = vector8(r);
  if (r.short || sessionId.length > SESSION_ID_OCTETS || suites === undefined || compressions.length === 0) return malformed();
  // Before TLS 1.3 a hello could end here.
  if (r.left === 0) return fault("versionTooOld");
  const extensions = readExtensions(r, "ClientHello", { most });
  if (isFault(extensions)) return extensions;
  return isWhole(r) ? { is: "ClientHello", version, random, sessionId, suites, compressions, extensions } : malformed();
}

/** `offered`: the extensions of the ClientHello; a cookie comes without being asked for (rfc8446#4.2.2). */
export function readServerHello(body: Uint8Array, { extensions: most }: Limits, offered: ReadonlySet<number>): ServerHello | Fault {
  const r = new Reader(body);
  const version = u16(r);
  const random = r.view(RANDOM_OCTETS);
  const sessionId = vector8(r);
  const suite = u16(r);
  const compression = r.u8();
  if (r.short || sessionId.length > SESSION_ID_OCTETS) return malformed();
  if (r.left === 0) return fault("versionNotOffered");
  const is = isRetry(random) ? "HelloRetryRequest" : "ServerHello";
  const extensions = readExtensions(r, is, { most, offered });
  if (isFault(extensions)) return extensions;
  return isWhole(r) ? { is, version, random, sessionId, suite, compression, extensions } : malformed();
}

export function readEncryptedExtensions(body: Uint8Array, { extensions: most }: Limits, offered: ReadonlySet<number>): Extensions | Fault {
  const r = new Reader(body);
  const extensions = readExtensions(r, "EncryptedExtensions", { most, offered });
  if (isFault(extensions)) return extensions;
  return isWhole(r) ? extensions : malformed();
}

export function readCertificateRequest(body: Uint8Array, { extensions: most }: Limits): CertificateRequest | Fault {
  const r = new Reader(body);
  const context = vector8(r);
  const extensions = readExtensions(r, "CertificateRequest", { most });
  if (isFault(extensions)) return extensions;
  return isWhole(r) ? { is: "CertificateRequest", context, extensions } : malformed();
}

/** `offered`: the extensions of the ClientHello or CertificateRequest that it answers. */
export function readCertificate(body: Uint8Array, limits: Limits, offered: ReadonlySet<number>): Certificate | Fault {
  const r = new Reader(body);
  const context = vector8(r);
  const list = new Reader(vector24(r));
  const chain: Uint8Array[] = [];
  while (list.left > 0) {
    if (chain.length === limits.chain) return fault("chainTooLong");
    const certificate = vector24(list);
    if (certificate.length === 0) return malformed();
    const extensions = readExtensions(list, "Certificate", { most: limits.extensions, offered });
    if (isFault(extensions)) return extensions;
    chain.push(certificate);
  }
  return isWhole(r) && isWhole(list) ? { is: "Certificate", context, chain } : malformed();
}

export function readCertificateVerify(body: Uint8Array): CertificateVerify | Fault {
  const r = new Reader(body);
  const scheme = u16(r);
  const signature = vector16(r);
  return isWhole(r) ? { is: "CertificateVerify", scheme, signature } : malformed();
}

export function readNewSessionTicket(body: Uint8Array, { extensions: most }: Limits): NewSessionTicket | Fault {
  const r = new Reader(body);
  const lifetimeSeconds = r.u32();
  const ageAdd = r.u32();
  const nonce = vector8(r);
  const ticket = vector16(r);
  const extensions = readExtensions(r, "NewSessionTicket", { most });
  if (isFault(extensions)) return extensions;
  return isWhole(r) && ticket.length > 0 ? { is: "NewSessionTicket", lifetimeSeconds, ageAdd, nonce, ticket, extensions } : malformed();
}

/** Writes one message with its head. */
export function message(name: MessageName, body: (w: Writer) => void): Uint8Array {
  const w = new Writer();
  w.u8(MESSAGES[name]);
  sized24(w, () => body(w));
  return w.handOver();
}

type HelloBody = { readonly random: Uint8Array; readonly sessionId: Uint8Array };

/** `extensions` writes the block; a binder of zeros is replaced later. */
export const clientHello = (
  { random, suites }: { random: Uint8Array; suites: readonly SuiteName[] },
  extensions: (w: Writer) => void,
): Uint8Array =>
  message("ClientHello", (w) => {
    w.u16(LEGACY_VERSION).bytes(random).u8(0);
    sized16(w, () => {
      for (const name of suites) w.u16(SUITES[name].id);
    });
    w.u8(1).u8(0);
    sized16(w, () => extensions(w));
  });

export const serverHello = ({ random, sessionId, suite }: HelloBody & { suite: SuiteName }, extensions: (w: Writer) => void): Uint8Array =>
  message("ServerHello", (w) => {
    w.u16(LEGACY_VERSION).bytes(random);
    sized8(w, () => w.bytes(sessionId));
    w.u16(SUITES[suite].id).u8(0);
    sized16(w, () => extensions(w));
  });

export const certificate = (chain: readonly Uint8Array[]): Uint8Array =>
  message("Certificate", (w) => {
    w.u8(0);
    sized24(w, () => {
      for (const der of chain) {
        sized24(w, () => w.bytes(der));
        w.u16(0);
      }
    });
  });

export const certificateVerify = (scheme: number, signature: Uint8Array): Uint8Array =>
  message("CertificateVerify", (w) => {
    w.u16(scheme);
    sized16(w, () => w.bytes(signature));
  });
