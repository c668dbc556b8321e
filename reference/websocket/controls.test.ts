import { expect, test } from "vitest";
import { client, more, ping, play, pong, server, text } from "./testing.ts";

test("a ping is answered with its payload, within a message too (rfc6455#5.5.3)", () => {
  expect(play([text("a", { fin: false }), ping("one"), more("b", true), ping("x".repeat(125)), ping()])).toEqual([
    "ping one",
    "text ab",
    `ping ${"x".repeat(125)}`,
    "ping",
    "> pong one",
    `> pong ${"x".repeat(125)}`,
    "> pong",
  ]);
});

test("client: pongs are masked", () => {
  const rig = client();
  rig.receives(ping("a", { key: false }));
  expect(rig.out()).toEqual(["masked pong a"]);
});

test("too many pings at once: of the rest only the last is answered (rfc6455#5.5.3)", () => {
  const rig = server({ limits: { pongs: 2 } });
  rig.receives(...["a", "b", "c", "d", "e"].map((payload) => ping(payload)));
  expect(rig.out()).toEqual(["pong a", "pong b", "pong e"]);
  rig.receives(ping("f"));
  expect(rig.out()).toEqual(["pong f"]);
});

test("pings and pongs have a budget, which refills with time", () => {
  const rig = server({ limits: { controls: 10, controlsPerSecond: 5 } });
  rig.receives(...Array.from({ length: 5 }, () => ping()), ...Array.from({ length: 5 }, () => pong()));
  rig.tick(1_000);
  expect(rig.receives(...Array.from({ length: 5 }, () => ping()))).toHaveLength(5);
  expect(rig.receives(ping())).toEqual(["closed 1006 tooManyControls"]);
});

test("regular pings for days do not exhaust it", () => {
  const rig = server();
  let told = 0;
  for (let second = 0; second < 20_000; second++) {
    rig.tick(second * 1_000);
    told += rig.receives(ping("a")).length;
    rig.out();
  }
  expect(told).toBe(20_000);
});
