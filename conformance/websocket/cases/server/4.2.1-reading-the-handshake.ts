import type { RequirementRef } from "../../../harness/case.ts";
import { badHandshake, comesBack, handshakeOf, open, permitted, plainHttp, send, text } from "../phrases.ts";
import type { Case, Handshake, Outcome } from "../../vocabulary.ts";

/** RFC 6455, section 4.2.1: handshakes that a server must reject, and unusual ones that it must accept. */

type Row = readonly [id: string, what: string, handshake: Handshake, covers: RequirementRef, ...others: Outcome[]];

const H = "rfc6455#4.2.1/";
const sent: Handshake = {};
const without = (...names: readonly string[]): Handshake => ({ instead: Object.fromEntries(names.map((name) => [name, "none"])) });
const instead = (name: string, value: string): Handshake => ({ instead: { [name]: value } });
const twice = (line: string): Handshake => ({ more: [line] });
/** HTTP/1.0 has no Upgrade (rfc9110#7.8): the server may answer a plain request. */
const asHttp = plainHttp;
/** It may switch to the protocol that was asked for instead: that opens no WebSocket. */
const switched = permitted({ see: "handshake", status: [101], fields: [{ name: "upgrade", pattern: "^h2c$" }] }, "rfc9110#7.8");
/** A server may leave octets that are not an HTTP message unanswered, although an error is better (rfc9112#2.2). */
const noHttp = permitted({ see: "no response" }, "rfc9112#2.2", "warn");

/** A server should refuse a line that is no field, but in a field without a meaning to WebSocket it may ignore it (rfc9112#2.2). */
const skipped = permitted({ see: "still open" }, "rfc9112#2.2", "warn");
/** A server may read NUL as a space (rfc9110#5.5). */
const replaced = permitted({ see: "still open" }, "rfc9110#5.5", "warn");

/** A server need not decode the key (rfc6455#4.2.2), and then does not know its length. */
const undecoded = permitted({ see: "still open" }, "rfc6455#4.2.2", "warn");
/** Only the client must avoid repeated names; a server may use the first. */
const unique = permitted({ see: "still open" }, "rfc6455#4.1", "warn");
/** Only the client must send a field once; a server may use the first or the last, or all as one list. */
const oneVersion = permitted({ see: "still open" }, "rfc6455#11.3.5", "warn");
const oneOrigin = permitted({ see: "still open" }, "rfc6454#7.3", "warn");
const own = "Origin: http://{authority}";
const FOREIGN = "Origin: http://touchstone.invalid";
/** Rules for clients, or for whoever reads what a server need not read. */
const UNBOUND: ReadonlySet<RequirementRef> = new Set([`${H}key-decoded`, `${H}version-once`, `${H}origin-once`]);

/** A server without subprotocols may ignore an empty or malformed list of them. */
const unread = permitted(
  { see: "all", of: [{ see: "still open" }, { see: "handshake", fields: [{ name: "sec-websocket-protocol", absent: true }] }] },
  "rfc6455#4.2.2",
  "warn",
);

