import { ack, all, closed, FENCE, first, last, message, never, octets, only, open, say, shown, status, type Told } from "../phrases.ts";
import { agent, client, hubCases, offer } from "./phrases.ts";
import type { Step } from "../../vocabulary.ts";

/** Who is asked whether it is still there, and whose connection ends. */

/** A case cannot wait as long as section 6 has a hub wait: the hub must have shorter times. */
const HASTY = ["hasty heartbeat"];
const ASKS_MS = 4_000;
const ENDS_MS = 6_000;
const waitFor = (on: string, ms: number): Step => ({ do: "wait", ms, until: closed(on, 4003) });
/** An agent that does not even offer. */
const SILENT = agent("agent", { deaf: true, silent: true });
/** One client that sends nothing, and others that do. */
const BUSY = [agent(), client("a", { deaf: true }), client("b"), agent("other", { session: "{session}-other" })];
/** A hub waits longer for an answer than this. */
const A_WHILE = 500;

export const cases = hubCases([
  ...(
    [
      ["client", "a", [agent(), client("a", { deaf: true })]],
      ["agent", "agent", [agent("agent", { deaf: true })]],
      ["agent-before-its-offer", "agent", [agent("agent", { deaf: true, silent: true })]],
    ] as const
  ).flatMap(([id, on, steps]): Told[] => [
    {
      id: `heartbeat-asks-${id}`,
      covers: "channel#6/silent-hub",
      needs: HASTY,
      title: `Asks ${id === "client" ? "a client" : "an agent"} from which nothing comes (${id.replaceAll("-", " ")}).`,
      steps: [...steps, { do: "wait", ms: ASKS_MS, until: message(on, { type: "ping" }) }],
      control: steps,
      see: message(on, { type: "ping" }),
    },
    {
      id: `heartbeat-ends-${id}`,
      covers: "channel#6/silent-hub",
      needs: HASTY,
      title: `Ends the connection when nothing comes either after that (${id.replaceAll("-", " ")}).`,
      steps: [...steps, waitFor(on, ASKS_MS + ENDS_MS)],
      control: steps,
      see: closed(on, 4003, "silent"),
    },
  ]),
  ...(
    [
      ["agent-that-acknowledges", "agent", [agent()], say("agent", ack(0))],
      ["agent-that-prints", "agent", [agent()], octets("agent", "x")],
      ["agent-that-asks", "agent", [agent()], say("agent", { type: "ping", id: 5 })],
      ["client-that-acknowledges", "a", [agent(), client("a")], say("a", ack(0))],
      ["client-that-types", "a", [agent(), client("a")], octets("a", "x")],
      ["client-that-asks", "a", [agent(), client("a")], say("a", { type: "ping", id: 5 })],
    ] as const
  ).map(([id, on, begun, act]): Told => ({
    id: `heartbeat-spares-${id}`,
    covers: "channel#6/silent-hub",
    needs: HASTY,
    title: `Does not ask while messages come (${id.replaceAll("-", " ")}).`,
    // For longer than it waits before it asks.
    steps: [...begun, ...Array.from({ length: 5 }, (): readonly Step[] => [act, { do: "wait", ms: 600 }]).flat()],
    control: [...begun, act],
    see: all(open(on), never(on, { type: "ping" })),
  })),
  {
    id: "heartbeat-keeps-the-others",
    covers: "channel#6/silent-hub",
    needs: HASTY,
    title: "Keeps the clients that answer when it ends the connection of one that does not.",
    steps: [agent(), client("a", { deaf: true }), client("b"), waitFor("a", ASKS_MS + ENDS_MS), octets("b", "x"), FENCE],
    control: [agent(), client("a"), client("b"), octets("b", "x"), FENCE],
    see: all(closed("a", 4003, "silent"), open("b"), shown("agent", "x"), last("b", { type: "state", clients: 1, owner: true })),
  },
  {
    id: "ping-of-client",
    covers: "channel#6/pong",
    title: "Answers a client's ping with its id.",
    steps: [agent(), client("a"), say("a", { type: "ping", id: 9_007_199_254_740_991 })],
    see: only("a", { type: "pong", id: 9_007_199_254_740_991 }),
  },
  {
    id: "ping-of-agent",
    covers: "channel#6/pong",
    title: "Answers an agent's ping with its id, before its offer too.",
    steps: [
      agent("agent", { silent: true }),
      say("agent", { type: "ping", id: 0 }),
      say("agent", { type: "offer", from: 0, end: 0, input: 0, cols: 80, rows: 24 }),
      say("agent", { type: "ping", id: 7 }),
    ],
    see: all(first("agent", { type: "pong", id: 0 }), only("agent", { type: "pong", id: 7 })),
  },
  {
    id: "pong-before-the-offer",
    covers: "channel#3.1/offer-first",
    title: "Accepts a pong of an agent before its offer.",
    steps: [agent("agent", { silent: true }), say("agent", { type: "pong", id: 1 }), say("agent", offer()), FENCE],
    see: all(open("agent"), first("agent", { type: "state", agent: "here" })),
  },
  {
    id: "pong-unasked",
    covers: "channel#6/pong",
    title: "Accepts pongs that nobody asked for.",
    steps: [
      agent(),
      client("a"),
      say("a", { type: "pong", id: 1 }),
      say("agent", { type: "pong", id: 1 }),
      FENCE,
      say("a", { type: "ping", id: 3 }),
    ],
    see: message("a", { type: "pong", id: 3 }),
  },
  {
    id: "heartbeat-keeps-all-that-answer",
    covers: "channel#6/silent-hub",
    needs: HASTY,
    title: "Keeps an agent and clients that do nothing but answer, however often it asks.",
    steps: [
      agent(),
      client("a"),
      client("w", { query: "client=w&mode=watch" }),
      {
        do: "wait",
        ms: ASKS_MS + ENDS_MS,
        until: all(...["agent", "a", "w"].map((on) => message(on, { type: "ping" }, 3))),
      },
      FENCE,
    ],
    see: all(...["agent", "a", "w"].flatMap((on) => [open(on), message(on, { type: "ping" }, 3)])),
  },
  {
    id: "heartbeat-waits-for-the-answer",
    covers: "channel#6/silent-hub",
    needs: HASTY,
    title: "Waits for the answer of one client while it asks another one.",
    steps: [
      agent(),
      client("a", { deaf: true }),
      { do: "wait", ms: A_WHILE },
      client("b"),
      { do: "wait", ms: ASKS_MS, until: message("b", { type: "ping" }) },
      say("a", { type: "pong", id: 0 }),
      FENCE,
    ],
    control: [agent(), client("a"), client("b"), FENCE],
    see: all(open("a"), message("a", { type: "ping" }), last("b", { type: "state", clients: 2 })),
  },
  {
    id: "heartbeat-waits-for-the-answer-of-an-agent",
    covers: "channel#6/silent-hub",
    needs: HASTY,
    title: "Waits for the answer of an agent while it asks a client.",
    steps: [
      agent("agent", { deaf: true }),
      { do: "wait", ms: A_WHILE },
      client("a"),
      { do: "wait", ms: ASKS_MS, until: message("a", { type: "ping" }) },
      say("agent", { type: "pong", id: 0 }),
      octets("agent", "x"),
      FENCE,
    ],
    control: [agent(), client("a"), octets("agent", "x"), FENCE],
    see: all(open("agent"), message("agent", { type: "ping" }), shown("a", "x")),
  },
  {
    id: "quiet-agent",
    covers: "channel#4.7/abandoned",
    needs: [...HASTY, "hasty end"],
    title: "Asks an agent that sends nothing, ends its connection and then its session, although nothing else happens.",
    steps: [
      SILENT,
      { do: "wait", ms: ASKS_MS + ENDS_MS, until: closed("agent", 4003) },
      // A hasty hub waits two seconds for an agent at most.
      { do: "wait", ms: 3_000 },
      client("late", { silent: true }),
    ],
    control: [SILENT, say("agent", offer()), client("late")],
    see: all(message("agent", { type: "ping" }), closed("agent", 4003, "silent"), status("late", 404)),
  },
  {
    id: "quiet-client",
    covers: "channel#6/silent-hub",
    needs: HASTY,
    title: "Asks a client that sends nothing, although its agent, another client and another session are busy and nothing else happens.",
    steps: [
      ...BUSY,
      ...Array.from({ length: 8 }, (): readonly Step[] => [
        ...["agent", "b", "other"].map((name) => say(name, ack(0))),
        { do: "wait", ms: 600, until: message("a", { type: "ping" }) },
      ]).flat(),
    ],
    control: [...BUSY, ...["agent", "a", "b", "other"].map((name) => say(name, ack(0))), FENCE],
    see: all(message("a", { type: "ping" }), ...["agent", "b", "other"].map((name) => never(name, { type: "ping" }))),
  },
]);
