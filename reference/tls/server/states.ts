import { instant, Reader, type Writer } from "../../core/index.ts";
import {
  authenticate,
  choose,
  OUR_SCHEMES,
  receiveCertificate,
  receiveCertificateVerify,
  receiveFinished,
  sendFinished,
  type Choice,
} from "../authenticate.ts";
import { sized16, sized8 } from "../codec.ts";
import { REFUSED, type Row } from "../endpoint.ts";
import { extension } from "../extensions.ts";
import { fault, type Fault, type FaultName } from "../faults.ts";
import type { Raw } from "../inbox.ts";
import { KeySchedule } from "../key-schedule.ts";
import { isFault, message, readClientHello, retryRandom, serverHello, type ClientHello } from "../messages.ts";
import { EARLY_IN_QUIC, GROUPS, PSK_WITH_KEY_EXCHANGE, SCHEMES, SUITES, TLS13 } from "../names.ts";
import { changeOf, choicesOf, type Choices } from "./check-hello.ts";
import { admitsEarly, resumedOf, type Resumed } from "./resumption.ts";
import { NO_OCTETS, type ServerSide } from "./side.ts";

/** The states of a server, and what each does with a message (rfc8446#A.2). */
export type ServerState = "hello" | "helloAfterRetry" | "certificate" | "proof" | "finished" | "connected";

export const SERVER_STATES: Readonly<Record<ServerState, Row<ServerSide>>> = {
  hello: { ...REFUSED, ClientHello: onHello },
  helloAfterRetry: { ...REFUSED, ClientHello: onHello },
  certificate: { ...REFUSED, Certificate: onCertificate, ClientHello: "helloAgain" },
  proof: { ...REFUSED, CertificateVerify: onProof, ClientHello: "helloAgain" },
  finished: { ...REFUSED, Finished: onFinished, ClientHello: "helloAgain" },
  connected: { ...REFUSED, ClientHello: "helloAgain" },
};

const to = (s: ServerSide, state: ServerState): undefined => void (s.row = SERVER_STATES[state]);

function onHello(s: ServerSide, raw: Raw): Fault | undefined {
  const { e, retry } = s;
  const hello = readClientHello(raw.body, e.limits);
  if (isFault(hello)) return hello;
  e.clientRandom = hello.random.slice();
  const choices = choicesOf(s, hello);
  if (isFault(choices)) return choices;
  const changed = retry && changeOf(retry.hello, hello, retry.group);
  if (changed !== undefined) return changed;
  if (choices.share === undefined) return askForShare(s, { raw, hello, choices });
  const resumed = resumedOf(s, { raw, hello }, choices.suite);
  if (resumed !== undefined && isFault(resumed)) return resumed;
  return answer(s, { raw, hello, choices }, resumed);
}

type Hello = { readonly raw: Raw; readonly hello: ClientHello; readonly choices: Choices };

/** HelloRetryRequest: the client supports a group of ours, and has sent no share for it (rfc8446#4.1.4). */
function askForShare(s: ServerSide, { raw, hello, choices: { suite, group } }: Hello): Fault | undefined {
  const { e } = s;
  e.transcript.add(raw.whole);
  e.transcript.retry(SUITES[suite].hash);
  const retry = serverHello({ random: retryRandom(), sessionId: hello.sessionId, suite }, (w) => {
    extension(w, "supported_versions", () => w.u16(TLS13));
    extension(w, "key_share", () => w.u16(GROUPS[group]));
  });
  e.send("initial", retry);
  s.retry = { hello, group, suite };
  return to(s, "helloAfterRetry");
}

function answer(s: ServerSide, { raw, hello, choices }: Hello, resumed: Resumed | undefined): Fault | undefined {
  const { e, options } = s;
  const { serverName, schemes = [], pskModes, early } = hello.extensions;
  const { suite, group, share, alpn } = choices;
  // A session shows who we are; without one, a certificate has to (rfc8446#2.2).
  const credentials = resumed === undefined ? options.credentials(serverName) : [];
  const choice = choose(credentials, schemes);
  if (resumed === undefined && choice === undefined) return fault(unproven(credentials.length, hello));
  const exchange = e.primitives.answer(group, share?.key ?? NO_OCTETS);
  if (exchange === undefined) return fault("shareInvalid");
  s.group = group;
  s.alpn = alpn;
  s.serverName = serverName;
  s.isResumed = resumed !== undefined;
  s.canResume = pskModes?.includes(PSK_WITH_KEY_EXCHANGE) === true;
  e.transcript.add(raw.whole);
  const refused = e.inbox.advance("handshake");
  if (refused !== undefined) return refused;
  const parameters = choices.parameters.slice();
  e.emit({ is: "parameters", octets: parameters });
  const isEarly = early === true && resumed !== undefined && admitsEarly(s, resumed, choices);
  if (early === true) e.emit({ is: "earlyData", accepted: isEarly });
  e.transcript.choose(SUITES[suite].hash);
  if (isEarly) e.earlySecret(resumed.schedule, suite, e.transcript.digest());
  const random = e.primitives.random(new Uint8Array(32));
  const answer = serverHello({ random, sessionId: hello.sessionId, suite }, (w) => {
    extension(w, "supported_versions", () => w.u16(TLS13));
    extension(w, "key_share", () => sized16(w.u16(GROUPS[group]), () => w.bytes(exchange.share)));
    if (resumed !== undefined) extension(w, "pre_shared_key", () => w.u16(resumed.index));
  });
  e.send("initial", answer);
  e.handshakeSecrets(suite, resumed?.schedule ?? new KeySchedule(e.derivation(suite)), exchange.secret);
  return introduce(s, { choice, isEarly, parameters, resumed });
}

