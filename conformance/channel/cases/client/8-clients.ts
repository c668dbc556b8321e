import type { ChannelCase } from "../../vocabulary.ts";
import { ack, all, drop, exit, FENCE, message, octets, resize, say, shown, type Told, until } from "../phrases.ts";
import { accept, acknowledged, attached, clientCases, count, state, wait } from "./phrases.ts";

/** Clients: what they count, acknowledge, type within the window, and send again (sections 6 and 8). The user of the client types all output that is shown. */

/** Longer than a client needs to send what it may not. */
const A_WHILE = 250;

const counts: readonly Told[] = [
  ...([0, 1, 100, 2 ** 40] as const).map((from): Told => ({
    id: `acknowledges-output-from-${from}`,
    covers: "channel#8/acknowledges",
    title: `A client counts output from ${from} if the state says so, and acknowledges what it has shown.`,
    steps: [...attached("hub", { from, end: from }), octets("hub", "hello"), until(message("hub", ack(from + 5)))],
    see: acknowledged("hub", from + 5),
  })),
  {
    id: "acknowledges-all-messages",
    covers: "channel#8/acknowledges",
    title: "A client acknowledges output that arrives in three messages.",
    steps: [...attached(), octets("hub", "one"), octets("hub", "two"), octets("hub", "three"), until(message("hub", ack(11)))],
    see: acknowledged("hub", 11),
  },
  {
    id: "acknowledges-a-long-message",
    covers: "channel#8/acknowledges",
    title: "A client shows and acknowledges a message of 65,536 octets.",
    steps: [...attached("hub", { window: 10 }), octets("hub", "x", 65_536, true), until(message("hub", ack(65_536)))],
    see: acknowledged("hub", 65_536),
  },
  ...(
    [
      ["in-one-message", [octets("hub", "screenhello")]],
      ["in-its-own-message", [octets("hub", "screen"), octets("hub", "hello")]],
      ["in-two-messages", [octets("hub", "scr"), octets("hub", "eenhello")]],
    ] as const
  ).map(([id, steps]): Told => ({
    id: `does-not-count-the-screen-${id}`,
    covers: "channel#8/acknowledges",
    title: `A client counts the octets after the screen, which arrives ${id.replaceAll("-", " ")}.`,
    steps: [...attached("hub", { from: 20, end: 20, screen: 6 }), ...steps, until(message("hub", ack(25)))],
    see: all(acknowledged("hub", 25), shown("hub", "hello")),
  })),
  {
    id: "counts-from-a-gap",
    covers: "channel#8/acknowledges",
    title: "A client that connects again counts from where the hub begins, even if output between is lost.",
    steps: [
      ...attached(),
      octets("hub", "hello"),
      until(message("hub", ack(5))),
      drop("hub"),
      ...attached("again", { from: 50, end: 50, known: true, input: 5 }),
      octets("again", "world"),
      until(message("again", ack(55))),
    ],
    see: acknowledged("again", 55),
  },
  {
    id: "takes-a-later-state",
    covers: "channel#8/acknowledges",
    title: "A client goes on after a second state on its connection.",
    steps: [
      ...attached(),
      octets("hub", "hello"),
      until(message("hub", ack(5))),
      say("hub", state({ run: "r1", from: 5, end: 5, input: 5, clients: 2 })),
      octets("hub", "world"),
      until(message("hub", ack(10))),
    ],
    see: all(acknowledged("hub", 10), shown("hub", "helloworld")),
  },
  {
    id: "counts-from-a-gap-in-a-later-state",
    covers: "channel#8/acknowledges",
    title: "A client counts from where a later state on its connection says that the output continues.",
    steps: [
      ...attached(),
      octets("hub", "hello"),
      until(message("hub", ack(5))),
      say("hub", state({ run: "r1", from: 50, end: 50, input: 5 })),
      octets("hub", "world"),
      until(message("hub", ack(55))),
    ],
    see: all(acknowledged("hub", 55), shown("hub", "helloworld")),
  },
  {
    id: "goes-on-after-other-messages",
    covers: "channel#8/acknowledges",
    title: "A client goes on with output after a size, a heartbeat and an exit with again.",
    steps: [
      ...attached(),
      say("hub", resize(91, 31)),
      say("hub", { type: "pong", id: 8 }),
      say("hub", exit(true)),
      octets("hub", "hello"),
      until(message("hub", ack(5))),
    ],
    control: attached(),
    see: all(acknowledged("hub", 5), shown("hub", "hello")),
  },
  {
    id: "forgets-a-screen-that-was-cut-short",
    covers: "channel#8/acknowledges",
    title: "A client that connects again counts output from the first octet if its new state has no screen.",
    steps: [
      ...attached("hub", { from: 20, end: 20, screen: 6 }),
      octets("hub", "scr"),
      FENCE,
      drop("hub"),
      ...attached("again", { from: 20, end: 20, known: true, input: 0 }),
      octets("again", "hello"),
      until(message("again", ack(25))),
    ],
    see: all(acknowledged("again", 25), shown("again", "hello")),
  },
];

