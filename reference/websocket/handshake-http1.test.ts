import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Misuse } from "../core/index.ts";
import { Fields, type RequestHead } from "../http/index.ts";
import { acceptHttp1, acceptKey, offerHttp1, readHttp1Answer } from "./handshake-http1.ts";
import { HANDSHAKE_FAULTS, type HandshakeFaultName } from "./handshake-faults.ts";
import type { Accepted, Refused, ServerPolicy } from "./handshake.ts";
import { keys } from "./testing.ts";

const sha1 = (text: string): Uint8Array => createHash("sha1").update(text).digest();
type Pairs = Readonly<Record<string, string | readonly string[] | undefined>>;
const GOOD: Pairs = {
  host: "server.example.com",
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};
const fields = (pairs: Pairs): Fields =>
  Fields.from(
    Object.entries(pairs).flatMap(([name, value]) =>
      (value === undefined ? [] : typeof value === "string" ? [value] : value).map((one) => [name, one] as const),
    ),
  );
function ask(change: Pairs = {}, policy: ServerPolicy = {}, head: Partial<RequestHead> = {}): Accepted | Refused {
  return acceptHttp1(
    {
      version: "HTTP/1.1",
      method: "GET",
      scheme: "http",
      authority: "server.example.com",
      path: "/chat",
      fields: fields({ ...GOOD, ...change }),
      ...head,
    },
    policy,
    sha1,
  );
}
const pairs = (list: Accepted["fields"]): string[] => list.map(({ name, value }) => `${name}: ${value}`);
const say = (answer: Accepted | Refused): string =>
  answer.is === "accepted" ? ["accepted", ...pairs(answer.fields)].join("; ") : `${answer.status} ${answer.fault.name}`;
const ACCEPTED = "accepted; Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

test("acceptKey(): the specification's example (rfc6455#1.3)", () => {
  expect(acceptKey("dGhlIHNhbXBsZSBub25jZQ==", sha1)).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
});

