import { expect, test } from "vitest";
import { Inbox } from "./inbox.ts";
import { DEFAULT_LIMITS } from "./limits.ts";

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const inbox = (): Inbox => new Inbox(DEFAULT_LIMITS);

test("Inbox.next(): gives whole messages, however the octets are cut", () => {
  const one = inbox();
  const seen: number[] = [];
  for (const octet of [1, 0, 0, 2, 7, 8, 2, 0, 0, 0, 3, 0, 0, 1]) {
    one.push("initial", bytes(octet));
    const raw = one.next();
    if (raw?.is === "raw") seen.push(raw.type, raw.body.length, raw.whole.length);
  }
  expect(seen).toEqual([1, 2, 6, 2, 0, 4]);
});

test("Inbox.push(): octets of a later level wait for it", () => {
  const one = inbox();
  one.push("handshake", bytes(8, 0, 0, 0));
  one.push("initial", bytes(2, 0, 0, 0));
  expect(one.next()).toMatchObject({ type: 2 });
  expect(one.next()).toBeUndefined();
  expect(one.advance("handshake")).toBeUndefined();
  expect(one.next()).toMatchObject({ type: 8 });
});

test("Inbox: refuses a level that has passed, 0-RTT, messages across levels, and too much", () => {
  const one = inbox();
  one.push("initial", bytes(2, 0, 0));
  expect(one.advance("handshake")).toMatchObject({ name: "messageAcrossKeys" });
  expect(one.push("early", bytes(1))).toMatchObject({ name: "levelWithoutMessages" });
  expect(one.push("application", new Uint8Array(65_537))).toMatchObject({ name: "tooMuchAhead" });
  const other = inbox();
  other.advance("handshake");
  expect(other.push("initial", bytes())).toBeUndefined();
  expect(other.push("initial", bytes(1))).toMatchObject({ name: "levelPassed" });
  other.push("handshake", bytes(11, 1, 0, 1));
  expect(other.next()).toMatchObject({ name: "messageTooLong" });
});

test("Inbox.next(): a message owns its octets", () => {
  const one = inbox();
  const given = bytes(1, 0, 0, 1, 7);
  one.push("initial", given);
  given[4] = 0;
  expect(one.next()).toMatchObject({ body: bytes(7) });
});
