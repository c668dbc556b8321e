import type { ChannelCase } from "../../vocabulary.ts";
import { ack, all, drop, FENCE, first, message, octets, only, resize, say, shown, type Told, until } from "../phrases.ts";
import { accept, acknowledged, agentCases, begun, count, holding, line, offered, READY, wait } from "./phrases.ts";

/** Agents: the offer, the window, output from where the hub asks, input once and in order (sections 6 and 7). The shell of the agent prints every line that it reads. */

/** Longer than an agent needs to send what it may not. */
const A_WHILE = 250;

const offers: readonly Told[] = [
  {
    id: "offers-first",
    covers: "channel#7/offer",
    title: "The first message of an agent is its offer: nothing was typed yet, and all output is available.",
    steps: [accept(), until(message("hub", { type: "offer" }))],
    see: first("hub", { type: "offer", from: 0, input: 0 }),
  },
  {
    id: "sends-nothing-before-the-state",
    covers: "channel#7/from",
    title: "An agent sends no output before the hub has said where it begins.",
    steps: [accept(), until(message("hub", { type: "offer" })), wait(A_WHILE)],
    control: offered(),
    see: count("hub", 0),
  },
  {
    id: "offers-what-was-typed",
    covers: "channel#7/offer",
    title: "The offer on a second connection says how much input the shell has.",
    level: "SHOULD",
    steps: [
      ...begun(),
      line("hello"),
      until(message("hub", ack(6))),
      drop("hub"),
      accept("again"),
      until(message("again", { type: "offer" })),
    ],
    see: first("again", { type: "offer", input: 6 }),
  },
  {
    id: "offers-the-size-that-its-shell-has",
    covers: "channel#7/offer",
    title: "The offer on a second connection has the size that the hub decided on.",
    level: "SHOULD",
    steps: [...begun(), say("hub", resize(91, 31)), FENCE, drop("hub"), accept("again"), until(message("again", { type: "offer" }))],
    see: first("again", { type: "offer", cols: 91, rows: 31 }),
  },
];

/** More than an agent or a terminal keeps. */
const WINDOW = 65_536;
const MUCH = 600_000;
const ALL = READY + MUCH + 1 + 5;

