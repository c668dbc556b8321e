import type { VectorSource, WithoutId } from "../../write.ts";
import {
  alpn,
  bad,
  certificate,
  certificateRequest,
  certificateVerify,
  clientHello,
  cookie,
  early,
  earlyOctets,
  either,
  encryptedExtensions,
  ext,
  good,
  groups,
  identity,
  newSessionTicket,
  parameters,
  psk,
  pskModes,
  raw,
  retryGroup,
  retryRequest,
  schemes,
  serverHello,
  serverName,
  share,
  shares,
  text,
  u16,
  u8,
  v16,
  v24,
  v8,
  version,
  versions,
  type Extension,
  type Part,
} from "./craft.ts";
import type { MessageName, MessageVector } from "./kinds.ts";

type Draft = WithoutId<MessageVector>;
const DECODE_ERROR = 0x132;
const ILLEGAL_PARAMETER = 0x12f;
const UNSUPPORTED_EXTENSION = 0x16e;
const PROTOCOL_VERSION = 0x146;

/** The base points of the curves are valid shares. */
const KEY = `09${"00".repeat(31)}`;
const P256_KEY = "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
const HELLO: readonly Extension[] = [versions(0x0304), groups(29), shares([29, KEY]), schemes(0x0403), alpn("h3"), parameters("0100")];
const OFFERED = [0, 10, 13, 16, 41, 42, 43, 45, 51, 57];

/** Every extension with a content, and the messages that may have it (rfc8446#4.2). */
const PLACES: Readonly<Record<string, readonly [Extension, readonly MessageName[]]>> = {
  server_name: [ext(0, ""), ["ClientHello", "EncryptedExtensions"]],
  max_fragment_length: [ext(1, "01"), ["ClientHello", "EncryptedExtensions"]],
  status_request: [ext(5, "0100000000"), ["ClientHello", "CertificateRequest", "Certificate"]],
  supported_groups: [groups(29), ["ClientHello", "EncryptedExtensions"]],
  signature_algorithms: [schemes(0x0403), ["ClientHello", "CertificateRequest"]],
  use_srtp: [ext(14, "0002000100"), ["ClientHello", "EncryptedExtensions"]],
  heartbeat: [ext(15, "01"), ["ClientHello", "EncryptedExtensions"]],
  application_layer_protocol_negotiation: [alpn("h3"), ["ClientHello", "EncryptedExtensions"]],
  signed_certificate_timestamp: [ext(18, ""), ["ClientHello", "CertificateRequest", "Certificate"]],
  client_certificate_type: [ext(19, "0100"), ["ClientHello", "EncryptedExtensions"]],
  server_certificate_type: [ext(20, "0100"), ["ClientHello", "EncryptedExtensions"]],
  padding: [ext(21, "0000"), ["ClientHello"]],
  pre_shared_key: [identity(0), ["ClientHello", "ServerHello"]],
  early_data: [early, ["ClientHello", "EncryptedExtensions", "NewSessionTicket"]],
  supported_versions: [version(0x0304), ["ClientHello", "ServerHello", "HelloRetryRequest"]],
  cookie: [cookie("c0"), ["ClientHello", "HelloRetryRequest"]],
  psk_key_exchange_modes: [pskModes(1), ["ClientHello"]],
  certificate_authorities: [ext(47, v16(v16("30"))), ["ClientHello", "CertificateRequest"]],
  oid_filters: [ext(48, v16("")), ["CertificateRequest"]],
  post_handshake_auth: [ext(49, ""), ["ClientHello"]],
  signature_algorithms_cert: [ext(50, v16("0403")), ["ClientHello", "CertificateRequest"]],
  key_share: [share(29, KEY), ["ClientHello", "ServerHello", "HelloRetryRequest"]],
  quic_transport_parameters: [parameters("0100"), ["ClientHello", "EncryptedExtensions"]],
};

/** A list with one more extension at its end, in place of another of its number. */
const plus = (list: readonly Extension[], more: Extension): readonly Extension[] => [...list.filter(({ id }) => id !== more.id), more];
/** A good message of each kind but for this extension. */
const WITH: Readonly<Record<Exclude<MessageName, "CertificateVerify">, (more: Extension) => Part>> = {
  ClientHello: (more) => clientHello(plus(HELLO, more)),
  ServerHello: (more) => serverHello(plus([version(0x0304), share(29, KEY)], more)),
  HelloRetryRequest: (more) => retryRequest(plus([version(0x0304), retryGroup(23)], more)),
  EncryptedExtensions: (more) => encryptedExtensions(plus([alpn("h3"), parameters("0100")], more)),
  CertificateRequest: (more) => certificateRequest(plus([schemes(0x0403)], more)),
  Certificate: (more) => certificate(["3000"], [more]),
  NewSessionTicket: (more) => newSessionTicket([more]),
};
const isAnswer = (name: MessageName): boolean => !["ClientHello", "CertificateRequest", "NewSessionTicket"].includes(name);

