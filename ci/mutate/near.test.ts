import { expect, test } from "vitest";
import { nearFirst } from "./near.ts";

const SECTIONS = { a: "rfc9113#6.1", b: "rfc9113#6.9.1", c: "rfc9113#6.9", d: "rfc9113#6.90" };
const IDS = Object.keys(SECTIONS);

test("cases of the sections that a source cites run first, with those of their parts, in their order", () => {
  expect(nearFirst(IDS, SECTIONS, "/** Windows (rfc9113#6.9). */")).toEqual(["b", "c", "a", "d"]);
  expect(nearFirst(IDS, SECTIONS, "/** Windows (rfc9113#6.9.1). */")).toEqual(["b", "c", "a", "d"]);
});

test("a source without citations leaves the order as it is, and no case is lost", () => {
  expect(nearFirst(IDS, SECTIONS, "const n = 1;")).toEqual(IDS);
  expect(nearFirst(["a", "x"], SECTIONS, "rfc9113#6.1")).toEqual(["a", "x"]);
});