const windows: readonly Told[] = [1, 5, 16, 100, 1_000, 20_000].map((window) => ({
  id: `stops-at-a-window-of-${window}`,
  covers: "channel#7/window",
  title: `An agent sends no more than a window of ${window} octets beyond the last acknowledgement.`,
  steps: [...offered("hub", { window }), line("fill 30000"), until(count("hub", window, 100_000)), wait(A_WHILE)],
  control: offered("hub", { window }),
  see: count("hub", window),
}));
const flows: readonly Told[] = [
  ...([1, 9, 10] as const).map((offset): Told => ({
    id: `goes-on-after-an-acknowledgement-of-${offset}`,
    covers: "channel#7/window",
    title: `An agent with a window of 10 sends ${offset} more octets once ${offset} are acknowledged, and no more.`,
    steps: [
      ...offered("hub", { window: 10 }),
      line("fill 100"),
      until(count("hub", 10, 10_000)),
      say("hub", ack(offset)),
      until(count("hub", 10 + offset, 10_000)),
      wait(A_WHILE),
    ],
    control: offered("hub", { window: 10 }),
    see: count("hub", 10 + offset),
  })),
  {
    id: "ignores-an-older-acknowledgement",
    covers: "channel#7/window",
    title: "An older acknowledgement takes nothing from the window of an agent.",
    steps: [...begun({ window: 10 }), say("hub", ack(2)), line("fill 100"), until(count("hub", 16, 10_000)), wait(A_WHILE)],
    control: begun({ window: 10 }),
    see: count("hub", 16),
  },
  {
    id: "keeps-to-the-window-after-a-reconnect",
    covers: "channel#7/window",
    title: "What was acknowledged on an earlier connection gives an agent no window on the next.",
    steps: [
      ...begun({ window: 1_000 }),
      line("fill 300"),
      until(count("hub", READY + 301, 10_000)),
      say("hub", ack(READY + 301)),
      FENCE,
      drop("hub"),
      ...offered("again", { from: READY, end: READY, input: 9, window: 10 }),
      until(count("again", 10, 10_000)),
      wait(A_WHILE),
    ],
    control: [...begun({ window: 1_000 }), drop("hub"), ...offered("again", { from: READY, end: READY, window: 10 })],
    see: count("again", 10),
  },
  {
    id: "sends-all-output-in-the-end",
    covers: "channel#7/window",
    title: "An agent whose output is acknowledged sends all of it, in order.",
    steps: [
      ...begun({ window: 1_000 }),
      line("fill 1500"),
      line("over"),
      until(count("hub", 1_006, 10_000)),
      say("hub", ack(1_006)),
      until(holding("hub", "x\nover\n")),
    ],
    see: count("hub", READY + 1_501 + 5),
  },
  {
    id: "loses-nothing-of-much-output",
    covers: "channel#7/window",
    title: "An agent whose shell prints much more than the window sends all of it, as the window opens.",
    steps: [
      ...begun({ window: WINDOW }),
      line(`fill ${MUCH}`),
      until(count("hub", READY + WINDOW, ALL)),
      wait(A_WHILE),
      ...Array.from({ length: Math.floor(MUCH / WINDOW) }, (_, nth) => READY + (nth + 1) * WINDOW).flatMap((offset) => [
        until(count("hub", offset, ALL)),
        say("hub", ack(offset)),
      ]),
      line("over"),
      until(holding("hub", "x\nover\n")),
    ],
    see: count("hub", ALL),
  },
  {
    id: "sends-no-message-that-is-too-long",
    covers: "channel#2.1/longest",
    title: "An agent sends much output in messages of up to 65,536 octets.",
    steps: [...offered("hub", { window: 2 * WINDOW }), line("fill 200000"), until(count("hub", 2 * WINDOW, ALL)), wait(A_WHILE)],
    control: offered("hub", { window: 2 * WINDOW }),
    see: { see: "no-longer", on: "hub", most: 65_536 },
  },
  ...([0, 3, 5, READY] as const).map((from): Told => ({
    id: `sends-output-from-${from}`,
    covers: "channel#7/from",
    title: `An agent that connects again sends output from ${from} if the hub asks for that.`,
    level: "SHOULD",
    steps: [...begun(), drop("hub"), ...offered("again", { from, end: READY }), line("hello", "again"), until(holding("again", "hello\n"))],
    see: shown("again", `${"ready\n".slice(from)}hello\n`),
  })),
];

const inputs: readonly Told[] = [
  {
    id: "types",
    covers: "channel#7/input",
    title: "An agent gives input to its shell, and acknowledges it.",
    steps: [...begun(), line("hello"), until(holding("hub", "hello\n"))],
    see: all(shown("hub", "ready\nhello\n"), acknowledged("hub", 6)),
  },
  {
    id: "types-octet-by-octet",
    covers: "channel#7/input",
    title: "An agent gives input that arrives octet by octet to its shell once and in order.",
    steps: [...begun(), ...[..."hello"].map((one) => octets("hub", one)), line(""), until(holding("hub", "hello\n"))],
    see: all(shown("hub", "ready\nhello\n"), acknowledged("hub", 6)),
  },
  {
    id: "types-several-lines",
    covers: "channel#7/input",
    title: "An agent gives several messages of input to its shell in order.",
    steps: [...begun(), line("one"), line("two"), line("three"), until(holding("hub", "three\n"))],
    see: all(shown("hub", "ready\none\ntwo\nthree\n"), acknowledged("hub", 14)),
  },
  {
    id: "types-split-characters",
    covers: "channel#7/input",
    title: "An agent passes on octets: a character may be split between two messages.",
    steps: [...begun(), octets("hub", "\xc3"), octets("hub", "\xa9\n"), until(acknowledged("hub", 3))],
    see: shown("hub", "ready\n\xc3\xa9\n"),
  },
  {
    id: "types-a-long-line",
    covers: "channel#7/input",
    title: "An agent gives a line of 3,000 octets to its shell.",
    steps: [...begun(), octets("hub", "y", 3_000), line(""), until(holding("hub", "y\n"))],
    see: all(count("hub", READY + 3_001), acknowledged("hub", 3_001)),
  },
  {
    id: "types-nothing-twice",
    covers: "channel#7/input",
    title: "An agent that connects again gives its shell only the new input, and counts on.",
    level: "SHOULD",
    steps: [
      ...begun(),
      line("hello"),
      until(all(message("hub", ack(6)), holding("hub", "hello\n"))),
      drop("hub"),
      ...offered("again", { from: 12, end: 12, input: 6 }),
      line("world", "again"),
      until(holding("again", "world\n")),
    ],
    see: all(shown("again", "world\n"), acknowledged("again", 12)),
  },
];