const misplaced: readonly Draft[] = Object.entries(PLACES).flatMap(([name, [extension, allowed]]) =>
  (Object.keys(WITH) as (keyof typeof WITH)[])
    .filter((message) => !allowed.includes(message))
    .map((message) =>
      (isAnswer(message) ? bad : either)(message, WITH[message]({ ...extension, value: {} }), {
        note: `${name} in ${message}`,
        spec: "rfc8446#4.2",
        flag: "Misplaced",
        ...(isAnswer(message) && { offered: [...OFFERED, extension.id] }),
        fault: "extensionMisplaced",
        code: ILLEGAL_PARAMETER,
      }),
    ),
);

const unsolicited: readonly Draft[] = (["ServerHello", "HelloRetryRequest", "EncryptedExtensions", "Certificate"] as const).map((message) =>
  bad(message, WITH[message](ext(0xfafa, "")), {
    note: `an extension in ${message} that the other side has not offered`,
    spec: "rfc8446#4.2",
    flag: "Unsolicited",
    offered: OFFERED,
    fault: "extensionUnsolicited",
    code: UNSUPPORTED_EXTENSION,
  }),
);

const WHOLE: readonly (readonly [MessageName, string, Part])[] = [
  ["ClientHello", "the least that a server of QUIC needs", clientHello(HELLO)],
  ["ClientHello", "every extension that is read", clientHello([serverName("Example.COM"), ...HELLO, pskModes(1, 0), cookie("c00c"), early, psk(["7469636b6574", 0xffff_ffff, "b1".repeat(32)])])],
  ["ClientHello", "several values in every list", clientHello([versions(0x0a0a, 0x0304), groups(0x11ec, 29, 23), shares([29, KEY], [23, P256_KEY]), schemes(0x0403, 0x0804, 0x0807), alpn("h3", "h3-29"), parameters("")], { suites: [0x0a0a, 0x1301, 0x1302, 0x1303] })],
  ["ClientHello", "two sessions on offer", clientHello([...HELLO, pskModes(1), psk(["01", 1, "b1".repeat(32)], ["02", 2, "b2".repeat(48)])])],
  ["ClientHello", "no key share: the client asks for a HelloRetryRequest", WITH.ClientHello(shares())],
  ["ClientHello", "an unknown extension", clientHello([ext(0x0a0a, "00"), ...HELLO])],
  ["ServerHello", "a full handshake", serverHello([version(0x0304), share(29, KEY)])],
  ["ServerHello", "a session resumed", serverHello([identity(0), share(29, KEY), version(0x0304)], { suites: [0x1302] })],
  ["HelloRetryRequest", "another key share", retryRequest([version(0x0304), retryGroup(23)])],
  ["HelloRetryRequest", "a cookie, which needs no offer", retryRequest([version(0x0304), cookie("c00c")])],
  ["EncryptedExtensions", "the least that a client of QUIC needs", encryptedExtensions([alpn("h3"), parameters("0100")])],
  ["EncryptedExtensions", "0-RTT data taken, the name acknowledged, groups", encryptedExtensions([ext(0, ""), alpn("h3"), parameters(""), early, groups(29, 23)])],
  ["EncryptedExtensions", "none", encryptedExtensions([])],
  ["CertificateRequest", "schemes and an unknown extension", certificateRequest([schemes(0x0403, 0x0804), ext(0x0a0a, "")])],
  ["CertificateRequest", "a context", certificateRequest([schemes(0x0403)], "01")],
  ["Certificate", "a chain of two", certificate(["3003020101", "3003020102"])],
  ["Certificate", "none", certificate([])],
  ["Certificate", "a context", certificate([], [], "0102")],
  ["CertificateVerify", "a signature", certificateVerify(0x0403, "3006020101020102")],
  ["CertificateVerify", "an empty signature is a matter of its verification", certificateVerify(0x0804, "")],
  ["NewSessionTicket", "0-RTT data permitted", newSessionTicket([earlyOctets(0xffff_ffff)])],
  ["NewSessionTicket", "an empty nonce and an unknown extension", newSessionTicket([ext(0x0a0a, "")], { nonce: "", lifetime: 604_800, ageAdd: 0xffff_ffff })],
];

