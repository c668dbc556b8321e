import { describe, expect, test } from "vitest";
import { answered, client, fieldList, get, head, id, octets, ok, post, server, type Rig } from "./testing.ts";

const length = (count: number) => fieldList([["Content-Length", String(count)]]);
/** A server that has received one request. */
function asked(message = get()): Rig {
  const rig = server();
  rig.receives(message);
  return rig;
}

describe("server: the framing of a response (rfc9112#6)", () => {
  test("by its content-length", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, length(3), false);
    rig.c.data(id(1), octets("ab"), false);
    rig.c.data(id(1), octets("c"), true);
    expect(rig.out()).toBe(answered("abc"));
  });
  test("in chunks without a content-length, with trailers if there are any", () => {
    const rig = asked(get() + get());
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets("a"), false);
    rig.c.data(id(1), octets(""), false);
    rig.c.data(id(1), octets("b".repeat(17)), true);
    rig.c.respond(id(2), 200, [], false);
    rig.c.trailers(id(2), fieldList([["X", "y"]]));
    const chunkedHead = head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked");
    expect(rig.out()).toBe(`${chunkedHead}1\r\na\r\n11\r\n${"b".repeat(17)}\r\n0\r\n\r\n${chunkedHead}0\r\nX: y\r\n\r\n`);
    expect(rig.told()).toEqual(["done 1", "done 2"]);
  });
  test("Content-Length: 0 without content, except for HEAD, 204 and 304", () => {
    expect(playAnswer(get(), 200, [])).toBe(head("HTTP/1.1 200 OK", "Content-Length: 0"));
    expect(playAnswer(get(), 204, [])).toBe(head("HTTP/1.1 204 No Content"));
    expect(playAnswer(get(), 204, [["Content-Length", "0"]])).toBe(head("HTTP/1.1 204 No Content"));
    expect(playAnswer(get(), 304, [["Content-Length", "5"]])).toBe(head("HTTP/1.1 304 Not Modified", "Content-Length: 5"));
    expect(playAnswer(get(), 304, [])).toBe(head("HTTP/1.1 304 Not Modified"));
    const HEAD = head("HEAD / HTTP/1.1", "Host: a");
    expect(playAnswer(HEAD, 200, [["Content-Length", "5"]])).toBe(head("HTTP/1.1 200 OK", "Content-Length: 5"));
    expect(playAnswer(HEAD, 200, [])).toBe(head("HTTP/1.1 200 OK"));
    expect(playAnswer(get(), 999, [])).toBe(head("HTTP/1.1 999 ", "Content-Length: 0"));
  });
  function playAnswer(message: string, status: number, fields: readonly (readonly [string, string])[]): string {
    const rig = asked(message);
    rig.c.respond(id(1), status, fieldList(fields), true);
    expect(rig.told()).toEqual(["done 1"]);
    return rig.out();
  }
  test("a response to HEAD with `end` false has no content", () => {
    const rig = asked(head("HEAD / HTTP/1.1", "Host: a"));
    rig.c.respond(id(1), 200, [], false);
    expect(() => rig.c.data(id(1), octets("a"), true)).toThrow("no content");
    rig.c.data(id(1), octets(""), true);
    expect([rig.out(), rig.told()]).toEqual([head("HTTP/1.1 200 OK"), ["done 1"]]);
  });
  test("trailers without chunks are dropped", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, length(1), false);
    rig.c.data(id(1), octets("a"), false);
    rig.c.trailers(id(1), fieldList([["X", "y"]]));
    expect([rig.out(), rig.told()]).toEqual([answered("a"), ["done 1"]]);
  });
  test("interim responses to HTTP/1.0 are dropped", () => {
    const rig = asked(head("GET / HTTP/1.0"));
    rig.c.interim(id(1), 103, []);
    expect(rig.out()).toBe("");
  });
  test("large content leaves as the given view", () => {
    const rig = asked();
    const large = new Uint8Array(5_000);
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), large, true);
    const pieces = rig.c.take();
    expect(pieces.length).toBe(3);
    expect(pieces[1]).toBe(large);
  });
  test("field names are sent as given, values as octets", () => {
    const rig = asked();
    rig.c.respond(
      id(1),
      200,
      fieldList([
        ["x-LOWER", "\xe9"],
        ["X-Empty", ""],
      ]),
      true,
    );
    expect(rig.out()).toBe(head("HTTP/1.1 200 OK", "x-LOWER: \xe9", "X-Empty: ", "Content-Length: 0"));
  });
});

