import { STATE } from "../../driver/subject.ts";
import type { Message, Sight, Step } from "../../vocabulary.ts";
import { ack, casesOf, message, octets, say, until } from "../phrases.ts";

/** What cases for agents and clients say: the harness is the hub. */

export const accept = (name = "hub", status?: number): Step => ({ do: "accept", name, ...(status === undefined ? {} : { status }) });
export const state = (more: Message = {}): Message => ({ ...STATE, ...more });
export const wait = (ms: number, sight?: Sight): Step => ({ do: "wait", ms, ...(sight === undefined ? {} : { until: sight }) });

/** An agent connects, offers, and gets its state; its shell has printed the line "ready". */
export const READY = 6;
export const offered = (name = "hub", more: Message = {}, offset = Number(more["from"] ?? 0)): Step[] => [
  accept(name),
  until(message(name, { type: "offer" })),
  say(name, state(more)),
  say(name, ack(offset)),
];
export const begun = (more: Message = {}): Step[] => [...offered("hub", more), until(holding("hub", "ready\n")), say("hub", ack(READY))];
/** A client connects, and gets its state. */
export const attached = (name = "hub", more: Message = {}): Step[] => [
  accept(name),
  say(name, state({ run: "r1", ...more })),
  say(name, ack(Number(more["known"] === true ? more["input"] : 0))),
];
export const line = (text: string, name = "hub"): Step => octets(name, `${text}\n`);
export const holding = (on: string, text: string, times?: number): Sight => ({
  see: "holding",
  on,
  text,
  ...(times === undefined ? {} : { times }),
});
export const count = (on: string, least: number, most = least): Sight => ({ see: "count", on, least, most });
export const query = (on: string, members: Readonly<Record<string, string>>): Sight => ({ see: "query", on, members });
export const acknowledged = (on: string, offset: number): Sight => ({ see: "acknowledged", on, offset });

const [agents, clients] = [casesOf("client", "agent"), casesOf("client", "client")];
export const agentCases = (told: Parameters<typeof agents>[0]): ReturnType<typeof agents> =>
  agents(told.map((one) => ({ ...one, needs: ["agent", ...(one.needs ?? [])] })));
export const clientCases = (told: Parameters<typeof clients>[0]): ReturnType<typeof clients> =>
  clients(told.map((one) => ({ ...one, needs: ["client", ...(one.needs ?? [])] })));
