import { compressed } from "../wire/websocket.ts";
import { toHex } from "../wire/octets.ts";
import { alive, echoed, first, last, more, offering, open, permitted, ping, pong, send, text } from "./phrases.ts";
import type { Case, FrameSpec, Step } from "./vocabulary.ts";

const MEBI = 1_048_576;
const HELLO = text("Hello");
/** A mebibyte of zeros in about a kibibyte, ended so that another can follow. */
const BOMB = toHex(compressed(new Uint8Array(MEBI), { tail: true }, new Uint8Array()));
const bombs = (count: number, extra: Partial<FrameSpec> = {}): FrameSpec => ({
  opcode: "binary",
  octets: { hex: BOMB, count },
  rsv: 4,
  ...extra,
});

/** Stopped, with the code for what is too large; another code, or the end alone, stops it too. */
const stopped: Case["allowed"] = [
  { see: { see: "Close and end", codes: [1009], echoes: 0 } },
  permitted({ see: "Close and end", echoes: 0 }, "rfc6455#10.4"),
  permitted({ see: "abnormal closure", echoes: 0 }, "rfc6455#7.1.7", "warn"),
];
/** Served to the end, or stopped: both are good as long as they cost little. */
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

const base = { spec: "rfc6455#10.4", covers: ["rfc6455#10.4/limits"], level: "SHOULD", role: "server", group: "abuse" } as const;
const flood = (frame: FrameSpec, times: number): Step => ({ do: "repeat", frames: [frame], times });
const BEGUN = "GET {path} HTTP/1.1\r\nHost: {authority}\r\nUpgrade: websocket\r\n";

export const cases: readonly Case[] = [
  {
    ...base,
    id: "websocket/abuse-deflate-bomb",
    spec: "rfc7692#8",
    covers: ["rfc7692#8/memory", "rfc6455#10.4/limits"],
    title: "A message of 128 KiB that is inflated to 128 MiB is stopped before it has taken as much memory.",
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
    title: "The same in 128 fragments, each of them small, is stopped as well.",
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
    id: "websocket/abuse-ping-flood",
    title: "Ten thousand PINGs of 125 octets are answered, or stopped, and cost little.",
    budget: { memoryMiB: 64, cpuMs: 2000 },
    steps: [open(), flood({ opcode: "ping", fill: { text: "p", count: 125 } }, 10_000)],
    control: [open(), send(ping("p"))],
    allowed: served,
  },
  {
    ...base,
    id: "websocket/abuse-pong-flood",
    title: "Ten thousand PONGs that answer nothing are passed over, or stopped, and cost little.",
    budget: { memoryMiB: 32, cpuMs: 1500 },
    steps: [open(), flood(pong("unsolicited"), 10_000)],
    control: [open(), send(pong("unsolicited"))],
    allowed: served,
  },
  {
    ...base,
    id: "websocket/abuse-empty-fragment-flood",
    title: "A message with ten thousand empty fragments comes back, or is stopped, and costs little.",
    budget: { memoryMiB: 32, cpuMs: 1500 },
    steps: [open(), send(first(HELLO)), flood(more(), 10_000), send(last({ text: "!" }))],
    control: [open(), send(first(HELLO), more(), last({ text: "!" }))],
    allowed: servedWhole,
  },
  {
    ...base,
    id: "websocket/abuse-tiny-fragment-flood",
    title: "A message in ten thousand fragments of one octet comes back, or is stopped, and costs little.",
    budget: { memoryMiB: 32, cpuMs: 1500 },
    steps: [open(), send(first(HELLO)), flood(more({ text: "-" }), 10_000), send(last({ text: "!" }))],
    control: [open(), send(first(HELLO), more({ text: "-" }), last({ text: "!" }))],
    allowed: servedWhole,
  },
  {
    ...base,
    id: "websocket/abuse-empty-message-flood",
    title: "Ten thousand empty messages come back, or are stopped, and cost little.",
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
    title: "A handshake that is not finished within 40 seconds is given up.",
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
