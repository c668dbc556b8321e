import { expect, test } from "vitest";
import { DROPPED, Input, INPUTS, MISUSE, NEXT, printTable, State, STATES, step } from "./state.ts";

test("every state is reachable from open, and over is final", () => {
  const seen = new Set<number>([State.open]);
  for (const from of seen) {
    for (const input of INPUTS) {
      const next = step(from as State, Input[input]);
      if (next >= 0) seen.add(next);
    }
  }
  expect([...seen].sort()).toEqual(Object.values(State).sort());
  for (const input of INPUTS) expect(step(State.over, Input[input])).toBe(DROPPED);
});

test("step(): agrees with the table", () => {
  for (const state of STATES) {
    for (const input of INPUTS) {
      const cell = NEXT[state][input];
      const next = step(State[state], Input[input]);
      const said = next === MISUSE ? "misuse" : next === DROPPED ? "drop" : STATES[next];
      expect(said, `${state} + ${input}`).toBe(cell === "stay" ? state : cell);
    }
  }
});

test("no state leads to an earlier one", () => {
  const back = STATES.flatMap((state) =>
    INPUTS.filter((input) => {
      const next = step(State[state], Input[input]);
      return next >= 0 && next < State[state];
    }).map((input) => `${state} + ${input}`),
  );
  expect(back).toEqual([]);
});

/** Printed with one line for each cell: a changed cell is a changed line. */
test("the table matches its snapshot", () => {
  expect(printTable()).toMatchSnapshot();
});
