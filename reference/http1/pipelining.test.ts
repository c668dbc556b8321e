import type { Declined } from "./contract.ts";
import { describe, expect, test } from "vitest";
import { answered, chunked, fieldList, firstLine, get, head, id, octets, post, refusal, server } from "./testing.ts";

describe("pipelined requests (rfc9112#9.3.2)", () => {
  test("responses leave in the order of the requests, in whatever order they are given", () => {
    const rig = server();
    rig.receives(get() + get() + get());
    rig.answer(3, "three");
    rig.answer(2, "two");
    expect([rig.told(), rig.out()]).toEqual([[], ""]);
    rig.answer(1, "one");
    expect(rig.told()).toEqual(["done 1", "done 2", "done 3"]);
    expect(rig.out()).toBe(answered("one") + answered("two") + answered("three"));
  });
  test("a response continues once the one before it is complete", () => {
    const rig = server();
    rig.receives(get() + get());
    rig.c.respond(id(2), 200, [], false);
    rig.c.data(id(2), octets("ab"), false);
    rig.c.respond(id(1), 200, fieldList([["Content-Length", "2"]]), false);
    rig.c.data(id(1), octets("x"), false);
    expect(rig.out()).toBe(`${head("HTTP/1.1 200 OK", "Content-Length: 2")}x`);
    rig.c.data(id(1), octets("y"), true);
    expect(rig.out()).toBe(`y${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}2\r\nab\r\n`);
    rig.c.data(id(2), octets("c"), true);
    expect(rig.out()).toBe("1\r\nc\r\n0\r\n\r\n");
    expect(rig.told()).toEqual(["done 1", "done 2"]);
  });
  test("interim responses keep the order too", () => {
    const rig = server();
    rig.receives(get() + get());
    rig.c.interim(id(2), 103, fieldList([["Link", "</a>"]]));
    expect(rig.out()).toBe("");
    rig.answer(1);
    expect(rig.out()).toBe(answered() + head("HTTP/1.1 103 Early Hints", "Link: </a>"));
  });
  test("content is reported while earlier responses are owed", () => {
    const rig = server();
    expect(rig.receives(`${get()}${post("Content-Length: 3")}abc`)).toEqual(["request 1 GET / end", "request 2 POST /", "data 2 abc end"]);
  });
  test("requests beyond the limit are not wanted, and follow when there is room", () => {
    const rig = server({ limits: { pipelined: 2 } });
    expect(rig.receives(get().repeat(4))).toEqual(["request 1 GET / end", "request 2 GET / end"]);
    expect(rig.c.wants).toBe(false);
    rig.answer(2);
    expect([rig.told(), rig.c.wants]).toEqual([[], false]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "done 2", "request 3 GET / end", "request 4 GET / end"]);
    expect(rig.c.wants).toBe(false);
    rig.answer(3);
    expect([rig.told(), rig.c.wants]).toEqual([["done 3"], true]);
  });
  test("the peer's end is noticed after the waiting requests", () => {
    const rig = server({ limits: { pipelined: 1 } });
    rig.receives(get().repeat(2));
    expect(rig.ended()).toEqual(["half-closed"]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "request 2 GET / end"]);
    rig.answer(2);
    expect(rig.told()).toEqual(["done 2", "closed"]);
    expect(rig.out()).toBe(answered() + head("HTTP/1.1 200 OK", "Content-Length: 0", "Connection: close"));
  });
});

