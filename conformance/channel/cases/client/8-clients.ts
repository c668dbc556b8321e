import type { ChannelCase, Step } from "../../vocabulary.ts";
import { ack, all, drop, message, octets, say, shown, type Told, until } from "../phrases.ts";
import { accept, acknowledged, attached, clientCases, count, query, state, wait } from "./phrases.ts";

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

/** Six octets were typed, of which three were sent; the connection breaks. */
const cutShort = (acked = 0): Step[] => [
  ...attached("hub", { window: 3 }),
  octets("hub", "abcdef"),
  until(shown("hub", "abc")),
  ...(acked === 0 ? [] : [say("hub", ack(acked)), until(count("hub", 3 + acked))]),
  drop("hub"),
];
const resends: readonly Told[] = [
  {
    id: "names-itself-again",
    covers: "channel#8/query",
    title: "A client that connects again gives the same name, its run, and the offset that it has.",
    steps: [
      ...attached(),
      octets("hub", "hello"),
      until(message("hub", ack(5))),
      drop("hub"),
      accept("again"),
      say("again", state({ from: 5, run: "r1", known: true, input: 5 })),
    ],
    see: query("again", { client: "{client}", run: "r1", from: "5" }),
  },
  {
    id: "names-its-offset-without-the-screen",
    covers: "channel#8/query",
    title: "The offset that a client names counts output alone, and from where it began.",
    steps: [
      ...attached("hub", { from: 30, end: 30, screen: 6 }),
      octets("hub", "screenhello"),
      until(message("hub", ack(35))),
      drop("hub"),
      accept("again"),
      say("again", state({ from: 35, run: "r1", known: true, input: 5 })),
    ],
    see: query("again", { client: "{client}", run: "r1", from: "35" }),
  },
  ...([0, 1, 2, 3] as const).map((input): Told => ({
    id: `sends-again-from-${input}`,
    covers: "channel#8/resends",
    title: `A client sends its input again from ${input} if the hub has that much of it.`,
    steps: [
      ...cutShort(),
      ...attached("again", { from: 6, end: 6, known: true, input }),
      until(count("again", 6 - input, 100)),
      wait(A_WHILE),
    ],
    see: shown("again", "abcdef".slice(input)),
  })),
  {
    id: "sends-again-within-the-window",
    covers: "channel#8/window",
    title: "A client that sends input again stays within the window.",
    steps: [
      ...cutShort(),
      ...attached("again", { from: 6, end: 6, known: true, input: 0, window: 2 }),
      until(count("again", 2, 100)),
      wait(A_WHILE),
    ],
    see: shown("again", "ab"),
  },
  {
    id: "sends-again-what-is-not-acknowledged",
    covers: "channel#8/resends",
    title: "A client sends again what the hub has not, after some was acknowledged.",
    steps: [...cutShort(2), ...attached("again", { from: 6, end: 6, known: true, input: 4 }), until(count("again", 2, 100)), wait(A_WHILE)],
    see: shown("again", "ef"),
  },
  {
    id: "repeats-nothing-to-a-hub-that-forgot",
    covers: "channel#8/no-repeat",
    title: "A client does not repeat what it has sent to a hub that does not know its count; what it never sent, it sends.",
    steps: [...cutShort(), ...attached("again", { from: 6, end: 6, known: false, input: 0 }), until(count("again", 3, 100)), wait(A_WHILE)],
    see: shown("again", "def"),
  },
  {
    id: "sends-what-it-never-sent",
    covers: "channel#8/unsent",
    title: "What a client never sent goes to the next hub of the same run.",
    steps: [
      ...cutShort(2),
      ...attached("again", { from: 6, end: 6, known: false, input: 0 }),
      until(count("again", 1, 100)),
      wait(A_WHILE),
    ],
    see: shown("again", "f"),
  },
  {
    id: "types-nothing-for-another-run",
    covers: "channel#8/no-repeat",
    title: "Nothing that was typed for one run goes to another.",
    steps: [...cutShort(), ...attached("again", { run: "r2", known: false, input: 0 }), wait(A_WHILE)],
    see: count("again", 0),
  },
  {
    id: "types-for-another-run-anew",
    covers: "channel#8/window",
    title: "What is typed in another run goes there, and is counted from the input that its state names.",
    steps: [
      ...cutShort(),
      ...attached("again", { run: "r2", known: false, input: 40, window: 4 }),
      octets("again", "xyz"),
      until(count("again", 3, 100)),
      wait(A_WHILE),
    ],
    see: all(shown("again", "xyz"), acknowledged("again", 3)),
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
    id: "ignores-unknown-members",
    covers: "channel#2.2/unknown-members",
    title: "A client ignores members of messages that it does not know.",
    steps: [...attached("hub", { pixels: [1, 2], shell: { name: "sh" } }), octets("hub", "hello"), until(message("hub", ack(5)))],
    control: attached(),
    see: all(acknowledged("hub", 5), shown("hub", "hello")),
  },
];

export const cases: ChannelCase[] = clientCases([...counts, ...types, ...resends, ...others]);
