import { describe, expect, test } from "vitest";
import { answered, client, fieldList, get, head, id, octets, ok, post, server } from "./testing.ts";

const CLOSE = "Connection: close";

describe("server: how long the connection lasts (rfc9112#9.3)", () => {
  test.each([
    ["HTTP/1.1", [], true],
    ["HTTP/1.1", ["Connection: keep-alive"], true],
    ["HTTP/1.1", ["Connection: close"], false],
    ["HTTP/1.1", ["Connection: Close"], false],
    ["HTTP/1.1", ["Connection: x, close"], false],
    ["HTTP/1.1", ["Connection: keep-alive", "Connection: close"], false],
    ["HTTP/1.1", ["Connection: closed, x-close"], true],
    ["HTTP/1.0", [], false],
    ["HTTP/1.0", ["Connection: keep-alive"], true],
    ["HTTP/1.0", ["Connection: Keep-Alive, x"], true],
    ["HTTP/1.0", ["Connection: keep-alive, close"], false],
    ["HTTP/1.0", ["Keep-Alive: timeout=5"], false],
  ])("%s with %j persists: %s", (version, fields, persists) => {
    const rig = server();
    rig.receives(head(`GET / ${version}`, "Host: a", ...fields));
    rig.answer(1);
    expect(rig.told()).toEqual(persists ? ["done 1"] : ["done 1", "closed"]);
    const connection = /Connection: (\S+)/.exec(rig.out())?.[1];
    expect(connection).toBe(persists ? (version === "HTTP/1.0" ? "keep-alive" : undefined) : "close");
    expect(rig.receives(get())).toEqual(persists ? ["request 2 GET / end"] : []);
  });
  test("after `close` from the client no further request is accepted, not even one that arrived with it", () => {
    const rig = server();
    expect(rig.receives(get(CLOSE) + get())).toEqual(["request 1 GET / end"]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed"]);
  });
  test("the owner sends Connection: close: later responses are not sent", () => {
    const rig = server();
    rig.receives(get() + get());
    rig.answer(2, "two");
    rig.c.respond(id(1), 200, fieldList([["connection", "close"]]), true);
    expect(rig.told()).toEqual(["done 1", "closed"]);
    expect(rig.out()).toBe(head("HTTP/1.1 200 OK", CLOSE, "Content-Length: 0"));
  });
  test("the owner's Connection options are sent with the machine's", () => {
    const rig = server();
    rig.receives(get() + get(CLOSE));
    rig.c.respond(
      id(1),
      426,
      fieldList([
        ["Upgrade", "h2c"],
        ["Connection", "upgrade, keep-alive"],
      ]),
      true,
    );
    rig.c.respond(
      id(2),
      200,
      fieldList([
        ["Connection", "x"],
        ["Connection", "y"],
      ]),
      true,
    );
    expect(rig.out()).toBe(
      head("HTTP/1.1 426 Upgrade Required", "Upgrade: h2c", "Connection: upgrade", "Content-Length: 0") +
        head("HTTP/1.1 200 OK", "Connection: close, x, y", "Content-Length: 0"),
    );
  });
  test("to HTTP/1.0, content without a length ends with the connection", () => {
    const rig = server();
    rig.receives(head("GET / HTTP/1.0", "Connection: keep-alive"));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets("abc"), true);
    expect(rig.told()).toEqual(["done 1", "closed"]);
    expect(rig.out()).toBe(`${head("HTTP/1.1 200 OK", CLOSE)}abc`);
  });
  test("the last request that the limit allows is answered with `close`", () => {
    const rig = server({ limits: { requests: 2 } });
    expect(rig.receives(get().repeat(3))).toEqual(["request 1 GET / end", "request 2 GET / end"]);
    rig.answer(1);
    rig.answer(2);
    expect(rig.out()).toBe(answered() + answered("", "200 OK", CLOSE));
    expect(rig.told()).toEqual(["done 1", "done 2", "closed"]);
  });
});