describe("server", () => {
  test("the specification's example is accepted (rfc6455#1.2)", () => {
    const answer = ask(
      { origin: "http://example.com", "sec-websocket-protocol": "chat, superchat" },
      { origins: ["http://example.com"], subprotocols: ["chat"] },
    );
    expect(say(answer)).toBe(`${ACCEPTED}; Sec-WebSocket-Protocol: chat`);
    expect(answer).toMatchObject({ status: 101, subprotocol: "chat", deflate: undefined });
  });

  const good: readonly (readonly [string, Pairs])[] = [
    ["a regular request", {}],
    ["another case", { upgrade: "WebSocket", connection: "upgrade" }],
    ["more options and protocols", { upgrade: "h2c, websocket", connection: "keep-alive, Upgrade" }],
    ["options on several lines", { connection: ["keep-alive", "Upgrade"] }],
    ["a key whose last digit says more than 16 octets", { "sec-websocket-key": "AQIDBAUGBwgJCgsMDQ4PEC==" }],
    ["an unknown extension", { "sec-websocket-extensions": "foo; bar=1, baz" }],
  ];
  test.each(good)("%s", (_what, change) => {
    expect(say(ask(change))).toMatch(/^accepted; Sec-WebSocket-Accept: [A-Za-z0-9+/]{27}=$/);
  });

  const bad: [HandshakeFaultName, string, Pairs, Partial<RequestHead>?][] = [
    ["methodNotGet", "POST", {}, { method: "POST" }],
    ["methodNotGet", "HEAD", {}, { method: "HEAD" }],
    ["versionTooOld", "HTTP/1.0", {}, { version: "HTTP/1.0" }],
    ["hostMissing", "no host", {}, { authority: "" }],
    ["upgradeMissing", "no Upgrade", { upgrade: undefined }],
    ["upgradeMissing", "another protocol", { upgrade: "h2c" }],
    ["upgradeMissing", "a protocol that begins like it", { upgrade: "websocket2" }],
    ["connectionMissing", "no Connection", { connection: undefined }],
    ["connectionMissing", "another option", { connection: "keep-alive" }],
    ["connectionMissing", "no list", { connection: "Upgrade foo" }],
    ["keyMissing", "no key", { "sec-websocket-key": undefined }],
    ["keyRepeated", "two keys", { "sec-websocket-key": ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="] }],
    ["keyInvalid", "an empty key", { "sec-websocket-key": "" }],
    ["keyInvalid", "15 octets", { "sec-websocket-key": "AQIDBAUGBwgJCgsMDQ4P" }],
    ["keyInvalid", "17 octets", { "sec-websocket-key": "AQIDBAUGBwgJCgsMDQ4PEBE=" }],
    ["keyInvalid", "no padding", { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ" }],
    ["keyInvalid", "the alphabet of URLs", { "sec-websocket-key": "dGhlIHNhb-BsZSBub25jZQ==" }],
    ["versionMissing", "no version", { "sec-websocket-version": undefined }],
    ["versionUnsupported", "8", { "sec-websocket-version": "8" }],
    ["versionUnsupported", "0", { "sec-websocket-version": "0" }],
    ["versionInvalid", "a zero in front", { "sec-websocket-version": "013" }],
    ["versionInvalid", "a list", { "sec-websocket-version": "13, 8" }],
    ["versionInvalid", "two lines", { "sec-websocket-version": ["13", "13"] }],
    ["versionInvalid", "256", { "sec-websocket-version": "256" }],
    ["versionInvalid", "a word", { "sec-websocket-version": "x" }],
    ["protocolsInvalid", "an empty list", { "sec-websocket-protocol": "" }],
    ["protocolsInvalid", "no token", { "sec-websocket-protocol": "a b" }],
    ["protocolsRepeated", "the same twice", { "sec-websocket-protocol": "a, b, a" }],
    ["protocolsRepeated", "the same on two lines", { "sec-websocket-protocol": ["a", "a"] }],
    ["extensionsInvalid", "no token", { "sec-websocket-extensions": "a b" }],
    ["originRepeated", "two origins", { origin: ["http://server.example.com", "http://server.example.com"] }],
    ["originForbidden", "a page of somewhere else", { origin: "http://evil.example" }],
  ];
  test.each<[HandshakeFaultName, string, Pairs, Partial<RequestHead>?]>(bad)("%s: %s", (name, _what, change, head) => {
    const answer = ask(change, {}, head);
    expect(say(answer)).toBe(`${HANDSHAKE_FAULTS[name].status} ${name}`);
    expect((answer as Refused).why).toContain(`(${HANDSHAKE_FAULTS[name].spec})`);
  });

  test("a refusal has the fields that its status requires", () => {
    const needs = (change: Pairs, head?: Partial<RequestHead>): string[] => pairs(ask(change, {}, head).fields);
    expect(needs({}, { method: "POST" })).toEqual(["Allow: GET"]);
    expect(needs({ upgrade: undefined })).toEqual(["Upgrade: websocket", "Connection: Upgrade"]);
    expect(needs({ "sec-websocket-version": "8" })).toEqual(["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]);
    expect(needs({ "sec-websocket-version": undefined })).toEqual(["Sec-WebSocket-Version: 13"]);
  });

  test("subprotocols: chooses the first offered one that the server supports, or none (rfc6455#4.2.2)", () => {
    const chosen = (offer: string | undefined, protocols?: ServerPolicy["subprotocols"]): string | undefined => {
      const answer = ask({ "sec-websocket-protocol": offer }, protocols === undefined ? {} : { subprotocols: protocols });
      return answer.is === "accepted" ? answer.subprotocol : answer.fault.name;
    };
    expect(chosen("c, b, a", ["a", "b"])).toBe("b");
    expect(chosen("B", ["b"])).toBeUndefined();
    expect(chosen(undefined, ["b"])).toBeUndefined();
    expect(chosen("b")).toBeUndefined();
    expect(chosen("a, b", (offered) => offered.at(-1))).toBe("b");
    expect(() => chosen("a", () => "z")).toThrow(Misuse);
  });

  test("compression: agrees to it if the server wants it", () => {
    const offer = { "sec-websocket-extensions": "permessage-deflate; client_max_window_bits" };
    expect(say(ask(offer))).toBe(ACCEPTED);
    expect(say(ask(offer, { deflate: {} }))).toBe(`${ACCEPTED}; Sec-WebSocket-Extensions: permessage-deflate`);
    expect(ask(offer, { deflate: {} })).toMatchObject({
      deflate: { serverTakeover: true, clientTakeover: true, serverBits: 15, clientBits: 15 },
    });
  });
});

describe("client", () => {
  const offer = offerHttp1({ subprotocols: ["chat", "superchat"], deflate: {}, origin: "http://a.example" }, keys());
  const plain = offerHttp1({}, keys(2));

  test("sends an offer that a server accepts, with a fresh key each time", () => {
    expect(pairs(offer.fields)).toEqual([
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Key: ${offer.key}`,
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Protocol: chat, superchat",
      "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
      "Origin: http://a.example",
    ]);
    expect(plain.key).not.toBe(offer.key);
    const sent = Object.fromEntries(offer.fields.map(({ name, value }) => [name.toLowerCase(), value]));
    const answer = ask(sent, {
      origins: ["http://a.example"],
      subprotocols: ["superchat"],
      deflate: { serverTakeover: false },
    }) as Accepted;
    expect(answer.is).toBe("accepted");
    const back = fields({
      upgrade: "websocket",
      connection: "upgrade",
      ...Object.fromEntries(answer.fields.map(({ name, value }) => [name, value])),
    });
    const agreed = { serverTakeover: false, clientTakeover: true, serverBits: 15, clientBits: 15 };
    expect(readHttp1Answer(101, back, offer, sha1)).toEqual({ is: "established", subprotocol: "superchat", deflate: agreed });
    expect(answer.deflate).toEqual(agreed);
  });
  test("a subprotocol that is not a token, or is repeated, is Misuse", () => {
    for (const protocols of [["a b"], [""], ["a", "a"]]) expect(() => offerHttp1({ subprotocols: protocols }, keys())).toThrow(Misuse);
  });

  const answer = (change: Pairs, to = offer): string => {
    const good = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-accept": acceptKey(to.key!, sha1) };
    const told = readHttp1Answer(101, fields({ ...good, ...change }), to, sha1);
    return told.is === "fault" ? told.name : told.is;
  };
  test.each<readonly [string, string, Pairs]>([
    ["established", "a regular request", {}],
    ["established", "another case", { upgrade: "WEBSOCKET", connection: "UPGRADE" }],
    ["established", "one of its sub-protocols", { "sec-websocket-protocol": "chat" }],
    ["established", "its extension", { "sec-websocket-extensions": "permessage-deflate" }],
    ["upgradeWrong", "no Upgrade", { upgrade: undefined }],
    ["upgradeWrong", "another protocol", { upgrade: "h2c" }],
    ["upgradeWrong", "two of them", { upgrade: "websocket, h2c" }],
    ["connectionWrong", "no Connection", { connection: undefined }],
    ["connectionWrong", "another option", { connection: "close" }],
    ["acceptMissing", "no accept", { "sec-websocket-accept": undefined }],
    ["acceptWrong", "an empty accept", { "sec-websocket-accept": "" }],
    ["acceptWrong", "that of another key", { "sec-websocket-accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" }],
    ["acceptWrong", "the key", { "sec-websocket-accept": offer.key }],
    ["acceptWrong", "another case", { "sec-websocket-accept": acceptKey(offer.key!, sha1).toLowerCase() }],
    ["acceptRepeated", "two", { "sec-websocket-accept": [acceptKey(offer.key!, sha1), acceptKey(offer.key!, sha1)] }],
    ["protocolUnasked", "another sub-protocol", { "sec-websocket-protocol": "other" }],
    ["protocolUnasked", "another case", { "sec-websocket-protocol": "Chat" }],
    ["protocolUnasked", "both of them", { "sec-websocket-protocol": "chat, superchat" }],
    ["protocolUnasked", "an empty one", { "sec-websocket-protocol": "" }],
    ["protocolRepeated", "two lines", { "sec-websocket-protocol": ["chat", "chat"] }],
    ["extensionsInvalid", "no list", { "sec-websocket-extensions": "a b" }],
    ["extensionsInvalid", "an empty one", { "sec-websocket-extensions": "" }],
    ["extensionUnasked", "another extension", { "sec-websocket-extensions": "permessage-foo" }],
    ["extensionRepeated", "the same twice", { "sec-websocket-extensions": "permessage-deflate, permessage-deflate" }],
    ["compressionUnacceptable", "an unknown parameter", { "sec-websocket-extensions": "permessage-deflate; foo" }],
  ])("%s: %s", (told, _what, change) => {
    expect(answer(change)).toBe(told);
  });
  test("without an offer no subprotocol or extension may be chosen", () => {
    expect(answer({}, plain)).toBe("established");
    expect(answer({ "sec-websocket-protocol": "chat" }, plain)).toBe("protocolUnasked");
    expect(answer({ "sec-websocket-extensions": "permessage-deflate" }, plain)).toBe("extensionUnasked");
  });
  test.each([200, 301, 400, 401, 426, 503])("%d is an ordinary HTTP response (rfc6455#4.1)", (status) => {
    expect(readHttp1Answer(status, fields({}), offer, sha1)).toEqual({ is: "declined", status });
  });
});

test("the table of faults matches its snapshot", () => {
  expect(
    Object.entries(HANDSHAKE_FAULTS)
      .map(([name, { status, spec }]) => `${name}: ${status} ${spec}`)
      .join("\n"),
  ).toMatchSnapshot();
});
