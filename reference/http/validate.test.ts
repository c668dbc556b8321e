import { describe, expect, test } from "vitest";
import { field, type Field } from "../core/index.ts";
import { FieldCheck, joinCrumbs } from "./validate.ts";

const list = (pairs: readonly (readonly [string, string])[]): Field[] => pairs.map(([name, value]) => field(name, value));
const GET: readonly (readonly [string, string])[] = [
  [":method", "GET"],
  [":scheme", "http"],
  [":authority", "localhost"],
  [":path", "/"],
];
const without = (name: string) => GET.filter(([other]) => other !== name);
const swap = (name: string, value: string) => GET.map(([other, old]) => [other, other === name ? value : old] as const);
const check = new FieldCheck();
const request = (pairs: readonly (readonly [string, string])[], extended = false) => check.request(list(pairs), extended);
const connect = (...more: (readonly [string, string])[]) => [[":method", "CONNECT"] as const, ...more];

describe("well-formed requests", () => {
  test.each([
    ["a plain request", GET],
    ["any order of pseudo-fields", [...GET].reverse()],
    ["host instead of :authority", [...without(":authority"), ["host", "localhost"]]],
    ["an equivalent host", [...GET, ["host", "LOCALHOST:80"]]],
    ["a scheme in capitals", swap(":scheme", "HTTPS")],
    [
      "another scheme without authority or rooted path",
      [
        [":method", "GET"],
        [":scheme", "urn"],
        [":path", "x"],
      ],
    ],
    ["OPTIONS of the server", swap(":path", "*").map(([n, v]) => (n === ":method" ? [n, "OPTIONS"] : [n, v]))],
    ["an unknown method", swap(":method", "BREW")],
    ["te: trailers", [...GET, ["te", "trailers"]]],
    ["octets above ASCII in a value", [...GET, ["x", "\u00e9"]]],
    ["an empty value", [...GET, ["x", ""]]],
    ["CONNECT", connect([":authority", "example.com:443"])],
    ["content-length twice the same", [...GET, ["content-length", "5"], ["content-length", "5"]]],
  ] as [string, [string, string][]][])("%s", (_, pairs) => {
    expect(request(pairs)).toBeUndefined();
  });
  test("extended CONNECT if enabled", () => {
    const pairs = connect([":protocol", "websocket"], [":scheme", "https"], [":path", "/chat"], [":authority", "example.com"]);
    expect([request(pairs, true), check.protocol, request(pairs)]).toEqual([undefined, "websocket", "protocolNotEnabled"]);
  });
});

describe("malformed requests", () => {
  test.each([
    ["fieldNameInvalid", [...GET, ["X-Upper", "1"]]],
    ["fieldNameInvalid", [...GET, ["", "1"]]],
    ["fieldNameInvalid", [...GET, ["a b", "1"]]],
    ["fieldNameInvalid", [...GET, ["a:b", "1"]]],
    ["fieldNameInvalid", [...GET, ["a\u007f", "1"]]],
    ["fieldNameInvalid", [...GET, ["\u00e9", "1"]]],
    ["fieldValueInvalid", [...GET, ["x", "a\nb"]]],
    ["fieldValueInvalid", [...GET, ["x", "a\rb"]]],
    ["fieldValueInvalid", [...GET, ["x", "a\u0000b"]]],
    ["fieldValueInvalid", [...GET, ["x", " a"]]],
    ["fieldValueInvalid", [...GET, ["accept", "a "]]],
    ["fieldConnectionSpecific", [...GET, ["connection", "close"]]],
    ["fieldConnectionSpecific", [...GET, ["proxy-connection", "close"]]],
    ["fieldConnectionSpecific", [...GET, ["keep-alive", "1"]]],
    ["fieldConnectionSpecific", [...GET, ["transfer-encoding", "chunked"]]],
    ["fieldConnectionSpecific", [...GET, ["upgrade", "h2c"]]],
    ["teNotTrailers", [...GET, ["te", "gzip"]]],
    ["teNotTrailers", [...GET, ["te", "trailers, gzip"]]],
    ["contentLengthInvalid", [...GET, ["content-length", "-1"]]],
    ["contentLengthInvalid", [...GET, ["content-length", "1"], ["content-length", "2"]]],
    ["pseudoFieldUnknown", [...GET, [":fragment", "x"]]],
    ["pseudoFieldUnknown", [...GET, [":status", "200"]]],
    ["pseudoFieldLate", [...without(":path"), ["accept", "*/*"], [":path", "/"]]],
    ["pseudoFieldTwice", [...GET, [":path", "/"]]],
    ["pseudoFieldTwice", [...GET, [":method", "GET"]]],
    ["pseudoFieldTwice", [...GET, [":scheme", "http"]]],
    ["pseudoFieldTwice", [...GET, [":authority", "localhost"]]],
    ["pseudoFieldMissing", without(":method")],
    ["pseudoFieldMissing", without(":scheme")],
    ["pseudoFieldMissing", without(":path")],
    ["pseudoFieldMissing", []],
    ["methodInvalid", swap(":method", "G ET")],
    ["methodInvalid", swap(":method", "")],
    ["schemeInvalid", swap(":scheme", "ht tp")],
    ["authorityInvalid", swap(":authority", "a b")],
    ["authorityWithUserinfo", swap(":authority", "me@localhost")],
    ["authorityMissing", without(":authority")],
    ["authorityMissing", swap(":authority", "")],
    ["authorityMissing", [...without(":authority"), ["host", ""]]],
    ["hostDiffers", [...GET, ["host", "example.com"]]],
    ["hostDiffers", [...GET, ["host", "localhost"], ["host", "localhost:80"]]],
    ["pathInvalid", swap(":path", "")],
    ["pathInvalid", swap(":path", "x")],
    ["pathInvalid", swap(":path", "*")],
    ["pathInvalid", swap(":path", "/a b")],
    ["pathInvalid", swap(":path", "/a#b")],
    ["connectMalformed", connect()],
    ["connectMalformed", connect([":authority", "example.com"])],
    ["connectMalformed", connect([":authority", "example.com:443"], [":path", "/"])],
    ["connectMalformed", connect([":authority", "example.com:443"], [":scheme", "https"])],
  ] as [string, [string, string][]][])("%s %#", (name, pairs) => {
    expect(request(pairs)).toBe(name);
  });
  test(":protocol used wrongly, although enabled", () => {
    expect(request([...GET, [":protocol", "websocket"]], true)).toBe("protocolWithoutConnect");
    expect(request(connect([":protocol", "websocket"], [":authority", "a"]), true)).toBe("pseudoFieldMissing");
    expect(request(connect([":protocol", "a"], [":protocol", "a"]), true)).toBe("pseudoFieldTwice");
    expect(request(connect([":protocol", "a b"]), true)).toBe("fieldValueInvalid");
  });
});

