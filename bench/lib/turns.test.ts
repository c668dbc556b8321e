import { expect, test } from "vitest";
import { inTurn, rowsOf } from "./turns.ts";

test("inTurn(): measures each contender once per round in reversing order and keeps all samples", async () => {
  const said: string[] = [];
  let time = 0;
  const one = { name: "one", measure: async () => ({ at: (time += 1) }) };
  const two = { name: "two", measure: async () => ({ at: (time += 1), more: 7 }) };
  const taken = await inTurn([one, two], 3, "speed", (line) => void said.push(line));
  expect(said.map((line) => line.replace("speed, round ", ""))).toEqual([
    "1 of 3: one",
    "1 of 3: two",
    "2 of 3: two",
    "2 of 3: one",
    "3 of 3: one",
    "3 of 3: two",
  ]);
  expect(rowsOf(taken, "at")).toEqual([
    { subject: "one", median: 4, spread: [1, 5], samples: [1, 4, 5] },
    { subject: "two", median: 3, spread: [2, 6], samples: [2, 3, 6] },
  ]);
  expect(rowsOf(taken, "more").map(({ subject }) => subject)).toEqual(["two"]);
});
