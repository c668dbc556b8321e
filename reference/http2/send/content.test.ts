import { expect, test } from "vitest";
import { get, id, octets, server, settings, windowUpdate } from "../testing.ts";

const answered = (streams: readonly number[], limits = {}) => {
  const rig = server({ limits });
  rig.events(settings([4, 1_000_000]), windowUpdate(0, 10_000_000), ...streams.map((stream) => get(stream)));
  for (const stream of streams) rig.c.respond(id(stream), 200, [], false);
  rig.frames();
  return rig;
};

test("small content is copied next to its head: one piece, and the caller may change its bytes", () => {
  const rig = answered([1]);
  const content = octets(4_096, 1);
  rig.c.data(id(1), content, true);
  content.fill(2);
  const pieces = rig.c.take();
  expect(pieces).toHaveLength(1);
  expect(pieces[0]!.subarray(9)).toEqual(octets(4_096, 1));
});

test("large content leaves as views between the heads", () => {
  const rig = answered([1]);
  const content = octets(20_000);
  rig.c.data(id(1), content, true);
  const pieces = rig.c.take();
  expect(pieces.map(({ length }) => length)).toEqual([9, 16_384, 9 + 3_616]);
  expect(pieces[1]!.buffer).toBe(content.buffer);
});

test("take() returns a limited amount of content, the next call continues", () => {
  const rig = answered([1], { takeOctets: 20_000 });
  rig.c.data(id(1), octets(50_000), true);
  const sizes: number[] = [];
  for (let pieces = rig.c.take(); pieces.length > 0; pieces = rig.c.take()) sizes.push(pieces.reduce((sum, { length }) => sum + length, 0));
  expect(sizes).toEqual([20_018, 20_018, 10_009]);
});

test("control frames go before queued content", () => {
  const rig = answered([1]);
  rig.c.data(id(1), octets(20_000), true);
  rig.c.ping(octets(8));
  expect(rig.frames().map((line) => line.split(" ")[0])).toEqual(["PING", "DATA", "DATA"]);
});

test("while much is waiting to be taken, even small content is queued", () => {
  const rig = answered([1, 3]);
  for (let at = 0; at < 20; at++) rig.c.data(id(1), octets(4_000), false);
  expect(rig.c.queued).toBeLessThan(70_000);
  rig.c.data(id(3), octets(1), true);
  expect(rig.frames().at(-1)).toBe("DATA 3 1 end");
});

test("a stream that is reset leaves the line, and its queue is not sent", () => {
  const rig = answered([1, 3]);
  rig.c.data(id(1), octets(20_000), true);
  rig.c.data(id(3), octets(20_000), true);
  rig.c.reset(id(1), "CANCEL");
  expect(rig.frames()).toEqual(["RST_STREAM 1 CANCEL", "DATA 3 16384", "DATA 3 3616 end"]);
});
