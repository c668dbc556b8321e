import type { Step } from "../../vocabulary.ts";
import { ack, all, message, never, octets, open, say, type Told, until } from "../phrases.ts";
import { agentCases, attached, clientCases, count, query, state, wait } from "./phrases.ts";

/** Agents and clients whose hub is silent (section 6). A case cannot wait as long as they may: the subject must say that it asks sooner. */

const NEEDS = ["asks"];
/** Longer than such a subject waits before it asks, and before it connects again. */
const ASKS_MS = 2_000;
const NOTICES_MS = 4_000;
const ASKED = message("hub", { type: "ping" });

type Kind = { readonly begun: (deaf: boolean) => readonly Step[]; readonly again: Readonly<Record<string, string>> };
const withDeaf = (steps: readonly Step[], deaf: boolean): Step[] =>
  steps.map((step) => (step.do === "accept" && deaf ? { ...step, deaf: true } : step));

const told = (who: "agent" | "client", { begun, again }: Kind): Told[] => [
  {
    id: "heartbeat-asks",
    covers: "channel#6/notices",
    level: "SHOULD",
    needs: NEEDS,
    title: `The ${who} asks a hub from which nothing comes.`,
    steps: [...begun(false), wait(ASKS_MS, ASKED)],
    control: begun(false),
    see: ASKED,
  },
  {
    id: "heartbeat-notices",
    covers: "channel#6/notices",
    level: "SHOULD",
    needs: NEEDS,
    title: `The ${who} whose hub does not answer connects again, as before.`,
    steps: [...begun(true), wait(NOTICES_MS, { see: "again", on: "hub" }), { do: "accept", name: "again" }],
    control: begun(false),
    see: all(ASKED, query("again", again)),
  },
  ...(
    [
      ["answers", "answers", []],
      ["prints", "sends octets", [octets("hub", "x")]],
      ["acknowledges", "acknowledges", [say("hub", ack(0))]],
      ["states", "sends its state again", [say("hub", state())]],
    ] as const
  ).map(([id, what, act]): Told => ({
    id: `heartbeat-keeps-a-hub-that-${id}`,
    covers: "channel#6/notices",
    level: "SHOULD",
    needs: NEEDS,
    title: `The ${who} keeps the connection of a hub that ${what}.`,
    steps: [...begun(act.length > 0), ...Array.from({ length: 8 }, () => [...act, wait(300)]).flat()],
    control: begun(false),
    see: all({ see: "alone", on: "hub" }, open("hub"), ...(act.length > 0 ? [never("hub", { type: "ping" })] : [ASKED])),
  })),
];

export const cases = [
  ...agentCases(
    told("agent", {
      begun: (deaf) => [
        ...withDeaf([{ do: "accept", name: "hub" }], deaf),
        until(message("hub", { type: "offer" })),
        say("hub", state()),
        say("hub", ack(0)),
      ],
      again: { run: "{run}" },
    }),
  ),
  ...clientCases(
    told("client", {
      begun: (deaf) => [...withDeaf(attached(), deaf), octets("hub", "a"), until(count("hub", 1, 100))],
      again: { client: "{client}", run: "r1" },
    }),
  ),
];
