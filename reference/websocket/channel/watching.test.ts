import { expect, test } from "vitest";
import { octets, text, Witness, World } from "./testing.ts";

/** Clients that watch only: because of their token, or by their own choice. */

const opened = () => {
  const world = new World();
  const agent = world.agent();
  agent.connect(world.now);
  world.settle();
  return { world, agent };
};

test.each([
  ["by its token", "watcher", false],
  ["by its own choice", "client", true],
] as const)("a watcher %s sees earlier and later output, and its window is 0", (_, role, watches) => {
  const { world, agent } = opened();
  agent.side.printed(octets("before "));
  world.settle();
  const watcher = world.client("w", role, watches);
  watcher.connect(world.now);
  world.settle();
  agent.side.printed(octets("after"));
  world.settle();
  expect(text(watcher.screen)).toBe("before after");
  expect(watcher.side.watches).toBe(true);
  expect(watcher.happenings.find((one) => one.is === "state")).toMatchObject({ state: { window: 0, clients: 1 } });
  // It sends nothing that the hub would refuse.
  expect(watcher.side.type(octets("x"))).toBe(false);
  watcher.side.resize(10, 10);
  world.settle();
  expect(watcher.wire).toBeDefined();
  expect([text(agent.typed), agent.sizes]).toEqual(["", []]);
});

test("input from before the hub made it a watcher is discarded", () => {
  const { world, agent } = opened();
  const watcher = world.client("w", "watcher");
  expect(watcher.side.type(octets("early"))).toBe(true);
  watcher.connect(world.now);
  world.settle();
  expect([watcher.side.untaken, text(agent.typed)]).toEqual([0, ""]);
});

test.each([
  ["types", (member: { binary(octets: Uint8Array, now: never): void }, now: unknown) => member.binary(octets("rm"), now as never)],
  [
    "resizes",
    (member: { text(text: string, now: never): void }, now: unknown) => member.text('{"type":"resize","cols":1,"rows":1}', now as never),
  ],
] as const)("a watcher that %s is closed with 1008, and nothing reaches the shell", (_, does) => {
  const { world, agent } = opened();
  const peer = new Witness();
  const found = world.hub.admit("watcher", "main", new URLSearchParams("client=w"));
  if ("status" in found) throw new Error(found.why);
  does(found.enter(peer, world.now) as never, world.now);
  world.settle();
  expect(peer.closed?.code).toBe(1008);
  expect(peer.last("error")).toMatchObject({ code: "read-only" });
  expect([text(agent.typed), agent.sizes]).toEqual(["", []]);
  expect(world.hub.session("main")?.clients.size).toBe(0);
});

test("a watcher token allows no other mode, and an unknown mode is refused", () => {
  const { world } = opened();
  const found = world.hub.admit("watcher", "main", new URLSearchParams("client=w&mode=type"));
  if ("status" in found) throw new Error(found.why);
  const peer = new Witness();
  found.enter(peer, world.now);
  expect(peer.last("state")?.window).toBe(0);
  expect(world.hub.admit("client", "main", new URLSearchParams("client=w&mode=root"))).toEqual({
    status: 400,
    why: "?mode= must be type or watch",
  });
});

test("a watcher with the same name neither replaces a typing client nor changes its count", () => {
  const { world, agent } = opened();
  const typing = world.client("same");
  typing.connect(world.now);
  const watcher = world.client("same", "watcher");
  watcher.connect(world.now);
  world.settle();
  typing.side.type(octets("one "));
  world.settle();
  watcher.break(world.now);
  typing.side.type(octets("two"));
  world.settle();
  expect([text(agent.typed), typing.side.untaken, typing.code]).toEqual(["one two", 0, undefined]);
  const again = world.client("same", "watcher");
  again.connect(world.now);
  const third = world.client("same", "watcher");
  third.connect(world.now);
  world.settle();
  expect([again.code, third.code]).toEqual([4000, undefined]);
});
