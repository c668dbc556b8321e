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
  accepted({ note, spec: D, change: { "Sec-WebSocket-Extensions": offer }, flags: ["Compression"],  ...deflate, ...(extensions === undefined ? {} : { extensions }) });
const badList = (value: string) => denied({ note: `${JSON.stringify(value)} as extensions`, spec: E, change: { "Sec-WebSocket-Extensions": value }, fault: "extensionsInvalid", status: 400, flags: ["Grammar"] });

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
    accepted({ note: "the specification's example", spec: "rfc6455#1.2", change: { Origin: "http://example.com", "Sec-WebSocket-Protocol": "chat, superchat" }, flags: ["Plain"],  server: { origins: ["http://example.com"], protocols: ["chat"] }, protocol: "chat" }),
    accepted({ note: "no more than is needed", spec: R, change: {}, flags: ["Plain"] }),
    accepted({ note: "names and values in another case", spec: R, change: { Upgrade: "WebSocket", Connection: "UPGRADE" }, flags: ["Plain"] }),
    accepted({ note: "fields that nobody knows", spec: R, change: { "X-Foo": "bar", Cookie: "a=b" }, flags: ["Plain"] }),
    accepted({ note: "a path with a query", spec: R, change: {}, flags: ["Plain"],  start: "GET /a/b?c=d HTTP/1.1" }),
    accepted({ note: "an absolute target", spec: R, change: {}, flags: ["Plain"],  start: "GET http://server.example.com/chat HTTP/1.1" }),
    denied({ note: "POST", spec: R, change: {}, fault: "methodNotGet", status: 405, flags: ["Line"],  start: "POST /chat HTTP/1.1" }),
    denied({ note: "OPTIONS", spec: R, change: {}, fault: "methodNotGet", status: 405, flags: ["Line"],  start: "OPTIONS /chat HTTP/1.1" }),
    denied({ note: "get in small letters", spec: R, change: {}, fault: "methodNotGet", status: 405, flags: ["Line"],  start: "get /chat HTTP/1.1" }),
    denied({ note: "HTTP/1.0", spec: R, change: {}, fault: "versionTooOld", status: 400, flags: ["Line"],  start: "GET /chat HTTP/1.0" }),
    denied({ note: "no host", spec: R, change: { Host: undefined }, fault: "hostMissing", status: 400, flags: ["Line"] }),

    accepted({ note: "websocket among other protocols", spec: R, change: { Upgrade: "h2c, websocket" }, flags: ["Upgrade"] }),
    accepted({ note: "Upgrade among other options", spec: R, change: { Connection: "keep-alive, Upgrade" }, flags: ["Upgrade"] }),
    accepted({ note: "options on two lines", spec: R, change: { Connection: ["keep-alive", "Upgrade"] }, flags: ["Upgrade"] }),
    denied({ note: "no Upgrade", spec: R, change: { Upgrade: undefined }, fault: "upgradeMissing", status: 426, flags: ["Upgrade"] }),
    denied({ note: "another protocol", spec: R, change: { Upgrade: "h2c" }, fault: "upgradeMissing", status: 426, flags: ["Upgrade"] }),
    denied({ note: "a protocol that begins like it", spec: R, change: { Upgrade: "websockets" }, fault: "upgradeMissing", status: 426, flags: ["Upgrade"] }),
    denied({ note: "no Connection", spec: R, change: { Connection: undefined }, fault: "connectionMissing", status: 400, flags: ["Upgrade"] }),
    denied({ note: "another option", spec: R, change: { Connection: "keep-alive" }, fault: "connectionMissing", status: 400, flags: ["Upgrade"] }),

    accepted({ note: "a key whose last digit says more than it may", spec: "rfc6455#4.1", change: { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEC==" }, flags: ["Key"],  key: "AQIDBAUGBwgJCgsMDQ4PEC==" }),
    accepted({ note: "a key with the last two digits of the alphabet", spec: R, change: { "Sec-WebSocket-Key": "+/+/+/+/+/+/+/+/+/+/+w==" }, flags: ["Key"],  key: "+/+/+/+/+/+/+/+/+/+/+w==" }),
    accepted({ note: "a key of zeros", spec: R, change: { "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==" }, flags: ["Key"],  key: "AAAAAAAAAAAAAAAAAAAAAA==" }),
    denied({ note: "no key", spec: R, change: { "Sec-WebSocket-Key": undefined }, fault: "keyMissing", status: 400, flags: ["Key"] }),
    denied({ note: "an empty key", spec: R, change: { "Sec-WebSocket-Key": "" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key of 15 octets", spec: R, change: { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4P" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key of 17 octets", spec: R, change: { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEBE=" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key without its padding", spec: R, change: { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key with a space in it", spec: R, change: { "Sec-WebSocket-Key": "dGhlIHNhbXBs ZSBub25jZQ==" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key in the alphabet of URLs", spec: R, change: { "Sec-WebSocket-Key": "dGhlIHNhb-BsZSBub25jZ_==" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "two keys", spec: "rfc6455#11.3.1", change: { "Sec-WebSocket-Key": ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="] }, fault: "keyRepeated", status: 400, flags: ["Key"] }),

    denied({ note: "no version", spec: R, change: { "Sec-WebSocket-Version": undefined }, fault: "versionMissing", status: 400, flags: ["Version"] }),
    ...["0", "7", "8", "12", "14", "255"].map((version) => denied({ note: `version ${version}`, spec: V, change: { "Sec-WebSocket-Version": version }, fault: "versionUnsupported", status: 426, flags: ["Version"] })),
    ...["", "013", "13.0", "-13", "+13", "0x0d", "13, 8", "thirteen", "256"].map((version) => denied({ note: `${JSON.stringify(version)} as a version`, spec: G, change: { "Sec-WebSocket-Version": version }, fault: "versionInvalid", status: 400, flags: ["Version"] })),
    denied({ note: "two versions", spec: G, change: { "Sec-WebSocket-Version": ["13", "13"] }, fault: "versionInvalid", status: 400, flags: ["Version"] }),

    accepted({ note: "a sub-protocol that the server speaks", spec: V, change: { "Sec-WebSocket-Protocol": "chat" }, flags: ["Protocol"],  ...chat, protocol: "chat" }),
    accepted({ note: "the second of several", spec: V, change: { "Sec-WebSocket-Protocol": "soap, chat" }, flags: ["Protocol"],  ...chat, protocol: "chat" }),
    accepted({ note: "on several lines", spec: V, change: { "Sec-WebSocket-Protocol": ["soap", "chat"] }, flags: ["Protocol"],  ...chat, protocol: "chat" }),
    accepted({ note: "the client's preference counts", spec: V, change: { "Sec-WebSocket-Protocol": "b, a" }, flags: ["Protocol"],  server: { protocols: ["a", "b"] }, protocol: "b" }),
    accepted({ note: "none that the server speaks", spec: V, change: { "Sec-WebSocket-Protocol": "soap" }, flags: ["Protocol"], ...chat }),
    accepted({ note: "one that differs in case", spec: V, change: { "Sec-WebSocket-Protocol": "Chat" }, flags: ["Protocol"], ...chat }),
    accepted({ note: "none offered", spec: V, change: {}, flags: ["Protocol"], ...chat }),
    denied({ note: "an empty list of sub-protocols", spec: G, change: { "Sec-WebSocket-Protocol": "" }, fault: "protocolsInvalid", status: 400, flags: ["Protocol"], ...chat }),
    denied({ note: "a sub-protocol that is no token", spec: G, change: { "Sec-WebSocket-Protocol": "chat/1" }, fault: "protocolsInvalid", status: 400, flags: ["Protocol"], ...chat }),
    denied({ note: "the same sub-protocol twice", spec: "rfc6455#4.1", change: { "Sec-WebSocket-Protocol": "chat, chat" }, fault: "protocolsRepeated", status: 400, flags: ["Protocol"], ...chat }),

    accepted({ note: "no origin: no browser", spec: O, change: {}, flags: ["Origin"], ...origins }),
    accepted({ note: "the server's own origin", spec: O, change: { Origin: "http://server.example.com" }, flags: ["Origin"] }),
    accepted({ note: "the server's own origin with its port", spec: O, change: { Origin: "http://server.example.com:80" }, flags: ["Origin"] }),
    accepted({ note: "the server's own origin over TLS", spec: O, change: { Origin: "https://server.example.com" }, flags: ["Origin"],  server: { secure: true } }),
    accepted({ note: "an origin on the list", spec: O, change: { Origin: "https://app.example" }, flags: ["Origin"], ...origins }),
    accepted({ note: "null, on the list", spec: O, change: { Origin: "null" }, flags: ["Origin"], ...origins }),
    denied({ note: "another origin", spec: O, change: { Origin: "http://evil.example" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "the server's own host with another scheme", spec: O, change: { Origin: "https://server.example.com" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "the server's own host with another port", spec: O, change: { Origin: "http://server.example.com:8080" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "a name that begins with the server's", spec: O, change: { Origin: "http://server.example.com.evil.example" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "null", spec: O, change: { Origin: "null" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "an origin that is not on the list", spec: O, change: { Origin: "http://app.example" }, fault: "originForbidden", status: 403, flags: ["Origin"], ...origins }),
    denied({ note: "the server's own, where a list says otherwise", spec: O, change: { Origin: "http://server.example.com" }, fault: "originForbidden", status: 403, flags: ["Origin"], ...origins }),
    denied({ note: "two origins", spec: "rfc6454#7.3", change: { Origin: ["http://server.example.com", "http://server.example.com"] }, fault: "originRepeated", status: 400, flags: ["Origin"] }),

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
    accepted({ note: "compression, and a server that does not want it", spec: D, change: { "Sec-WebSocket-Extensions": PMD }, flags: ["Compression"] }),
    ...["", ",", "a b", "a;", "a; =1", "a; b=", 'a; b="', 'a; b="c d"', "a; b=c=d"].map(badList),
  ],
};
