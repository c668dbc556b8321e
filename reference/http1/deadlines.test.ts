import { describe, expect, test } from "vitest";
import { after, instant, NEVER } from "../core/index.ts";
import { client, get, head, id, octets, post, server, T0, type Rig } from "./testing.ts";

const limits = { headMs: 20, contentMs: 30, contentRate: 1_000, idleMs: 60 };
/** What a tick says just before, and at, the deadline. */
function due(rig: Rig, ms: number): string[][] {
  expect(rig.c.deadline).toBe(after(T0, ms));
  return [rig.tick(ms - 1), rig.tick(ms)];
}
const at = (rig: Rig, ms: number, text: string): string[] => {
  rig.now = instant(ms);
  return rig.hears(text);
};

describe("server: the wait for a request", () => {
  test("a connection that says nothing is closed without a word", () => {
    const rig = server({ limits });
    expect(due(rig, 60)).toEqual([[], ["closed"]]);
    expect([rig.out(), rig.c.deadline]).toEqual(["", NEVER]);
  });
  test("so is one that says nothing more, empty lines apart", () => {
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
  test("the time begins with the end of the answer, whenever that was", () => {
    const rig = server({ limits });
    at(rig, 10, get());
    expect(rig.c.deadline).toBe(NEVER);
    // The action has no clock: the next tick, which is asked for at once, sets it.
    rig.answer(1);
    rig.told();
    expect(rig.c.deadline).toBe(instant(10));
    expect(rig.tick(1_000)).toEqual([]);
    expect(due(rig, 1_060)).toEqual([[], ["closed"]]);
  });
});

describe("server: the head", () => {
  test("has so much time from its first octet, however its octets are spread", () => {
    const rig = server({ limits });
    at(rig, 5, "G");
    at(rig, 15, "ET / HTTP/1.1\r\n");
    at(rig, 20, "Host: a\r\n");
    expect(due(rig, 25)).toEqual([[], ["closed headLate"]]);
    expect(rig.out()).toContain("HTTP/1.1 408 Request Timeout\r\n");
  });
  test("after an answer without a tick in between: from its first octet all the same", () => {
    const rig = server({ limits });
    at(rig, 0, get());
    rig.answer(1);
    rig.told();
    at(rig, 10, "G");
    rig.tick(15);
    expect(due(rig, 30)).toEqual([[], ["closed headLate"]]);
  });
  test("of a pipelined request too: the refusal waits for the answer before it", () => {
    const rig = server({ limits });
    at(rig, 0, `${get()}GET`);
    expect(due(rig, 20)).toEqual([[], []]);
    rig.answer(1);
    expect(rig.told()).toEqual(["done 1", "closed headLate"]);
  });
  test("an answer to an earlier request gives it no more time", () => {
    const rig = server({ limits });
    at(rig, 0, `${get()}GET`);
    rig.now = instant(15);
    rig.answer(1);
    rig.told();
    expect(due(rig, 20)).toEqual([[], ["closed headLate"]]);
  });
});

describe("server: content", () => {
  test("that stops is late after so long", () => {
    const rig = server({ limits });
    at(rig, 0, `${post("Content-Length: 100000")}${"x".repeat(20_000)}`);
    at(rig, 10, "x");
    expect(due(rig, 40)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
    expect(rig.out()).toContain("HTTP/1.1 408 Request Timeout\r\n");
  });
  test("that comes in drops is late by its rate", () => {
    const rig = server({ limits });
    at(rig, 0, post("Content-Length: 100"));
    for (let ms = 5; ms < 35; ms += 5) at(rig, ms, "x");
    // Six octets at a thousand a second, and the grace.
    expect(due(rig, 36)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
  });
  test("is not waited for while nobody reads; the time begins anew when it is read", () => {
    const rig = server({ limits: { ...limits, unreadOctets: 4 } });
    at(rig, 0, `${post("Content-Length: 9")}abcd`);
    expect(rig.c.deadline).toBe(NEVER);
    rig.c.consumed(id(1), 4);
    expect(rig.c.deadline).toBe(T0);
    expect(rig.tick(500)).toEqual([]);
    expect(due(rig, 530)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
  });
  test("is not waited for while the client waits for 100", () => {
    const rig = server({ limits });
    at(rig, 0, head("PUT / HTTP/1.1", "Host: a", "Content-Length: 3", "Expect: 100-continue"));
    expect(rig.c.deadline).toBe(NEVER);
    rig.c.interim(id(1), 100, []);
    rig.tick(100);
    expect(due(rig, 130)).toEqual([[], ["failed 1 contentLate", "closed contentLate"]]);
  });
  test("no time runs while a complete request is being answered", () => {
    const rig = server({ limits });
    at(rig, 0, get());
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets("a"), false);
    expect(rig.c.deadline).toBe(NEVER);
  });
});

describe("client", () => {
  test("waits for a response without end, but not for the rest of a head", () => {
    const rig = client({ limits });
    rig.ask();
    expect(rig.c.deadline).toBe(NEVER);
    at(rig, 100, "HTTP");
    expect(due(rig, 120)).toEqual([[], ["failed 1 headLate", "closed headLate"]]);
  });
  test("has no limit on content, nor between requests", () => {
    const rig = client({ limits });
    expect(rig.c.deadline).toBe(NEVER);
    rig.ask();
    at(rig, 0, head("HTTP/1.1 200 OK", "Content-Length: 3"));
    expect(rig.c.deadline).toBe(NEVER);
  });
});
