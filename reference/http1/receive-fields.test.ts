import { describe, expect, test } from "vitest";
import { get, head, ok, play, playResponse, refusal, server } from "./testing.ts";

/** The fields of a request with these lines, or its refusal. */
function fieldsOf(...lines: readonly string[]): unknown {
  const message = head("GET / HTTP/1.1", ...lines);
  const events = play(message);
  const [event] = server().events(message);
  return event?.is === "request" ? event.fields.map(({ name, value }) => `${name}=${value}`) : events;
}
const refused = (name: string, status = 400): string[] => [`closed ${name}`, refusal(status)];

describe("field lines (rfc9112#5)", () => {
  test("names are lower case, in their order, one field for each line", () => {
    expect(fieldsOf("Host: a", "X-One: 1", "x-two:2", "X-ONE: 3")).toEqual(["host=a", "x-one=1", "x-two=2", "x-one=3"]);
  });
  test.each([
    ["X:", ""],
    ["X: ", ""],
    ["X: \t \t", ""],
    ["X:\tv\t ", "v"],
    ["X:   a  b\tc ", "a  b\tc"],
    ["X: a: b", "a: b"],
    ["X: \xe9\xff", "\xe9\xff"],
    ["X: !\"#$%&'()*+,-./:;<=>?@[]^_`{|}~", "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"],
  ])("%j has the value %j", (line, value) => {
    expect(fieldsOf("Host: a", line)).toEqual(["host=a", `x=${value}`]);
    // Again: a remembered line makes no difference.
    expect(fieldsOf("Host: a", line, line, "X: z")).toEqual(["host=a", `x=${value}`, `x=${value}`, "x=z"]);
  });
  test("a value that begins like the one before it is read whole", () => {
    expect(fieldsOf("Host: a", "X: abc", "X: abcd", "X: ab", "X: abc", "X: abc ")).toEqual([
      "host=a",
      "x=abc",
      "x=abcd",
      "x=ab",
      "x=abc",
      "x=abc",
    ]);
  });
  test.each([
    ["X : a", "spaceBeforeColon"],
    ["X\t: a", "spaceBeforeColon"],
    [": a", "fieldNameInvalid"],
    ["X y: a", "fieldNameInvalid"],
    ["X\0: a", "fieldNameInvalid"],
    ["X(: a", "fieldNameInvalid"],
    ["\xe9: a", "fieldNameInvalid"],
    ["X", "colonMissing"],
    ["X: a\0", "fieldValueInvalid"],
    ["X: \x01a", "fieldValueInvalid"],
    ["X: a\x7fb", "fieldValueInvalid"],
    ["X: a\rb", "bareCr"],
    ["X: a\r", "bareCr"],
    ["\rX: a", "bareCr"],
    ["X\r: a", "bareCr"],
    ["X: a\nY: b", "bareLf"],
    ["X: a\n", "bareLf"],
    ["X: a\r\n folded", "lineFolded"],
    ["X: a\r\n\tfolded", "lineFolded"],
    ["X: a\r\n ", "lineFolded"],
  ])("%j is refused", (line, name) => {
    expect(fieldsOf("Host: a", line)).toEqual(refused(name));
    expect(fieldsOf("Host: a", "X: a", line)).toEqual(refused(name));
  });
  test.each([" Host: a", "\tX: b"])("white space before the first field is refused: %j (rfc9112#2.2)", (line) => {
    expect(fieldsOf(line, "Host: a")).toEqual(refused("spaceBeforeFields"));
  });
  test("the head must end with CRLF", () => {
    expect(play("GET / HTTP/1.1\r\nHost: a\r\n\n")).toEqual(refused("bareLf"));
    expect(play("GET / HTTP/1.1\r\nHost: a\r\n\r\r\n")).toEqual(refused("bareCr"));
  });
  test("a response with the same fault is refused too", () => {
    for (const [line, name] of [
      ["X : a", "spaceBeforeColon"],
      ["X: a\r\n b", "lineFolded"],
      ["X: a\rb", "bareCr"],
      ["X: a\0b", "fieldValueInvalid"],
      ["X", "colonMissing"],
    ] as const) {
      expect(playResponse(ok("Content-Length: 0", line))).toEqual([`failed 1 ${name}`, `closed ${name}`]);
    }
  });
});

