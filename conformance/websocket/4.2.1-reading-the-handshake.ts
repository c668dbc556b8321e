import type { RequirementRef } from "../harness/case.ts";
import { badHandshake, comesBack, handshakeOf, open, permitted, plainHttp, send, text } from "./phrases.ts";
import type { Case, Handshake, Outcome } from "./vocabulary.ts";

type Row = readonly [id: string, what: string, handshake: Handshake, covers: RequirementRef, ...others: Outcome[]];

const H = "rfc6455#4.2.1/";
const sent: Handshake = {};
const without = (...names: readonly string[]): Handshake => ({ instead: Object.fromEntries(names.map((name) => [name, "none"])) });
const instead = (name: string, value: string): Handshake => ({ instead: { [name]: value } });
const twice = (line: string): Handshake => ({ more: [line] });
/** HTTP/1.0 has no Upgrade (rfc9110#7.8): it may be answered as a request of its own. */
const asHttp = plainHttp;
/** What is no HTTP message at all may go without an answer, although one is better (rfc9112#2.2). */
const noHttp = permitted({ see: "no response" }, "rfc9112#2.2", "warn");

/** A server need not decode the key (rfc6455#4.2.2): one that does not cannot tell how long it is. */
const undecoded = permitted({ see: "still open" }, "rfc6455#4.2.2", "warn");
/** That the names differ is asked of the client; a server may take the first. */
const unique = permitted({ see: "still open" }, "rfc6455#4.1", "warn");