describe("server: shutdown", () => {
  test("between requests: the connection ends at once", () => {
    const rig = server();
    rig.c.shutdown();
    expect([rig.told(), rig.out()]).toEqual([["closed"], ""]);
    rig.c.shutdown();
    expect(rig.told()).toEqual([]);
  });
  test("open requests are answered, the last one with close; later ones are ignored", () => {
    const rig = server();
    rig.receives(get() + get());
    rig.c.shutdown();
    expect(rig.receives(get())).toEqual([]);
    rig.answer(1);
    rig.answer(2);
    expect(rig.told()).toEqual(["done 1", "done 2", "closed"]);
    expect(rig.out()).toBe(answered() + answered("", "200 OK", CLOSE));
  });
  test("a request that has begun to arrive counts as open", () => {
    const rig = server();
    rig.receives("GET / HT");
    rig.c.shutdown();
    expect(rig.told()).toEqual([]);
    expect(rig.receives("TP/1.1\r\nHost: a\r\n\r\n" + get())).toEqual(["request 1 GET / end"]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed"]);
    expect(rig.out()).toBe(answered("", "200 OK", CLOSE));
  });
  test("content that has begun is received to its end", () => {
    const rig = server();
    rig.receives(`${post("Content-Length: 5")}ab`);
    rig.c.shutdown();
    expect(rig.receives("cde")).toEqual(["data 1 cde end"]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed"]);
  });
  test("after a response whose head has left without close, the connection ends", () => {
    const rig = server();
    rig.receives(get());
    rig.c.respond(id(1), 200, [], false);
    rig.c.shutdown();
    rig.c.data(id(1), octets("a"), true);
    expect(rig.told()).toEqual(["done 1", "closed"]);
  });
});

describe("server: the peer ends its half (rfc9112#9.6)", () => {
  test("between requests, or before the first: closed", () => {
    expect(server().ended()).toEqual(["closed"]);
    const rig = server();
    rig.receives(get());
    rig.answer(1);
    rig.told();
    expect(rig.ended()).toEqual(["closed"]);
    expect(rig.ended()).toEqual([]);
  });
  test("after a request: it is still answered", () => {
    const rig = server();
    rig.receives(get());
    expect([rig.ended(), rig.c.wants]).toEqual([["half-closed"], false]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed"]);
    expect(rig.out()).toBe(answered("", "200 OK", CLOSE));
  });
  test.each(["G", "GET / HTTP/1.1\r\nHo", "\r\n\r"])("within a head: refused, never treated as a request: %j", (start) => {
    const rig = server();
    rig.receives(start);
    expect(rig.ended()).toEqual(["closed endedEarly"]);
    expect(rig.out()).toContain("HTTP/1.1 400");
  });
  test("within content: the exchange fails", () => {
    const rig = server();
    rig.receives(`${post("Content-Length: 5")}ab`);
    expect(rig.ended()).toEqual(["failed 1 endedEarly", "closed endedEarly"]);
  });
});

describe("abandon", () => {
  test("server: the response stays incomplete, and the connection ends", () => {
    const rig = server();
    rig.receives(get() + get());
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets("a"), false);
    rig.c.abandon(id(1));
    expect(rig.told()).toEqual(["closed"]);
    expect(rig.out()).toBe(`${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}1\r\na\r\n`);
    rig.answer(2);
    expect(rig.out()).toBe("");
  });
  test("server: earlier responses are still sent", () => {
    const rig = server();
    rig.receives(get() + get());
    rig.c.abandon(id(2));
    expect(rig.told()).toEqual([]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed"]);
  });
  test("server: content of an abandoned exchange is no longer reported", () => {
    const rig = server();
    rig.receives(`${get()}${post("Content-Length: 5")}ab`);
    rig.c.abandon(id(2));
    expect(rig.receives("cde")).toEqual([]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed"]);
  });
  test("client: the connection is over, and later requests are unanswered", () => {
    const rig = client();
    rig.ask();
    rig.ask();
    rig.c.abandon(id(1));
    expect(rig.told()).toEqual(["unanswered 2", "closed"]);
  });
  test("client: a response that had begun has failed, without a fault of the server", () => {
    const rig = client();
    rig.ask();
    rig.ask();
    rig.receives(`${ok("Content-Length: 5")}ab`);
    rig.c.abandon(id(2));
    expect(rig.told()).toEqual(["failed 1", "closed"]);
  });
});

describe("client: how long the connection lasts", () => {
  test.each([
    ["HTTP/1.1", [], true],
    ["HTTP/1.1", ["Connection: close"], false],
    ["HTTP/1.1", ["Connection: not a list"], false],
    ["HTTP/1.0", [], false],
    ["HTTP/1.0", ["Connection: keep-alive"], true],
  ])("%s with %j persists: %s", (version, fields, persists) => {
    const rig = client();
    rig.ask();
    expect([rig.c.idle, rig.c.accepting]).toEqual([false, true]);
    expect(rig.receives(head(`${version} 200 OK`, "Content-Length: 0", ...fields))).toEqual([
      "response 1 200 end",
      "done 1",
      ...(persists ? [] : ["closed"]),
    ]);
    expect([rig.c.idle, rig.c.accepting]).toEqual([persists, persists]);
  });
  test("requests after a response with close are unanswered", () => {
    const rig = client();
    for (let i = 0; i < 3; i++) rig.ask();
    expect(rig.receives(ok("Content-Length: 1", CLOSE) + "x" + ok("Content-Length: 0"))).toEqual([
      "response 1 200",
      "data 1 x end",
      "done 1",
      "unanswered 2",
      "unanswered 3",
      "closed",
    ]);
  });
  test("our request with close is the last", () => {
    const rig = client();
    rig.ask("GET", ["Connection", "close"]);
    expect(rig.out()).toBe(get(CLOSE));
    expect([rig.c.idle, rig.c.accepting]).toEqual([false, false]);
    expect(rig.receives(ok("Content-Length: 0"))).toEqual(["response 1 200 end", "done 1", "closed"]);
  });
  test("shutdown waits for open responses", () => {
    const rig = client();
    rig.ask();
    rig.c.shutdown();
    expect([rig.told(), rig.c.accepting]).toEqual([[], false]);
    expect(rig.receives(ok("Content-Length: 0"))).toEqual(["response 1 200 end", "done 1", "closed"]);
    const other = client();
    other.c.shutdown();
    expect(other.told()).toEqual(["closed"]);
  });
  test("the peer's end before a response leaves the request unanswered; between requests it is regular", () => {
    const rig = client();
    expect(client().ended()).toEqual(["closed"]);
    rig.ask();
    rig.ask();
    expect(rig.ended()).toEqual(["unanswered 1", "unanswered 2", "closed"]);
  });
  test("octets without a request end the connection; empty lines do not (rfc9112#9.2)", () => {
    const rig = client();
    rig.ask();
    rig.receives(ok("Content-Length: 0"));
    expect([rig.receives("\r\n"), rig.c.idle]).toEqual([[], true]);
    expect(rig.receives("HTTP/1.1 408 Request Timeout\r\n")).toEqual(["closed responseUnasked"]);
    expect([rig.c.idle, rig.c.accepting]).toEqual([false, false]);
  });
});
