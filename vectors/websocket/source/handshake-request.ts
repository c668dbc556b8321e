import type { RequestVector, Source } from "./craft.ts";
import { accepted, denied } from "./handshake.ts";

const R = "rfc6455#4.2.1";
const V = "rfc6455#4.2.2";
const G = "rfc6455#4.3";
const O = "rfc6455#10.2";
const E = "rfc6455#9.1";
const D = "rfc7692#7.1";
const chat = { server: { protocols: ["chat"] } } as const;
const origins = { server: { origins: ["https://app.example", "null"] } } as const;
const deflate = { server: { deflate: true } } as const;
const PMD = "permessage-deflate";
const extension = (note: string, offer: string | readonly string[], extensions: string | undefined) =>
  accepted(note, D, { "Sec-WebSocket-Extensions": offer }, ["Compression"], { ...deflate, ...(extensions === undefined ? {} : { extensions }) });
const badList = (value: string) => denied(`${JSON.stringify(value)} as extensions`, E, { "Sec-WebSocket-Extensions": value }, "extensionsInvalid", 400, ["Grammar"]);

export const source: Source<RequestVector> = {
  kind: "websocket-request",
  about: "Opening handshakes that a server receives over HTTP/1.1, and its answers",
  spec: R,
  flags: {
    Plain: { why: "a valid handshake", bug: "TOO_STRICT" },
    Line: { why: "an invalid method, HTTP version or host", bug: "MISSING_CHECK" },
    Upgrade: { why: "Upgrade and Connection", bug: "MISSING_CHECK" },
    Key: { why: "Sec-WebSocket-Key", bug: "MISSING_CHECK" },
    Version: { why: "Sec-WebSocket-Version", bug: "MISSING_CHECK" },
    Protocol: { why: "sub-protocols: one of the client's, or none", bug: "WRONG_CHOICE" },
    Origin: { why: "who may connect from a browser", bug: "MISSING_CHECK" },
    Compression: { why: "offers of permessage-deflate to a server with default parameters", bug: "WRONG_AGREEMENT" },
    Grammar: { why: "a malformed list of extensions", bug: "MISSING_CHECK" },
  },
  vectors: [
    accepted("the specification's example", "rfc6455#1.2", { Origin: "http://example.com", "Sec-WebSocket-Protocol": "chat, superchat" }, ["Plain"], { server: { origins: ["http://example.com"], protocols: ["chat"] }, protocol: "chat" }),
    accepted("no more than is needed", R, {}, ["Plain"]),
    accepted("names and values in another case", R, { Upgrade: "WebSocket", Connection: "UPGRADE" }, ["Plain"]),
    accepted("fields that nobody knows", R, { "X-Foo": "bar", Cookie: "a=b" }, ["Plain"]),
    accepted("a path with a query", R, {}, ["Plain"], { start: "GET /a/b?c=d HTTP/1.1" }),
    accepted("an absolute target", R, {}, ["Plain"], { start: "GET http://server.example.com/chat HTTP/1.1" }),
    denied("POST", R, {}, "methodNotGet", 405, ["Line"], { start: "POST /chat HTTP/1.1" }),
    denied("OPTIONS", R, {}, "methodNotGet", 405, ["Line"], { start: "OPTIONS /chat HTTP/1.1" }),
    denied("get in small letters", R, {}, "methodNotGet", 405, ["Line"], { start: "get /chat HTTP/1.1" }),
    denied("HTTP/1.0", R, {}, "versionTooOld", 400, ["Line"], { start: "GET /chat HTTP/1.0" }),
    denied("no host", R, { Host: undefined }, "hostMissing", 400, ["Line"]),

    accepted("websocket among other protocols", R, { Upgrade: "h2c, websocket" }, ["Upgrade"]),
    accepted("Upgrade among other options", R, { Connection: "keep-alive, Upgrade" }, ["Upgrade"]),
    accepted("options on two lines", R, { Connection: ["keep-alive", "Upgrade"] }, ["Upgrade"]),
    denied("no Upgrade", R, { Upgrade: undefined }, "upgradeMissing", 426, ["Upgrade"]),
    denied("another protocol", R, { Upgrade: "h2c" }, "upgradeMissing", 426, ["Upgrade"]),
    denied("a protocol that begins like it", R, { Upgrade: "websockets" }, "upgradeMissing", 426, ["Upgrade"]),
    denied("no Connection", R, { Connection: undefined }, "connectionMissing", 400, ["Upgrade"]),
    denied("another option", R, { Connection: "keep-alive" }, "connectionMissing", 400, ["Upgrade"]),

    accepted("a key whose last digit says more than it may", "rfc6455#4.1", { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEC==" }, ["Key"], { key: "AQIDBAUGBwgJCgsMDQ4PEC==" }),
    accepted("a key with the last two digits of the alphabet", R, { "Sec-WebSocket-Key": "+/+/+/+/+/+/+/+/+/+/+w==" }, ["Key"], { key: "+/+/+/+/+/+/+/+/+/+/+w==" }),
    accepted("a key of zeros", R, { "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==" }, ["Key"], { key: "AAAAAAAAAAAAAAAAAAAAAA==" }),
    denied("no key", R, { "Sec-WebSocket-Key": undefined }, "keyMissing", 400, ["Key"]),
    denied("an empty key", R, { "Sec-WebSocket-Key": "" }, "keyInvalid", 400, ["Key"]),
    denied("a key of 15 octets", R, { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4P" }, "keyInvalid", 400, ["Key"]),
    denied("a key of 17 octets", R, { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEBE=" }, "keyInvalid", 400, ["Key"]),
    denied("a key without its padding", R, { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ" }, "keyInvalid", 400, ["Key"]),
    denied("a key with a space in it", R, { "Sec-WebSocket-Key": "dGhlIHNhbXBs ZSBub25jZQ==" }, "keyInvalid", 400, ["Key"]),
    denied("a key in the alphabet of URLs", R, { "Sec-WebSocket-Key": "dGhlIHNhb-BsZSBub25jZ_==" }, "keyInvalid", 400, ["Key"]),
    denied("two keys", "rfc6455#11.3.1", { "Sec-WebSocket-Key": ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="] }, "keyRepeated", 400, ["Key"]),

    denied("no version", R, { "Sec-WebSocket-Version": undefined }, "versionMissing", 400, ["Version"]),
    ...["0", "7", "8", "12", "14", "255"].map((version) => denied(`version ${version}`, V, { "Sec-WebSocket-Version": version }, "versionUnsupported", 426, ["Version"])),
    ...["", "013", "13.0", "-13", "+13", "0x0d", "13, 8", "thirteen", "256"].map((version) => denied(`${JSON.stringify(version)} as a version`, G, { "Sec-WebSocket-Version": version }, "versionInvalid", 400, ["Version"])),
    denied("two versions", G, { "Sec-WebSocket-Version": ["13", "13"] }, "versionInvalid", 400, ["Version"]),

    accepted("a sub-protocol that the server speaks", V, { "Sec-WebSocket-Protocol": "chat" }, ["Protocol"], { ...chat, protocol: "chat" }),
    accepted("the second of several", V, { "Sec-WebSocket-Protocol": "soap, chat" }, ["Protocol"], { ...chat, protocol: "chat" }),
    accepted("on several lines", V, { "Sec-WebSocket-Protocol": ["soap", "chat"] }, ["Protocol"], { ...chat, protocol: "chat" }),
    accepted("the client's preference counts", V, { "Sec-WebSocket-Protocol": "b, a" }, ["Protocol"], { server: { protocols: ["a", "b"] }, protocol: "b" }),
    accepted("none that the server speaks", V, { "Sec-WebSocket-Protocol": "soap" }, ["Protocol"], chat),
    accepted("one that differs in case", V, { "Sec-WebSocket-Protocol": "Chat" }, ["Protocol"], chat),
    accepted("none offered", V, {}, ["Protocol"], chat),
    denied("an empty list of sub-protocols", G, { "Sec-WebSocket-Protocol": "" }, "protocolsInvalid", 400, ["Protocol"], chat),
    denied("a sub-protocol that is no token", G, { "Sec-WebSocket-Protocol": "chat/1" }, "protocolsInvalid", 400, ["Protocol"], chat),
    denied("the same sub-protocol twice", "rfc6455#4.1", { "Sec-WebSocket-Protocol": "chat, chat" }, "protocolsRepeated", 400, ["Protocol"], chat),

    accepted("no origin: no browser", O, {}, ["Origin"], origins),
    accepted("the server's own origin", O, { Origin: "http://server.example.com" }, ["Origin"]),
    accepted("the server's own origin with its port", O, { Origin: "http://server.example.com:80" }, ["Origin"]),
    accepted("the server's own origin over TLS", O, { Origin: "https://server.example.com" }, ["Origin"], { server: { secure: true } }),
    accepted("an origin on the list", O, { Origin: "https://app.example" }, ["Origin"], origins),
    accepted("null, on the list", O, { Origin: "null" }, ["Origin"], origins),
    denied("another origin", O, { Origin: "http://evil.example" }, "originForbidden", 403, ["Origin"]),
    denied("the server's own host with another scheme", O, { Origin: "https://server.example.com" }, "originForbidden", 403, ["Origin"]),
    denied("the server's own host with another port", O, { Origin: "http://server.example.com:8080" }, "originForbidden", 403, ["Origin"]),
    denied("a name that begins with the server's", O, { Origin: "http://server.example.com.evil.example" }, "originForbidden", 403, ["Origin"]),
    denied("null", O, { Origin: "null" }, "originForbidden", 403, ["Origin"]),
    denied("an origin that is not on the list", O, { Origin: "http://app.example" }, "originForbidden", 403, ["Origin"], origins),
    denied("the server's own, where a list says otherwise", O, { Origin: "http://server.example.com" }, "originForbidden", 403, ["Origin"], origins),
    denied("two origins", "rfc6454#7.3", { Origin: ["http://server.example.com", "http://server.example.com"] }, "originRepeated", 400, ["Origin"]),

    extension("compression, and nothing more", PMD, PMD),
    extension("a client that can bound its window", `${PMD}; client_max_window_bits`, PMD),
    extension("a client that has bounded its window", `${PMD}; client_max_window_bits=10`, `${PMD}; client_max_window_bits=10`),
    extension("a client that bounds the server's window", `${PMD}; server_max_window_bits=9`, `${PMD}; server_max_window_bits=9`),
    extension("a server that must not take over", `${PMD}; server_no_context_takeover`, `${PMD}; server_no_context_takeover`),
    extension("a client that will not take over", `${PMD}; client_no_context_takeover`, `${PMD}; client_no_context_takeover`),
    extension("a value between quotes", `${PMD}; server_max_window_bits="9"`, `${PMD}; server_max_window_bits=9`),
    extension("an offer that cannot be taken, and one that can", `${PMD}; server_max_window_bits=7, ${PMD}`, PMD),
    extension("offers on two lines", ["x-foo; bar", PMD], PMD),
    extension("an extension that nobody knows", "x-foo; bar=1", undefined),
    ...[
      "server_max_window_bits",
      "server_max_window_bits=7",
      "server_max_window_bits=16",
      "server_max_window_bits=08",
      "client_max_window_bits=16",
      "client_max_window_bits=7",
      "server_no_context_takeover=1",
      "client_no_context_takeover=true",
      "client_no_context_takeover; client_no_context_takeover",
      "foo",
      "foo=1",
    ].map((parameters) => extension(`an offer that cannot be taken: ${parameters}`, `${PMD}; ${parameters}`, undefined)),
    accepted("compression, and a server that does not want it", D, { "Sec-WebSocket-Extensions": PMD }, ["Compression"]),
    ...["", ",", "a b", "a;", "a; =1", "a; b=", 'a; b="', 'a; b="c d"', "a; b=c=d"].map(badList),
  ],
};
