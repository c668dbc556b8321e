import { expect, test } from "vitest";
import { DEFAULT_CHANNEL_LIMITS } from "./limits.ts";
import { octets } from "./testing.ts";
import { Typing } from "./typing.ts";

test("of writers who have left, those who did so last are remembered; who is attached is never forgotten", () => {
  const typing = new Typing({ ...DEFAULT_CHANNEL_LIMITS, writers: 3 }, () => {});
  for (const id of ["a", "b", "c", "d"]) {
    const writer = typing.writer(id);
    writer.tell = () => {};
    typing.accept(writer, octets(id));
  }
  // Four are attached where three are remembered: each has its count.
  expect(["a", "b", "c", "d"].map((id) => typing.writer(id).accepted)).toEqual([1, 1, 1, 1]);
  for (const id of ["c", "a", "b"]) typing.left(id);
  typing.writer("e");
  // Of "d", which is attached, "b", which left last, and "e" there are three.
  expect(["b", "d", "e"].map((id) => typing.writer(id).accepted)).toEqual([1, 1, 0]);
  expect(["c", "a"].map((id) => typing.writer(id).accepted)).toEqual([0, 0]);
});