const others: readonly Told[] = [
  ...([0, 1, 7, 2 ** 53 - 1] as const).map((id): Told => ({
    id: `answers-ping-${id}`,
    covers: "channel#6/pong",
    title: `An agent answers a ping with the id ${id} with a pong that has the same.`,
    steps: [...begun(), say("hub", { type: "ping", id })],
    see: message("hub", { type: "pong", id }),
  })),
  {
    id: "answers-ping-before-its-state",
    covers: "channel#6/pong",
    title: "An agent answers a ping before the first state.",
    steps: [accept(), until(message("hub", { type: "offer" })), say("hub", { type: "ping", id: 5 })],
    see: only("hub", { type: "pong", id: 5 }),
  },
  {
    id: "stays",
    covers: "channel#7/reconnects",
    level: "SHOULD",
    title: "An agent stays connected while nothing happens.",
    steps: [...begun(), wait(2_500, { see: "again", on: "hub" }), FENCE],
    see: all({ see: "alone", on: "hub" }, { see: "open", on: "hub" }),
  },
  {
    id: "ignores-unknown-members",
    covers: "channel#2.2/unknown-members",
    title: "An agent ignores members of messages that it does not know.",
    steps: [
      ...offered("hub", { pixels: [1, 2], shell: { name: "sh" } }),
      until(holding("hub", "ready\n")),
      say("hub", { ...ack(READY), pixels: 4 }),
      line("hello"),
      until(holding("hub", "hello\n")),
    ],
    control: begun(),
    see: all(shown("hub", "ready\nhello\n"), acknowledged("hub", 6)),
  },
  ...(
    [
      ["state", [...begun({ cols: 101, rows: 41 }), line("size"), until(holding("hub", "\n", 2))], "41 101"],
      ["resize", [...begun(), say("hub", resize(91, 31)), line("size"), until(holding("hub", "\n", 2))], "31 91"],
      ["resize of its rows", [...begun(), say("hub", resize(80, 31)), line("size"), until(holding("hub", "\n", 2))], "31 80"],
      ["resize of its columns", [...begun(), say("hub", resize(91, 24)), line("size"), until(holding("hub", "\n", 2))], "24 91"],
      [
        "last resize",
        [...begun(), say("hub", resize(91, 31)), say("hub", resize(80, 24)), line("size"), until(holding("hub", "\n", 2))],
        "24 80",
      ],
    ] as const
  ).map(([what, steps, size]): Told => ({
    id: `gives-its-shell-the-size-of-the-${what.replaceAll(" ", "-")}`,
    covers: "channel#7/size",
    title: `An agent gives its shell the size of the ${what}.`,
    steps,
    see: shown("hub", `ready\n${size}\n`),
  })),
];

export const cases: ChannelCase[] = agentCases([...offers, ...windows, ...flows, ...inputs, ...others]);
