import { describe, expect, test } from "vitest";
import { concatenated, instant } from "../../../core/index.ts";
import {
  Client,
  EarlyGuard,
  FAULTS,
  Server,
  Tickets,
  type ClientOptions,
  type Event,
  type FaultName,
  type Machine,
  type ServerOptions,
} from "../../../tls/index.ts";
import { TLS_PRIMITIVES } from "../primitives.ts";
import { trust } from "../trust.ts";
import { bytes, edit, editExtension, editList, flip, framed, replace, retried, TYPE } from "./tampering.ts";
import {
  clientOptions,
  CLIENT_TRUST,
  connect,
  credential,
  faultOf,
  find,
  rootPem,
  serverOptions,
  shake,
  T0,
  type Tamper,
} from "./testing.ts";

type Case = {
  /** Who notices. */
  readonly at: "client" | "server";
  readonly client?: Partial<ClientOptions>;
  readonly server?: Partial<ServerOptions>;
  readonly tamper?: Tamper;
  /** After a good handshake, or in place of one. */
  readonly after?: (machine: Machine) => readonly Event[];
  readonly instead?: (machine: Machine) => readonly Event[];
};

const EARLY = 42;
const PSK = 41;
const SHARE = 51;
const RETRY: Pick<Case, "client" | "server"> = { client: { shares: ["secp256r1"] }, server: { groups: ["x25519"] } };
const ASKS = { clients: { trust: CLIENT_TRUST, required: true } };

/** Both ends with a session of an earlier connection. */
function resumable(change: Partial<ClientOptions> = {}): Pick<Case, "client" | "server"> {
  const tickets = new Tickets({ primitives: TLS_PRIMITIVES });
  const early = new EarlyGuard(instant(T0 - 100_000));
  const session = find(shake({ server: { tickets, early } }).client, "session")!.session;
  return { client: { session, ...change }, server: { tickets, early } };
}
const send = (level: "initial" | "early" | "handshake" | "application", what: Uint8Array) => (machine: Machine) =>
  machine.receive(level, what, T0);
const share = (group: number, length: number): Uint8Array =>
  concatenated([bytes(group >> 8, group & 255, 0, length), new Uint8Array(length)]);
const shares = (...all: readonly Uint8Array[]): Uint8Array => {
  const list = concatenated(all);
  return concatenated([bytes(list.length >> 8, list.length & 255), list]);
};
const session = (at: number, length: number) => (body: Uint8Array) =>
  concatenated([body.subarray(0, at), bytes(length), new Uint8Array(length), body.subarray(at + 1)]);

