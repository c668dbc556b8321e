import { expect, test } from "vitest";
import { fieldList, fromHex, id, toHex } from "../testing.ts";
import { NEVER } from "../../core/index.ts";
import { Outbound } from "./outbound.ts";
import { Stream } from "../stream/streams.ts";

const make = (): Outbound<Stream> => new Outbound(new Stream(id(1), 0), 4_096);

test("Outbound: bytes leave in order, never across two chunks, never more than asked for", () => {
  const queue = make();
  queue.push(fromHex("010203"));
  queue.push(fromHex(""));
  queue.push(fromHex("0405"));
  const seen: string[] = [];
  while (queue.octets > 0) seen.push(toHex(queue.shift(2)));
  expect(seen).toEqual(["0102", "03", "0405"]);
});

test("Outbound: a chunk that fits leaves as the view given", () => {
  const queue = make();
  const chunk = fromHex("010203");
  queue.push(chunk);
  expect(queue.shift(3)).toBe(chunk);
});

test("Outbound: pending while there are bytes, an end or trailers", () => {
  const queue = make();
  expect(queue.pending).toBe(false);
  queue.end = true;
  expect(queue.pending).toBe(true);
  queue.end = false;
  queue.trailers = fieldList([["a", "b"]]);
  expect(queue.pending).toBe(true);
  queue.push(fromHex("01"));
  queue.clear();
  expect([queue.pending, queue.octets, queue.blockedSince]).toEqual([false, 0, NEVER]);
});
