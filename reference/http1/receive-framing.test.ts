import { describe, expect, test } from "vitest";
import { client, get, head, ok, play, playResponse, post, refusal, server } from "./testing.ts";

const refused = (name: string, status = 400): string[] => [`closed ${name}`, refusal(status)];
const failed = (name: string): string[] => [`failed 1 ${name}`, `closed ${name}`];
const CHUNKS = "3\r\nabc\r\n0\r\n\r\n";

describe("the end of a request (rfc9112#6.3)", () => {
  test("without Content-Length and Transfer-Encoding there is no content", () => {
    expect(play(post() + get())).toEqual(["request 1 POST / end", "request 2 GET / end"]);
  });
  test("Content-Length: its octets, then the next request", () => {
    expect(play(`${post("Content-Length: 5")}GET /${get()}`)).toEqual(["request 1 POST /", "data 1 GET / end", "request 2 GET / end"]);
    expect(play(post("Content-Length: 0") + get())).toEqual(["request 1 POST / end", "request 2 GET / end"]);
    expect(play(`${post("Content-Length: 0003")}abc`)).toEqual(["request 1 POST /", "data 1 abc end"]);
    expect(play(`${get("Content-Length: 3")}abc`)).toEqual(["request 1 GET /", "data 1 abc end"]);
    expect(play(`${head("HEAD / HTTP/1.1", "Host: a", "Content-Length: 3")}abc`)).toEqual(["request 1 HEAD /", "data 1 abc end"]);
  });
  test("chunked: up to the last chunk, then the next request", () => {
    expect(play(post("Transfer-Encoding: chunked") + CHUNKS + get())).toEqual([
      "request 1 POST /",
      "data 1 abc end",
      "request 2 GET / end",
    ]);
    for (const coding of ["Chunked", "CHUNKED", ", chunked", "chunked,", " ,\t, chunked"]) {
      expect(play(post(`Transfer-Encoding: ${coding}`) + CHUNKS)).toEqual(["request 1 POST /", "data 1 abc end"]);
    }
  });
  test.each([
    ["chunked, chunked", "codingInvalid", 400],
    ["chunked;q=1", "codingInvalid", 400],
    ['chunked;a="b"', "codingInvalid", 400],
    ["", "codingInvalid", 400],
    [",", "codingInvalid", 400],
    ["chun ked", "codingInvalid", 400],
    ['"chunked"', "codingInvalid", 400],
    ["chunked, gzip", "codingNotFinal", 400],
    ["gzip", "codingNotFinal", 400],
    ["identity", "codingNotFinal", 400],
    ["xchunked", "codingNotFinal", 400],
    ["chunked, identity", "codingNotFinal", 400],
    ["gzip, chunked", "codingUnknown", 501],
    ["identity, chunked", "codingUnknown", 501],
  ])("Transfer-Encoding: %s is refused", (coding, name, status) => {
    expect(play(post(`Transfer-Encoding: ${coding}`) + CHUNKS)).toEqual(refused(name, status));
  });
  test("Transfer-Encoding on several lines is one list", () => {
    expect(play(post("Transfer-Encoding: gzip", "Transfer-Encoding: chunked") + CHUNKS)).toEqual(refused("codingUnknown", 501));
    expect(play(post("Transfer-Encoding: chunked", "Transfer-Encoding: identity") + CHUNKS)).toEqual(refused("codingNotFinal"));
    expect(play(post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked") + CHUNKS)).toEqual(refused("codingInvalid"));
  });
  test.each(["\x0bchunked", "chunked\x0c", "chunked\0", "chun\rked"])("Transfer-Encoding: %j is refused", (coding) => {
    expect(play(post(`Transfer-Encoding: ${coding}`) + CHUNKS)[0]).toMatch(/^closed (fieldValueInvalid|bareCr)$/);
  });
  test("Transfer-Encoding and Content-Length together are refused, in either order (rfc9112#6.1)", () => {
    expect(play(post("Transfer-Encoding: chunked", "Content-Length: 3") + CHUNKS)).toEqual(refused("lengthAndCoding"));
    expect(play(post("Content-Length: 13", "Transfer-Encoding: chunked") + CHUNKS)).toEqual(refused("lengthAndCoding"));
    expect(play(post("Content-Length: x", "Transfer-Encoding: x") + CHUNKS)).toEqual(refused("lengthAndCoding"));
  });
  test("Transfer-Encoding from HTTP/1.0 is refused (rfc9112#6.1)", () => {
    expect(play(head("POST / HTTP/1.0", "Transfer-Encoding: chunked") + CHUNKS)).toEqual(refused("codingFromHttp10"));
    expect(play(head("POST / HTTP/1.0", "Transfer-Encoding: chunked", "Content-Length: 13") + CHUNKS)).toEqual(refused("codingFromHttp10"));
  });
  test.each(["+3", "-3", "3 3", "0x3", "3a", "", "3.0", "3e0", "\xb3", "3;", "three", "3, x", "3,, 3x"])(
    "Content-Length: %s is refused",
    (length) => {
      expect(play(`${post(`Content-Length: ${length}`)}abc`)).toEqual(refused("contentLengthInvalid"));
    },
  );
  test("a repeated Content-Length is refused, on two lines or in one", () => {
    expect(play(`${post("Content-Length: 3", "Content-Length: 3")}abc`)).toEqual(refused("contentLengthRepeated"));
    expect(play(`${post("Content-Length: 3", "Content-Length: 4")}abc`)).toEqual(refused("contentLengthRepeated"));
    expect(play(`${post("Content-Length: 3, 3")}abc`)).toEqual(refused("contentLengthRepeated"));
    expect(play(`${post("Content-Length: 3", "Content-Length: x")}abc`)).toEqual(refused("contentLengthInvalid"));
  });
  test("a length beyond exact integers is too large, not invalid (rfc9110#8.6)", () => {
    expect(play(post("Content-Length: 18446744073709551617"))).toEqual(refused("contentTooLarge", 413));
    expect(play(`${post("Content-Length: 00000000000000000000003")}abc`)).toEqual(["request 1 POST /", "data 1 abc end"]);
  });
  test("content over the limit is refused: by its length, or as it arrives", () => {
    const limits = { contentOctets: 4 };
    expect(play(`${post("Content-Length: 4")}abcd`, { limits })).toEqual(["request 1 POST /", "data 1 abcd end"]);
    expect(play(post("Content-Length: 5"), { limits })).toEqual(refused("contentTooLarge", 413));
    expect(play(`${post("Transfer-Encoding: chunked")}4\r\nabcd\r\n1\r\n`, { limits })).toEqual([
      "request 1 POST /",
      "data 1 abcd",
      "failed 1 contentTooLarge",
      ...refused("contentTooLarge", 413),
    ]);
  });
});

describe("the end of a response (rfc9112#6.3)", () => {
  test("HEAD, 204, 304: after the head, whatever its fields", () => {
    const fields = ["Content-Length: 3", "Transfer-Encoding: chunked"];
    expect(playResponse(ok(...fields), {}, "HEAD")).toEqual(["response 1 200 end", "done 1"]);
    expect(playResponse(head("HTTP/1.1 204 No Content", ...fields))).toEqual(["response 1 204 end", "done 1"]);
    expect(playResponse(head("HTTP/1.1 304 Not Modified", "Content-Length: 3"))).toEqual(["response 1 304 end", "done 1"]);
  });
  test("Content-Length, chunks with trailers", () => {
    expect(playResponse(`${ok("Content-Length: 3")}abc`)).toEqual(["response 1 200", "data 1 abc end", "done 1"]);
    expect(playResponse(`${ok("Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\nX: y\r\n\r\n`)).toEqual([
      "response 1 200",
      "data 1 abc",
      "trailers 1 x=y",
      "done 1",
    ]);
  });
  test.each([
    [["X: y"], "without a length"],
    [["Transfer-Encoding: gzip"], "with a coding that is not chunked"],
    [["Transfer-Encoding: chunked, gzip"], "chunked, but not last"],
  ])("%j: the end of the connection", (fields) => {
    const rig = client();
    rig.ask();
    expect(rig.receives(`${ok(...fields)}abc`)).toEqual(["response 1 200", "data 1 abc"]);
    expect(rig.c.accepting).toBe(false);
    expect(rig.ended()).toEqual(["data 1  end", "done 1", "closed"]);
  });
  test.each([
    [["Transfer-Encoding: chunked", "Content-Length: 3"], "lengthAndCoding"],
    [["Content-Length: 3", "Content-Length: 4"], "contentLengthRepeated"],
    [["Content-Length: 3, 3"], "contentLengthRepeated"],
    [["Content-Length: -3"], "contentLengthInvalid"],
    [["Content-Length: "], "contentLengthInvalid"],
    [["Transfer-Encoding: "], "codingInvalid"],
    [["Content-Length: 99999999999999999999"], "contentTooLarge"],
  ])("%j is refused", (fields, name) => {
    expect(playResponse(`${ok(...fields)}abc`)).toEqual(failed(name));
  });
  test("chunks from HTTP/1.0 are refused", () => {
    expect(playResponse(head("HTTP/1.0 200 OK", "Transfer-Encoding: chunked") + CHUNKS)).toEqual(failed("codingFromHttp10"));
  });
  test.each([
    [`${ok("Content-Length: 5")}abc`, ["response 1 200", "data 1 abc"]],
    [`${ok("Transfer-Encoding: chunked")}3\r\nabc\r\n`, ["response 1 200", "data 1 abc"]],
    [`${ok("Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\n`, ["response 1 200", "data 1 abc"]],
    [ok("Content-Length: 5").slice(0, -2), []],
    ["HTTP/1.1 2", []],
    [head("HTTP/1.1 103 Early Hints"), ["interim 1 103"]],
  ])("%j is incomplete (rfc9112#8)", (message, events) => {
    const rig = client();
    rig.ask();
    expect(rig.receives(message)).toEqual(events);
    expect(rig.ended()).toEqual(failed("endedEarly"));
  });
});

test("content that ends early is not read as another message: the server waits for the rest", () => {
  const rig = server();
  expect(rig.receives(`${post("Content-Length: 60")}${get()}`)).toEqual(["request 1 POST /", `data 1 ${get()}`]);
});
