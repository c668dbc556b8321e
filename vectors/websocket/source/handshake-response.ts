import type { ResponseVector, Source } from "./craft.ts";
import { acceptOf, established, failed, KEY } from "./handshake.ts";

const C = "rfc6455#4.1";
const D = "rfc7692#7.1";
const chat = { client: { protocols: ["chat", "superchat"] } } as const;
const deflate = { client: { deflate: true } } as const;
const PMD = "permessage-deflate";
const agreed = (note: string, extensions: string) => established(note, D, { "Sec-WebSocket-Extensions": extensions }, ["Compression"], { ...deflate, extensions });
const unacceptable = (parameters: string) =>
  failed(`an answer that is none: ${parameters}`, D, { "Sec-WebSocket-Extensions": `${PMD}; ${parameters}` }, "compressionUnacceptable", ["Compression"], deflate);

export const source: Source<ResponseVector> = {
  kind: "websocket-response",
  about: "Answers to an opening handshake that a client receives over HTTP/1.1",
  spec: C,
  flags: {
    Plain: { why: "a valid answer", bug: "TOO_STRICT" },
    Upgrade: { why: "Upgrade and Connection", bug: "MISSING_CHECK" },
    Accept: { why: "Sec-WebSocket-Accept", bug: "MISSING_CHECK" },
    Protocol: { why: "a sub-protocol that was offered, or none", bug: "MISSING_CHECK" },
    Compression: { why: "an answer to the offer `permessage-deflate; client_max_window_bits`", bug: "WRONG_AGREEMENT" },
    Extension: { why: "an extension that was not offered, or no extension at all", bug: "MISSING_CHECK" },
  },
  vectors: [
    established("the specification's example", "rfc6455#1.2", { "Sec-WebSocket-Protocol": "chat" }, ["Plain"], { ...chat, protocol: "chat" }),
    established("no more than is needed", C, {}, ["Plain"]),
    established("values in another case", C, { Upgrade: "WebSocket", Connection: "upgrade" }, ["Plain"]),
    established("another reason", C, {}, ["Plain"], { start: "HTTP/1.1 101 Web Socket Protocol Handshake" }),
    established("options besides Upgrade", C, { Connection: "keep-alive, Upgrade" }, ["Plain"]),
    established("fields that nobody knows", C, { "X-Foo": "bar", "Set-Cookie": "a=b" }, ["Plain"]),

    failed("no Upgrade", C, { Upgrade: undefined }, "upgradeWrong", ["Upgrade"]),
    failed("another protocol", C, { Upgrade: "h2c" }, "upgradeWrong", ["Upgrade"]),
    failed("no Connection", C, { Connection: undefined }, "connectionWrong", ["Upgrade"]),
    failed("another option", C, { Connection: "keep-alive" }, "connectionWrong", ["Upgrade"]),

    failed("no accept", C, { "Sec-WebSocket-Accept": undefined }, "acceptMissing", ["Accept"]),
    failed("an empty accept", C, { "Sec-WebSocket-Accept": "" }, "acceptWrong", ["Accept"]),
    failed("the accept of another key", C, { "Sec-WebSocket-Accept": acceptOf("AQIDBAUGBwgJCgsMDQ4PEC==") }, "acceptWrong", ["Accept"]),
    failed("the key itself", C, { "Sec-WebSocket-Accept": KEY }, "acceptWrong", ["Accept"]),
    failed("the accept in small letters", C, { "Sec-WebSocket-Accept": acceptOf(KEY).toLowerCase() }, "acceptWrong", ["Accept"]),
    failed("the accept without its padding", C, { "Sec-WebSocket-Accept": acceptOf(KEY).replace("=", "") }, "acceptWrong", ["Accept"]),
    failed("the accept twice", "rfc6455#11.3.3", { "Sec-WebSocket-Accept": [acceptOf(KEY), acceptOf(KEY)] }, "acceptRepeated", ["Accept"]),

    established("the second of the sub-protocols offered", C, { "Sec-WebSocket-Protocol": "superchat" }, ["Protocol"], { ...chat, protocol: "superchat" }),
    established("none of the sub-protocols offered", C, {}, ["Protocol"], chat),
    failed("a sub-protocol that was not offered", C, { "Sec-WebSocket-Protocol": "soap" }, "protocolUnasked", ["Protocol"], chat),
    failed("a sub-protocol, and none was offered", C, { "Sec-WebSocket-Protocol": "chat" }, "protocolUnasked", ["Protocol"]),
    failed("a sub-protocol in another case", C, { "Sec-WebSocket-Protocol": "Chat" }, "protocolUnasked", ["Protocol"], chat),
    failed("both sub-protocols", C, { "Sec-WebSocket-Protocol": "chat, superchat" }, "protocolUnasked", ["Protocol"], chat),
    failed("an empty sub-protocol", C, { "Sec-WebSocket-Protocol": "" }, "protocolUnasked", ["Protocol"], chat),
    failed("the sub-protocol on two lines", "rfc6455#11.3.4", { "Sec-WebSocket-Protocol": ["chat", "chat"] }, "protocolRepeated", ["Protocol"], chat),

    agreed("compression, and nothing more", PMD),
    agreed("a server that bounds its window", `${PMD}; server_max_window_bits=10`),
    agreed("a server that bounds the client's window", `${PMD}; client_max_window_bits=10`),
    agreed("neither takes over", `${PMD}; server_no_context_takeover; client_no_context_takeover`),
    agreed("all four parameters", `${PMD}; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=8; client_max_window_bits=8`),
    established("none of the extensions offered", D, {}, ["Compression"], deflate),
    ...[
      "client_max_window_bits",
      "server_max_window_bits",
      "server_max_window_bits=7",
      "server_max_window_bits=16",
      "client_max_window_bits=08",
      "server_no_context_takeover=1",
      "client_no_context_takeover; client_no_context_takeover",
      "foo",
      "foo=1",
    ].map(unacceptable),
    failed("an extension, and none was offered", C, { "Sec-WebSocket-Extensions": PMD }, "extensionUnasked", ["Extension"]),
    failed("another extension", C, { "Sec-WebSocket-Extensions": "x-foo" }, "extensionUnasked", ["Extension"], deflate),
    failed("another extension besides", C, { "Sec-WebSocket-Extensions": `${PMD}, x-foo` }, "extensionUnasked", ["Extension"], deflate),
    failed("the same extension twice", "rfc6455#9.1", { "Sec-WebSocket-Extensions": `${PMD}, ${PMD}` }, "extensionRepeated", ["Extension"], deflate),
    failed("a list against the grammar", "rfc6455#9.1", { "Sec-WebSocket-Extensions": "a b" }, "extensionsInvalid", ["Extension"], deflate),
    failed("an empty list", "rfc6455#9.1", { "Sec-WebSocket-Extensions": "" }, "extensionsInvalid", ["Extension"], deflate),
  ],
};
