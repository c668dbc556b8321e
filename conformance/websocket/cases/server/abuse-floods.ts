import { compressed } from "../../../wire/websocket/build.ts";
import { toHex } from "../../../wire/octets.ts";
import { alive, echoed, first, last, more, offering, open, permitted, ping, pong, send, text } from "../phrases.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { Case, FrameSpec, Step } from "../../vocabulary.ts";

/** RFC 6455, section 10.4: floods and decompression bombs, each with a budget. */

const MEBI = 1_048_576;
const HELLO = text("Hello");
/** A mebibyte of zeros compressed to about a kibibyte, in a form that can be repeated. */
const BOMB = toHex(compressed(new Uint8Array(MEBI), { tail: true }, new Uint8Array()));
const bombs = (count: number, extra: Partial<FrameSpec> = {}): FrameSpec => ({
  opcode: "binary",
  octets: { hex: BOMB, count },
  rsv: 4,
  ...extra,
});

/** Stopped, with the code for messages that are too big; another code, or a mere close, stops it too. */
const stopped: Case["allowed"] = [
  { see: { see: "Close and end", codes: [1009], echoes: 0 } },
  permitted({ see: "Close and end", echoes: 0 }, "rfc6455#10.4"),
  permitted({ see: "abnormal closure", echoes: 0 }, "rfc6455#7.1.7", "warn"),
];
/** Served in full, or stopped: both are good within the budget. */
const served: Case["allowed"] = [
  { see: alive },
  permitted({ see: "Close and end" }, "rfc6455#10.4"),
  permitted({ see: "abnormal closure" }, "rfc6455#7.1.7", "warn"),
];
const servedWhole: Case["allowed"] = [
  { see: echoed },
  permitted({ see: "Close and end", echoes: 0 }, "rfc6455#10.4"),
  permitted({ see: "abnormal closure", echoes: 0 }, "rfc6455#7.1.7", "warn"),
];

/** 384 of them are 24 MiB. */
const BLOCK = { opcode: "binary", fill: { text: "b", count: 65_536 } } as const;

const base = { spec: "rfc6455#10.4", covers: ["rfc6455#10.4/limits"], level: "SHOULD", group: "abuse" } as const;
const flood = (frame: FrameSpec, times: number): Step => ({ do: "repeat", frames: [frame], times });
const BEGUN = "GET {path} HTTP/1.1\r\nHost: {authority}\r\nUpgrade: websocket\r\n";

export const claims: readonly Claim[] = [
  {
    ...base,
    id: "websocket/abuse-deflate-bomb",
    spec: "rfc7692#8",
    covers: ["rfc7692#8/memory", "rfc6455#10.4/limits"],
    title: "The {subject} stops a message of 128 KiB that inflates to 128 MiB before it takes that much memory.",
    needs: ["deflate"],
    budget: { memoryMiB: 96, cpuMs: 2000 },
    steps: [open(offering()), send(bombs(128))],
    control: [open(offering()), send(text("Hello", { deflate: {} }))],
    allowed: stopped,
  },
  {
    ...base,
    id: "websocket/abuse-deflate-bomb-in-fragments",
    spec: "rfc7692#8",
    covers: ["rfc7692#8/memory", "rfc6455#10.4/limits"],
    title: "The {subject} stops a message that inflates to 128 MiB in 128 small fragments.",
    needs: ["deflate"],
    budget: { memoryMiB: 96, cpuMs: 2000 },
    steps: [
      open(offering()),
      send(
        bombs(1, { fin: false }),
        ...Array.from({ length: 126 }, () => bombs(1, { opcode: "continuation", rsv: 0, fin: false })),
        bombs(1, { opcode: "continuation", rsv: 0 }),
      ),
    ],
    control: [open(offering()), send(text("Hello", { deflate: {} }))],
    allowed: stopped,
  },
  {
    ...base,
    id: "websocket/abuse-fragments-beyond-the-limit",
    client: "none",
    covers: ["rfc6455#10.4/limits-imposed", "rfc6455#10.4/limits"],
    title: "The server that refuses a frame of 24 MiB stops a message of 24 MiB in fragments before it takes 128 MiB.",
    needs: ["limits frames"],
    budget: { memoryMiB: 128, cpuMs: 2000 },
    steps: [open(), send(first(BLOCK)), flood(more({ fill: BLOCK.fill }), 382), send(last({ fill: BLOCK.fill }))],
    control: [open(), send(first(HELLO), more({ text: "-" }), last({ text: "!" }))],
    // The limit of messages may be larger than that of frames.
    allowed: [...stopped, permitted(echoed, "rfc6455#10.4", "warn")],
  },
  {
    ...base,
    id: "websocket/abuse-ping-flood",
    title: "The {subject} answers or stops ten thousand Pings of 125 octets within its budget.",
    budget: { memoryMiB: 64, cpuMs: 2000 },
    steps: [open(), flood({ opcode: "ping", fill: { text: "p", count: 125 } }, 10_000)],
    control: [open(), send(ping("p"))],
    allowed: served,
  },
  {
    ...base,
    id: "websocket/abuse-pong-flood",
    title: "The {subject} ignores or stops ten thousand unsolicited Pongs within its budget.",
    budget: { memoryMiB: 32, cpuMs: 1500 },
    steps: [open(), flood(pong("unsolicited"), 10_000)],
    control: [open(), send(pong("unsolicited"))],
    allowed: served,
  },
  {
    ...base,
    id: "websocket/abuse-empty-fragment-flood",
    title: "The {subject} echoes or stops a message with ten thousand empty fragments within its budget.",
    budget: { memoryMiB: 32, cpuMs: 1500 },
    steps: [open(), send(first(HELLO)), flood(more(), 10_000), send(last({ text: "!" }))],
    control: [open(), send(first(HELLO), more(), last({ text: "!" }))],
    allowed: servedWhole,
  },
  {
    ...base,
    id: "websocket/abuse-tiny-fragment-flood",
    title: "The {subject} echoes or stops a message in ten thousand fragments of one octet within its budget.",
    budget: { memoryMiB: 32, cpuMs: 1500 },
    steps: [open(), send(first(HELLO)), flood(more({ text: "-" }), 10_000), send(last({ text: "!" }))],
    control: [open(), send(first(HELLO), more({ text: "-" }), last({ text: "!" }))],
    allowed: servedWhole,
  },
  {
    ...base,
    id: "websocket/abuse-empty-message-flood",
    title: "The {subject} echoes or stops ten thousand empty messages within its budget.",
    budget: { memoryMiB: 64, cpuMs: 2500 },
    steps: [open(), flood(text(""), 10_000)],
    control: [open(), send(text(""))],
    allowed: [
      { see: echoed },
      permitted({ see: "Close and end" }, "rfc6455#10.4"),
      permitted({ see: "abnormal closure" }, "rfc6455#7.1.7", "warn"),
    ],
  },
  {
    ...base,
    id: "websocket/abuse-handshake-unfinished",
    client: "none",
    title: "The server gives up on a handshake that is incomplete after 40 seconds.",
    steps: [
      { do: "text", text: BEGUN },
      { do: "wait", ms: 40_000 },
    ],
    control: [open(), send(HELLO)],
    allowed: [
      { see: { see: "handshake rejected", status: [408] } },
      permitted({ see: "handshake rejected" }, "rfc9110#15.5"),
      permitted({ see: "no response" }, "rfc9112#9.5"),
    ],
    fence: "none",
  },
];

export const cases = claims.map(ofServer);
