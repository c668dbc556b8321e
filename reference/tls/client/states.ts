import { after } from "../../core/index.ts";
import { authenticate, choose, receiveCertificate, receiveCertificateVerify, receiveFinished, sendFinished } from "../authenticate.ts";
import { REFUSED, type Row } from "../endpoint.ts";
import { fault, type Fault } from "../faults.ts";
import type { Raw } from "../inbox.ts";
import { KeySchedule } from "../key-schedule.ts";
import {
  certificate,
  isFault,
  readCertificateRequest,
  readEncryptedExtensions,
  readNewSessionTicket,
  readServerHello,
  type ServerHello,
} from "../messages.ts";
import { EARLY_IN_QUIC, GROUPS, groupOf, LEGACY_VERSION, suiteOf, SUITES, TLS13, type SuiteName } from "../names.ts";
import { sendHello } from "./hello.ts";
import type { ClientSide } from "./side.ts";

/** The states of a client, and what each does with a message (rfc8446#A.1). */
export type ClientState =
  | "hello"
  | "helloAfterRetry"
  | "extensions"
  | "certificateOrRequest"
  | "certificate"
  | "proof"
  | "finished"
  | "connected";

export const CLIENT_STATES: Readonly<Record<ClientState, Row<ClientSide>>> = {
  hello: { ...REFUSED, ServerHello: onHello },
  helloAfterRetry: { ...REFUSED, ServerHello: onHello },
  extensions: { ...REFUSED, EncryptedExtensions: onExtensions },
  certificateOrRequest: { ...REFUSED, CertificateRequest: onRequest, Certificate: onCertificate },
  certificate: { ...REFUSED, Certificate: onCertificate },
  proof: { ...REFUSED, CertificateVerify: onProof },
  finished: { ...REFUSED, Finished: onFinished },
  connected: { ...REFUSED, NewSessionTicket: onTicket, CertificateRequest: "certificateRequestLate" },
};

const to = (c: ClientSide, state: ClientState): undefined => void (c.row = CLIENT_STATES[state]);

function onHello(c: ClientSide, raw: Raw): Fault | undefined {
  const hello = readServerHello(raw.body, c.e.limits, c.offered.has(COOKIE) ? c.offered : new Set([...c.offered, COOKIE]));
  if (isFault(hello)) return hello;
  const suite = suiteIn(c, hello);
  if (typeof suite !== "string") return suite;
  return hello.is === "HelloRetryRequest" ? onRetry(c, raw, { hello, suite }) : onServerHello(c, raw, { hello, suite });
}
const COOKIE = 44;

/** Checks what ServerHello and HelloRetryRequest have in common (rfc8446#4.1.3), and returns the suite. */
function suiteIn(c: ClientSide, hello: ServerHello): SuiteName | Fault {
  if (hello.extensions.version === undefined) return fault("versionNotOffered");
  if (hello.version !== LEGACY_VERSION || hello.extensions.version !== TLS13) return fault("versionOfHelloWrong");
  if (hello.sessionId.length > 0) return fault("sessionIdChanged");
  if (hello.compression !== 0) return fault("compressionChosen");
  const suite = suiteOf(hello.suite);
  return suite !== undefined && c.suites.includes(suite) ? suite : fault("suiteNotOffered");
}

type Hello = { readonly hello: ServerHello; readonly suite: SuiteName };

/** The server wants another key share, or a cookie back (rfc8446#4.1.4). */
function onRetry(c: ClientSide, raw: Raw, { hello, suite }: Hello): Fault | undefined {
  const { e } = c;
  const { retryGroup, cookie } = hello.extensions;
  if (c.retry !== undefined) return fault("retryAgain");
  if (retryGroup === undefined && cookie === undefined) return fault("retryWithoutChange");
  if (retryGroup !== undefined) {
    const group = c.groups.find((name) => GROUPS[name] === retryGroup);
    if (group === undefined || c.shares.some((share) => share.group === group)) return fault("retryGroupWrong");
    c.shares = [e.primitives.offer(group)];
  }
  c.retry = { suite, group: retryGroup };
  e.transcript.retry(SUITES[suite].hash);
  e.transcript.add(raw.whole);
  // A server that retries takes no 0-RTT data (rfc8446#4.2.10), and a session with another hash is of no use (rfc8446#4.1.4).
  if (c.isEarly) e.emit({ is: "earlyData", accepted: false });
  c.isEarly = false;
  if (c.session?.schedule.derivation.hash !== SUITES[suite].hash) c.session = undefined;
  sendHello(c, cookie);
  return to(c, "helloAfterRetry");
}

function onServerHello(c: ClientSide, raw: Raw, { hello, suite }: Hello): Fault | undefined {
  const { e, retry } = c;
  const { share, identity } = hello.extensions;
  if (retry !== undefined && retry.suite !== suite) return fault("suiteChanged");
  if (share === undefined) return fault("shareMissing");
  const own = c.shares.find(({ group }) => GROUPS[group] === share.group);
  if (own === undefined) return fault("groupNotOffered");
  const schedule = scheduleFor(c, suite, identity);
  if (schedule instanceof KeySchedule === false) return schedule;
  const shared = own.secret(share.key);
  if (shared === undefined) return fault("shareInvalid");
  c.group = groupOf(share.group);
  c.isResumed = identity !== undefined;
  e.transcript.choose(SUITES[suite].hash);
  e.transcript.add(raw.whole);
  const refused = e.inbox.advance("handshake");
  if (refused !== undefined) return refused;
  e.handshakeSecrets(suite, schedule, shared);
  return to(c, "extensions");
}

