import { SUBPROTOCOL } from "../../driver/performance.ts";
import type { ChannelCase, Sight, Step } from "../../vocabulary.ts";
import { ack, all, drop, FENCE, message, octets, say, type Told, until } from "../phrases.ts";
import { agentCases, attached, begun, clientCases, holding, line, offered } from "./phrases.ts";

/** What the requests and the text messages of every program have, also when it connects again (sections 1.1, 1.2 and 2.2). */

const requests = (begun: readonly Step[], again: readonly Step[]): Told[] => {
  const both = (of: (on: string) => Sight): Pick<Told, "steps" | "see"> => ({
    steps: [...begun, drop("hub"), ...again],
    see: all(of("hub"), of("again")),
  });
  return [
    {
      id: "offers-the-subprotocol",
      covers: "channel#1.1/offered",
      title: "Each request offers the subprotocol of the channel.",
      ...both((on) => ({ see: "offers", on, name: SUBPROTOCOL })),
    },
    {
      id: "gives-its-token",
      covers: "channel#1.2/one-token",
      title: "Each request has one token, in Authorization or as a subprotocol.",
      ...both((on) => ({ see: "one-token", on })),
    },
    {
      id: "gives-its-messages-their-members",
      covers: "channel#2.2/form",
      title: "Each text message has all members of its type, in their ranges.",
      ...both((on) => ({ see: "well-formed", on })),
    },
  ];
};

export const cases: ChannelCase[] = [
  ...agentCases(
    requests(
      [...begun(), line("hello"), until(holding("hub", "hello\n")), FENCE],
      [
        ...offered("again", { from: 12, end: 12, input: 6 }),
        line("exit 3", "again"),
        until(message("again", { type: "exit" })),
        say("again", { type: "ping", id: 9 }),
      ],
    ),
  ),
  ...clientCases(
    requests(
      [...attached(), octets("hub", "hello"), until(message("hub", ack(5)))],
      [
        ...attached("again", { from: 5, end: 5, known: true, input: 5 }),
        octets("again", "world"),
        until(message("again", ack(10))),
        say("again", { type: "ping", id: 9 }),
      ],
    ),
  ),
];
