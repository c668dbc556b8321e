import { describe, expect, test } from "vitest";
import { chunked, get, play, refusal } from "./testing.ts";

const BEGUN = "request 1 POST /";
const failed = (name: string, status = 400, ...before: readonly string[]): string[] => [
  BEGUN,
  ...before,
  `failed 1 ${name}`,
  `closed ${name}`,
  refusal(status),
];

describe("chunks (rfc9112#7.1)", () => {
  test.each([
    ["0\r\n\r\n", "data 1  end"],
    ["000\r\n\r\n", "data 1  end"],
    ["1\r\na\r\n0\r\n\r\n", "data 1 a end"],
    ["0000000000000001\r\na\r\n0\r\n\r\n", "data 1 a end"],
    ["A\r\n0123456789\r\n0\r\n\r\n", "data 1 0123456789 end"],
    ["a\r\n0123456789\r\n2\r\n\r\n\r\n0\r\n\r\n", "data 1 0123456789\r\n end"],
    ["1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "data 1 abc end"],
    ["1;a\r\na\r\n0;b\r\n\r\n", "data 1 a end"],
    ['1;a=b;c="d;\\"\xe9";e\r\na\r\n0\r\n\r\n', "data 1 a end"],
    ["1 ; a = b\t;c\r\na\r\n0\r\n\r\n", "data 1 a end"],
  ])("%j", (body, event) => {
    expect(play(chunked(body) + get())).toEqual([BEGUN, event, "request 2 GET / end"]);
  });
  test.each(["\r\n", "x\r\n", "-1\r\na\r\n", "+1\r\na\r\n", "0x1\r\na\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "1\t\r\na\r\n", "1 2\r\na\r\n"])(
    "size %j is refused",
    (body) => {
      expect(play(chunked(body))).toEqual(failed("chunkSizeInvalid"));
    },
  );
  test.each([
    "20000000000000\r\n",
    "ffffffffffffffff\r\n",
    "10000000000000001\r\na\r\n",
    "00000000000000001\r\na\r\n",
    "1_0\r\n",
    "\xb2\r\n",
  ])("size %j is refused, never treated as a smaller one", (body) => {
    expect(play(chunked(body))).toEqual(failed("chunkSizeInvalid"));
  });
  test.each([
    "1;\r\na\r\n",
    "1;=b\r\na\r\n",
    "1;a=\r\na\r\n",
    '1;a="b\r\na\r\n',
    '1;a="b"c\r\na\r\n',
    "1;a b\r\na\r\n",
    "1;a;;b\r\na\r\n",
    "1;a=\0\r\na\r\n",
  ])("extension %j is refused", (body) => {
    expect(play(chunked(body))).toEqual(failed("chunkExtensionInvalid"));
  });
  test.each([
    ["1\na\r\n0\r\n\r\n", "bareLf"],
    ["1;a\na\r\n0\r\n\r\n", "bareLf"],
    ["1;a\rb\r\na\r\n0\r\n\r\n", "bareCr"],
    ["1\ra\r\n0\r\n\r\n", "bareCr"],
    ["1\r\r\na\r\n", "bareCr"],
  ])("line end in %j is refused", (body, name) => {
    expect(play(chunked(body))).toEqual(failed(name));
  });
  test.each(["1\r\nab\r\n0\r\n\r\n", "1\r\na\n0\r\n\r\n", "1\r\na\r0\r\n\r\n", "1\r\na0\r\n\r\n"])(
    "end of a chunk in %j is refused",
    (body) => {
      expect(play(chunked(body))).toEqual(failed("chunkNotEnded", 400, "data 1 a"));
    },
  );
});

describe("trailers (rfc9112#7.1.2)", () => {
  test("end the message, in their order", () => {
    expect(play(`${chunked("1\r\na\r\n0\r\nB: c\r\nD:\r\n\r\n")}${get()}`)).toEqual([
      BEGUN,
      "data 1 a",
      "trailers 1 b=c d=",
      "request 2 GET / end",
    ]);
  });
  test("are dropped if framing or routing depends on them (rfc9110#6.5.1)", () => {
    expect(play(chunked("0\r\nContent-Length: 5\r\nX: y\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n"))).toEqual([
      BEGUN,
      "trailers 1 x=y",
    ]);
    expect(play(chunked("0\r\nConnection: close\r\n\r\n") + get())).toEqual([BEGUN, "data 1  end", "request 2 GET / end"]);
  });
  test.each([
    ["X : y", "spaceBeforeColon"],
    ["X: y\r\n z", "lineFolded"],
    [" X: y", "spaceBeforeFields"],
    ["X", "colonMissing"],
    ["X: a\0", "fieldValueInvalid"],
    ["X: a\rb", "bareCr"],
  ])("%j is refused, as in a header section", (line, name) => {
    expect(play(chunked(`0\r\n${line}\r\n\r\n`))).toEqual(failed(name));
  });
});

describe("limits", () => {
  test("extensions: octets in the whole message", () => {
    const limits = { chunkExtensionOctets: 6 };
    expect(play(chunked("1;aa\r\na\r\n1;aa\r\nb\r\n0\r\n\r\n"), { limits })).toEqual([BEGUN, "data 1 ab end"]);
    expect(play(chunked("1;aa\r\na\r\n1;aaa\r\nb\r\n0\r\n\r\n"), { limits })).toEqual(failed("chunkExtensionsTooLong", 413, "data 1 a"));
    expect(play(chunked(`1;${"a".repeat(100)}`), { limits })).toEqual(failed("chunkExtensionsTooLong", 413));
  });
  test("tiny chunks: number in the whole message; larger chunks are not counted", () => {
    const limits = { tinyChunks: 2 };
    const sixteen = `10\r\n${"x".repeat(16)}\r\n`;
    expect(play(chunked(`1\r\na\r\n${sixteen.repeat(5)}1\r\nb\r\n0\r\n\r\n`), { limits }).at(-1)).toBe(`data 1 a${"x".repeat(80)}b end`);
    expect(play(chunked("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n"), { limits })).toEqual(failed("tooManyTinyChunks", 413, "data 1 ab"));
  });
  test("trailers: octets and lines", () => {
    expect(play(chunked("0\r\nX: y\r\n\r\n"), { limits: { trailerOctets: 8 } })).toEqual([BEGUN, "trailers 1 x=y"]);
    expect(play(chunked("0\r\nX: yz\r\n\r\n"), { limits: { trailerOctets: 8 } })).toEqual(failed("trailersTooLarge", 431));
    expect(play(chunked(`0\r\n${"X: y\r\n".repeat(4)}\r\n`), { limits: { fields: 3 } })).toEqual(failed("tooManyFields", 431));
  });
});