describe("FieldCheck keeps", () => {
  test("what the protocol needs from a request", () => {
    const more = [
      ["content-length", "5"],
      ["priority", "u=1"],
      ["cookie", "a=1"],
      ["cookie", "b=2"],
      ["priority", "i"],
    ] as const;
    request([...swap(":method", "PUT"), ...more]);
    expect([check.method, check.contentLength, check.priority, check.crumbs]).toEqual(["PUT", 5, "u=1, i", 2]);
  });
  test("nothing from the message before", () => {
    request([...GET, ["content-length", "5"], ["priority", "u=1"], ["cookie", "a"], ["host", "localhost"]]);
    request(GET);
    expect([check.contentLength, check.priority, check.crumbs, check.protocol]).toEqual([-1, undefined, 0, undefined]);
  });
});

describe("responses and trailers", () => {
  test.each([
    [undefined, [[":status", "200"]]],
    [
      undefined,
      [
        [":status", "103"],
        ["link", "</a>"],
      ],
    ],
    ["statusMissing", []],
    ["statusMissing", [["x", "1"]]],
    ["statusInvalid", [[":status", "20"]]],
    ["statusInvalid", [[":status", "2000"]]],
    ["statusInvalid", [[":status", "abc"]]],
    [
      "pseudoFieldTwice",
      [
        [":status", "200"],
        [":status", "200"],
      ],
    ],
    [
      "pseudoFieldUnknown",
      [
        [":status", "200"],
        [":path", "/"],
      ],
    ],
    [
      "pseudoFieldLate",
      [
        ["x", "1"],
        [":status", "200"],
      ],
    ],
    [
      "teNotTrailers",
      [
        [":status", "200"],
        ["te", "trailers"],
      ],
    ],
    [
      "fieldConnectionSpecific",
      [
        [":status", "200"],
        ["connection", "close"],
      ],
    ],
    [
      "fieldNameInvalid",
      [
        [":status", "200"],
        ["A", "1"],
      ],
    ],
  ] as [string | undefined, [string, string][]][])("response: %s %#", (name, pairs) => {
    expect(check.response(list(pairs))).toBe(name);
  });
  test("response: host is a field like any other", () => {
    expect(
      check.response(
        list([
          [":status", "200"],
          ["host", "a"],
          ["host", "b"],
        ]),
      ),
    ).toBeUndefined();
  });
  test.each([
    [undefined, [["x", "1"]]],
    [undefined, []],
    ["pseudoFieldInTrailers", [[":status", "200"]]],
    [
      "pseudoFieldInTrailers",
      [
        ["x", "1"],
        [":path", "/"],
      ],
    ],
    ["fieldConnectionSpecific", [["upgrade", "x"]]],
    ["fieldValueInvalid", [["x", "a\n"]]],
  ] as [string | undefined, [string, string][]][])("trailers: %s %#", (name, pairs) => {
    expect(check.trailers(list(pairs))).toBe(name);
  });
});

test("joinCrumbs(): one cookie at the place of the first, sensitive if any was", () => {
  const crumbs = [field("cookie", "a=1"), field("x", "y"), field("cookie", "b=2", true), field("cookie", "c=3")];
  expect(joinCrumbs(crumbs)).toEqual([field("cookie", "a=1; b=2; c=3", true), field("x", "y")]);
});
