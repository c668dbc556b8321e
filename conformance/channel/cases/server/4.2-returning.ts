import { ack, all, closed, drop, FENCE, first, last, message, never, octets, open, say, shown, until, type Told } from "../phrases.ts";
import { agent, client, hubCases, offer } from "./phrases.ts";
import type { Sight } from "../../vocabulary.ts";

/** Clients that return: what they lack of the output, and what the hub no longer has. */

export const cases = hubCases([
  ...(
    [
      ["in-the-middle", 2, "llo"],
      ["at-the-end", 5, ""],
      ["at-the-beginning", 0, "hello"],
    ] as const
  ).map(([id, from, rest]): Told => ({
    id: `returning-${id}`,
    covers: "channel#4.2/rest",
    title: `Sends a returning client exactly the output that it lacks (from ${from} of 5).`,
    steps: [
      agent(),
      client("a"),
      octets("agent", "hello"),
      FENCE,
      drop("a"),
      client("again", { query: `client=a&run={run}&from=${from}` }),
      FENCE,
    ],
    see: all(first("again", { type: "state", from, screen: 0 }), shown("again", rest)),
  })),
  {
    id: "returning-after-much-output",
    covers: "channel#4.2/rest",
    title: "Sends a returning client the 200,000 octets that it lacks of 360,000.",
    steps: [
      agent(),
      ...["a", "b", "c", "d", "e", "f"].flatMap((letter, nth) => [
        octets("agent", letter, 60_000),
        until(message("agent", ack((nth + 1) * 60_000))),
      ]),
      client("a", { query: "client=a&run={run}&from=160000" }),
    ],
    see: all(
      first("a", { type: "state", from: 160_000, screen: 0 }),
      { see: "count", on: "a", least: 200_000, most: 200_000 },
      { see: "no-longer", on: "a", most: 65_536 },
      ...["ccd", "dde", "eef", "f"].map((text): Sight => ({ see: "holding", on: "a", text })),
    ),
  },
  {
    id: "returning-with-the-offset-of-another-run",
    covers: "channel#4.2/rest",
    title: "Does not continue the output of another run.",
    steps: [agent(), octets("agent", "hello"), FENCE, client("a", { query: "client=a&run=other&from=3" }), FENCE],
    see: all(open("a"), never("a", { type: "state", from: 3 })),
  },
  {
    id: "returning-client-acknowledges-too-much",
    covers: "channel#4.2/ack-ahead",
    title: "Closes the connection of a returning client that acknowledges output beyond what was sent.",
    steps: [agent(), octets("agent", "hello"), FENCE, client("a", { query: "client=a&run={run}&from=5" }), say("a", ack(6))],
    control: [agent(), octets("agent", "hello"), FENCE, client("a", { query: "client=a&run={run}&from=4" }), say("a", ack(5))],
    see: closed("a", 1008, "ack-ahead"),
  },
  {
    id: "returning-beyond-the-end",
    covers: "channel#4.2/rest",
    title: "Sends nothing from an offset that the output has not reached.",
    steps: [agent(), octets("agent", "hello"), FENCE, client("a", { query: "client=a&run={run}&from=6" }), octets("agent", "!"), FENCE],
    see: all(open("a"), never("a", { type: "state", from: 6, end: 5 })),
  },
  {
    id: "returning-while-the-agent-is-gone",
    covers: "channel#4.2/rest",
    title: "Keeps output for clients while the agent is gone.",
    steps: [
      agent(),
      client("a"),
      octets("agent", "hello"),
      FENCE,
      drop("agent"),
      until(last("a", { type: "state", agent: "gone" })),
      client("b", { query: "client=b&run={run}&from=1" }),
    ],
    see: all(first("b", { type: "state", agent: "gone", from: 1 }), shown("b", "ello")),
  },
  {
    id: "returning-to-output-of-long-ago",
    covers: "channel#4.2/rest",
    title: "Goes on with a client that lacks 360,000 octets, whether the hub still has all of them or not.",
    steps: [
      agent(),
      ...["a", "b", "c", "d", "e", "f"].flatMap((letter, nth) => [
        octets("agent", letter, 60_000),
        until(message("agent", ack((nth + 1) * 60_000))),
      ]),
      client("a", { query: "client=a&run={run}&from=0" }),
      octets("agent", "!"),
      FENCE,
      say("a", ack(360_001)),
      FENCE,
    ],
    see: all(open("a"), { see: "holding", on: "a", text: "!" }, last("agent", ack(360_001))),
  },
  {
    id: "gap-does-not-count",
    covers: "channel#4.2/ack-ahead",
    title: "Accepts an acknowledgement of output after a gap.",
    steps: [
      agent(),
      client("a"),
      octets("agent", "hello"),
      FENCE,
      drop("agent"),
      agent("again", { offer: offer({ from: 20, end: 20 }) }),
      octets("again", "abc"),
      FENCE,
      say("a", ack(23)),
      FENCE,
    ],
    see: all(open("a"), last("again", ack(23)), shown("a", "helloabc")),
  },
]);
