import { expect, test } from "vitest";
import { difference } from "./like.ts";

const NOW = Date.parse("2026-03-02T10:00:00Z");
const fault = (pattern: unknown, value: unknown): string | undefined => difference(pattern, value, NOW);

test("an object needs the members of the pattern, and may have others", () => {
  expect(fault({ a: { b: "1" } }, { a: { b: "1", c: "2" }, d: 3 })).toBeUndefined();
  expect(fault({ a: { b: "1" } }, { a: { b: "2" } })).toBe('a.b is "2", not "1"');
  expect(fault({ a: "1" }, null)).toBe('a is absent, not "1"');
});

test("a list has as many elements as the pattern, in any order, each for itself", () => {
  expect(fault([{ n: 1 }, { n: 2 }], [{ n: 2 }, { n: 1 }])).toBeUndefined();
  expect(fault([{ n: 1 }, { n: 1 }], [{ n: 1 }, { n: 2 }])).toContain('it has no {"n":1}');
  expect(fault([{}], [])).toBe("it has 0 elements, not 1: []");
  expect(fault({ $has: [{ n: 1 }] }, [{ n: 2 }, { n: 1 }])).toBeUndefined();
  expect(fault({ $has: [{ n: 1 }] }, "text")).toBe('it is "text"');
});

test("null is absent or empty", () => {
  for (const empty of [undefined, null, "", [], {}]) expect(fault(null, empty)).toBeUndefined();
  expect(fault({ a: null }, { a: "x" })).toBe('a is "x"');
});

test("times: near, over, and their form", () => {
  expect(fault({ $near: -600 }, "2026-03-02T09:50:10.123Z")).toBeUndefined();
  expect(fault({ $near: 0 }, "2026-03-02T11:00:00+01:00")).toBeUndefined();
  expect(fault({ $near: 0 }, "2026-03-02T11:00:00Z")).toBe("it is 3600 s from now, not 0 s");
  expect(fault({ $past: true }, "2026-03-02T09:59:59Z")).toBeUndefined();
  expect(fault({ $past: false }, "2026-03-02T09:59:59Z")).toContain("it is");
  expect(fault({ $is: "time" }, "2026-03-02 10:00:00")).toContain("not a time");
});

test("forms, kinds, and one of several", () => {
  expect(fault({ $re: "^a+$" }, "aaa")).toBeUndefined();
  expect(fault({ $re: "^a+$" }, 1)).toBe("it is 1");
  expect(fault({ $any: ["a", { $is: "list" }] }, [])).toBeUndefined();
  expect(fault({ $any: ["a", "b"] }, "c")).toBe('it is "c", not "a"');
});
