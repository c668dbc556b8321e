import { describe, expect, test } from "vitest";
import type { Event } from "./contract.ts";
import { answered, client, fieldList, get, head, id, ok, post, refusal, server } from "./testing.ts";

const UPGRADE = ["Upgrade: x/1, y", "Connection: upgrade"] as const;
const CONNECT = head("CONNECT b:80 HTTP/1.1", "Host: b:80");
const SWITCHED = head("HTTP/1.1 101 Switching Protocols", "Upgrade: x/1", "Connection: upgrade");

describe("server: Upgrade (rfc9110#7.8)", () => {
  const offered = (...lines: readonly string[]): readonly string[] => {
    const [event] = server().events(head(...lines)) as Extract<Event, { is: "request" }>[];
    return event!.upgrade;
  };
  test("is reported if Connection names it, from HTTP/1.1 only", () => {
    expect(offered("GET / HTTP/1.1", "Host: a", ...UPGRADE)).toEqual(["x/1", "y"]);
    expect(offered("GET / HTTP/1.1", "Host: a", "Upgrade: x", "Upgrade: y", "Connection: a, UPGRADE")).toEqual(["x", "y"]);
    expect(offered("GET / HTTP/1.1", "Host: a", "Upgrade: x")).toEqual([]);
    expect(offered("GET / HTTP/1.1", "Host: a", "Connection: upgrade")).toEqual([]);
    expect(offered("GET / HTTP/1.0", ...UPGRADE)).toEqual([]);
  });
  test("101 hands over, with what followed the request", () => {
    const rig = server();
    expect(rig.receives(`${get(...UPGRADE)}GET not http`)).toEqual(["request 1 GET / end"]);
    rig.c.switchTo(id(1), 101, []);
    expect(rig.told()).toEqual(["switched 1 101 GET not http"]);
    expect(rig.out()).toBe(SWITCHED);
    expect([rig.receives(get()), rig.c.wants, rig.c.deadline]).toEqual([[], false, Number.POSITIVE_INFINITY]);
  });
  test("the event has the fields of the response", () => {
    const rig = server();
    rig.receives(get(...UPGRADE));
    const fields = fieldList([["Z", "z"]]);
    rig.c.switchTo(id(1), 101, fields);
    expect(rig.c.events()).toMatchObject([{ is: "switched", status: 101, fields }]);
  });
  test("after the response has begun: throws, and writes nothing", () => {
    const rig = server();
    rig.receives(get(...UPGRADE));
    rig.c.respond(id(1), 200, [], false);
    rig.out();
    expect(() => rig.c.switchTo(id(1), 101, [])).toThrow("already has a response");
    expect(rig.out()).toBe("");
  });
  test("the owner may name the protocol, which must have been offered", () => {
    const rig = server();
    rig.receives(get(...UPGRADE));
    expect(() => rig.c.switchTo(id(1), 101, fieldList([["Upgrade", "z"]]))).toThrow("was not offered");
    expect(rig.out()).toBe("");
    rig.c.switchTo(
      id(1),
      101,
      fieldList([
        ["Upgrade", "Y"],
        ["Connection", "upgrade"],
        ["Z", "z"],
      ]),
    );
    expect(rig.out()).toBe(head("HTTP/1.1 101 Switching Protocols", "Upgrade: Y", "Z: z", "Connection: upgrade"));
  });
  test("content of the request is reported before the hand-over, also after 101", () => {
    const rig = server();
    expect(rig.receives(`${post(...UPGRADE, "Content-Length: 3")}a`)).toEqual(["request 1 POST /", "data 1 a"]);
    rig.c.switchTo(id(1), 101, []);
    expect([rig.told(), rig.out()]).toEqual([[], SWITCHED]);
    expect(rig.receives("bcrest")).toEqual(["data 1 bc end", "switched 1 101 rest"]);
  });
  test("another status declines: the next request follows", () => {
    const rig = server();
    expect(rig.receives(get(...UPGRADE) + get())).toEqual(["request 1 GET / end"]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "request 2 GET / end"]);
  });
  test("waits for earlier answers", () => {
    const rig = server();
    rig.receives(`${get()}${get(...UPGRADE)}rest`);
    rig.c.switchTo(id(2), 101, []);
    expect([rig.told(), rig.out()]).toEqual([[], ""]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "switched 2 101 rest"]);
    expect(rig.out()).toBe(answered() + SWITCHED);
  });
  test("what arrives meanwhile is kept up to a limit", () => {
    const rig = server({ limits: { heldOctets: 10 } });
    rig.receives(`${get(...UPGRADE)}123456789`);
    expect(rig.c.wants).toBe(true);
    rig.receives("0");
    expect(rig.c.wants).toBe(false);
  });
});

