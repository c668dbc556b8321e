import { ack, all, closed, drop, exit, FENCE, first, last, octets, open, say, shown, status, until } from "../phrases.ts";
import { agent, client, hubCases, offer } from "./phrases.ts";
import type { Step } from "../../vocabulary.ts";

/** What a hub does when nothing happens for a while. The hub must have short times, since a case cannot wait for minutes. */

const ENDS = ["hasty end"];
const STALLS = ["hasty stall"];
/** Longer than a hasty hub waits, and much longer. */
const LONG_MS = 2_500;
const MOST_MS = 6_000;
const long: Step = { do: "wait", ms: LONG_MS };
const waitFor = (on: string, code: number): Step => ({ do: "wait", ms: MOST_MS, until: closed(on, code) });
const gone = (on: string) => until(last(on, { type: "state", agent: "gone" }));

export const cases = hubCases([
  {
    id: "times-abandoned",
    covers: "channel#4.7/abandoned",
    needs: ENDS,
    title: "Closes the clients of a session with 4001 when its agent does not return, and forgets the session.",
    steps: [agent(), client("a"), drop("agent"), gone("a"), waitFor("a", 4001), client("b", { silent: true })],
    control: [agent(), client("a"), drop("agent"), gone("a"), client("b")],
    see: all(closed("a", 4001, "abandoned"), status("b", 404)),
  },
  {
    id: "times-not-abandoned-after-a-long-life",
    covers: "channel#4.7/abandoned",
    needs: ENDS,
    title: "Waits for the agent from when it left, however old the session is.",
    steps: [agent(), client("a"), long, drop("agent"), gone("a"), FENCE, FENCE, agent("again"), octets("again", "x"), FENCE],
    see: all(open("a"), shown("a", "x"), last("a", { type: "state", agent: "here" })),
  },
  {
    id: "times-not-abandoned-once-the-agent-is-back",
    covers: "channel#4.7/abandoned",
    needs: ENDS,
    title: "Keeps a session whose agent is back, for as long as it stays.",
    steps: [agent(), client("a"), drop("agent"), gone("a"), agent("again"), long, octets("again", "x"), FENCE],
    see: all(open("a"), shown("a", "x")),
  },
  {
    id: "times-exit-after-a-long-life",
    covers: "channel#4.7/exit",
    needs: ENDS,
    title: "Keeps the exit for late clients from when the shell ended, however old the session is.",
    steps: [agent(), long, say("agent", exit(false, 3)), until(closed("agent", 1000)), client("late")],
    control: [agent(), FENCE, client("late")],
    see: all(first("late", { type: "state", agent: "exited" }), closed("late", 1000)),
  },
  {
    id: "times-stalled",
    covers: "channel#4.6/stalled",
    needs: STALLS,
    title: "Closes a client with 1013 that acknowledges nothing of what it lacks, and keeps the others.",
    steps: [
      agent(),
      client("slow"),
      client("fast"),
      octets("agent", "hello"),
      until(all(shown("fast", "hello"), shown("slow", "hello"))),
      say("fast", ack(5)),
      say("slow", ack(4)),
      waitFor("slow", 1013),
      octets("agent", "!"),
      FENCE,
    ],
    control: [agent(), client("slow"), client("fast"), octets("agent", "hello"), FENCE],
    see: all(closed("slow", 1013, "stalled"), open("fast"), shown("fast", "hello!"), last("fast", { type: "state", clients: 1 })),
  },
  {
    id: "times-stalled-although-it-repeats-itself",
    covers: "channel#4.6/stalled",
    needs: STALLS,
    title: "Closes a client with 1013 that is behind and repeats its last acknowledgement: that is no progress.",
    steps: [
      agent(),
      client("a"),
      octets("agent", "hello"),
      until(shown("a", "hello")),
      ...Array.from({ length: 10 }, (): Step[] => [say("a", ack(4)), { do: "wait", ms: 500, until: closed("a", 1013) }]).flat(),
    ],
    control: [agent(), client("a"), octets("agent", "hello"), FENCE, say("a", ack(4)), FENCE],
    see: closed("a", 1013, "stalled"),
  },
  {
    id: "times-not-stalled-while-it-acknowledges",
    covers: "channel#4.6/stalled",
    needs: STALLS,
    title: "Keeps a client that is behind and acknowledges a little at a time.",
    steps: [
      agent(),
      client("a"),
      octets("agent", "hello!"),
      until(shown("a", "hello!")),
      ...[1, 2, 3, 4, 5].flatMap((offset): Step[] => [{ do: "wait", ms: 500 }, say("a", ack(offset))]),
      FENCE,
    ],
    control: [agent(), client("a"), octets("agent", "hello!"), FENCE],
    see: all(open("a"), last("agent", ack(5))),
  },
  {
    id: "times-not-stalled-after-a-silence",
    covers: "channel#4.6/stalled",
    needs: STALLS,
    title: "Counts the time of a client that was not behind from the output that it lacks.",
    steps: [agent(), client("a"), long, octets("agent", "hello"), { do: "wait", ms: 300 }, FENCE],
    see: all(open("a"), shown("a", "hello")),
  },
  {
    id: "times-not-stalled-by-a-gap",
    covers: "channel#4.6/stalled",
    needs: STALLS,
    title: "Does not count output that is lost as what a client lacks.",
    steps: [
      agent(),
      client("a"),
      octets("agent", "hello"),
      until(shown("a", "hello")),
      say("a", ack(5)),
      drop("agent"),
      gone("a"),
      agent("again", { offer: offer({ from: 20, end: 20 }) }),
      long,
      FENCE,
    ],
    see: all(open("a"), last("a", { type: "state", from: 20, agent: "here" })),
  },
  {
    id: "times-not-stalled-once-it-has-everything",
    covers: "channel#4.6/stalled",
    needs: STALLS,
    title: "Keeps a client that has acknowledged everything, however long nothing is printed.",
    steps: [agent(), client("a"), octets("agent", "hello"), until(shown("a", "hello")), say("a", ack(5)), long, FENCE],
    see: all(open("a"), last("agent", ack(5))),
  },
]);