const offeredFor = (message: MessageName): { readonly offered?: readonly number[] } => (isAnswer(message) && message !== "CertificateVerify" ? { offered: OFFERED } : {});
const whole: readonly Draft[] = WHOLE.map(([message, what, part]) => good(message, part, { note: `${message}: ${what}`, spec: "rfc8446#4", flag: "Whole", ...offeredFor(message) }));

/** One octet less, and one more, of the first message of each kind. */
const cut: readonly Draft[] = [...new Map(WHOLE.map((one) => [one[0], one] as const)).values()].flatMap(([message, , part]) =>
  ([["an octet is missing at the end", part.wire.slice(0, -2)], ["an octet follows the end", `${part.wire}00`]] as const).map(([what, wire]) =>
    bad(message, raw(wire), { note: `${message}: ${what}`, spec: "rfc8446#6.2", flag: "Length", ...offeredFor(message), fault: "messageMalformed", code: DECODE_ERROR }),
  ),
);

const MALFORMED: readonly (readonly [note: string, Extension])[] = [
  ["server_name: an empty list", ext(0, v16(""))],
  ["server_name: an empty name", ext(0, v16(u8(0), v16("")))],
  ["server_name: the name is longer than the list", ext(0, v16(u8(0), u16(4), text("abc")))],
  ["server_name: octets after the list", ext(0, `${v16(u8(0), v16(text("abc")))}00`)],
  ["supported_groups: an empty list", ext(10, v16(""))],
  ["supported_groups: an odd length", ext(10, v16("001d00"))],
  ["supported_groups: no list", ext(10, "")],
  ["signature_algorithms: an empty list", ext(13, v16(""))],
  ["ALPN: an empty list", ext(16, v16(""))],
  ["ALPN: an empty name", ext(16, v16(v8("")))],
  ["ALPN: a name longer than the list", ext(16, v16("036833"))],
  ["early_data with a content", ext(42, "00")],
  ["supported_versions: an empty list", ext(43, v8(""))],
  ["supported_versions: an odd length", ext(43, v8("030403"))],
  ["cookie: empty", ext(44, v16(""))],
  ["psk_key_exchange_modes: an empty list", ext(45, v8(""))],
  ["key_share: an empty key", ext(51, v16(u16(29), v16("")))],
  ["key_share: a key longer than the list", ext(51, v16(u16(29), "0002", "00"))],
  ["pre_shared_key: no identities", ext(41, v16("") + v16(v8("b1".repeat(32))))],
  ["pre_shared_key: an empty identity", ext(41, v16(v16(""), "00000000") + v16(v8("b1".repeat(32))))],
  ["pre_shared_key: no binders", ext(41, v16(v16("01"), "00000000") + v16(""))],
  ["pre_shared_key: a binder of 31 octets", ext(41, v16(v16("01"), "00000000") + v16(v8("b1".repeat(31))))],
  ["pre_shared_key: an age of three octets", ext(41, v16(v16("01"), "000000") + v16(v8("b1".repeat(32))))],
];
const malformed: readonly Draft[] = MALFORMED.map(([note, extension]) =>
  bad("ClientHello", WITH.ClientHello(extension), { note, spec: "rfc8446#6.2", flag: "Content", fault: "extensionMalformed", code: DECODE_ERROR }),
);

