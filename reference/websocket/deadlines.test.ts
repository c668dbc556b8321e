import { expect, test } from "vitest";
import { ping, pong, server, text } from "./testing.ts";

test("a peer that is silent for 30 seconds is pinged, and the connection fails 20 seconds later", () => {
  const rig = server();
  expect(rig.c.deadline).toBe(30_000);
  expect([rig.tick(29_999), rig.out()]).toEqual([[], []]);
  expect([rig.tick(30_000), rig.out()]).toEqual([[], ["ping"]]);
  expect(rig.c.deadline).toBe(50_000);
  expect([rig.tick(49_999), rig.out()]).toEqual([[], []]);
  expect([rig.tick(50_000), rig.out()]).toEqual([["closed 1006 peerSilent"], []]);
  expect(rig.c.deadline).toBe(Number.POSITIVE_INFINITY);
});

test("any octet is a sign of life, even the first of a long message", () => {
  const rig = server();
  rig.tick(30_000);
  rig.tick(40_000);
  expect(rig.receives(text("abc").subarray(0, 3))).toEqual([]);
  expect(rig.c.deadline).toBe(70_000);
  rig.tick(70_000);
  rig.tick(80_000);
  expect(rig.receives(text("abc").subarray(3))).toEqual(["text abc"]);
  expect(rig.c.deadline).toBe(110_000);
});

test("a pong is reported, whether it answers a ping or not", () => {
  const rig = server();
  expect(rig.receives(pong("x"), ping("y"))).toEqual(["pong x", "ping y"]);
});

test("a paused peer is not pinged", () => {
  const rig = server();
  rig.c.pause();
  expect([rig.c.wants, rig.c.deadline]).toEqual([false, Number.POSITIVE_INFINITY]);
  expect([rig.tick(90_000), rig.out()]).toEqual([[], []]);
  rig.c.resume();
  expect(rig.c.wants).toBe(true);
  expect([rig.tick(90_001), rig.out()]).toEqual([[], []]);
  expect(rig.c.deadline).toBe(120_001);
});

test("octets given in spite of a pause are read, and after the end `wants` is true", () => {
  const rig = server();
  rig.c.pause();
  expect(rig.receives(text("a"))).toEqual(["text a"]);
  rig.c.close(1_000);
  expect(rig.c.wants).toBe(true);
});

test("times are configurable, and infinite ones never expire", () => {
  const rig = server({ limits: { pingMs: Number.POSITIVE_INFINITY } });
  expect(rig.c.deadline).toBe(Number.POSITIVE_INFINITY);
});