describe("Host (rfc9112#3.2, rfc9110#7.2)", () => {
  test.each(["a", "a:80", "", "[::1]:8080", "127.0.0.1", "a.b-c_d", "A%41"])("%j", (host) => {
    expect(play(head("GET / HTTP/1.1", `Host: ${host}`))).toEqual(["request 1 GET / end"]);
  });
  test.each(["a b", "a/b", "u@a", "a:x", "[::1", "a\\b", "http://a", "a,b:1:2", "a#", "a?b", "\xe9"])("%j is refused", (host) => {
    expect(play(head("GET / HTTP/1.1", `Host: ${host}`))).toEqual(refused("hostInvalid"));
  });
  test("no Host, or two, even equal ones, are refused", () => {
    expect(play(head("GET / HTTP/1.1"))).toEqual(refused("hostMissing"));
    expect(play(head("GET http://a/ HTTP/1.1"))).toEqual(refused("hostMissing"));
    expect(play(get("Host: a"))).toEqual(refused("hostRepeated"));
    expect(play(head("GET / HTTP/1.0", "Host: a", "Host: b"))).toEqual(refused("hostRepeated"));
  });
  test("HTTP/1.0 may omit it; an invalid one is refused as well", () => {
    expect(play(head("GET / HTTP/1.0"))).toEqual(["request 1 GET / end"]);
    expect(play(head("GET / HTTP/1.0", "Host: a b"))).toEqual(refused("hostInvalid"));
  });
  test("an absolute target overrides it, but it must be valid", () => {
    expect(play(head("GET http://b/ HTTP/1.1", "Host: a b"))).toEqual(refused("hostInvalid"));
  });
});

describe("limits of the section", () => {
  const line = (octets: number): string => `X: ${"a".repeat(octets - 5)}`;
  test("octets, line ends included: the limit is accepted, one more is refused", () => {
    const limits = { fieldOctets: 60 };
    // "Host: a" with its end has 9, the empty line 2.
    expect(play(get(line(49)), { limits })).toEqual(["request 1 GET / end"]);
    expect(play(get(line(50)), { limits })).toEqual(refused("fieldsTooLarge", 431));
    expect(play(`GET / HTTP/1.1\r\n${"a".repeat(61)}`, { limits })).toEqual(refused("fieldsTooLarge", 431));
    expect(play(get("Y: b", "Y: b", "Y: b", "Y: b", "Y: b", "Y: b", "Y: b", "Y: b"), { limits })).toEqual([`request 1 GET / end`]);
    expect(play(get("Y: b", "Y: b", "Y: b", "Y: b", "Y: b", "Y: b", "Y: b", "Y: b", "Y:"), { limits })).toEqual(
      refused("fieldsTooLarge", 431),
    );
  });
  test("lines: the limit is accepted, one more is refused", () => {
    const limits = { fields: 3 };
    expect(play(get("X: a", "X: a"), { limits })).toEqual(["request 1 GET / end"]);
    expect(play(get("X: a", "X: a", "X: a"), { limits })).toEqual(refused("tooManyFields", 431));
    expect(play(get("X: a", "X : a"), { limits, lenient: { spaceBeforeColon: true } })).toEqual(["request 1 GET / end"]);
    expect(play(get("X: a", "X: a", "X : a"), { limits, lenient: { spaceBeforeColon: true } })).toEqual(refused("tooManyFields", 431));
  });
  test("apply to a client too", () => {
    expect(playResponse(ok(line(61)), { limits: { fieldOctets: 60 } })).toEqual(["failed 1 fieldsTooLarge", "closed fieldsTooLarge"]);
  });
});
