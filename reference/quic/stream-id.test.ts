import { expect, test } from "vitest";
import { directionOf, initiatorOf, ordinalOf, receivesOn, sendsOn, streamId, streamIdOf } from "./stream-id.ts";

test.each([
  [0, "client", "bidirectional", 0],
  [1, "server", "bidirectional", 0],
  [2, "client", "unidirectional", 0],
  [3, "server", "unidirectional", 0],
  [4, "client", "bidirectional", 1],
  [2 ** 40 + 3, "server", "unidirectional", 2 ** 38],
] as const)("stream %d is of the %s, %s", (raw, side, direction, ordinal) => {
  const id = streamId(raw);
  expect([initiatorOf(id), directionOf(id), ordinalOf(id)]).toEqual([side, direction, ordinal]);
  expect(streamIdOf(side, direction, ordinal)).toBe(raw);
});

test("both sides send on a bidirectional stream, only the initiator on a unidirectional one", () => {
  const sides = (raw: number) => [sendsOn("client", streamId(raw)), sendsOn("server", streamId(raw)), receivesOn("client", streamId(raw))];
  expect([0, 1, 2, 3].map(sides)).toEqual([
    [true, true, true],
    [true, true, true],
    [true, false, false],
    [false, true, true],
  ]);
});
