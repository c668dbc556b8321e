import type { Message, Step } from "../../vocabulary.ts";
import { casesOf } from "../phrases.ts";

/** What cases for hubs say: the harness is the agent and the clients. */

type More = Partial<Omit<Extract<Step, { do: "connect" }>, "do" | "as">>;
const connect =
  (as: Extract<Step, { do: "connect" }>["as"]) =>
  (name: string, more: More = {}): Step => ({ do: "connect", as, ...more, name });
export const agent = (name = "agent", more: More = {}): Step => connect("agent")(name, more);
export const client = connect("client");
export const watcher = connect("watcher");
export const stranger = connect("stranger");
export const wrong = connect("wrong");
export const offer = (more: Message = {}): Message => ({ type: "offer", from: 0, end: 0, input: 0, cols: 80, rows: 24, ...more });

export const hubCases = casesOf("server", "hub");
