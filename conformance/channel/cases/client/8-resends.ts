import type { ChannelCase, Step } from "../../vocabulary.ts";
import { ack, all, drop, message, octets, say, shown, type Told, until } from "../phrases.ts";
import { accept, acknowledged, attached, clientCases, count, query, state, wait } from "./phrases.ts";

/** Clients that connect again: how they name themselves, and what they send again (section 8). */

/** Longer than a client needs to send what it may not. */
const A_WHILE = 250;

/** Six octets were typed, of which three were sent; the connection breaks. */
const cutShort = (acked = 0): Step[] => [
  ...attached("hub", { window: 3 }),
  octets("hub", "abcdef"),
  until(shown("hub", "abc")),
  ...(acked === 0 ? [] : [say("hub", ack(acked)), until(count("hub", 3 + acked))]),
  drop("hub"),
];
export const cases: ChannelCase[] = clientCases([
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
    see: all(query("again", { client: "{client}", run: "r1", from: "5" }), {
      see: "query",
      on: "again",
      members: { mode: "watch" },
      differs: true,
    }),
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
  ...([1, 3, 4] as const).map((input): Told => ({
    id: `sends-parts-again-from-${input}`,
    covers: "channel#8/resends",
    title: `A client sends input that was typed in two parts again from ${input}.`,
    steps: [
      ...attached("hub", { window: 4 }),
      octets("hub", "abc"),
      octets("hub", "def"),
      until(shown("hub", "abcd")),
      drop("hub"),
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
    id: "repeats-nothing-to-a-hub-that-forgot-later",
    covers: "channel#8/no-repeat",
    title: "A client does not repeat what it has sent on its first connection, of which the second repeated only a part.",
    steps: [
      ...cutShort(),
      ...attached("again", { from: 6, end: 6, known: true, input: 0, window: 1 }),
      until(shown("again", "a")),
      drop("again"),
      ...attached("third", { from: 6, end: 6, known: false, input: 0 }),
      until(count("third", 3, 100)),
      wait(A_WHILE),
    ],
    see: shown("third", "def"),
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
]);
