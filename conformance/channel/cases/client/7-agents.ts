import type { ChannelCase } from "../../vocabulary.ts";
import { ack, all, drop, exit, FENCE, first, message, never, octets, only, resize, say, shown, type Told, until } from "../phrases.ts";
import { accept, acknowledged, agentCases, begun, count, holding, line, offered, query, READY, wait } from "./phrases.ts";

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
];

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
      [
        "last resize",
        [...begun(), say("hub", resize(91, 31)), say("hub", resize(80, 24)), line("size"), until(holding("hub", "\n", 2))],
        "24 80",
      ],
    ] as const
  ).map(([what, steps, size]): Told => ({
    id: `gives-its-shell-the-size-of-the-${what.replace(" ", "-")}`,
    covers: "channel#7/size",
    title: `An agent gives its shell the size of the ${what}.`,
    steps,
    see: shown("hub", `ready\n${size}\n`),
  })),
  ...([0, 3, 255] as const).map((code): Told => ({
    id: `reports-the-exit-${code}`,
    covers: "channel#7/exit",
    title: `An agent reports that its shell has ended with the status ${code}.`,
    steps: [...begun(), line(`exit ${code}`), until(message("hub", { type: "exit" }))],
    see: only("hub", { type: "exit", code, signal: null }),
  })),
  {
    id: "reports-the-exit-after-all-output",
    covers: "channel#7/exit",
    title: "An agent reports no exit before all output is sent.",
    steps: [...begun({ window: 100 }), line("fill 300"), line("exit 1"), until(count("hub", 106, 10_000)), wait(A_WHILE), FENCE],
    control: begun({ window: 100 }),
    see: all(count("hub", 106), never("hub", { type: "exit" })),
  },
  {
    id: "reports-the-exit-once-output-is-acknowledged",
    covers: "channel#7/exit",
    title: "An agent reports the exit once the window lets the last output through.",
    steps: [
      ...begun({ window: 100 }),
      line("fill 150"),
      line("exit 1"),
      until(count("hub", 106, 10_000)),
      say("hub", ack(106)),
      until(message("hub", { type: "exit" })),
    ],
    control: [...begun({ window: 100 }), line("fill 50"), FENCE],
    see: all(count("hub", READY + 151), only("hub", { type: "exit", code: 1 })),
  },
  {
    id: "reports-the-exit-again",
    covers: "channel#7/exit",
    title: "An agent whose connection broke after the exit reports it again to a hub that does not know it.",
    level: "SHOULD",
    steps: [
      ...begun(),
      line("exit 2"),
      until(message("hub", { type: "exit" })),
      drop("hub"),
      ...offered("again", { from: READY, end: READY, input: 7 }),
      until(message("again", { type: "exit" })),
    ],
    see: only("again", { type: "exit", code: 2, signal: null }),
  },
  {
    id: "starts-another-shell",
    covers: "channel#7/again",
    title: "An agent that can start another shell offers it in a new run on a new connection.",
    needs: ["again"],
    steps: [
      ...begun(),
      line("exit 0"),
      until(message("hub", exit(true))),
      say("hub", { type: "start" }),
      accept("next"),
      until(message("next", { type: "offer" })),
    ],
    see: all({ see: "query", on: "next", members: { run: "{run}" }, differs: true }, first("next", { type: "offer", from: 0, input: 0 })),
  },
  {
    id: "starts-no-shell-unasked",
    covers: "channel#7/again",
    title: "An agent whose shell has ended keeps its connection and begins no other run before the hub asks.",
    needs: ["again"],
    steps: [...begun(), line("exit 0"), until(message("hub", exit(true))), wait(A_WHILE)],
    control: begun(),
    see: all({ see: "alone", on: "hub" }, { see: "open", on: "hub" }),
  },
];

/** Ends after which an agent comes back. */
const LOSSES = [
  ["a break", [drop("hub")]],
  ["a status of 503", []],
  ["a status of 500", []],
] as const;
const reconnects: readonly Told[] = [
  ...LOSSES.map(([what, steps]): Told => {
    const status = Number(/\d+/.exec(what)?.[0] ?? 0);
    return {
      id: `connects-again-after-${what.replaceAll(" ", "-")}`,
      covers: "channel#7/reconnects",
      title: `An agent connects again, with the same run, after ${what}.`,
      level: "SHOULD",
      steps: [
        ...(status === 0 ? [...begun(), ...steps] : [accept("hub", status)]),
        accept("again"),
        until(message("again", { type: "offer" })),
      ],
      see: all(query("again", { run: "{run}" }), first("again", { type: "offer", from: 0 })),
    };
  }),
  ...([400, 401, 403, 404, 421, 426] as const).map((status): Told => ({
    id: `gives-up-after-${status}`,
    covers: "channel#7/gives-up",
    title: `An agent does not connect again after a status of ${status}.`,
    level: "SHOULD",
    steps: [accept("hub", status), wait(1_500, { see: "again", on: "hub" })],
    control: offered(),
    see: { see: "alone", on: "hub" },
  })),
];

export const cases: ChannelCase[] = agentCases([...offers, ...windows, ...flows, ...inputs, ...others, ...reconnects]);