/** How each fault comes about: the handshake is good without the change (a control after the table). */
const CASES: Readonly<Record<FaultName, Case | (() => Case)>> = {
  messageUnexpected: { at: "server", tamper: replace("ClientHello", () => framed(TYPE.Finished, bytes())) },
  messageUnknown: { at: "server", tamper: replace("ClientHello", () => framed(99, bytes())) },
  messageTooLong: { at: "server", tamper: replace("ClientHello", () => bytes(1, 1, 0, 1)) },
  messageAcrossKeys: { at: "client", tamper: replace("ServerHello", ({ octets }) => concatenated([octets, bytes(8)])) },
  levelPassed: { at: "server", after: send("initial", bytes(1)) },
  levelWithoutMessages: { at: "server", instead: send("early", bytes(5, 0, 0, 0)) },
  tooMuchAhead: { at: "client", instead: send("application", new Uint8Array(65_537)) },
  keyUpdate: { at: "server", after: send("application", framed(24, bytes(0))) },
  certificateRequestLate: { at: "client", after: send("application", framed(TYPE.CertificateRequest, bytes(0, 0, 0))) },
  helloAgain: {
    at: "server",
    tamper: replace("Finished", ({ by, octets }) => (by === "client" ? framed(TYPE.ClientHello, bytes()) : octets), 1),
  },
  retryAgain: () => {
    const again = retried(44, bytes(0, 1, 7));
    return {
      at: "client",
      ...RETRY,
      tamper: (sent) => (sent.type === TYPE.ServerHello && sent.octets[6] !== 0xcf ? again(sent) : sent.octets),
    };
  },

  messageMalformed: { at: "server", tamper: edit("ClientHello", (body) => body.subarray(0, -1)) },
  extensionMalformed: { at: "server", tamper: editExtension("ClientHello", 16, bytes(0)) },
  extensionTwice: { at: "server", tamper: editList("ClientHello", (list) => [...list, [16, bytes()]]) },
  extensionMisplaced: { at: "client", tamper: editExtension("EncryptedExtensions", SHARE, bytes(0, 29)) },
  extensionUnsolicited: { at: "client", tamper: editExtension("EncryptedExtensions", 0xabcd, bytes()) },
  tooManyExtensions: {
    at: "server",
    tamper: editList("ClientHello", (list) => [...list, ...Array.from({ length: 100 }, (_, at) => [9000 + at, bytes()] as const)]),
  },
  valueTwice: { at: "server", tamper: editExtension("ClientHello", SHARE, shares(share(29, 32), share(29, 32))) },

  versionTooOld: { at: "server", tamper: editExtension("ClientHello", 43, bytes(2, 3, 3)) },
  compressionOffered: { at: "server", tamper: edit("ClientHello", (body) => flip(body, 35 + 2 + 6 + 1)) },
  sessionIdInQuic: { at: "server", tamper: edit("ClientHello", session(34, 32)) },
  pskNotLast: () => ({ at: "server", ...resumable(), tamper: editList("ClientHello", (list) => [...list, [9000, bytes()]]) }),
  pskWithoutModes: () => ({ at: "server", ...resumable(), tamper: editExtension("ClientHello", 45, undefined) }),
  bindersUneven: () => ({
    at: "server",
    ...resumable(),
    tamper: editExtension("ClientHello", PSK, (old) => {
      const end = old.length - 35;
      return concatenated([old.subarray(0, end), bytes(0, 66), old.subarray(end + 2), old.subarray(end + 2)]);
    }),
  }),
  binderWrong: () => ({ at: "server", ...resumable(), tamper: edit("ClientHello", (body) => flip(body, -1)) }),
  tooManyIdentities: () => ({
    at: "server",
    ...resumable(),
    tamper: editExtension("ClientHello", PSK, () => {
      const identities = Array.from({ length: 11 }, () => bytes(0, 1, 9, 0, 0, 0, 0));
      const binders = Array.from({ length: 11 }, () => concatenated([bytes(32), new Uint8Array(32)]));
      return concatenated([shares(...identities), shares(...binders)]);
    }),
  }),
  schemesMissing: { at: "server", tamper: editExtension("ClientHello", 13, undefined) },
  groupsMissing: { at: "server", tamper: editExtension("ClientHello", 10, undefined) },
  sharesMissing: { at: "server", tamper: editExtension("ClientHello", SHARE, undefined) },
  shareWithoutGroup: { at: "server", tamper: editExtension("ClientHello", 10, bytes(0, 2, 0, 23)) },
  shareInvalid: { at: "server", tamper: editExtension("ClientHello", SHARE, shares(share(29, 31))) },
  suiteNotShared: { at: "server", client: { suites: ["TLS_AES_128_GCM_SHA256"] }, server: { suites: ["TLS_AES_256_GCM_SHA384"] } },
  groupNotShared: { at: "server", client: { groups: ["secp256r1"] }, server: { groups: ["x25519"] } },
  schemeNotShared: { at: "server", tamper: editExtension("ClientHello", 13, bytes(0, 2, 8, 7)) },
  protocolNotShared: { at: "server", client: { alpn: ["h3"] }, server: { alpn: ["other"] } },
  nameUnknown: { at: "server", server: { credentials: () => [] } },
  nameInvalid: { at: "server", tamper: editExtension("ClientHello", 0, bytes(0, 6, 0, 0, 3, 97, 0, 97)) },
  parametersMissing: { at: "server", tamper: editExtension("ClientHello", 57, undefined) },
  earlyWithoutPsk: { at: "server", tamper: editExtension("ClientHello", EARLY, bytes()) },
  secondHelloChanged: { at: "server", ...RETRY, tamper: editExtension("ClientHello", 9000, bytes(), 1) },
  secondHelloWithoutShare: { at: "server", ...RETRY, tamper: editExtension("ClientHello", SHARE, shares(), 1) },

  versionNotOffered: { at: "client", tamper: editExtension("ServerHello", 43, undefined) },
  versionOfHelloWrong: { at: "client", tamper: editExtension("ServerHello", 43, bytes(3, 3)) },
  sessionIdChanged: { at: "client", tamper: edit("ServerHello", session(34, 1)) },
  compressionChosen: { at: "client", tamper: edit("ServerHello", (body) => flip(body, 37)) },
  suiteNotOffered: { at: "client", tamper: edit("ServerHello", (body) => flip(body, 36, 4)) },
  suiteChanged: { at: "client", ...RETRY, tamper: edit("ServerHello", (body) => flip(body, 36, 2), 1) },
  shareMissing: { at: "client", tamper: editExtension("ServerHello", SHARE, undefined) },
  groupNotOffered: { at: "client", tamper: editExtension("ServerHello", SHARE, share(24, 97)) },
  retryWithoutChange: { at: "client", tamper: retried(0, undefined) },
  retryGroupWrong: { at: "client", tamper: retried(SHARE, bytes(0, 29)) },
  identityNotOffered: () => ({ at: "client", ...resumable(), tamper: editExtension("ServerHello", PSK, bytes(0, 1)) }),
  hashOfPskWrong: () => ({ at: "client", ...resumable(), tamper: edit("ServerHello", (body) => flip(body, 36, 3)) }),
  protocolMissing: { at: "client", tamper: editExtension("EncryptedExtensions", 16, undefined) },
  protocolNotOffered: { at: "client", tamper: editExtension("EncryptedExtensions", 16, bytes(0, 3, 2, 104, 50)) },
  earlyNotPossible: () => {
    const { client } = resumable({ early: true });
    return { at: "client", client: client!, tamper: editExtension("EncryptedExtensions", EARLY, bytes()) };
  },

  contextWrong: { at: "client", tamper: edit("Certificate", (body) => concatenated([bytes(1, 7), body.subarray(1)])) },
  requestWithoutSchemes: { at: "client", server: ASKS, tamper: editExtension("CertificateRequest", 13, undefined) },
  chainEmpty: { at: "client", tamper: edit("Certificate", () => bytes(0, 0, 0, 0)) },
  chainTooLong: { at: "client", client: { limits: { chain: 1 } }, server: { credentials: () => [credential("chained")] } },
  certificateRequired: { at: "server", server: ASKS },
  certificateUnreadable: { at: "client", tamper: edit("Certificate", () => bytes(0, 0, 0, 6, 0, 0, 1, 0x30, 0, 0)) },
  certificateUntrusted: { at: "client", server: { credentials: () => [credential("stranger")] } },
  certificateExpired: { at: "client", client: { trust: trust({ of: "server", authorities: rootPem, clock: () => Date.UTC(2500, 1) }) } },
  certificateOfOther: { at: "client", server: { credentials: () => [credential("other")] } },
  certificateUnfit: { at: "client", server: { credentials: () => [credential("unsigned")] } },
  certificateRefused: { at: "client", client: { trust: { check: () => "certificateRefused" } } },
  schemeNotOffered: { at: "client", tamper: edit("CertificateVerify", (body) => concatenated([bytes(4, 1), body.subarray(2)])) },
  schemeOfOtherKey: { at: "client", tamper: edit("CertificateVerify", (body) => concatenated([bytes(8, 7), body.subarray(2)])) },
  signatureWrong: { at: "client", tamper: edit("CertificateVerify", (body) => flip(body, -1)) },
  finishedWrong: { at: "client", tamper: edit("Finished", (body) => flip(body, 0)) },

  ticketTooLongLived: {
    at: "client",
    server: { tickets: new Tickets({ primitives: TLS_PRIMITIVES }) },
    tamper: edit("NewSessionTicket", (body) => flip(body, 0)),
  },
  ticketEarlyWrong: {
    at: "client",
    server: { tickets: new Tickets({ primitives: TLS_PRIMITIVES }) },
    tamper: editExtension("NewSessionTicket", EARLY, bytes(0, 0, 1, 0)),
  },
  tooManyTickets: {
    at: "client",
    client: { limits: { tickets: 1 } },
    server: { tickets: new Tickets({ primitives: TLS_PRIMITIVES }), ticketCount: 2 },
  },
};