/** Handshakes that are none, each with what is wrong with it. */
const WRONG: readonly Row[] = [
  ["method-post", "a POST request", { start: "POST {path} HTTP/1.1", more: ["Content-Length: 0"] }, `${H}get`, asHttp],
  ["method-head", "a HEAD request", { start: "HEAD {path} HTTP/1.1" }, `${H}get`, asHttp],
  ["method-options", "an OPTIONS request", { start: "OPTIONS {path} HTTP/1.1" }, `${H}get`, asHttp],
  ["method-put", "a PUT request", { start: "PUT {path} HTTP/1.1", more: ["Content-Length: 0"] }, `${H}get`, asHttp],
  ["method-delete", "a DELETE request", { start: "DELETE {path} HTTP/1.1" }, `${H}get`, asHttp],
  ["method-in-lower-case", "a request with the method get", { start: "get {path} HTTP/1.1" }, `${H}get`, noHttp],
  ["version-http-1-0", "a request of HTTP/1.0", { start: "GET {path} HTTP/1.0" }, `${H}get`, asHttp],
  ["version-http-0-9", "a request line without a version", { start: "GET {path}" }, `${H}get`, noHttp],
  ["host-missing", "no Host", without("Host"), `${H}host`],
  ["host-twice", "two Host fields", twice("Host: example.com"), `${H}host`],
  ["upgrade-missing", "no Upgrade", without("Upgrade"), `${H}upgrade`, asHttp],
  ["upgrade-empty", "an empty Upgrade", instead("Upgrade", ""), `${H}upgrade`, asHttp],
  ["upgrade-other", "Upgrade: h2c", instead("Upgrade", "h2c"), `${H}upgrade`, asHttp],
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
  ["key-empty", "an empty key", instead("Sec-WebSocket-Key", ""), `${H}key`],
  ["key-of-15-octets", "a key of 15 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4P"), `${H}key`, undecoded],
  ["key-of-17-octets", "a key of 17 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEBE="), `${H}key`, undecoded],
  ["key-of-8-octets", "a key of 8 octets", instead("Sec-WebSocket-Key", "AQIDBAUGBwg="), `${H}key`, undecoded],
  [
    "key-of-32-octets",
    "a key of 32 octets",
    instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEAECAwQFBgcICQoLDA0ODxA="),
    `${H}key`,
    undecoded,
  ],
  ["key-no-base64", "a key with characters that are not of Base64", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4P**=="), `${H}key`],
  ["key-without-padding", "a key without its padding", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEA"), `${H}key`],
  ["key-url-safe", "a key in the alphabet of URLs", instead("Sec-WebSocket-Key", "-_-_-_-_-_-_-_-_-_-_-w=="), `${H}key`],
  ["key-with-space-inside", "a key with a space in it", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJ CgsMDQ4PEA=="), `${H}key`],
  ["key-twice", "two keys", twice("Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA=="), `${H}key`],
  ["key-list", "two keys in one field", instead("Sec-WebSocket-Key", "AQIDBAUGBwgJCgsMDQ4PEA==, AQIDBAUGBwgJCgsMDQ4PEQ=="), `${H}key`],
  ["protocol-empty", "an empty Sec-WebSocket-Protocol", twice("Sec-WebSocket-Protocol: "), `${H}refuse`],
  ["protocol-no-token", "a sub-protocol with a separator in it", twice("Sec-WebSocket-Protocol: ch@t"), `${H}refuse`],
  ["protocol-quoted", "a sub-protocol in quotation marks", twice('Sec-WebSocket-Protocol: "chat"'), `${H}refuse`],
  ["protocol-repeated", "the same sub-protocol twice", twice("Sec-WebSocket-Protocol: chat, chat"), `${H}refuse`, unique],
  ["protocol-two-words", "two sub-protocols without a comma", twice("Sec-WebSocket-Protocol: chat superchat"), `${H}refuse`],
  ["space-before-colon", "white space between a field name and its colon", twice("X-Touchstone : 1"), `${H}refuse`, noHttp],
  ["field-without-colon", "a field line without a colon", twice("X-Touchstone"), `${H}refuse`, noHttp],
  ["null-in-a-field", "an octet of zero in a field", twice("X-Touchstone: a\x00b"), `${H}refuse`, noHttp],
  ["target-with-space", "a request target with a space in it", { start: "GET {path} x HTTP/1.1" }, `${H}refuse`, noHttp],
];

/** An empty list of sub-protocols, or one that is not well formed, has a server without sub-protocols not look at it. */
const looks = (id: string): readonly Outcome[] =>
  id.startsWith("protocol-") ? [permitted({ see: "all", of: [{ see: "still open" }, NO_PROTOCOL] }, "rfc6455#4.2.2", "warn")] : [];
const NO_PROTOCOL = { see: "handshake", fields: [{ name: "sec-websocket-protocol", absent: true }] } as const;

const refusals: readonly Case[] = WRONG.map(([id, what, handshake, covers, ...others]): Case => ({
  id: `websocket/handshake-${id}`,
  spec: "rfc6455#4.2.1",
  covers: [covers, "rfc6455#4.2.1/refuse"],
  level: "MUST",
  title: `The server refuses a handshake with ${what}.`,
  ...handshakeOf(handshake, sent),
  allowed: badHandshake(...others, ...looks(id)),
}));

/** Handshakes that are good although they are not written as most are. */
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
  [
    "unknown-fields",
    "fields that nobody knows",
    { more: ["X-Touchstone: 1", "Sec-WebSocket-Touchstone: 2", "Cookie: a=b"] },
    `${H}unknown-fields`,
  ],
  ["white-space-around-values", "white space around its values", instead("Upgrade", " \twebsocket \t"), `${H}upgrade`],
];

const acceptances: readonly Case[] = GOOD.map(([id, what, handshake, covers]): Case => {
  const steps: Case["steps"] = [open(handshake), send(text("touchstone"))];
  return {
    id: `websocket/handshake-${id}`,
    spec: "rfc6455#4.2.1",
    covers: [covers],
    level: "MUST",
    role: "server",
    title: `The server takes a handshake with ${what}.`,
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
    title: "The server takes a handshake that comes in pieces of seven octets.",
    steps: [{ do: "open", cut: 7 }, send(text("touchstone"))],
    control: [open(), send(text("touchstone"))],
    allowed: comesBack,
  },
];
