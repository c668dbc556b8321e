import { expect, test } from "vitest";
import { Closed, Input, INPUTS, late, MISUSE, NEXT, printTables, refusal, State, STATES, step } from "./stream-state.ts";

test("stream states: closed is never left", () => {
  for (const input of INPUTS) {
    const next = step(State.closed, Input[input]);
    expect(next < 0 || next === State.closed, input).toBe(true);
  }
});

test("stream states: every state is reachable from idle", () => {
  const seen = new Set<number>([State.idle]);
  for (const from of seen) {
    for (const input of INPUTS) {
      const next = step(from as State, Input[input]);
      if (next >= 0) seen.add(next);
    }
  }
  expect([...seen].sort()).toEqual(Object.values(State).sort());
});

test("stream states: the numbers say what the table says", () => {
  for (const state of STATES) {
    for (const input of INPUTS) {
      const cell = NEXT[state][input];
      const next = step(State[state], Input[input]);
      const said = next === MISUSE ? "misuse" : next < 0 ? { refuse: refusal(next) } : STATES[next];
      expect(said, `${state} + ${input}`).toEqual(cell === "stay" ? state : cell);
    }
  }
});

test("stream states: after our own RST_STREAM everything late is discarded, after theirs content is not", () => {
  expect(late(Closed.resetByUs, "HEADERS")).toBeUndefined();
  expect(late(Closed.resetByUs, "DATA")).toBeUndefined();
  expect(late(Closed.resetByPeer, "DATA")).toBe("frameAfterRstStream");
  expect(late(Closed.ended, "DATA")).toBe("frameOnClosedStream");
  expect(late(Closed.forgotten, "HEADERS")).toBe("streamIdNotRising");
});

test("refusal(): a number that is none is our mistake", () => {
  expect(() => refusal(MISUSE)).toThrow("no refusal");
});

/** Printed whole, one cell a line, so that a changed cell is one changed line in review. */
test("stream states: the tables are those reviewed", () => {
  expect(printTables()).toMatchSnapshot();
});
