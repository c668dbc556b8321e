import { expect, test } from "vitest";
import { CLIENT_STATES } from "./client/states.ts";
import type { Cell } from "./endpoint.ts";
import { SERVER_STATES } from "./server/states.ts";

/** One line per state and message that is not simply unexpected: the name of what handles it, or of the fault. */
function lines<Self>(states: Readonly<Record<string, Readonly<Record<string, Cell<Self>>>>>): string {
  return Object.entries(states)
    .flatMap(([state, row]) => Object.entries(row).map(([message, cell]) => [state, message, typeof cell === "string" ? cell : cell.name]))
    .filter(([, , what]) => what !== "messageUnexpected")
    .map(([state, message, what]) => `${state}: ${message}: ${what}`)
    .join("\n");
}

test("the states of a client are the reviewed ones", () => expect(lines(CLIENT_STATES)).toMatchSnapshot());
test("the states of a server are the reviewed ones", () => expect(lines(SERVER_STATES)).toMatchSnapshot());