describe("server: CONNECT (rfc9110#9.3.6)", () => {
  test("2xx opens a tunnel, without content-length", () => {
    const rig = server();
    expect(rig.receives(`${CONNECT}hello`)).toEqual(["request 1 CONNECT b:80 end"]);
    rig.c.switchTo(id(1), 200, fieldList([["Content-Length", "5"]]));
    expect(rig.told()).toEqual(["switched 1 200 hello"]);
    expect(rig.out()).toBe(head("HTTP/1.1 200 OK"));
  });
  test("what follows is not parsed before the response", () => {
    const rig = server();
    expect(rig.receives(`${CONNECT}\x16\x03\x01`)).toEqual(["request 1 CONNECT b:80 end"]);
    rig.c.switchTo(id(1), 204, []);
    expect(rig.told()).toEqual(["switched 1 204 \x16\x03\x01"]);
  });
  test("a refusal ends the connection: what follows may be meant for the tunnel", () => {
    const rig = server();
    rig.receives(CONNECT + get());
    rig.answer(1, "no", 403);
    expect(rig.told()).toEqual(["done 1", "closed"]);
    expect(rig.out()).toBe(answered("no", "403 Forbidden", "Connection: close"));
  });
});

describe("server: Expect (rfc9110#10.1.1)", () => {
  const expecting = (...lines: readonly string[]): boolean | string => {
    const [event] = server().events(head(...lines));
    return event?.is === "request" ? event.expects : event?.is === "closed" ? String(event.fault?.name) : "";
  };
  test("100-continue is reported if content follows, from HTTP/1.1 only", () => {
    expect(expecting("PUT / HTTP/1.1", "Host: a", "Content-Length: 1", "Expect: 100-Continue")).toBe(true);
    expect(expecting("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Expect: 100-continue")).toBe(true);
    expect(expecting("PUT / HTTP/1.1", "Host: a", "Content-Length: 0", "Expect: 100-continue")).toBe(false);
    expect(expecting("PUT / HTTP/1.0", "Content-Length: 1", "Expect: 100-continue")).toBe(false);
    expect(expecting("PUT / HTTP/1.0", "Content-Length: 1", "Expect: x")).toBe(false);
    for (const value of ["x", "", "100-continue, x", "100-continue;q=1", "100 continue"]) {
      expect(expecting("PUT / HTTP/1.1", "Host: a", "Content-Length: 1", `Expect: ${value}`), value).toBe("expectationUnknown");
    }
  });
  const PUT = head("PUT / HTTP/1.1", "Host: a", "Content-Length: 3", "Expect: 100-continue");
  test("after 100 the connection continues", () => {
    const rig = server();
    rig.receives(PUT);
    rig.c.interim(id(1), 100, []);
    expect(rig.out()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    expect(rig.receives("abc")).toEqual(["data 1 abc end"]);
    rig.answer(1);
    expect([rig.told(), rig.out()]).toEqual([["done 1"], answered()]);
  });
  test("a final response instead of 100 ends the connection: the content may or may not follow", () => {
    const rig = server();
    rig.receives(PUT);
    rig.answer(1, "", 413);
    expect(rig.told()).toEqual(["failed 1", "closed"]);
    expect(rig.out()).toBe(head("HTTP/1.1 413 Content Too Large", "Content-Length: 0", "Connection: close"));
    expect(rig.receives(get())).toEqual([]);
  });
  test("content that does not wait is read as content", () => {
    const rig = server();
    expect(rig.receives(`${PUT}abc${get()}`)).toEqual(["request 1 PUT /", "data 1 abc end", "request 2 GET / end"]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1"]);
  });
});

describe("client: switching protocols", () => {
  test("101 for an offered protocol hands over, with what follows", () => {
    const rig = client();
    rig.ask("GET", ["Upgrade", "x/1, y"], ["Connection", "upgrade"]);
    expect(rig.out()).toBe(head("GET / HTTP/1.1", "Host: a", "Upgrade: x/1, y", "Connection: upgrade"));
    expect(rig.receives(`${head("HTTP/1.1 103 Early Hints")}${SWITCHED}rest`)).toEqual(["interim 1 103", "switched 1 101 rest"]);
    expect([rig.c.idle, rig.c.accepting, rig.c.wants]).toEqual([false, false, false]);
  });
  test.each([["Upgrade: z", "Connection: upgrade"], ["Upgrade: x/1, z", "Connection: upgrade"], ["Upgrade: x/1"], ["Connection: upgrade"]])(
    "101 with %j is refused",
    (...fields) => {
      const rig = client();
      rig.ask("GET", ["Upgrade", "x/1, y"], ["Connection", "upgrade"]);
      expect(rig.receives(head("HTTP/1.1 101 Switching Protocols", ...fields))).toEqual(["failed 1 switchUnasked", "closed switchUnasked"]);
    },
  );
  test("101 from HTTP/1.0, which does not have it, is refused (rfc9110#15.2)", () => {
    const rig = client();
    rig.ask("GET", ["Upgrade", "x/1"], ["Connection", "upgrade"]);
    expect(rig.receives(head("HTTP/1.0 101 Switching Protocols", "Upgrade: x/1", "Connection: upgrade"))).toEqual([
      "failed 1 switchUnasked",
      "closed switchUnasked",
    ]);
  });
  test("101 to a request whose Connection does not name its Upgrade is refused", () => {
    const rig = client();
    rig.ask("GET", ["Upgrade", "x/1"]);
    expect(rig.receives(SWITCHED)).toEqual(["failed 1 switchUnasked", "closed switchUnasked"]);
  });
  test("any other response declines, and the connection continues", () => {
    const rig = client();
    rig.ask("GET", ["Upgrade", "x/1"], ["Connection", "upgrade"]);
    expect(rig.receives(ok("Content-Length: 0"))).toEqual(["response 1 200 end", "done 1"]);
    expect(rig.c.idle).toBe(true);
  });
  test("2xx to CONNECT opens a tunnel, whatever its fields (rfc9112#6.3)", () => {
    const rig = client();
    rig.ask("CONNECT");
    expect(rig.receives(`${ok("Content-Length: 3", "Transfer-Encoding: chunked")}abcd`)).toEqual(["switched 1 200 abcd"]);
  });
  test("another status to CONNECT is an ordinary response", () => {
    const rig = client();
    rig.ask("CONNECT");
    expect(rig.receives(`${head("HTTP/1.1 403 Forbidden", "Content-Length: 2")}no`)).toEqual(["response 1 403", "data 1 no end", "done 1"]);
  });
  test("no request may follow before the switch is decided", () => {
    const tunnel = client();
    tunnel.ask("CONNECT");
    expect(() => tunnel.ask()).toThrow("no further request");
    const upgrade = client();
    upgrade.ask("GET", ["Upgrade", "x"], ["Connection", "upgrade"]);
    expect(() => upgrade.ask()).toThrow("no further request");
  });
});

describe("client: interim responses (rfc9110#15.2)", () => {
  test("any number up to the limit, each with its fields", () => {
    const rig = client({ limits: { interims: 2 } });
    rig.ask();
    expect(rig.receives(head("HTTP/1.1 103 Early Hints", "Link: </a>") + head("HTTP/1.1 100 Continue") + ok("Content-Length: 0"))).toEqual([
      "interim 1 103 link=</a>",
      "interim 1 100",
      "response 1 200 end",
      "done 1",
    ]);
    rig.ask();
    expect(rig.receives(head("HTTP/1.1 199 x").repeat(3))).toEqual([
      "interim 2 199",
      "interim 2 199",
      "failed 2 tooManyInterims",
      "closed tooManyInterims",
    ]);
  });
  test("have no content, whatever their fields", () => {
    const rig = client();
    rig.ask();
    expect(rig.receives(head("HTTP/1.1 103 Early Hints", "Content-Length: 5") + ok("Content-Length: 0"))).toEqual([
      "interim 1 103 content-length=5",
      "response 1 200 end",
      "done 1",
    ]);
  });
});

test("the machine's own refusals name their fault", () => {
  const rig = server();
  rig.receives(head("PUT / HTTP/1.1", "Host: a", "Content-Length: 1", "Expect: x"));
  expect(rig.out()).toContain(refusal(417));
});