/** The key schedule of the session, if the server resumes it (rfc8446#4.2.11). */
function scheduleFor({ e, session }: ClientSide, suite: SuiteName, identity: number | undefined): KeySchedule | Fault {
  if (identity === undefined) return new KeySchedule(e.derivation(suite));
  if (identity !== 0 || session === undefined) return fault("identityNotOffered");
  return session.schedule.derivation.hash === SUITES[suite].hash ? session.schedule : fault("hashOfPskWrong");
}

function onExtensions(c: ClientSide, raw: Raw): Fault | undefined {
  const { e, session } = c;
  const extensions = readEncryptedExtensions(raw.body, e.limits, c.offered);
  if (isFault(extensions)) return extensions;
  const alpn = extensions.alpn?.[0];
  if (alpn === undefined) return fault("protocolMissing");
  if (!c.options.alpn.includes(alpn)) return fault("protocolNotOffered");
  const { parameters, early } = extensions;
  if (parameters === undefined) return fault("parametersMissing");
  const isPossible = c.isResumed && session?.is.suite === e.suite && session.is.alpn === alpn;
  if (early === true && !isPossible) return fault("earlyNotPossible");
  c.alpn = alpn;
  c.parameters = parameters.slice();
  e.transcript.add(raw.whole);
  // First: what a server may take back depends on it (rfc9000#7.4.1).
  if (c.isEarly) e.emit({ is: "earlyData", accepted: early === true });
  e.emit({ is: "parameters", octets: c.parameters });
  if (!c.isResumed || session === undefined) return to(c, "certificateOrRequest");
  c.chain = session.is.chain;
  e.emit({ is: "peerCertificate", chain: c.chain });
  return to(c, "finished");
}

function onRequest(c: ClientSide, raw: Raw): Fault | undefined {
  const request = readCertificateRequest(raw.body, c.e.limits);
  if (isFault(request)) return request;
  if (request.context.length > 0) return fault("contextWrong");
  if (request.extensions.schemes === undefined) return fault("requestWithoutSchemes");
  c.request = request.extensions.schemes;
  c.e.transcript.add(raw.whole);
  return to(c, "certificate");
}

function onCertificate(c: ClientSide, raw: Raw): Fault | undefined {
  const { e, trust, options } = c;
  const peer = receiveCertificate(e, raw, { trust, offered: c.offered, name: options.serverName });
  if (peer === undefined) return fault("chainEmpty");
  if (isFault(peer)) return peer;
  c.peer = peer;
  return to(c, "proof");
}

function onProof(c: ClientSide, raw: Raw): Fault | undefined {
  if (c.peer === undefined) return fault("messageUnexpected");
  const refused = receiveCertificateVerify(c.e, raw, c.peer);
  if (refused !== undefined) return refused;
  c.chain = c.peer.chain;
  return to(c, "finished");
}

function onFinished(c: ClientSide, raw: Raw): Fault | undefined {
  const { e } = c;
  const refused = receiveFinished(e, raw) ?? e.inbox.advance("application");
  if (refused !== undefined) return refused;
  const announce = e.applicationSecrets();
  if (c.request !== undefined) answer(c, c.request);
  sendFinished(e);
  c.resumptionSecret = e.schedule.derive("resumption", e.transcript.digest());
  announce("write");
  announce("read");
  const { alpn, group = "x25519", isResumed, name } = c;
  e.emit({ is: "complete", alpn, suite: e.suite, group, resumed: isResumed, serverName: name });
  return to(c, "connected");
}

/** Our certificate, or none if the server accepts none of ours (rfc8446#4.4.2). */
function answer(c: ClientSide, schemes: readonly number[]): void {
  const choice = choose(c.options.credentials ?? [], schemes);
  if (choice === undefined) c.e.send("handshake", certificate([]));
  else authenticate(c.e, choice);
}

/** Seven days (rfc8446#4.6.1). */
const LONGEST_LIFE_SECONDS = 604_800;

function onTicket(c: ClientSide, raw: Raw): Fault | undefined {
  const { e, resumptionSecret } = c;
  const read = readNewSessionTicket(raw.body, e.limits);
  if (isFault(read)) return read;
  const { earlyOctets } = read.extensions;
  if (read.lifetimeSeconds > LONGEST_LIFE_SECONDS) return fault("ticketTooLongLived");
  if (earlyOctets !== undefined && earlyOctets !== EARLY_IN_QUIC) return fault("ticketEarlyWrong");
  if (++c.tickets > e.limits.tickets) return fault("tooManyTickets");
  if (resumptionSecret === undefined || read.lifetimeSeconds === 0) return undefined;
  const session = {
    ticket: read.ticket,
    psk: e.schedule.derivation.resumption(resumptionSecret, read.nonce),
    suite: e.suite,
    ageAdd: read.ageAdd,
    receivedAt: after(e.now, 0),
    lifetimeMs: read.lifetimeSeconds * 1000,
    early: earlyOctets !== undefined,
    alpn: c.alpn,
    serverName: c.name,
    parameters: c.parameters,
    chain: c.chain,
  };
  e.emit({ is: "session", session });
  return undefined;
}
