import { expect, test } from "vitest";
import { DataHead } from "./data-head.ts";
import { id, octets, post, server, toHex } from "../testing.ts";

test("DataHead: fits frames of its own stream and length only", () => {
  const head = new DataHead(16_384, id(1));
  expect(toHex(head.octets)).toBe("004000000000000001");
  expect([head.fits(16_384, id(1)), head.fits(16_384, id(3)), head.fits(5_000, id(1))]).toEqual([true, false, false]);
});

test("frames of one stream and length in a row share one head, on each connection its own", () => {
  const heads = [server(), server()].map((rig) => {
    rig.events(post(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(3 * 16_384), false);
    return rig.c.take().filter((piece) => piece.length === 9);
  });
  expect(heads.map((of) => of.length)).toEqual([3, 3]);
  expect(heads[0]![0]).toBe(heads[0]![1]);
  expect(heads[0]![0]).not.toBe(heads[1]![0]);
});
