import { expect, test } from "vitest";
import { Inbox } from "./inbox.ts";
import { octets, text } from "./testing.ts";

const rest = (inbox: Inbox): string => text(inbox.octets.subarray(inbox.at, inbox.end));

test("push(): an empty inbox keeps the given octets uncopied", () => {
  const inbox = new Inbox();
  const given = octets("abc");
  inbox.push(given);
  expect(inbox.octets).toBe(given);
});
test("settle(): copies a short rest, and what follows joins it", () => {
  const inbox = new Inbox();
  const given = octets("abcdef");
  inbox.push(given);
  inbox.at = 4;
  inbox.settle();
  given.fill(0);
  expect(rest(inbox)).toBe("ef");
  for (let i = 0; i < 300; i++) inbox.push(octets("x"));
  expect(rest(inbox)).toBe(`ef${"x".repeat(300)}`);
  expect(inbox.length).toBe(302);
});
test("push(): never overwrites parsed octets", () => {
  const inbox = new Inbox();
  inbox.push(octets("ab"));
  inbox.at = 1;
  inbox.settle();
  inbox.push(octets("cd"));
  const view = inbox.octets.subarray(inbox.at, inbox.at + 2);
  inbox.at += 2;
  for (let i = 0; i < 200; i++) inbox.push(octets("z"));
  expect(text(view)).toBe("bc");
});
test("lineEnd(): finds the end across pieces, and searches each octet once", () => {
  const inbox = new Inbox();
  inbox.push(octets("abc"));
  expect(inbox.lineEnd()).toBe(-1);
  expect(inbox.searched).toBe(3);
  inbox.settle();
  inbox.push(octets("d\ne"));
  expect(inbox.lineEnd()).toBe(4);
  expect(inbox.lineEnd()).toBe(4);
  inbox.at = 5;
  expect(inbox.lineEnd()).toBe(-1);
});
test("settle(): keeps nothing once all is parsed", () => {
  const inbox = new Inbox();
  inbox.push(octets("abc"));
  inbox.at = 3;
  inbox.settle();
  expect([inbox.length, inbox.octets.length]).toEqual([0, 0]);
});
