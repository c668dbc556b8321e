import { expect, test } from "vitest";
import { DEFAULT_CHANNEL_LIMITS } from "./limits.ts";
import { octets } from "./testing.ts";
import { Typing } from "./typing.ts";

test("Typing: remembers attached typists, and of those that left the most recent", () => {
  const typing = new Typing({ ...DEFAULT_CHANNEL_LIMITS, writers: 3 }, () => {});
  for (const id of ["a", "b", "c", "d"]) {
    const typist = typing.typist(id);
    typist.report = () => {};
    typing.accept(typist, octets(id));
  }
  // Four are attached, one more than the limit: all keep their counts.
  expect(["a", "b", "c", "d"].map((id) => typing.typist(id).accepted)).toEqual([1, 1, 1, 1]);
  for (const id of ["c", "a", "b"]) typing.left(id);
  typing.typist("e");
  // The three are "d", which is attached, "b", which left last, and "e".
  expect(["b", "d", "e"].map((id) => typing.typist(id).accepted)).toEqual([1, 1, 0]);
  expect(["c", "a"].map((id) => typing.typist(id).accepted)).toEqual([0, 0]);
});