describe("queued content", () => {
  test("`data` returns false above the mark; `writable` follows once it is taken", () => {
    const rig = server({ limits: { highWater: 10 } });
    rig.receives(get());
    rig.c.respond(id(1), 200, length(1_000), false);
    rig.out();
    expect(rig.c.data(id(1), octets("x".repeat(10)), false)).toBe(true);
    expect(rig.c.data(id(1), octets("x"), false)).toBe(false);
    expect(rig.c.queued).toBe(11);
    expect(rig.told()).toEqual([]);
    rig.out();
    expect([rig.told(), rig.c.queued]).toEqual([["writable 1"], 0]);
    rig.out();
    expect(rig.told()).toEqual([]);
  });
  test("of a later response waits for its turn first", () => {
    const rig = server({ limits: { highWater: 10 } });
    rig.receives(get() + get());
    rig.c.respond(id(2), 200, [], false);
    expect(rig.c.data(id(2), octets("x"), false)).toBe(false);
    rig.out();
    expect(rig.told()).toEqual([]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1"]);
    rig.out();
    expect(rig.told()).toEqual(["writable 2"]);
  });
  test("an ended exchange gets no `writable`", () => {
    const rig = server({ limits: { highWater: 10 } });
    rig.receives(get());
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets("x".repeat(20)), false);
    rig.c.data(id(1), octets("x"), true);
    rig.out();
    expect(rig.told()).toEqual(["done 1"]);
    const other = client({ limits: { highWater: 10 } });
    const upload = other.c.request({ method: "POST", target: "/" }, fieldList([["Host", "a"]]), false);
    expect(other.c.data(upload, octets("x".repeat(20)), true)).toBe(false);
    other.out();
    expect(other.told()).toEqual([]);
  });
});

describe("server: wrong actions", () => {
  const cases: readonly (readonly [string, (rig: Rig) => unknown, string])[] = [
    ["an unknown exchange", ({ c }) => c.respond(id(2), 200, [], true), "does not exist"],
    ["exchange 0", ({ c }) => c.respond(id(0), 200, [], true), "does not exist"],
    ["an interim status as final", ({ c }) => c.respond(id(1), 199, [], true), "not a final status"],
    ["a status that is not an integer", ({ c }) => c.respond(id(1), 200.5, [], true), "not a final status"],
    ["a final status as interim", ({ c }) => c.interim(id(1), 200, []), "not an interim status"],
    ["101 as interim", ({ c }) => c.interim(id(1), 101, []), "not an interim status"],
    ["content before its head", ({ c }) => c.data(id(1), octets("a"), true), "has not begun"],
    ["trailers before the head", ({ c }) => c.trailers(id(1), []), "has not begun"],
    ["an invalid field name", ({ c }) => c.respond(id(1), 200, fieldList([["a b", "c"]]), true), "not a field name"],
    ["a line end in a value", ({ c }) => c.respond(id(1), 200, fieldList([["a", "b\r\nc: d"]]), true), "must not be sent"],
    ["a bare CR in a value", ({ c }) => c.interim(id(1), 103, fieldList([["a", "b\rc"]])), "must not be sent"],
    ["characters beyond octets", ({ c }) => c.respond(id(1), 200, fieldList([["a", "\u0100"]]), true), "must not be sent"],
    [
      "Transfer-Encoding",
      ({ c }) => c.respond(id(1), 200, fieldList([["Transfer-Encoding", "chunked"]]), true),
      "sets transfer-encoding itself",
    ],
    ["an invalid length", ({ c }) => c.respond(id(1), 200, fieldList([["Content-Length", "x"]]), true), "is not a length"],
    ["two lengths", ({ c }) => c.respond(id(1), 200, [...length(1), ...length(1)], false), "given once"],
    ["a length without its content", ({ c }) => c.respond(id(1), 200, length(1), true), "has no content"],
    ["invalid Connection options", ({ c }) => c.respond(id(1), 200, fieldList([["Connection", "a b"]]), true), "not a list of options"],
    ["a switch that was not offered", ({ c }) => c.switchTo(id(1), 101, []), "has offered no protocol"],
    ["a switch with another status", ({ c }) => c.switchTo(id(1), 200, []), "does not switch"],
    ["a request", (rig) => rig.ask(), "a server sends no requests"],
  ];
  test.each(cases)("%s: throws, writes nothing, and the connection continues", (_name, wrong, why) => {
    const rig = asked();
    expect(() => wrong(rig)).toThrow(why);
    expect([rig.out(), rig.told()]).toEqual(["", []]);
    rig.answer(1);
    expect([rig.out(), rig.told()]).toEqual([answered(), ["done 1"]]);
  });
  test("2xx to CONNECT by `respond`, or another status by `switchTo`: throws", () => {
    const rig = asked(head("CONNECT a:1 HTTP/1.1", "Host: a:1"));
    expect(() => rig.c.respond(id(1), 200, [], true)).toThrow("switchTo");
    expect(() => rig.c.switchTo(id(1), 101, [])).toThrow("does not switch");
  });
  test("after the response has begun: another or an interim one, or more or less content than its length, throws", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, length(2), false);
    expect(() => rig.answer(1)).toThrow("already has a response");
    expect(() => rig.c.interim(id(1), 103, [])).toThrow("final one, which has begun");
    expect(() => rig.c.data(id(1), octets("abc"), false)).toThrow("does not match");
    expect(() => rig.c.data(id(1), octets("a"), true)).toThrow("does not match");
    expect(() => rig.c.trailers(id(1), [])).toThrow("does not match");
    rig.c.data(id(1), octets("ab"), true);
    expect(rig.out()).toBe(answered("ab"));
  });
  test("invalid trailers: throw", () => {
    const rig = asked();
    rig.c.respond(id(1), 200, [], false);
    rig.out();
    for (const [name, why] of [
      ["Host", "cannot be trailers"],
      ["Connection", "cannot be trailers"],
      ["Transfer-Encoding", "sets transfer-encoding itself"],
    ] as const) {
      expect(() => rig.c.trailers(id(1), fieldList([[name, "close"]]))).toThrow(why);
      expect(rig.out()).toBe("");
    }
  });
  test("an action on an exchange that has just ended is ignored", () => {
    const rig = asked();
    rig.answer(1);
    rig.out();
    rig.answer(1);
    expect(rig.c.data(id(1), octets("a"), false)).toBe(true);
    rig.c.interim(id(1), 103, []);
    rig.c.trailers(id(1), []);
    rig.c.switchTo(id(1), 101, []);
    rig.c.abandon(id(1));
    rig.c.consumed(id(1), 5);
    expect([rig.out(), rig.told()]).toEqual(["", ["done 1"]]);
  });
});

