import { named, titled, type Note, type RequestVector, type Source } from "./craft.ts";
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
const extension = (note: Note, offer: string | readonly string[], extensions: string | undefined) =>
  accepted({ note, spec: D, change: { "Sec-WebSocket-Extensions": offer }, flags: ["Compression"],  ...deflate, ...(extensions === undefined ? {} : { extensions }) });
/** Where the words of two notes are equal, the name of the later vector ends with a number. */
const numbered = (note: string, number: string): Note => named(`${titled(note).name}${number}`, note);
const badList = ([value, number = ""]: readonly [value: string, number?: string]) => denied({ note: numbered(`${JSON.stringify(value)} as extensions`, number), spec: E, change: { "Sec-WebSocket-Extensions": value }, fault: "extensionsInvalid", status: 400, flags: ["Grammar"] });

export const source: Source<RequestVector> = {
  kind: "websocket-request",
  about: "Opening handshakes that a server receives over HTTP/1.1, and its responses",
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
    accepted({ note: named("no-more-than-is-needed", "only the required fields"), spec: R, change: {}, flags: ["Plain"] }),
    accepted({ note: "names and values in another case", spec: R, change: { Upgrade: "WebSocket", Connection: "UPGRADE" }, flags: ["Plain"] }),
    accepted({ note: named("fields-that-nobody-knows", "unknown fields"), spec: R, change: { "X-Foo": "bar", Cookie: "a=b" }, flags: ["Plain"] }),
    accepted({ note: "a path with a query", spec: R, change: {}, flags: ["Plain"],  start: "GET /a/b?c=d HTTP/1.1" }),
    accepted({ note: "an absolute target", spec: R, change: {}, flags: ["Plain"],  start: "GET http://server.example.com/chat HTTP/1.1" }),
    denied({ note: named("post", "method POST"), spec: R, change: {}, fault: "methodNotGet", status: 405, flags: ["Line"],  start: "POST /chat HTTP/1.1" }),
    denied({ note: named("options", "method OPTIONS"), spec: R, change: {}, fault: "methodNotGet", status: 405, flags: ["Line"],  start: "OPTIONS /chat HTTP/1.1" }),
    denied({ note: named("get-in-small-letters", "method get in lower case"), spec: R, change: {}, fault: "methodNotGet", status: 405, flags: ["Line"],  start: "get /chat HTTP/1.1" }),
    denied({ note: named("http-1-0", "version HTTP/1.0"), spec: R, change: {}, fault: "versionTooOld", status: 400, flags: ["Line"],  start: "GET /chat HTTP/1.0" }),
    denied({ note: named("no-host", "no Host"), spec: R, change: { Host: undefined }, fault: "hostMissing", status: 400, flags: ["Line"] }),

    accepted({ note: "websocket among other protocols", spec: R, change: { Upgrade: "h2c, websocket" }, flags: ["Upgrade"] }),
    accepted({ note: "Upgrade among other options", spec: R, change: { Connection: "keep-alive, Upgrade" }, flags: ["Upgrade"] }),
    accepted({ note: "options on two lines", spec: R, change: { Connection: ["keep-alive", "Upgrade"] }, flags: ["Upgrade"] }),
    denied({ note: "no Upgrade", spec: R, change: { Upgrade: undefined }, fault: "upgradeMissing", status: 426, flags: ["Upgrade"] }),
    denied({ note: named("another-protocol", "another protocol in Upgrade"), spec: R, change: { Upgrade: "h2c" }, fault: "upgradeMissing", status: 426, flags: ["Upgrade"] }),
    denied({ note: named("a-protocol-that-begins-like-it", "a protocol whose name begins with websocket"), spec: R, change: { Upgrade: "websockets" }, fault: "upgradeMissing", status: 426, flags: ["Upgrade"] }),
    denied({ note: "no Connection", spec: R, change: { Connection: undefined }, fault: "connectionMissing", status: 400, flags: ["Upgrade"] }),
    denied({ note: named("another-option", "another option in Connection"), spec: R, change: { Connection: "keep-alive" }, fault: "connectionMissing", status: 400, flags: ["Upgrade"] }),

    accepted({ note: named("a-key-whose-last-digit-says-more-than-it-may", "a key whose unused bits are not zero"), spec: "rfc6455#4.1", change: { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEC==" }, flags: ["Key"],  key: "AQIDBAUGBwgJCgsMDQ4PEC==" }),
    accepted({ note: named("a-key-with-the-last-two-digits-of-the-alphabet", "a key with + and /"), spec: R, change: { "Sec-WebSocket-Key": "+/+/+/+/+/+/+/+/+/+/+w==" }, flags: ["Key"],  key: "+/+/+/+/+/+/+/+/+/+/+w==" }),
    accepted({ note: "a key of zeros", spec: R, change: { "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==" }, flags: ["Key"],  key: "AAAAAAAAAAAAAAAAAAAAAA==" }),
    denied({ note: "no key", spec: R, change: { "Sec-WebSocket-Key": undefined }, fault: "keyMissing", status: 400, flags: ["Key"] }),
    denied({ note: "an empty key", spec: R, change: { "Sec-WebSocket-Key": "" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key of 15 octets", spec: R, change: { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4P" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key of 17 octets", spec: R, change: { "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEBE=" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "a key without its padding", spec: R, change: { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: named("a-key-with-a-space-in-it", "a key with a space"), spec: R, change: { "Sec-WebSocket-Key": "dGhlIHNhbXBs ZSBub25jZQ==" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: named("a-key-in-the-alphabet-of-urls", "a key in base64url"), spec: R, change: { "Sec-WebSocket-Key": "dGhlIHNhb-BsZSBub25jZ_==" }, fault: "keyInvalid", status: 400, flags: ["Key"] }),
    denied({ note: "two keys", spec: "rfc6455#11.3.1", change: { "Sec-WebSocket-Key": ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="] }, fault: "keyRepeated", status: 400, flags: ["Key"] }),

    denied({ note: "no version", spec: R, change: { "Sec-WebSocket-Version": undefined }, fault: "versionMissing", status: 400, flags: ["Version"] }),
    ...["0", "7", "8", "12", "14", "255"].map((version) => denied({ note: `version ${version}`, spec: V, change: { "Sec-WebSocket-Version": version }, fault: "versionUnsupported", status: 426, flags: ["Version"] })),
    ...["", "013", "13.0", "-13", "+13", "0x0d", "13, 8", "thirteen", "256"].map((version) => denied({ note: numbered(`${JSON.stringify(version)} as a version`, version === "+13" ? "-2" : ""), spec: G, change: { "Sec-WebSocket-Version": version }, fault: "versionInvalid", status: 400, flags: ["Version"] })),
    denied({ note: "two versions", spec: G, change: { "Sec-WebSocket-Version": ["13", "13"] }, fault: "versionInvalid", status: 400, flags: ["Version"] }),

    accepted({ note: named("a-sub-protocol-that-the-server-speaks", "a supported sub-protocol"), spec: V, change: { "Sec-WebSocket-Protocol": "chat" }, flags: ["Protocol"],  ...chat, protocol: "chat" }),
    accepted({ note: named("the-second-of-several", "a supported sub-protocol, the second of several"), spec: V, change: { "Sec-WebSocket-Protocol": "soap, chat" }, flags: ["Protocol"],  ...chat, protocol: "chat" }),
    accepted({ note: named("on-several-lines", "sub-protocols on several lines"), spec: V, change: { "Sec-WebSocket-Protocol": ["soap", "chat"] }, flags: ["Protocol"],  ...chat, protocol: "chat" }),
    accepted({ note: named("the-client-s-preference-counts", "two supported sub-protocols, of which the client prefers the first"), spec: V, change: { "Sec-WebSocket-Protocol": "b, a" }, flags: ["Protocol"],  server: { protocols: ["a", "b"] }, protocol: "b" }),
    accepted({ note: named("none-that-the-server-speaks", "an unsupported sub-protocol"), spec: V, change: { "Sec-WebSocket-Protocol": "soap" }, flags: ["Protocol"], ...chat }),
    accepted({ note: named("one-that-differs-in-case", "a sub-protocol in another case"), spec: V, change: { "Sec-WebSocket-Protocol": "Chat" }, flags: ["Protocol"], ...chat }),
    accepted({ note: named("none-offered", "no sub-protocol offered"), spec: V, change: {}, flags: ["Protocol"], ...chat }),
    denied({ note: "an empty list of sub-protocols", spec: G, change: { "Sec-WebSocket-Protocol": "" }, fault: "protocolsInvalid", status: 400, flags: ["Protocol"], ...chat }),
    denied({ note: named("a-sub-protocol-that-is-no-token", "a sub-protocol that is not a token"), spec: G, change: { "Sec-WebSocket-Protocol": "chat/1" }, fault: "protocolsInvalid", status: 400, flags: ["Protocol"], ...chat }),
    denied({ note: "the same sub-protocol twice", spec: "rfc6455#4.1", change: { "Sec-WebSocket-Protocol": "chat, chat" }, fault: "protocolsRepeated", status: 400, flags: ["Protocol"], ...chat }),

    accepted({ note: named("no-origin-no-browser", "no Origin, as from a non-browser client"), spec: O, change: {}, flags: ["Origin"], ...origins }),
    accepted({ note: "the server's own origin", spec: O, change: { Origin: "http://server.example.com" }, flags: ["Origin"] }),
    accepted({ note: "the server's own origin with its port", spec: O, change: { Origin: "http://server.example.com:80" }, flags: ["Origin"] }),
    accepted({ note: "the server's own origin over TLS", spec: O, change: { Origin: "https://server.example.com" }, flags: ["Origin"],  server: { secure: true } }),
    accepted({ note: "an origin on the list", spec: O, change: { Origin: "https://app.example" }, flags: ["Origin"], ...origins }),
    accepted({ note: named("null-on-the-list", "Origin null, which is on the list"), spec: O, change: { Origin: "null" }, flags: ["Origin"], ...origins }),
    denied({ note: "another origin", spec: O, change: { Origin: "http://evil.example" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "the server's own host with another scheme", spec: O, change: { Origin: "https://server.example.com" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "the server's own host with another port", spec: O, change: { Origin: "http://server.example.com:8080" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: named("a-name-that-begins-with-the-server-s", "an origin whose host begins with the server's"), spec: O, change: { Origin: "http://server.example.com.evil.example" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: named("null", "Origin null"), spec: O, change: { Origin: "null" }, fault: "originForbidden", status: 403, flags: ["Origin"] }),
    denied({ note: "an origin that is not on the list", spec: O, change: { Origin: "http://app.example" }, fault: "originForbidden", status: 403, flags: ["Origin"], ...origins }),
    denied({ note: named("the-server-s-own-where-a-list-says-otherwise", "the server's own origin, which is not on the list"), spec: O, change: { Origin: "http://server.example.com" }, fault: "originForbidden", status: 403, flags: ["Origin"], ...origins }),
    denied({ note: "two origins", spec: "rfc6454#7.3", change: { Origin: ["http://server.example.com", "http://server.example.com"] }, fault: "originRepeated", status: 400, flags: ["Origin"] }),

    extension(named("compression-and-nothing-more", "permessage-deflate without parameters"), PMD, PMD),
    extension(named("a-client-that-can-bound-its-window", "a client that can limit its window"), `${PMD}; client_max_window_bits`, PMD),
    extension(named("a-client-that-has-bounded-its-window", "a client with a limited window"), `${PMD}; client_max_window_bits=10`, `${PMD}; client_max_window_bits=10`),
    extension(named("a-client-that-bounds-the-server-s-window", "a client that limits the server's window"), `${PMD}; server_max_window_bits=9`, `${PMD}; server_max_window_bits=9`),
    extension(named("a-server-that-must-not-take-over", "server_no_context_takeover"), `${PMD}; server_no_context_takeover`, `${PMD}; server_no_context_takeover`),
    extension(named("a-client-that-will-not-take-over", "client_no_context_takeover"), `${PMD}; client_no_context_takeover`, `${PMD}; client_no_context_takeover`),
    extension(named("a-value-between-quotes", "a quoted value"), `${PMD}; server_max_window_bits="9"`, `${PMD}; server_max_window_bits=9`),
    extension("a quoted value with an escaped digit", `${PMD}; server_max_window_bits="1\\0"`, `${PMD}; server_max_window_bits=10`),
    extension("a quoted value in which every digit is escaped", `x-foo; bar="\\1\\2", ${PMD}`, PMD),
    extension(named("an-offer-that-cannot-be-taken-and-one-that-can", "an unacceptable offer before an acceptable one"), `${PMD}; server_max_window_bits=7, ${PMD}`, PMD),
    extension("offers on two lines", ["x-foo; bar", PMD], PMD),
    extension(named("an-extension-that-nobody-knows", "an unknown extension"), "x-foo; bar=1", undefined),
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
    ].map((parameters) => extension(named(titled(`an offer that cannot be taken: ${parameters}`).name, `an unacceptable offer: ${parameters}`), `${PMD}; ${parameters}`, undefined)),
    accepted({ note: named("compression-and-a-server-that-does-not-want-it", "permessage-deflate, to a server that does not support it"), spec: D, change: { "Sec-WebSocket-Extensions": PMD }, flags: ["Compression"] }),
    extension("empty members of a list of extensions", `x-foo, , ${PMD},`, PMD),
    ...([[""], [",", "-2"], ["a b"], ["a;"], ["a; =1"], ["a; b=", "-2"], ['a; b="', "-3"], ['a; b="c d"'], ["a; b=c=d", "-2"], ['a; b="c\\"d"', "-3"], ['a; b=""', "-4"], ['a; b="c, d=e"']] as const).map(badList),
  ],
};
