import { expect, test } from "vitest";
import { INPUTS, Input, LASTS, MISUSE, NEXT, printTables, Standing, STANDINGS, State, STATES, step, Turn, turned, TURNS } from "./state.ts";

test("exchanges: every state is reachable from asking, and over and switched are final", () => {
  const seen = new Set<number>([State.asking]);
  for (const from of seen) {
    for (const input of INPUTS) {
      const next = step(from as State, Input[input]);
      if (next >= 0) seen.add(next);
    }
  }
  expect([...seen].sort()).toEqual(Object.values(State).sort());
  for (const input of INPUTS) expect([step(State.over, Input[input]), step(State.switched, Input[input])]).toEqual([MISUSE, MISUSE]);
});

test("step() and turned(): agree with the tables", () => {
  for (const state of STATES) {
    for (const input of INPUTS) {
      const cell = NEXT[state][input];
      const next = step(State[state], Input[input]);
      expect(next === MISUSE ? "misuse" : STATES[next], `${state} + ${input}`).toBe(cell === "stay" ? state : cell);
    }
  }
  for (const standing of STANDINGS) {
    for (const turn of TURNS) {
      const cell = LASTS[standing][turn];
      expect(STANDINGS[turned(Standing[standing], Turn[turn])], `${standing} + ${turn}`).toBe(cell === "stay" ? standing : cell);
    }
  }
});

test("connections: one that closes is never persistent again", () => {
  for (const standing of STANDINGS.slice(1)) {
    for (const turn of TURNS) expect(turned(Standing[standing], Turn[turn])).not.toBe(Standing.persistent);
  }
});

/** Printed with one line for each cell: a changed cell is a changed line. */
test("the tables match their snapshot", () => {
  expect(printTables()).toMatchSnapshot();
});
