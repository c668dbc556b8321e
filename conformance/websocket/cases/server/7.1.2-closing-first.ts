import { all, awaitSight, close, holds, open, ping, permitted, send, text } from "../phrases.ts";
import { CLOSE_REQUEST } from "../../driver/probe.ts";
import type { Case, FrameSpec, Sight, Step } from "../../vocabulary.ts";

/** RFC 6455, sections 5.5.1 and 7.1.2: a server that begins the closing handshake, which one does if it understands the request for it. */

const HELLO = text("Hello");
const ASK = text(CLOSE_REQUEST);
const ignore: Step = { do: "ignore", what: "close" };
const closes = (echoes: number): Sight => ({ see: "Close and end", codes: [1000], echoes });
const QUIET = holds("nothing after a Close frame");
const base = { role: "server", needs: ["closes on request"], spec: "rfc6455#5.5.1", level: "MUST" } as const;
const came: Step = awaitSight({ see: "Close frame" });
const CONTROL: Case["steps"] = [open(), send(ASK), came];

/** What reaches the server after its Close, before ours. */
const AFTER: readonly (readonly [id: string, what: string, level: "MUST" | "SHOULD", frames: readonly FrameSpec[], quiet: boolean])[] = [
  ["message", "a message", "MUST", [HELLO], true],
  [
    "fragments",
    "a message in fragments",
    "MUST",
    [
      { ...HELLO, fin: false },
      { opcode: "continuation", text: "!" },
    ],
    true,
  ],
  // A Pong is no data frame.
  ["ping", "a Ping", "MUST", [ping("late")], false],
  ["wrong-frame", "a frame with a reserved opcode", "SHOULD", [{ opcode: 3, text: "x" }], true],
  ["wrong-text", "a message that is not UTF-8", "SHOULD", [{ opcode: "text", hex: "ff" }], true],
];

export const cases: readonly Case[] = [
  {
    ...base,
    id: "websocket/own-close-answered",
    spec: "rfc6455#7.1.2",
    covers: ["rfc6455#7.1.2/handshake", "rfc6455#7.1.2/closes-after-both", "rfc6455#7.1.1/server-first", "rfc6455#5.5.1/closes-tcp"],
    title: "The server that has begun the closing handshake closes the connection once its Close frame is answered.",
    steps: [open(), send(HELLO, ASK), came],
    control: CONTROL,
    allowed: [{ see: all(closes(1), QUIET) }],
  },
  {
    ...base,
    id: "websocket/own-close-between-messages",
    covers: ["rfc6455#5.5.1/nothing-after"],
    title: "The server echoes the message before its Close frame and none after it, although all arrive together.",
    steps: [open(), send(HELLO, ASK, HELLO, HELLO), came],
    control: CONTROL,
    allowed: [{ see: all(closes(1), QUIET) }],
  },
  ...AFTER.map(([id, what, level, frames, quiet]): Case => ({
    ...base,
    id: `websocket/own-close-then-${id}`,
    covers: ["rfc6455#5.5.1/nothing-after", "rfc6455#5.5.1/end"],
    level,
    title: `The server that has sent a Close frame answers ${what} with ${quiet ? "nothing" : "a Pong or nothing"}.`,
    steps: [open(), ignore, send(ASK), came, send(...frames), send(close(1000))],
    control: CONTROL,
    allowed: [{ see: quiet ? all(closes(0), QUIET) : closes(0) }],
  })),
  {
    ...base,
    id: "websocket/own-close-in-order",
    // A stream that is reset is the subject of another case.
    over: "http1",
    spec: "rfc6455#7.1.1",
    covers: ["rfc6455#7.1.1/clean"],
    level: "SHOULD",
    title:
      "The server that has begun the closing handshake ends the connection in order, without a reset, once its Close frame is answered.",
    steps: [open(), send(HELLO, ASK), came],
    control: CONTROL,
    allowed: [{ see: all(closes(1), holds("connections end in order")) }],
  },
  {
    ...base,
    id: "websocket/own-close-unanswered",
    spec: "rfc6455#7.1.1",
    covers: ["rfc6455#5.5.1/nothing-after"],
    title: "The server whose Close frame is not answered sends nothing more, and may close the connection.",
    steps: [open(), ignore, send(ASK), came, { do: "wait", ms: 1_000, until: { see: "Close and end" } }],
    control: CONTROL,
    allowed: [{ see: all(closes(0), QUIET) }, permitted(all({ see: "Close frame", codes: [1000], echoes: 0 }, QUIET), "rfc6455#7.1.1")],
    fence: "none",
  },
];
