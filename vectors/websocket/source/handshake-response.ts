import type { ResponseVector, Source } from "./craft.ts";
import { acceptOf, established, failed, KEY } from "./handshake.ts";

const C = "rfc6455#4.1";
const D = "rfc7692#7.1";
const chat = { client: { protocols: ["chat", "superchat"] } } as const;
const deflate = { client: { deflate: true } } as const;
const PMD = "permessage-deflate";
const agreed = (note: string, extensions: string) => established({ note, spec: D, change: { "Sec-WebSocket-Extensions": extensions }, flags: ["Compression"],  ...deflate, extensions });
const unacceptable = (parameters: string) =>
  failed({ note: `an answer that is none: ${parameters}`, spec: D, change: { "Sec-WebSocket-Extensions": `${PMD}; ${parameters}` }, fault: "compressionUnacceptable", flags: ["Compression"], ...deflate });

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
    established({ note: "the specification's example", spec: "rfc6455#1.2", change: { "Sec-WebSocket-Protocol": "chat" }, flags: ["Plain"],  ...chat, protocol: "chat" }),
    established({ note: "no more than is needed", spec: C, change: {}, flags: ["Plain"] }),
    established({ note: "values in another case", spec: C, change: { Upgrade: "WebSocket", Connection: "upgrade" }, flags: ["Plain"] }),
    established({ note: "another reason", spec: C, change: {}, flags: ["Plain"],  start: "HTTP/1.1 101 Web Socket Protocol Handshake" }),
    established({ note: "options besides Upgrade", spec: C, change: { Connection: "keep-alive, Upgrade" }, flags: ["Plain"] }),
    established({ note: "fields that nobody knows", spec: C, change: { "X-Foo": "bar", "Set-Cookie": "a=b" }, flags: ["Plain"] }),

    failed({ note: "no Upgrade", spec: C, change: { Upgrade: undefined }, fault: "upgradeWrong", flags: ["Upgrade"] }),
    failed({ note: "another protocol", spec: C, change: { Upgrade: "h2c" }, fault: "upgradeWrong", flags: ["Upgrade"] }),
    failed({ note: "no Connection", spec: C, change: { Connection: undefined }, fault: "connectionWrong", flags: ["Upgrade"] }),
    failed({ note: "another option", spec: C, change: { Connection: "keep-alive" }, fault: "connectionWrong", flags: ["Upgrade"] }),

    failed({ note: "no accept", spec: C, change: { "Sec-WebSocket-Accept": undefined }, fault: "acceptMissing", flags: ["Accept"] }),
    failed({ note: "an empty accept", spec: C, change: { "Sec-WebSocket-Accept": "" }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: "the accept of another key", spec: C, change: { "Sec-WebSocket-Accept": acceptOf("AQIDBAUGBwgJCgsMDQ4PEC==") }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: "the key itself", spec: C, change: { "Sec-WebSocket-Accept": KEY }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: "the accept in small letters", spec: C, change: { "Sec-WebSocket-Accept": acceptOf(KEY).toLowerCase() }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: "the accept without its padding", spec: C, change: { "Sec-WebSocket-Accept": acceptOf(KEY).replace("=", "") }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: "the accept twice", spec: "rfc6455#11.3.3", change: { "Sec-WebSocket-Accept": [acceptOf(KEY), acceptOf(KEY)] }, fault: "acceptRepeated", flags: ["Accept"] }),

    established({ note: "the second of the sub-protocols offered", spec: C, change: { "Sec-WebSocket-Protocol": "superchat" }, flags: ["Protocol"],  ...chat, protocol: "superchat" }),
    established({ note: "none of the sub-protocols offered", spec: C, change: {}, flags: ["Protocol"], ...chat }),
    failed({ note: "a sub-protocol that was not offered", spec: C, change: { "Sec-WebSocket-Protocol": "soap" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: "a sub-protocol, and none was offered", spec: C, change: { "Sec-WebSocket-Protocol": "chat" }, fault: "protocolUnasked", flags: ["Protocol"] }),
    failed({ note: "a sub-protocol in another case", spec: C, change: { "Sec-WebSocket-Protocol": "Chat" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: "both sub-protocols", spec: C, change: { "Sec-WebSocket-Protocol": "chat, superchat" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: "an empty sub-protocol", spec: C, change: { "Sec-WebSocket-Protocol": "" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: "the sub-protocol on two lines", spec: "rfc6455#11.3.4", change: { "Sec-WebSocket-Protocol": ["chat", "chat"] }, fault: "protocolRepeated", flags: ["Protocol"], ...chat }),

    agreed("compression, and nothing more", PMD),
    agreed("a server that bounds its window", `${PMD}; server_max_window_bits=10`),
    agreed("a server that bounds the client's window", `${PMD}; client_max_window_bits=10`),
    agreed("neither takes over", `${PMD}; server_no_context_takeover; client_no_context_takeover`),
    agreed("all four parameters", `${PMD}; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=8; client_max_window_bits=8`),
    established({ note: "none of the extensions offered", spec: D, change: {}, flags: ["Compression"], ...deflate }),
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
    failed({ note: "an extension, and none was offered", spec: C, change: { "Sec-WebSocket-Extensions": PMD }, fault: "extensionUnasked", flags: ["Extension"] }),
    failed({ note: "another extension", spec: C, change: { "Sec-WebSocket-Extensions": "x-foo" }, fault: "extensionUnasked", flags: ["Extension"], ...deflate }),
    failed({ note: "another extension besides", spec: C, change: { "Sec-WebSocket-Extensions": `${PMD}, x-foo` }, fault: "extensionUnasked", flags: ["Extension"], ...deflate }),
    failed({ note: "the same extension twice", spec: "rfc6455#9.1", change: { "Sec-WebSocket-Extensions": `${PMD}, ${PMD}` }, fault: "extensionRepeated", flags: ["Extension"], ...deflate }),
    failed({ note: "a list against the grammar", spec: "rfc6455#9.1", change: { "Sec-WebSocket-Extensions": "a b" }, fault: "extensionsInvalid", flags: ["Extension"], ...deflate }),
    failed({ note: "an empty list", spec: "rfc6455#9.1", change: { "Sec-WebSocket-Extensions": "" }, fault: "extensionsInvalid", flags: ["Extension"], ...deflate }),
  ],
};