const types: readonly Told[] = [
  {
    id: "types",
    covers: "channel#8/window",
    title: "A client sends what is typed, once and in order.",
    steps: [...attached(), octets("hub", "one"), octets("hub", "two"), until(count("hub", 6, 100))],
    see: shown("hub", "onetwo"),
  },
  ...([1, 3, 8, 1_000] as const).map((window): Told => ({
    id: `stops-at-a-window-of-${window}`,
    covers: "channel#8/window",
    title: `A client sends no more than a window of ${window} octets beyond what is acknowledged.`,
    steps: [...attached("hub", { window }), octets("hub", "x", 3_000), until(count("hub", window, 10_000)), wait(A_WHILE)],
    control: attached("hub", { window }),
    see: count("hub", window),
  })),
  ...([1, 7, 8] as const).map((offset): Told => ({
    id: `goes-on-after-an-acknowledgement-of-${offset}`,
    covers: "channel#8/window",
    title: `A client with a window of 8 sends ${offset} more octets once ${offset} are acknowledged, and no more.`,
    steps: [
      ...attached("hub", { window: 8 }),
      octets("hub", "x", 3_000),
      until(count("hub", 8, 10_000)),
      say("hub", ack(offset)),
      until(count("hub", 8 + offset, 10_000)),
      wait(A_WHILE),
    ],
    control: attached("hub", { window: 8 }),
    see: count("hub", 8 + offset),
  })),
  {
    id: "ignores-an-older-acknowledgement",
    covers: "channel#8/window",
    title: "An older acknowledgement takes nothing from the window of a client.",
    steps: [
      ...attached("hub", { window: 8 }),
      octets("hub", "x", 30),
      until(count("hub", 8, 10_000)),
      say("hub", ack(8)),
      say("hub", ack(2)),
      until(count("hub", 16, 10_000)),
      wait(A_WHILE),
    ],
    control: attached("hub", { window: 8 }),
    see: count("hub", 16),
  },
  {
    id: "sends-all-in-the-end",
    covers: "channel#8/window",
    title: "A client sends all that was typed as its window opens, in order.",
    steps: [
      ...attached("hub", { window: 4 }),
      octets("hub", "abcdefghij"),
      until(shown("hub", "abcd")),
      say("hub", ack(4)),
      until(shown("hub", "abcdefgh")),
      say("hub", ack(8)),
    ],
    see: shown("hub", "abcdefghij"),
  },
  {
    id: "sends-all-of-three-messages-in-the-end",
    covers: "channel#8/window",
    title: "A client sends what was typed in three parts as its window opens, wherever a part is acknowledged.",
    steps: [
      ...attached("hub", { window: 4 }),
      octets("hub", "abc"),
      octets("hub", "def"),
      octets("hub", "ghi"),
      until(shown("hub", "abcd")),
      say("hub", ack(2)),
      until(shown("hub", "abcdef")),
      say("hub", ack(3)),
      until(shown("hub", "abcdefg")),
      say("hub", ack(7)),
      until(count("hub", 9)),
      wait(A_WHILE),
    ],
    control: attached("hub", { window: 4 }),
    see: shown("hub", "abcdefghi"),
  },
  {
    id: "types-a-long-paste",
    covers: "channel#8/window",
    title: "A client sends 60,000 octets that were typed at once, in order.",
    steps: [...attached(), octets("hub", "0123456789", 6_000, true), until(count("hub", 60_000, 70_000))],
    see: shown("hub", "0123456789", 6_000),
  },
  {
    id: "keeps-its-window-after-a-later-state",
    covers: "channel#8/window",
    title: "A later state gives a client no more window: only acknowledgements do.",
    steps: [
      ...attached("hub", { window: 8 }),
      octets("hub", "abcd"),
      until(shown("hub", "abcd")),
      say("hub", state({ run: "r1", from: 4, end: 4, input: 4, window: 8, clients: 2 })),
      octets("hub", "efghijkl"),
      until(count("hub", 8, 100)),
      wait(A_WHILE),
    ],
    control: attached("hub", { window: 8 }),
    see: shown("hub", "abcdefgh"),
  },
  {
    id: "only-watches",
    covers: "channel#8/window",
    title: "A client whose window is 0 types nothing.",
    steps: [...attached("hub", { window: 0 }), octets("hub", "hello"), until(message("hub", ack(5))), wait(A_WHILE)],
    control: attached("hub"),
    see: count("hub", 0),
  },
  {
    id: "types-nothing-before-the-state",
    covers: "channel#8/window",
    title: "A client that connects again sends nothing before it knows its window.",
    steps: [
      ...attached("hub", { window: 3 }),
      octets("hub", "abcdef"),
      until(shown("hub", "abc")),
      drop("hub"),
      accept("again"),
      wait(A_WHILE),
    ],
    see: count("again", 0),
  },
];

const others: readonly Told[] = [
  ...([0, 1, 7, 2 ** 53 - 1] as const).map((id): Told => ({
    id: `answers-ping-${id}`,
    covers: "channel#6/pong",
    title: `A client answers a ping with the id ${id} with a pong that has the same.`,
    steps: [...attached(), say("hub", { type: "ping", id })],
    see: message("hub", { type: "pong", id }),
  })),
  {
    id: "answers-ping-before-its-state",
    covers: "channel#6/pong",
    title: "A client answers a ping before its first state.",
    steps: [accept(), say("hub", { type: "ping", id: 5 })],
    control: attached(),
    see: message("hub", { type: "pong", id: 5 }),
  },
  {
    id: "ignores-unknown-members",
    covers: "channel#2.2/unknown-members",
    title: "A client ignores members of messages that it does not know.",
    steps: [...attached("hub", { pixels: [1, 2], shell: { name: "sh" } }), octets("hub", "hello"), until(message("hub", ack(5)))],
    control: attached(),
    see: all(acknowledged("hub", 5), shown("hub", "hello")),
  },
];

export const cases: ChannelCase[] = clientCases([...counts, ...types, ...others]);
