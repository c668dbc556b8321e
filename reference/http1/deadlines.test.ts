import { describe, expect, test } from "vitest";
import { after, instant, NEVER } from "../core/index.ts";
import { client, get, head, id, octets, post, server, T0, type Rig } from "./testing.ts";

const limits = { headMs: 20, contentMs: 30, contentRate: 1_000, idleMs: 60 };
/** The events of a tick just before the deadline, and at it. */
function due(rig: Rig, ms: number): string[][] {
  expect(rig.c.deadline).toBe(after(T0, ms));
  return [rig.tick(ms - 1), rig.tick(ms)];
}
const at = (rig: Rig, ms: number, text: string): string[] => {
  rig.now = instant(ms);
  return rig.receives(text);
};

describe("server: waiting for a request", () => {
  test("a silent connection is closed without a response", () => {
    const rig = server({ limits });
    expect(due(rig, 60)).toEqual([[], ["closed"]]);
    expect([rig.out(), rig.c.deadline]).toEqual(["", NEVER]);
  });
  test("a connection without a further request is closed, despite empty lines", () => {
    const rig = server({ limits });
    at(rig, 100, get());
    rig.answer(1);
    rig.told();
    rig.out();
    rig.tick(100);
    expect(due(rig, 160)[0]).toEqual([]);
    const other = server({ limits });
    at(other, 50, "\r\n");
    expect(due(other, 110)).toEqual([[], ["closed"]]);
  });
  test("the time starts when the response ends", () => {
    const rig = server({ limits });
    at(rig, 10, get());
    expect(rig.c.deadline).toBe(NEVER);
    // The action has no clock: the next tick, which is due at once, starts the wait.
    rig.answer(1);
    rig.told();
    expect(rig.c.deadline).toBe(instant(10));
    expect(rig.tick(1_000)).toEqual([]);
    expect(due(rig, 1_060)).toEqual([[], ["closed"]]);
  });
});

describe("server: waiting for a head", () => {
  test("the time starts at the first octet, however the rest arrives", () => {
    const rig = server({ limits });
    at(rig, 5, "G");
    at(rig, 15, "ET / HTTP/1.1\r\n");
    at(rig, 20, "Host: a\r\n");
    expect(due(rig, 25)).toEqual([[], ["closed headLate"]]);
    expect(rig.out()).toContain("HTTP/1.1 408 Request Timeout\r\n");
  });
  test("after a response without a tick in between: it starts at the first octet as well", () => {
    const rig = server({ limits });
    at(rig, 0, get());
    rig.answer(1);
    rig.told();
    at(rig, 10, "G");
    rig.tick(15);
    expect(due(rig, 30)).toEqual([[], ["closed headLate"]]);
  });
  test("a pipelined request: the refusal waits for the earlier response", () => {
    const rig = server({ limits });
    at(rig, 0, `${get()}GET`);
    expect(due(rig, 20)).toEqual([[], []]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed headLate"]);
  });
  test("a response to an earlier request does not extend it", () => {
    const rig = server({ limits });
    at(rig, 0, `${get()}GET`);
    rig.now = instant(15);
    rig.answer(1);
    rig.told();
    expect(due(rig, 20)).toEqual([[], ["closed headLate"]]);
  });
});

describe("server: waiting for content", () => {
  test("content that stops is late after `contentMs`", () => {
    const rig = server({ limits });
    at(rig, 0, `${post("Content-Length: 100000")}${"x".repeat(20_000)}`);
    at(rig, 10, "x");
    expect(due(rig, 40)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
    expect(rig.out()).toContain("HTTP/1.1 408 Request Timeout\r\n");
  });
  test("trickled content is late because of its rate", () => {
    const rig = server({ limits });
    at(rig, 0, post("Content-Length: 100"));
    for (let ms = 5; ms < 35; ms += 5) at(rig, ms, "x");
    // Six octets at a thousand octets a second, and the grace.
    expect(due(rig, 36)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
  });
  test("the time stops while nobody reads, and starts again when content is consumed", () => {
    const rig = server({ limits: { ...limits, unreadOctets: 4 } });
    at(rig, 0, `${post("Content-Length: 9")}abcd`);
    expect(rig.c.deadline).toBe(NEVER);
    rig.c.consumed(id(1), 4);
    expect(rig.c.deadline).toBe(T0);
    expect(rig.tick(500)).toEqual([]);
    expect(due(rig, 530)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
  });
  test("the time stops while the client waits for 100", () => {
    const rig = server({ limits });
    at(rig, 0, head("PUT / HTTP/1.1", "Host: a", "Content-Length: 3", "Expect: 100-continue"));
    expect(rig.c.deadline).toBe(NEVER);
    rig.c.interim(id(1), 100, []);
    rig.tick(100);
    expect(due(rig, 130)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
  });
  test("a connection that is over, and one whose peer has ended, want nothing more", () => {
    const late = server({ limits });
    expect(late.c.wants).toBe(true);
    expect(late.tick(60)).toEqual(["closed"]);
    expect(late.c.wants).toBe(false);
    const left = server({ limits });
    at(left, 0, get());
    expect([left.c.wants, left.ended(), left.c.wants, left.c.deadline]).toEqual([true, ["half-closed"], false, NEVER]);
  });
  test("behind the last request, octets are dropped up to a limit, and then left to the transport", () => {
    const rig = server({ limits: { ...limits, heldOctets: 10 } });
    at(rig, 0, get("Connection: close"));
    expect([rig.receives("123456789"), rig.c.wants]).toEqual([[], true]);
    expect([rig.receives("0"), rig.c.wants]).toEqual([[], false]);
  });
  test("there is no deadline while a complete request is being answered", () => {
    const rig = server({ limits });
    at(rig, 0, get());
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets("a"), false);
    expect(rig.c.deadline).toBe(NEVER);
  });
});

describe("client", () => {
  test("waits for a response without a deadline, but not for the rest of a head", () => {
    const rig = client({ limits });
    rig.ask();
    expect(rig.c.deadline).toBe(NEVER);
    at(rig, 100, "HTTP");
    expect(due(rig, 120)).toEqual([[], ["failed 1 headLate", "closed headLate"]]);
  });
  test("has no deadline for content, nor between requests", () => {
    const rig = client({ limits });
    expect(rig.c.deadline).toBe(NEVER);
    rig.ask();
    at(rig, 0, head("HTTP/1.1 200 OK", "Content-Length: 3"));
    expect(rig.c.deadline).toBe(NEVER);
  });
});
