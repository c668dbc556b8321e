import { expect, test, vi } from "vitest";
import { Rig } from "./connection/testing.ts";
import { ByRemote } from "./path/by-remote.ts";

/** What an endpoint does for its connections together. */

test("what happens to one connection costs the others nothing", () => {
  const rig = new Rig().establish();
  for (let count = 0; count < 20; count++) rig.connect();
  rig.run(500);
  const others = [...rig.client.connections].filter((one) => one !== rig.connection);
  expect(others.length).toBe(20);
  const asked = others.flatMap((one) => [vi.spyOn(one, "take"), vi.spyOn(one, "events"), vi.spyOn(one, "tick")]);
  const stream = rig.connection.open("bidirectional")!;
  rig.connection.send(stream, new Uint8Array(50_000), true);
  rig.run(500);
  expect(rig.serverEvents.some((event) => event.is === "data" && event.stream === stream && event.end)).toBe(true);
  expect(asked.map((spy) => spy.mock.calls.length)).toEqual(asked.map(() => 0));
});

test("each connection keeps its own deadline, and is forgotten after it", () => {
  const rig = new Rig().establish();
  for (let count = 0; count < 5; count++) rig.connect();
  rig.run(500);
  expect([rig.client.connections.size, rig.server.connections.size]).toEqual([6, 6]);
  rig.connection.ping();
  rig.run(3_600_000);
  expect([rig.client.connections.size, rig.server.connections.size]).toEqual([0, 0]);
  expect([rig.client.deadline, rig.server.deadline]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test("connections are found by where their peer is now", () => {
  const place = (port: number) => ({ host: "192.0.2.1", port });
  const [one, other] = [{ remote: place(1) }, { remote: place(1) }];
  const found = new ByRemote<{ remote: { host: string; port: number } }>();
  for (const each of [one, other, one]) found.note(each);
  expect([found.at(place(1)), found.at({ host: "192.0.2.11", port: 1 }), found.at(place(2))]).toEqual([[one, other], [], []]);
  one.remote = place(2);
  found.note(one);
  expect([found.at(place(1)), found.at(place(2))]).toEqual([[other], [one]]);
  found.delete(one);
  found.delete(other);
  expect([found.at(place(1)), found.at(place(2))]).toEqual([[], []]);
});
