import { concatenated } from "../core/index.ts";
import type { Endpoint, Side } from "./endpoint.ts";
import { fault, type Fault } from "./faults.ts";
import type { Raw } from "./inbox.ts";
import { certificate, certificateVerify, isFault, message, readCertificate, readCertificateVerify } from "./messages.ts";
import { SCHEMES, schemeOf, type SchemeName } from "./names.ts";
import type { Credential, PublicKey, Trust } from "./primitives.ts";

/** Certificate, CertificateVerify and Finished, which both sides send and check alike (rfc8446#4.4). */

/** Every scheme that we verify, the preferred one first. */
export const OUR_SCHEMES: readonly SchemeName[] = Object.keys(SCHEMES) as SchemeName[];

const PADDING: ArrayLike<number> = new Uint8Array(64).fill(0x20);
const SIGNERS: Readonly<Record<Side, Uint8Array>> = {
  client: new Uint8Array(Buffer.from("TLS 1.3, client CertificateVerify\0", "latin1")),
  server: new Uint8Array(Buffer.from("TLS 1.3, server CertificateVerify\0", "latin1")),
};
/** What a side signs (rfc8446#4.4.3). */
const signed = (signer: Side, transcript: Uint8Array): Uint8Array => concatenated([Uint8Array.from(PADDING), SIGNERS[signer], transcript]);

/** A certificate and a scheme that the peer accepts. */
export type Choice = { readonly credential: Credential; readonly scheme: SchemeName };

/** The first credential that can sign as the peer accepts; undefined if none can. */
export function choose(credentials: readonly Credential[], accepted: readonly number[]): Choice | undefined {
  for (const credential of credentials) {
    const scheme = credential.schemes.find((name) => accepted.includes(SCHEMES[name]));
    if (scheme !== undefined) return { credential, scheme };
  }
  return undefined;
}

/** Sends the chain and the proof of its key. */
export function authenticate(e: Endpoint, { credential, scheme }: Choice): void {
  e.send("handshake", certificate(credential.chain));
  const signature = credential.sign(scheme, signed(e.side, e.transcript.digest()));
  e.send("handshake", certificateVerify(SCHEMES[scheme], signature));
}

export const sendFinished = (e: Endpoint): void =>
  e.send(
    "handshake",
    message("Finished", (w) => w.bytes(e.finishedOf(e.side))),
  );

/** The chain of the peer, with the key that it has to prove. */
export type Peer = { readonly is: "peer"; readonly chain: readonly Uint8Array[]; readonly key: PublicKey };

type Checks = { readonly trust: Trust; readonly offered: ReadonlySet<number>; readonly name: string | undefined };

/** Reads a Certificate message; undefined if it is empty. */
export function receiveCertificate(e: Endpoint, raw: Raw, { trust, offered, name }: Checks): Peer | Fault | undefined {
  const read = readCertificate(raw.body, e.limits, offered);
  if (isFault(read)) return read;
  const [own] = read.chain;
  if (read.context.length > 0) return fault("contextWrong");
  e.transcript.add(raw.whole);
  if (own === undefined) return undefined;
  const key = e.primitives.publicKey(own);
  if (key === undefined) return fault("certificateUnreadable");
  const problem = trust.check(read.chain, name);
  return problem === undefined ? { is: "peer", chain: read.chain, key } : fault(problem);
}

/** Checks the proof of the peer's key (rfc8446#4.4.3). */
export function receiveCertificateVerify(e: Endpoint, raw: Raw, { chain, key }: Peer): Fault | undefined {
  const read = readCertificateVerify(raw.body);
  if (isFault(read)) return read;
  const scheme = schemeOf(read.scheme);
  if (scheme === undefined) return fault("schemeNotOffered");
  if (!key.schemes.includes(scheme)) return fault("schemeOfOtherKey");
  const signer = e.side === "client" ? "server" : "client";
  if (!key.verify(scheme, signed(signer, e.transcript.digest()), read.signature)) return fault("signatureWrong");
  e.transcript.add(raw.whole);
  e.emit({ is: "peerCertificate", chain });
  return undefined;
}

/** Checks the Finished of the peer (rfc8446#4.4.4). */
export function receiveFinished(e: Endpoint, raw: Raw): Fault | undefined {
  const expected = e.finishedOf(e.side === "client" ? "server" : "client");
  if (raw.body.length !== expected.length) return fault("messageMalformed");
  if (!e.primitives.isEqual(raw.body, expected)) return fault("finishedWrong");
  e.transcript.add(raw.whole);
  return undefined;
}
