import { describe, expect, test } from "vitest";
import { isRecvDone, RECV_TABLE, type RecvState } from "./recv-state.ts";
import { isSendDone, SEND_TABLE, type SendState } from "./send-state.ts";

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;
const print = (table: Table): string =>
  Object.entries(table)
    .flatMap(([state, row]) => Object.entries(row).map(([input, cell]) => `${state} + ${input} -> ${cell}`))
    .join("\n");
function reachable(table: Table, from: string): string[] {
  const seen = new Set([from]);
  for (const state of seen) for (const cell of Object.values(table[state]!)) if (cell in table) seen.add(cell);
  return [...seen].sort();
}

describe("stream states", () => {
  /** Printed completely, one cell a line, so that a changed cell is one changed line in review. */
  test("the tables are the reviewed ones", () => {
    expect(print(SEND_TABLE)).toMatchSnapshot("sending part");
    expect(print(RECV_TABLE)).toMatchSnapshot("receiving part");
  });

  test("every state is reached from the first, and none leads out of an end", () => {
    expect(reachable(SEND_TABLE, "ready")).toEqual(Object.keys(SEND_TABLE).sort());
    expect(reachable(RECV_TABLE, "recv")).toEqual(Object.keys(RECV_TABLE).sort());
    for (const state of (Object.keys(SEND_TABLE) as SendState[]).filter(isSendDone)) expect(reachable(SEND_TABLE, state)).toEqual([state]);
    for (const state of (Object.keys(RECV_TABLE) as RecvState[]).filter(isRecvDone)) expect(reachable(RECV_TABLE, state)).toEqual([state]);
  });
});