type Wrong = readonly [message: MessageName, note: string, part: Part, fault: string, code: number, spec: MessageVector["spec"]];
const WRONG: readonly Wrong[] = [
  ["ClientHello", "the same extension twice", clientHello([...HELLO, alpn("h3")]), "extensionTwice", ILLEGAL_PARAMETER, "rfc8446#4.2"],
  ["ClientHello", "an unknown extension twice", clientHello([...HELLO, ext(0x0a0a, ""), ext(0x0a0a, "")]), "extensionTwice", ILLEGAL_PARAMETER, "rfc8446#4.2"],
  ["ClientHello", "pre_shared_key is not the last extension", clientHello([pskModes(1), psk(["01", 1, "b1".repeat(32)]), ...HELLO]), "pskNotLast", ILLEGAL_PARAMETER, "rfc8446#4.2.11"],
  ["ClientHello", "two identities and one binder", clientHello([...HELLO, pskModes(1), ext(41, v16(v16("01"), "00000000", v16("02"), "00000000") + v16(v8("b1".repeat(32))))]), "bindersUneven", ILLEGAL_PARAMETER, "rfc8446#4.2.11"],
  ["ClientHello", "two names of a host", WITH.ClientHello(ext(0, v16(u8(0), v16(text("a")), u8(0), v16(text("b"))))), "nameInvalid", ILLEGAL_PARAMETER, "rfc8446#6.2"],
  ["ClientHello", "a session identifier of 33 octets", clientHello(HELLO, { sessionId: "00".repeat(33) }), "messageMalformed", DECODE_ERROR, "rfc8446#4.1.2"],
  ["ClientHello", "no cipher suites", clientHello(HELLO, { suites: [] }), "messageMalformed", DECODE_ERROR, "rfc8446#4.1.2"],
  ["ClientHello", "no compression methods", clientHello(HELLO, { compressions: "" }), "messageMalformed", DECODE_ERROR, "rfc8446#4.1.2"],
  ["ClientHello", "no extensions at all, as before TLS 1.3", raw(clientHello([]).wire.slice(0, -4)), "versionTooOld", PROTOCOL_VERSION, "rfc9001#4.2"],
  ["ServerHello", "no extensions at all, as before TLS 1.3", raw(serverHello([]).wire.slice(0, -4)), "versionNotOffered", PROTOCOL_VERSION, "rfc8446#4.2.1"],
  ["ServerHello", "an empty key", WITH.ServerHello(share(29, "")), "extensionMalformed", DECODE_ERROR, "rfc8446#4.2.8"],
  ["HelloRetryRequest", "a whole key share", WITH.HelloRetryRequest(share(23, KEY)), "extensionMalformed", DECODE_ERROR, "rfc8446#4.2.8"],
  ["HelloRetryRequest", "an empty cookie", WITH.HelloRetryRequest(cookie("")), "extensionMalformed", DECODE_ERROR, "rfc8446#4.2.2"],
  ["EncryptedExtensions", "two protocols", WITH.EncryptedExtensions(alpn("h3", "h2")), "extensionMalformed", DECODE_ERROR, "rfc8446#4.2"],
  ["EncryptedExtensions", "a name of the server", WITH.EncryptedExtensions(serverName("a")), "extensionMalformed", DECODE_ERROR, "rfc8446#4.2"],
  ["EncryptedExtensions", "the same extension twice", encryptedExtensions([alpn("h3"), alpn("h3"), parameters("0100")]), "extensionTwice", ILLEGAL_PARAMETER, "rfc8446#4.2"],
  ["Certificate", "an empty certificate", raw(v8("") + v24(v24(""), v16(""))), "messageMalformed", DECODE_ERROR, "rfc8446#4.4.2"],
  ["NewSessionTicket", "an empty ticket", newSessionTicket([], { ticket: "" }), "messageMalformed", DECODE_ERROR, "rfc8446#4.6.1"],
  ["NewSessionTicket", "early_data without a number", newSessionTicket([early]), "extensionMalformed", DECODE_ERROR, "rfc8446#4.2.10"],
];
/** What a server may check, or has to check only if it knows the extension. */
const optional: readonly Draft[] = [
  either("ClientHello", WITH.ClientHello(shares([29, KEY], [29, KEY])), {
    note: "two shares of a group",
    spec: "rfc8446#4.2.8",
    flag: "Optional",
    fault: "valueTwice",
    code: ILLEGAL_PARAMETER,
  }),
  either("ClientHello", WITH.ClientHello(ext(49, "00")), {
    note: "post_handshake_auth with a content",
    spec: "rfc8446#4.2.6",
    flag: "Optional",
    fault: "extensionMalformed",
    code: DECODE_ERROR,
  }),
];

const wrong: readonly Draft[] = WRONG.map(([message, what, part, fault, code, spec]) =>
  bad(message, part, { note: `${message}: ${what}`, spec, flag: "Value", ...offeredFor(message), fault, code }),
);

export const source: VectorSource<MessageVector> = {
  about: "Handshake messages one by one, as QUIC carries them",
  spec: "rfc8446#4",
  flags: {
    Whole: { why: "a message that must be read", bug: "BASICS" },
    Length: { why: "a message that is too short or too long for its content", bug: "MISSING_CHECK" },
    Content: { why: "the content of an extension has not its form", bug: "MISSING_CHECK" },
    Value: { why: "the form is right, the value is not", bug: "MISSING_CHECK" },
    Optional: { why: "a rule that a receiver need not check", bug: "CONFUSION" },
    Misplaced: { why: "an extension in a message that may not have it", bug: "MISSING_CHECK" },
    Unsolicited: { why: "an answer to nothing", bug: "MISSING_CHECK" },
  },
  vectors: [...whole, ...cut, ...malformed, ...wrong, ...optional, ...unsolicited, ...misplaced],
};