/** Why no certificate of ours will do. */
function unproven(credentials: number, { extensions }: ClientHello): FaultName {
  if (extensions.schemes === undefined) return "schemesMissing";
  return credentials === 0 ? "nameUnknown" : "schemeNotShared";
}

type Introduction = {
  readonly choice: Choice | undefined;
  readonly isEarly: boolean;
  readonly parameters: Uint8Array;
  readonly resumed: Resumed | undefined;
};

/** Everything from EncryptedExtensions to our Finished (rfc8446#4.3, rfc8446#4.4). */
function introduce(s: ServerSide, { choice, isEarly, parameters, resumed }: Introduction): Fault | undefined {
  const { e, options } = s;
  e.send(
    "handshake",
    message("EncryptedExtensions", (w) =>
      sized16(w, () => {
        extension(w, "application_layer_protocol_negotiation", () =>
          sized16(w, () => sized8(w, () => w.bytes(Buffer.from(s.alpn, "latin1")))),
        );
        extension(w, "quic_transport_parameters", () => w.bytes(options.parameters(parameters)));
        if (isEarly) extension(w, "early_data");
      }),
    ),
  );
  const asks = resumed === undefined && options.clients !== undefined;
  if (asks) e.send("handshake", message("CertificateRequest", request));
  if (choice !== undefined) authenticate(e, choice);
  sendFinished(e);
  s.announce = e.applicationSecrets();
  s.announce("write");
  if (resumed !== undefined && resumed.ticket.chain.length > 0) {
    s.chain = resumed.ticket.chain;
    e.emit({ is: "peerCertificate", chain: s.chain });
  }
  return to(s, asks ? "certificate" : "finished");
}

function request(w: Writer): void {
  w.u8(0);
  sized16(w, () => extension(w, "signature_algorithms", () => sized16(w, () => OUR_SCHEMES.forEach((scheme) => w.u16(SCHEMES[scheme])))));
}

/** The extensions that a certificate of a client may answer: those of our request. */
const REQUESTED: ReadonlySet<number> = new Set([13]);

function onCertificate(s: ServerSide, raw: Raw): Fault | undefined {
  const { e, options } = s;
  if (options.clients === undefined) return fault("messageUnexpected");
  const { trust, required } = options.clients;
  const peer = receiveCertificate(e, raw, { trust, offered: REQUESTED, name: undefined });
  if (peer === undefined) return required ? fault("certificateRequired") : to(s, "finished");
  if (isFault(peer)) return peer;
  s.peer = peer;
  return to(s, "proof");
}

function onProof(s: ServerSide, raw: Raw): Fault | undefined {
  if (s.peer === undefined) return fault("messageUnexpected");
  const refused = receiveCertificateVerify(s.e, raw, s.peer);
  if (refused !== undefined) return refused;
  s.chain = s.peer.chain;
  return to(s, "finished");
}

function onFinished(s: ServerSide, raw: Raw): Fault | undefined {
  const { e, alpn, group, isResumed, serverName } = s;
  const refused = receiveFinished(e, raw) ?? e.inbox.advance("application");
  if (refused !== undefined) return refused;
  s.announce("read");
  e.emit({ is: "complete", alpn, suite: e.suite, group, resumed: isResumed, serverName });
  if (s.canResume) sendTickets(s);
  return to(s, "connected");
}

function sendTickets(s: ServerSide): void {
  const { e, options, alpn, serverName, context, chain } = s;
  const { tickets, ticketCount = 1 } = options;
  if (tickets === undefined) return;
  const secret = e.schedule.derive("resumption", e.transcript.digest());
  const early = options.early !== undefined;
  for (let count = 0; count < ticketCount; count++) {
    const nonce = Uint8Array.of(count);
    const ageAdd = new Reader(e.primitives.random(new Uint8Array(4))).u32();
    const psk = e.schedule.derivation.resumption(secret, nonce);
    const ticket = tickets.seal({ psk, suite: e.suite, ageAdd, issuedAt: instant(e.now), early, alpn, serverName, context, chain });
    if (ticket === undefined) return;
    e.sendAfter(
      "application",
      message("NewSessionTicket", (w) => {
        w.u32(Math.floor(tickets.lifetimeMs / 1000)).u32(ageAdd);
        sized8(w, () => w.bytes(nonce));
        sized16(w, () => w.bytes(ticket));
        sized16(w, () => early && extension(w, "early_data", () => w.u32(EARLY_IN_QUIC)));
      }),
    );
  }
}