/** Invalid handshakes, each with what is wrong with it. */
const WRONG: readonly Row[] = [
  ["method-post", "a POST request", { start: "POST {path} HTTP/1.1", more: ["Content-Length: 0"] }, `${H}get`, asHttp],
  ["method-head", "a HEAD request", { start: "HEAD {path} HTTP/1.1" }, `${H}get`, asHttp],
  ["method-options", "an OPTIONS request", { start: "OPTIONS {path} HTTP/1.1" }, `${H}get`, asHttp],
  ["method-put", "a PUT request", { start: "PUT {path} HTTP/1.1", more: ["Content-Length: 0"] }, `${H}get`, asHttp],
  ["method-delete", "a DELETE request", { start: "DELETE {path} HTTP/1.1" }, `${H}get`, asHttp],
  ["method-in-lower-case", "a request with the method get", { start: "get {path} HTTP/1.1" }, `${H}get`, noHttp],
  ["version-http-1-0", "version HTTP/1.0", { start: "GET {path} HTTP/1.0" }, `${H}get`, asHttp],
  ["version-http-0-9", "a request line without a version", { start: "GET {path}" }, `${H}get`, noHttp],
  ["host-missing", "no Host", without("Host"), `${H}host`],
  ["host-twice", "two Host fields", twice("Host: example.com"), `${H}host`],
  ["upgrade-missing", "no Upgrade", without("Upgrade"), `${H}upgrade`, asHttp],
  ["upgrade-empty", "an empty Upgrade", instead("Upgrade", ""), `${H}upgrade`, asHttp],
  ["upgrade-other", "Upgrade: h2c", instead("Upgrade", "h2c"), `${H}upgrade`, asHttp, switched],
  ["upgrade-longer-word", "Upgrade: websockets", instead("Upgrade", "websockets"), `${H}upgrade`, asHttp],
  ["upgrade-part-of-word", "Upgrade: web", instead("Upgrade", "web"), `${H}upgrade`, asHttp],
  ["upgrade-two-words", "Upgrade: web socket", instead("Upgrade", "web socket"), `${H}upgrade`, asHttp],
  ["connection-missing", "no Connection", without("Connection"), `${H}connection`, asHttp],
  ["connection-empty", "an empty Connection", instead("Connection", ""), `${H}connection`, asHttp],
  ["connection-keep-alive", "Connection: keep-alive", instead("Connection", "keep-alive"), `${H}connection`, asHttp],
  ["connection-close", "Connection: close", instead("Connection", "close"), `${H}connection`, asHttp],
  ["connection-longer-word", "Connection: Upgraded", instead("Connection", "Upgraded"), `${H}connection`, asHttp],
  ["connection-other-token", "Connection: not-upgrade", instead("Connection", "not-upgrade"), `${H}connection`, asHttp],
  ["connection-two-words", "Connection: keep alive Upgrade", instead("Connection", "keep alive Upgrade"), `${H}connection`, asHttp],
  ["connection-and-upgrade-missing", "neither Upgrade nor Connection", without("Upgrade", "Connection"), `${H}upgrade`, asHttp],
  ["key-missing", "no key", without("Sec-WebSocket-Key"), `${H}key`],
  ["key-empty", "an empty key", instead("Sec-WebSocket-Key", ""), `${H}key-decoded`],
  ["key-of-15-octets", "a key of 15 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4P"), `${H}key-decoded`, undecoded],
  ["key-of-17-octets", "a key of 17 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEBE="), `${H}key-decoded`, undecoded],
  ["key-of-8-octets", "a key of 8 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwg="), `${H}key-decoded`, undecoded],
  [
    "key-of-32-octets",
    "a key of 32 octets",
    instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEAECAwQFBgcICQoLDA0ODxA="),
    `${H}key-decoded`,
    undecoded,
  ],
  ["key-no-base64", "a key that is not Base64", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4P**=="), `${H}key-decoded`],
  ["key-without-padding", "a key without padding", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEA"), `${H}key-decoded`],
  ["key-url-safe", "a key in URL-safe Base64", instead("Sec-WebSocket-Key", "-_-_-_-_-_-_-_-_-_-_-w=="), `${H}key-decoded`],
  ["key-with-padding-inside", "a key with padding inside", instead("Sec-WebSocket-Key", "AQID==QFBgcICQoLDA0ODxAB"), `${H}key-decoded`],
  ["key-with-one-padding-too-few", "a key of 23 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEA="), `${H}key-decoded`],
  [
    "key-with-one-padding-too-many",
    "a key with three octets of padding",
    instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PE==="),
    `${H}key-decoded`,
  ],
  ["key-of-padding", "a key of padding only", instead("Sec-WebSocket-Key", "========================"), `${H}key-decoded`],
  ["key-behind-a-sign", "a sign before the key", instead("Sec-WebSocket-Key", "*AQIDBAUGBwgJCgsMDQ4PEA=="), `${H}key-decoded`],
  ["key-before-a-sign", "a sign after the key", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEA==*"), `${H}key-decoded`],
  ["key-quoted", "a quoted key", instead("Sec-WebSocket-Key", '"AQIDBAUGBwgJCgsMDQ4PEA=="'), `${H}key-decoded`],
  ["key-of-18-octets", "a key of 18 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEBES"), `${H}key-decoded`, undecoded],
  ["key-with-space-inside", "a key that contains a space", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJ CgsMDQ4PEA=="), `${H}key-decoded`],
  ["key-twice", "two keys", twice("Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA=="), `${H}key-decoded`],
  [
    "key-list",
    "two keys in one field",
    instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEA==, AQIDBAUGBwgJCgsMDQ4PEQ=="),
    `${H}key-decoded`,
  ],
  ["version-repeated", "two Sec-WebSocket-Version fields of 13", twice("Sec-WebSocket-Version: 13"), `${H}version-once`, oneVersion],
  ["version-then-other", "the versions 13 and 8 in two fields", twice("Sec-WebSocket-Version: 8"), `${H}version-once`, oneVersion],
  [
    "version-behind-other",
    "the versions 8 and 13 in two fields",
    { instead: { "Sec-WebSocket-Version": "8" }, more: ["Sec-WebSocket-Version: 13"] },
    `${H}version-once`,
    oneVersion,
  ],
  ["origin-repeated", "the same Origin twice", { more: [own, own] }, `${H}origin-once`, oneOrigin],
  ["origin-then-other", "two Origin fields, its own and a foreign one", { more: [own, FOREIGN] }, `${H}origin-once`, oneOrigin],
  ["origin-behind-other", "two Origin fields, a foreign one and its own", { more: [FOREIGN, own] }, `${H}origin-once`, oneOrigin],
  ["protocol-empty", "an empty Sec-WebSocket-Protocol", twice("Sec-WebSocket-Protocol: "), `${H}refuse`, unread],
  ["protocol-no-token", "a subprotocol that is not a token", twice("Sec-WebSocket-Protocol: ch@t"), `${H}refuse`, unread],
  ["protocol-quoted", "a quoted subprotocol", twice('Sec-WebSocket-Protocol: "chat"'), `${H}refuse`, unread],
  ["protocol-repeated", "the same subprotocol twice", twice("Sec-WebSocket-Protocol: chat, chat"), `${H}refuse`, unique, unread],
  ["protocol-two-words", "two subprotocols without a comma", twice("Sec-WebSocket-Protocol: chat superchat"), `${H}refuse`, unread],
  ["space-before-colon", "whitespace between a field name and its colon", twice("X-Touchstone : 1"), `${H}refuse`, noHttp],
  ["field-without-colon", "a field line without a colon", twice("X-Touchstone"), `${H}refuse`, noHttp, skipped],
  ["null-in-a-field", "NUL in a field", twice("X-Touchstone: a\x00b"), `${H}refuse`, noHttp, replaced],
  ["target-with-space", "a request target that contains a space", { start: "GET {path} x HTTP/1.1" }, `${H}refuse`, noHttp],
];

const refusals: readonly Case[] = WRONG.map(([id, what, handshake, covers, ...others]): Case => ({
  id: `websocket/handshake-${id}`,
  spec: "rfc6455#4.2.1",
  covers: [covers, "rfc6455#4.2.1/refuse"],
  level: UNBOUND.has(covers) ? "SHOULD" : "MUST",
  ...(covers === `${H}version-once` ? { over: "http1" as const } : {}),
  title: `The server rejects a handshake with ${what}.`,
  ...handshakeOf({ wrong: handshake, right: sent }),
  allowed: badHandshake(...others),
  // Nobody answers a WebSocket's fence in another protocol.
  ...(others.includes(switched) ? { fence: "none" as const } : {}),
}));

/** Valid handshakes that are written in unusual ways. */
const GOOD: readonly (readonly [id: string, what: string, handshake: Handshake, covers: RequirementRef])[] = [
  ["upgrade-in-capitals", "Upgrade: WEBSOCKET", instead("Upgrade", "WEBSOCKET"), `${H}upgrade`],
  ["upgrade-in-mixed-case", "Upgrade: WebSocket", instead("Upgrade", "WebSocket"), `${H}upgrade`],
  ["connection-in-lower-case", "Connection: upgrade", instead("Connection", "upgrade"), `${H}connection`],
  ["connection-in-capitals", "Connection: UPGRADE", instead("Connection", "UPGRADE"), `${H}connection`],
  ["connection-list", "Connection: keep-alive, Upgrade", instead("Connection", "keep-alive, Upgrade"), `${H}connection`],
  ["connection-list-reversed", "Connection: Upgrade, keep-alive", instead("Connection", "Upgrade, keep-alive"), `${H}connection`],
  ["connection-list-tight", "Connection: keep-alive,Upgrade", instead("Connection", "keep-alive,Upgrade"), `${H}connection`],
  [
    "connection-two-lines",
    "Connection in two lines",
    { instead: { Connection: "keep-alive" }, more: ["Connection: Upgrade"] },
    `${H}connection`,
  ],
  ["key-with-plus-and-slash", "a key of + and /", instead("Sec-WebSocket-Key", "+/+/+/+/+/+/+/+/+/+/+w=="), `${H}key`],
  ["key-of-zeros", "a key of zeros", instead("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="), `${H}key`],
  [
    "fields-in-other-order",
    "its fields in another order",
    {
      instead: { Host: "none", Upgrade: "none", Connection: "none", "Sec-WebSocket-Key": "none", "Sec-WebSocket-Version": "none" },
      more: ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: {key}", "Connection: Upgrade", "Upgrade: websocket", "Host: {authority}"],
    },
    `${H}unknown-fields`,
  ],
  [
    "field-names-in-lower-case",
    "its field names in lower case",
    {
      instead: { Host: "none", Upgrade: "none", Connection: "none", "Sec-WebSocket-Key": "none", "Sec-WebSocket-Version": "none" },
      more: ["host: {authority}", "upgrade: websocket", "connection: upgrade", "sec-websocket-key: {key}", "sec-websocket-version: 13"],
    },
    `${H}unknown-fields`,
  ],
  ["unknown-fields", "unknown fields", { more: ["X-Touchstone: 1", "Sec-WebSocket-Touchstone: 2", "Cookie: a=b"] }, `${H}unknown-fields`],
  ["white-space-around-values", "whitespace around its values", instead("Upgrade", " \twebsocket \t"), `${H}upgrade`],
];

const acceptances: readonly Case[] = GOOD.map(([id, what, handshake, covers]): Case => {
  const steps: Case["steps"] = [open(handshake), send(text("touchstone"))];
  return {
    id: `websocket/handshake-${id}`,
    spec: "rfc6455#4.2.1",
    covers: [covers],
    level: "MUST",
    role: "server",
    title: `The server accepts a handshake with ${what}.`,
    steps,
    control: [open(), send(text("touchstone"))],
    allowed: comesBack,
  };
});

export const cases: readonly Case[] = [
  ...refusals,
  ...acceptances,
  {
    id: "websocket/handshake-in-pieces",
    spec: "rfc6455#4.2.1",
    covers: ["rfc6455#4.2.1/get"],
    level: "MUST",
    role: "server",
    title: "The server accepts a handshake that arrives in pieces of seven octets.",
    steps: [{ do: "open", cut: 7 }, send(text("touchstone"))],
    control: [open(), send(text("touchstone"))],
    allowed: comesBack,
  },
];