describe("client: requests", () => {
  const host = ["Host", "a"] as const;
  test("content that does not match its content-length: throws", () => {
    const rig = client();
    const sized = rig.c.request({ method: "PUT", target: "/" }, fieldList([host, ["Content-Length", "2"]]), false);
    expect(() => rig.c.data(sized, octets("abc"), false)).toThrow("does not match");
    expect(() => rig.c.data(sized, octets("a"), true)).toThrow("does not match");
    rig.c.data(sized, octets("ab"), true);
  });
  test("without content, with a length, in chunks, with trailers", () => {
    const rig = client();
    rig.ask();
    rig.ask("POST");
    const sized = rig.c.request({ method: "PUT", target: "/x?y" }, fieldList([host, ["Content-Length", "3"]]), false);
    rig.c.data(sized, octets("abc"), true);
    const streamed = rig.c.request({ method: "POST", target: "*" }, fieldList([host]), false);
    rig.c.data(streamed, octets("abc"), false);
    rig.c.trailers(streamed, fieldList([["X", "y"]]));
    expect(rig.out()).toBe(
      `${get()}${post("Content-Length: 0")}${head("PUT /x?y HTTP/1.1", "Host: a", "Content-Length: 3")}abc` +
        `${head("POST * HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\nX: y\r\n\r\n`,
    );
  });
  test("one at a time without pipelining: `idle` says when", () => {
    const rig = client();
    expect([rig.c.idle, rig.c.accepting]).toEqual([true, true]);
    rig.ask();
    expect([rig.c.idle, rig.c.accepting]).toEqual([false, true]);
    rig.receives(ok("Content-Length: 0"));
    expect(rig.c.idle).toBe(true);
  });
  test("a response before the request is complete: the rest of the request is still sent", () => {
    const rig = client();
    const upload = rig.c.request({ method: "POST", target: "/" }, fieldList([host, ["Content-Length", "3"]]), false);
    expect(rig.receives(ok("Content-Length: 0"))).toEqual(["response 1 200 end"]);
    expect(rig.c.idle).toBe(false);
    rig.c.data(upload, octets("abc"), true);
    expect(rig.told()).toEqual(["done 1"]);
    expect(rig.c.idle).toBe(true);
  });
  test("a closing response before the request is complete: no more of the request is sent (rfc9112#9.5)", () => {
    const rig = client();
    const upload = rig.c.request({ method: "POST", target: "/" }, fieldList([host]), false);
    rig.out();
    expect(rig.receives(ok("Content-Length: 0", "Connection: close"))).toEqual(["response 1 200 end", "done 1", "closed"]);
    expect(rig.c.data(upload, octets("abc"), true)).toBe(true);
    expect(rig.out()).toBe("");
  });
  test("the peer's end after a response, before the request is complete: the response is complete", () => {
    const rig = client();
    rig.c.request({ method: "POST", target: "/" }, fieldList([host]), false);
    rig.receives(ok("Content-Length: 0"));
    expect(rig.ended()).toEqual(["done 1", "closed"]);
  });
  const wrong: readonly (readonly [string, (rig: Rig) => unknown, string])[] = [
    ["an invalid method", ({ c }) => c.request({ method: "G T", target: "/" }, fieldList([host]), true), "not a method"],
    ["an empty target", ({ c }) => c.request({ method: "GET", target: "" }, fieldList([host]), true), "not a request target"],
    [
      "a space in the target",
      ({ c }) => c.request({ method: "GET", target: "/ HTTP/1.1" }, fieldList([host]), true),
      "not a request target",
    ],
    ["a line end in the target", ({ c }) => c.request({ method: "GET", target: "/\r\n" }, fieldList([host]), true), "not a request target"],
    [
      "octets beyond ASCII in the target",
      ({ c }) => c.request({ method: "GET", target: "/\xe9" }, fieldList([host]), true),
      "not a request target",
    ],
    [
      "characters beyond octets",
      ({ c }) => c.request({ method: "GET", target: "/\u2028" }, fieldList([host]), true),
      "not a request target",
    ],
    ["CONNECT with content", ({ c }) => c.request({ method: "CONNECT", target: "a:1" }, fieldList([host]), false), "has no content"],
    ["no Host", ({ c }) => c.request({ method: "GET", target: "/" }, [], true), "one Host"],
    ["two", ({ c }) => c.request({ method: "GET", target: "/" }, fieldList([host, host]), true), "one Host"],
    [
      "a length without content",
      ({ c }) => c.request({ method: "GET", target: "/" }, fieldList([host, ["Content-Length", "1"]]), true),
      "no content",
    ],
    ["a response", ({ c }) => c.respond(id(1), 200, [], true), "a client sends no responses"],
    ["an interim response", ({ c }) => c.interim(id(1), 103, []), "a client sends no responses"],
    ["a switch", ({ c }) => c.switchTo(id(1), 101, []), "a client sends no responses"],
  ];
  test.each(wrong)("%s: throws and writes nothing", (_name, ask, why) => {
    const rig = client();
    expect(() => ask(rig)).toThrow(why);
    expect(rig.out()).toBe("");
    rig.ask();
    expect(rig.out()).toBe(get());
  });
  test("a request while another's content is incomplete: throws", () => {
    const rig = client();
    rig.c.request({ method: "POST", target: "/" }, fieldList([host]), false);
    expect(() => rig.ask()).toThrow("no further request");
  });
  test.each([
    ["has begun", ok("Content-Length: 3")],
    ["is complete", ok("Content-Length: 0")],
  ])("a request while another's content is incomplete, and its response %s: throws", (_when, response) => {
    const rig = client();
    const post = rig.c.request({ method: "POST", target: "/" }, fieldList([host]), false);
    rig.receives(response);
    expect(rig.c.accepting).toBe(true);
    expect(() => rig.ask()).toThrow("no further request");
    rig.c.data(post, octets(""), true);
    expect(rig.ask()).toBe(2);
  });
  test("chunks to a server that speaks HTTP/1.0: throw", () => {
    const rig = client();
    rig.ask();
    rig.receives(head("HTTP/1.0 200 OK", "Connection: keep-alive", "Content-Length: 0"));
    rig.out();
    expect(() => rig.c.request({ method: "POST", target: "/" }, fieldList([host]), false)).toThrow("HTTP/1.0");
    expect(rig.out()).toBe("");
  });
});
