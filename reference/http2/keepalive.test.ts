import { expect, test } from "vitest";
import { instant, NEVER } from "../core/index.ts";
import { Keepalive, type KeepaliveOptions } from "./keepalive.ts";

const OPTIONS: KeepaliveOptions = { timeMs: 1_000, timeoutMs: 100, withoutStreams: false };
const tick = (keepalive: Keepalive, now: number, heard: number, streams = 1) =>
  keepalive.tick({ now: instant(now), heard: instant(heard), streams });
const begun = (options: Partial<KeepaliveOptions> = {}): Keepalive => new Keepalive({ ...OPTIONS, ...options }, instant(0));

test("a silent peer is asked, and dead without an answer in time", () => {
  const keepalive = begun();
  expect(keepalive.deadline).toBe(1_000);
  expect(tick(keepalive, 1_000, 0)).toBe("ping");
  expect([tick(keepalive, 1_099, 0), keepalive.deadline]).toEqual([undefined, 1_100]);
  expect(tick(keepalive, 1_100, 0)).toBe("dead");
});
test("any octet is an answer, even one in the millisecond of the question", () => {
  const keepalive = begun();
  tick(keepalive, 1_000, 0);
  expect([tick(keepalive, 1_100, 1_000), keepalive.deadline]).toEqual([undefined, 2_000]);
});
test("time counts from what was heard last, not from the last question", () => {
  const keepalive = begun();
  tick(keepalive, 1_000, 0);
  expect([tick(keepalive, 1_100, 1_050), keepalive.deadline]).toEqual([undefined, 2_050]);
  expect([tick(keepalive, 2_050, 1_900), keepalive.deadline]).toEqual([undefined, 2_900]);
});
test("without streams nothing is asked; a stream after a long silence asks at once", () => {
  const keepalive = begun();
  expect([tick(keepalive, 1_000, 0, 0), keepalive.deadline]).toEqual([undefined, NEVER]);
  expect(tick(keepalive, 5_000, 0, 1)).toBe("ping");
});
test("without streams, if it is wanted", () => {
  expect(tick(begun({ withoutStreams: true }), 1_000, 0, 0)).toBe("ping");
});