describe("a refusal, with responses still owed", () => {
  test("follows them, and nothing follows it", () => {
    const rig = server();
    expect(rig.receives(`${get()}${get()}${get("X : y")}${get()}`)).toEqual(["request 1 GET / end", "request 2 GET / end"]);
    expect(rig.out()).toBe("");
    rig.answer(2, "two");
    rig.answer(1, "one");
    expect(rig.told()).toEqual(["done 1", "done 2", "closed spaceBeforeColon"]);
    const out = rig.out();
    expect(out.startsWith(answered("one") + answered("two") + refusal(400))).toBe(true);
    expect(rig.receives(get())).toEqual([]);
  });
  test("replaces a response that has not begun to leave", () => {
    const rig = server();
    rig.receives(get() + chunked("1\r\na\r\n"));
    rig.c.respond(id(2), 200, [], false);
    rig.c.data(id(2), octets("never sent"), false);
    expect(rig.receives("x\r\n")).toEqual(["failed 2 chunkSizeInvalid"]);
    expect(rig.c.data(id(2), octets("let pass in silence"), true)).toBe(true);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed chunkSizeInvalid"]);
    const out = rig.out();
    expect(out.startsWith(answered() + refusal(400))).toBe(true);
    expect(out).not.toContain("never");
  });
  test("does not replace a complete response", () => {
    const rig = server();
    rig.receives(get() + chunked("1\r\na\r\n"));
    rig.answer(2, "early");
    expect(rig.receives("x\r\n")).toEqual(["failed 2 chunkSizeInvalid"]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed chunkSizeInvalid"]);
    expect(rig.out()).toBe(answered() + answered("early"));
  });
  test("a response that has begun to leave stays incomplete", () => {
    const rig = server();
    rig.receives(chunked("1\r\na\r\n"));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets("ab"), false);
    expect(rig.receives("x\r\n")).toEqual(["failed 1 chunkSizeInvalid", "closed chunkSizeInvalid"]);
    expect(rig.out()).toBe(`${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}2\r\nab\r\n`);
  });
  test("follows interim responses as the final one", () => {
    const rig = server();
    rig.receives(chunked("1\r\na\r\n"));
    rig.c.interim(id(1), 102, []);
    expect(rig.receives("x\r\n")).toEqual(["failed 1 chunkSizeInvalid", "closed chunkSizeInvalid"]);
    const out = rig.out();
    expect(out.startsWith(`HTTP/1.1 102 Processing\r\n\r\n${refusal(400)}`)).toBe(true);
  });
});

describe("unread content after its response is complete (rfc9112#9.3)", () => {
  const upload = (left: number): string => `${post(`Content-Length: ${left + 3}`)}abc`;
  test("is read, and the connection continues, if it is short", () => {
    const rig = server({ limits: { discardOctets: 10 } });
    rig.receives(upload(10));
    rig.answer(1, "early");
    expect(rig.told()).toEqual([]);
    expect(rig.receives("d".repeat(10) + get())).toEqual([`data 1 ${"d".repeat(10)} end`, "done 1", "request 2 GET / end"]);
  });
  test("ends the connection if it is long", () => {
    const rig = server({ limits: { discardOctets: 10 } });
    rig.receives(upload(11));
    rig.answer(1, "early");
    expect(rig.told()).toEqual(["failed 1", "closed"]);
    expect(rig.out()).toBe(answered("early"));
  });
  describe("and the owner has said that it reads no more", () => {
    const declined = (head: string, rest: Declined): string => {
      const rig = server({ limits: { discardOctets: 10 } });
      rig.receives(head);
      rig.c.decline(id(1), rest);
      rig.answer(1, "early");
      return rig.out();
    };
    test.each(["ignored", "refused"] as const)("%s: the response to a long one says that the connection closes", (rest) => {
      expect(declined(upload(11), rest)).toContain("\r\nConnection: close\r\n");
      expect(declined(upload(10), rest)).toBe(answered("early"));
    });
    test("refused: so it does if nobody knows how long the rest is, but not if there is none", () => {
      expect(declined(chunked("3\r\nabc\r\n"), "refused")).toContain("\r\nConnection: close\r\n");
      expect(declined(chunked("3\r\nabc\r\n0\r\n\r\n"), "refused")).toBe(answered("early"));
    });
    test("ignored: chunks may turn out short", () => {
      expect(declined(chunked("3\r\nabc\r\n"), "ignored")).toBe(answered("early"));
    });
  });
  test("ends the connection once chunks turn out long", () => {
    const rig = server({ limits: { discardOctets: 10 } });
    rig.receives(chunked("3\r\nabc\r\n"));
    rig.answer(1, "early");
    expect(rig.receives("a\r\n0123456789\r\n")).toEqual(["data 1 0123456789"]);
    expect(rig.receives("1\r\nx\r\n")).toEqual(["data 1 x", "failed 1", "closed"]);
  });
  test("is reported until then, as far as `consumed` allows", () => {
    const rig = server({ limits: { unreadOctets: 4 } });
    expect([rig.receives(`${post("Content-Length: 9")}abc`), rig.c.wants]).toEqual([["request 1 POST /", "data 1 abc"], true]);
    expect([rig.receives("de"), rig.c.wants]).toEqual([["data 1 de"], false]);
    rig.c.consumed(id(1), 1);
    expect(rig.c.wants).toBe(false);
    rig.c.consumed(id(1), 1);
    expect(rig.c.wants).toBe(true);
    expect(firstLine(rig.out())).toBe("");
  });
});
