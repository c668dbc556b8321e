import { named, titled, type Note, type ResponseVector, type Source } from "./craft.ts";
import { acceptOf, established, failed, KEY } from "./handshake.ts";

const C = "rfc6455#4.1";
const D = "rfc7692#7.1";
const chat = { client: { protocols: ["chat", "superchat"] } } as const;
const deflate = { client: { deflate: true } } as const;
const PMD = "permessage-deflate";
const agreed = (note: Note, extensions: string) => established({ note, spec: D, change: { "Sec-WebSocket-Extensions": extensions }, flags: ["Compression"],  ...deflate, extensions });
const unacceptable = (parameters: string) =>
  failed({ note: named(titled(`an answer that is none: ${parameters}`).name, `an unacceptable response: ${parameters}`), spec: D, change: { "Sec-WebSocket-Extensions": `${PMD}; ${parameters}` }, fault: "compressionUnacceptable", flags: ["Compression"], ...deflate });

export const source: Source<ResponseVector> = {
  kind: "websocket-response",
  about: "Responses to opening handshakes that a client receives over HTTP/1.1",
  spec: C,
  flags: {
    Plain: { why: "a valid response", bug: "TOO_STRICT" },
    Upgrade: { why: "Upgrade and Connection", bug: "MISSING_CHECK" },
    Accept: { why: "Sec-WebSocket-Accept", bug: "MISSING_CHECK" },
    Protocol: { why: "a sub-protocol that was offered, or none", bug: "MISSING_CHECK" },
    Compression: { why: "a response to the offer `permessage-deflate; client_max_window_bits`", bug: "WRONG_AGREEMENT" },
    Extension: { why: "an extension that was not offered, or no extension at all", bug: "MISSING_CHECK" },
  },
  vectors: [
    established({ note: "the specification's example", spec: "rfc6455#1.2", change: { "Sec-WebSocket-Protocol": "chat" }, flags: ["Plain"],  ...chat, protocol: "chat" }),
    established({ note: named("no-more-than-is-needed", "only the required fields"), spec: C, change: {}, flags: ["Plain"] }),
    established({ note: "values in another case", spec: C, change: { Upgrade: "WebSocket", Connection: "upgrade" }, flags: ["Plain"] }),
    established({ note: named("another-reason", "another reason phrase"), spec: C, change: {}, flags: ["Plain"],  start: "HTTP/1.1 101 Web Socket Protocol Handshake" }),
    established({ note: named("options-besides-upgrade", "another option besides Upgrade"), spec: C, change: { Connection: "keep-alive, Upgrade" }, flags: ["Plain"] }),
    established({ note: named("fields-that-nobody-knows", "unknown fields"), spec: C, change: { "X-Foo": "bar", "Set-Cookie": "a=b" }, flags: ["Plain"] }),

    failed({ note: "no Upgrade", spec: C, change: { Upgrade: undefined }, fault: "upgradeWrong", flags: ["Upgrade"] }),
    failed({ note: named("another-protocol", "another protocol in Upgrade"), spec: C, change: { Upgrade: "h2c" }, fault: "upgradeWrong", flags: ["Upgrade"] }),
    failed({ note: "no Connection", spec: C, change: { Connection: undefined }, fault: "connectionWrong", flags: ["Upgrade"] }),
    failed({ note: named("another-option", "another option in Connection"), spec: C, change: { Connection: "keep-alive" }, fault: "connectionWrong", flags: ["Upgrade"] }),

    failed({ note: named("no-accept", "no Sec-WebSocket-Accept"), spec: C, change: { "Sec-WebSocket-Accept": undefined }, fault: "acceptMissing", flags: ["Accept"] }),
    failed({ note: named("an-empty-accept", "an empty Sec-WebSocket-Accept"), spec: C, change: { "Sec-WebSocket-Accept": "" }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: named("the-accept-of-another-key", "the Sec-WebSocket-Accept of another key"), spec: C, change: { "Sec-WebSocket-Accept": acceptOf("AQIDBAUGBwgJCgsMDQ4PEC==") }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: named("the-key-itself", "the key itself as Sec-WebSocket-Accept"), spec: C, change: { "Sec-WebSocket-Accept": KEY }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: named("the-accept-in-small-letters", "Sec-WebSocket-Accept in lower case"), spec: C, change: { "Sec-WebSocket-Accept": acceptOf(KEY).toLowerCase() }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: named("the-accept-without-its-padding", "Sec-WebSocket-Accept without its padding"), spec: C, change: { "Sec-WebSocket-Accept": acceptOf(KEY).replace("=", "") }, fault: "acceptWrong", flags: ["Accept"] }),
    failed({ note: named("the-accept-twice", "Sec-WebSocket-Accept twice"), spec: "rfc6455#11.3.3", change: { "Sec-WebSocket-Accept": [acceptOf(KEY), acceptOf(KEY)] }, fault: "acceptRepeated", flags: ["Accept"] }),

    established({ note: named("the-second-of-the-sub-protocols-offered", "the second of the offered sub-protocols"), spec: C, change: { "Sec-WebSocket-Protocol": "superchat" }, flags: ["Protocol"],  ...chat, protocol: "superchat" }),
    established({ note: named("none-of-the-sub-protocols-offered", "none of the offered sub-protocols"), spec: C, change: {}, flags: ["Protocol"], ...chat }),
    failed({ note: "a sub-protocol that was not offered", spec: C, change: { "Sec-WebSocket-Protocol": "soap" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: named("a-sub-protocol-and-none-was-offered", "a sub-protocol although none was offered"), spec: C, change: { "Sec-WebSocket-Protocol": "chat" }, fault: "protocolUnasked", flags: ["Protocol"] }),
    failed({ note: "a sub-protocol in another case", spec: C, change: { "Sec-WebSocket-Protocol": "Chat" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: "both sub-protocols", spec: C, change: { "Sec-WebSocket-Protocol": "chat, superchat" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: "an empty sub-protocol", spec: C, change: { "Sec-WebSocket-Protocol": "" }, fault: "protocolUnasked", flags: ["Protocol"], ...chat }),
    failed({ note: "the sub-protocol on two lines", spec: "rfc6455#11.3.4", change: { "Sec-WebSocket-Protocol": ["chat", "chat"] }, fault: "protocolRepeated", flags: ["Protocol"], ...chat }),

    agreed(named("compression-and-nothing-more", "permessage-deflate without parameters"), PMD),
    agreed(named("a-server-that-bounds-its-window", "a server that limits its window"), `${PMD}; server_max_window_bits=10`),
    agreed(named("a-server-that-bounds-the-client-s-window", "a server that limits the client's window"), `${PMD}; client_max_window_bits=10`),
    agreed(named("neither-takes-over", "no context takeover on either side"), `${PMD}; server_no_context_takeover; client_no_context_takeover`),
    agreed("all four parameters", `${PMD}; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=8; client_max_window_bits=8`),
    established({ note: named("none-of-the-extensions-offered", "none of the offered extensions"), spec: D, change: {}, flags: ["Compression"], ...deflate }),
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
    failed({ note: named("an-extension-and-none-was-offered", "an extension although none was offered"), spec: C, change: { "Sec-WebSocket-Extensions": PMD }, fault: "extensionUnasked", flags: ["Extension"] }),
    failed({ note: named("another-extension", "an extension that was not offered"), spec: C, change: { "Sec-WebSocket-Extensions": "x-foo" }, fault: "extensionUnasked", flags: ["Extension"], ...deflate }),
    failed({ note: named("another-extension-besides", "an offered extension and one that was not offered"), spec: C, change: { "Sec-WebSocket-Extensions": `${PMD}, x-foo` }, fault: "extensionUnasked", flags: ["Extension"], ...deflate }),
    failed({ note: "the same extension twice", spec: "rfc6455#9.1", change: { "Sec-WebSocket-Extensions": `${PMD}, ${PMD}` }, fault: "extensionRepeated", flags: ["Extension"], ...deflate }),
    failed({ note: named("a-list-against-the-grammar", "a malformed list of extensions"), spec: "rfc6455#9.1", change: { "Sec-WebSocket-Extensions": "a b" }, fault: "extensionsInvalid", flags: ["Extension"], ...deflate }),
    failed({ note: named("an-empty-list", "an empty list of extensions"), spec: "rfc6455#9.1", change: { "Sec-WebSocket-Extensions": "" }, fault: "extensionsInvalid", flags: ["Extension"], ...deflate }),
  ],
};