/** What the end of the case reports. */
function perform({ client, server, tamper, after, instead, at }: Case): readonly Event[] {
  const ends = { client: new Client(clientOptions(client), T0), server: new Server(serverOptions(server), T0) };
  if (instead !== undefined) return instead(ends[at]);
  const ran = connect(ends.client, ends.server, tamper === undefined ? {} : { tamper });
  return [...ran[at], ...(after?.(ends[at]) ?? [])];
}

const caseOf = (name: FaultName): Case => {
  const one = CASES[name];
  return typeof one === "function" ? one() : one;
};

describe("faults", () => {
  test.each(Object.keys(FAULTS) as FaultName[])("%s: ends the handshake, with its code, and nothing follows", (name) => {
    const events = perform(caseOf(name));
    const { code, spec } = FAULTS[name];
    expect(faultOf(events)).toBe(name);
    expect(events.at(-1)).toMatchObject({ is: "closed", fault: { name, code, spec } });
  });

  test.each((Object.keys(FAULTS) as FaultName[]).filter((name) => "tamper" in caseOf(name) || "after" in caseOf(name)))(
    "%s: without the change, the same handshake completes",
    (name) => {
      const { at, client, server } = caseOf(name);
      const isAsking = server?.clients !== undefined;
      const events = perform({
        at,
        client: { ...client, ...(isAsking && { credentials: [credential("client")] }) },
        ...(server && { server }),
      });
      expect(events.some(({ is }) => is === "complete")).toBe(true);
      expect(faultOf(events)).toBeUndefined();
    },
  );

  test("after a fault there is nothing to send and nothing more to say", () => {
    const server = new Server(serverOptions(), T0);
    expect(server.receive("initial", framed(99, bytes()), T0)).toHaveLength(1);
    expect([server.receive("initial", framed(99, bytes()), T0), server.take()]).toEqual([[], []]);
  });
});
