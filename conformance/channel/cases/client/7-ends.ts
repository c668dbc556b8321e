import type { ChannelCase } from "../../vocabulary.ts";
import { ack, all, close, drop, exit, FENCE, first, message, never, only, resize, say, shown, type Told, until } from "../phrases.ts";
import { accept, acknowledged, agentCases, begun, count, holding, line, offered, query, READY, wait } from "./phrases.ts";

/** The end of an agent's shell, another one, and the end of its connection (sections 3.4 and 7). */

/** Longer than an agent needs to do what it may not. */
const A_WHILE = 250;

const exits: readonly Told[] = [
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
    id: "runs-another-shell",
    covers: "channel#7/again",
    title: "Another shell of an agent has the size of the one before, and is typed into from 0.",
    needs: ["again"],
    steps: [
      ...begun(),
      say("hub", resize(91, 31)),
      line("exit 0"),
      until(message("hub", exit(true))),
      say("hub", { type: "start" }),
      ...offered("next", { run: "r2", cols: 91, rows: 31 }),
      until(holding("next", "ready\n")),
      say("next", ack(READY)),
      line("size", "next"),
      until(holding("next", "\n", 2)),
    ],
    see: all(first("next", { type: "offer", cols: 91, rows: 31 }), shown("next", "ready\n31 91\n"), acknowledged("next", 5)),
  },
  {
    id: "ignores-a-start-while-its-shell-runs",
    covers: "channel#7/again",
    title: "An agent goes on with its shell when it is asked for another one too early.",
    needs: ["again"],
    steps: [...begun(), say("hub", { type: "start" }), line("hello"), until(holding("hub", "hello\n")), wait(A_WHILE)],
    control: begun(),
    see: all({ see: "alone", on: "hub" }, { see: "open", on: "hub" }, shown("hub", "ready\nhello\n")),
  },
  {
    id: "ends-after-its-exit",
    covers: "channel#7/done",
    title: "An agent does not connect again after the hub has closed with 1000 because of its exit.",
    level: "SHOULD",
    needs: ["final"],
    steps: [...begun(), line("exit 0"), until(message("hub", exit(false))), close("hub", 1000), wait(1_500, { see: "again", on: "hub" })],
    control: begun(),
    see: { see: "alone", on: "hub" },
  },
  {
    id: "connects-again-before-its-exit-is-out",
    covers: "channel#7/reconnects",
    title: "An agent whose exit still waits for the window connects again after a close with 1000.",
    level: "SHOULD",
    needs: ["final"],
    steps: [
      ...begun({ window: 100 }),
      line("fill 300"),
      line("exit 1"),
      until(count("hub", 106, 10_000)),
      close("hub", 1000),
      accept("again"),
      until(message("again", { type: "offer" })),
    ],
    see: all(query("again", { run: "{run}" }), first("again", { type: "offer", from: 0 })),
  },
  {
    id: "starts-no-other-shell",
    covers: "channel#7/again",
    title: "An agent that cannot start another shell ignores a start.",
    needs: ["final"],
    steps: [...begun(), line("exit 0"), until(message("hub", exit(false))), say("hub", { type: "start" }), FENCE, wait(A_WHILE)],
    control: [...begun(), line("exit 0"), until(message("hub", exit(false)))],
    see: all({ see: "alone", on: "hub" }, { see: "open", on: "hub" }),
  },
  {
    id: "reports-the-exit-again-after-another-close",
    covers: "channel#7/exit",
    title: "An agent reports its exit again if the hub closes with another code.",
    level: "SHOULD",
    steps: [
      ...begun(),
      line("exit 2"),
      until(message("hub", { type: "exit" })),
      close("hub", 1012),
      ...offered("again", { from: READY, end: READY, input: 7 }),
      until(message("again", { type: "exit" })),
    ],
    see: only("again", { type: "exit", code: 2, signal: null }),
  },
  {
    id: "reports-the-exit-again-after-a-refusal",
    covers: "channel#7/exit",
    title: "An agent that is refused with 503 after its exit reports the exit later.",
    level: "SHOULD",
    steps: [
      ...begun(),
      line("exit 2"),
      until(message("hub", { type: "exit" })),
      drop("hub"),
      accept("refused", 503),
      ...offered("again", { from: READY, end: READY, input: 7 }),
      until(message("again", { type: "exit" })),
    ],
    see: only("again", { type: "exit", code: 2, signal: null }),
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
  ["a close with 1001", [close("hub", 1001)]],
  ["a close with 1000 before its exit", [close("hub", 1000)]],
  ["a status of 503", []],
  ["a status of 500", []],
  ["a status of 409", []],
  ["a status of 429", []],
] as const;
const reconnects: readonly Told[] = [
  ...LOSSES.map(([what, steps]): Told => {
    const status = Number(/(?<=status of )\d+/.exec(what)?.[0] ?? 0);
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

export const cases: ChannelCase[] = agentCases([...exits, ...reconnects]);
