import { describe, expect, test } from "vitest";
import { fill, fillPattern, octetsOf, repeated } from "./build.ts";
import { readRequests, readResponses, RequestReader, ResponseReader } from "./read.ts";
import { fromLatin1, toLatin1 } from "../octets.ts";

const response = (text: string, { methods = ["GET"], ended = false } = {}) => readResponses(fromLatin1(text), methods, ended);
const kinds = (message: { oddities: readonly { kind: string }[] } | undefined): string[] =>
  (message?.oddities ?? []).map(({ kind }) => kind);
const text = (octets: Uint8Array | undefined): string => toLatin1(octets ?? new Uint8Array());

describe("text of a case", () => {
  test("known braces are replaced, others stay", () => {
    expect(fill("GET {path} HTTP/1.1\r\nHost: {authority}\r\nX: {other}", { path: "/", authority: "a" })).toBe(
      "GET / HTTP/1.1\r\nHost: a\r\nX: {other}",
    );
  });
  test("in a pattern, values match literally", () => {
    expect(new RegExp(`^${fillPattern("{path}$", { path: "/a?b" })}`).test("/a?b")).toBe(true);
    expect(new RegExp(`^${fillPattern("{path}$", { path: "/a.b" })}`).test("/axb")).toBe(false);
  });
  test("each character up to U+00FF is one octet", () => expect([...octetsOf("\0\xff")]).toEqual([0, 255]));
  test("a repeated text counts its rounds", () => expect(repeated("{n};", 3)).toBe("1;2;3;"));
});

describe("responses", () => {
  test("by length, by chunks and by the end, one after another", () => {
    const read = response(
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab" +
        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nX-T: 1\r\n\r\n" +
        "HTTP/1.0 200 \r\n\r\nto the end",
      { methods: ["GET", "GET", "GET"], ended: true },
    );
    expect(read.responses.map(({ status, framing, content, complete }) => [status, framing, text(content), complete])).toEqual([
      [200, "length", "ab", true],
      [404, "chunked", "abcd", true],
      [200, "close", "to the end", true],
    ]);
    expect(read.responses[1]?.chunks).toEqual([
      { size: 3, extension: ";x=y", line: "3;x=y" },
      { size: 1, extension: "", line: "1" },
      { size: 0, extension: "", line: "0" },
    ]);
    expect(read.responses[1]?.trailers).toEqual([{ name: "X-T", value: "1", line: "X-T: 1" }]);
    expect(read.responses.flatMap(kinds)).toEqual([]);
    expect(read.garbage).toEqual([]);
  });

  test("interim responses belong to the final one after them", () => {
    const read = response("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
    expect(read.responses.map(({ status, interim }) => [status, interim.map((one) => one.status)])).toEqual([[204, [103]]]);
    expect(read.interim.map(({ status }) => status)).toEqual([100]);
  });

  test("a response to HEAD has no content, whatever it declares; nor has 304", () => {
    const read = response("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", {
      methods: ["HEAD"],
    });
    expect(read.responses.map(({ framing, complete }) => [framing, complete])).toEqual([
      ["none", true],
      ["none", true],
    ]);
  });

  test("after 101 everything is another protocol", () => {
    const read = response("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
    expect(read.responses).toEqual([]);
    expect(text(read.tunnel)).toMatch(/^HTTP\/1.1 200/);
  });

  test("octets that are not a response are kept apart, and what follows is read", () => {
    const read = response("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n<html>HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n");
    expect(read.responses.map(({ status }) => status)).toEqual([200, 400]);
    expect(read.garbage.map(({ octets, after }) => [text(octets), after])).toEqual([["<html>", 1]]);
  });

  test("a response without a status line is garbage, once the connection ended", () => {
    const read = response("<!doctype html>", { ended: true });
    expect(read.responses).toEqual([]);
    expect(text(read.garbage[0]?.octets)).toBe("<!doctype html>");
  });

  test.each([
    ["HTTP/1.1 200\r\n\r\n", "start line"],
    ["HTTP/1.1  200 OK\r\n\r\n", "start line"],
    ["HTTP/1.1 2000 OK\r\n\r\n", "status"],
    ["HTTP/3.0 200 OK\r\n\r\n", "version"],
    ["HTTP/1.1 200 OK\n\r\n", "line end"],
    ["HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "bare cr"],
    ["HTTP/1.1 200 OK\r\nnothing\r\n\r\n", "field line"],
    ["HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", "field name"],
    ["HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", "field value"],
    ["HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", "fold"],
    ["HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "space before colon"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 0, 0\r\n\r\n", "length"],
    ["HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "length"],
    ["HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n", "length"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "length"],
    ["HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "coding"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "coding"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\n", "chunk"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", "chunk"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA b: c\r\n\r\n", "trailer"],
  ])("%j is odd: %s", (octets, kind) => {
    expect(kinds(response(octets).all[0])).toContain(kind);
  });

  test("a truncated message is noted as such, and is not complete", () => {
    const [cut] = response("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", { ended: true }).responses;
    expect([cut?.complete, kinds(cut)]).toEqual([false, ["truncated"]]);
  });
});

describe("requests", () => {
  test("start lines, fields and content", () => {
    const read = readRequests(
      fromLatin1(
        "\r\nPOST /a b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: x\r\n\r\nDELETE /3 HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
      ),
      false,
    );
    expect(read.requests.map(({ method, target, version, content, framing }) => [method, target, version, text(content), framing])).toEqual(
      [
        ["POST", "/a b", "HTTP/1.1", "abc", "length"],
        ["GET", "/2", "HTTP/1.1", "", "none"],
        ["DELETE", "/3", "HTTP/1.0", "x", "chunked"],
      ],
    );
    expect(read.requests.map(kinds)).toEqual([["start line"], [], ["coding"]]);
    expect(read.garbage).toHaveLength(1);
  });
});

describe("any segmentation", () => {
  const whole =
    "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabjunkHTTP/1.1 404 Not\r\nA:  b\r\n c\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nX: 1\r\n\r\nHTTP/1.1 200 OK\n\nrest";
  const told = (reader: ResponseReader) =>
    JSON.stringify([reader.all, reader.garbage.map(({ from, after, octets }) => [from, after, text(octets)])]);

  test.each([1, 2, 3, 7, 50])("in pieces of %i octets the result is the same", (cut) => {
    const reader = new ResponseReader(() => "GET");
    const octets = fromLatin1(whole);
    for (let at = 0; at < octets.length; at += cut) reader.push(octets.slice(at, at + cut));
    reader.end("fin");
    expect(told(reader)).toBe(told(response(whole, { ended: true })));
  });

  test("no octets make it throw", () => {
    let state = 7;
    const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
    const alphabet = fromLatin1("HTTP/1.1 200 OK\r\n\r\n:;0aZ\0Content-LengthTransfer-Encoding chunked\t");
    for (let round = 0; round < 300; round++) {
      const octets = Uint8Array.from({ length: 120 }, () => alphabet[random() % alphabet.length] ?? 0);
      const server = new ResponseReader(() => "GET");
      const client = new RequestReader();
      for (const reader of [server, client]) {
        reader.push(octets.subarray(0, 60));
        reader.push(octets.subarray(60));
        reader.end("reset");
        expect(reader.length).toBe(120);
      }
    }
  });
});
