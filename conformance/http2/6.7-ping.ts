import { connectionError, get, handshake, permitted, send } from "./phrases.ts";
import type { Case, FrameSpec, Outcome, Step } from "./vocabulary.ts";

const MARK = "00ff10ef20df30cf";
const ping = (hex = MARK, more: Partial<FrameSpec> = {}): FrameSpec => ({ type: "PING", hex, ...more });
const pong = (hex: string): Outcome["see"] => ({ see: "frame", type: "PING", stream: 0, where: { ack: true, hex } });

const refused = (
  name: string,
  what: string,
  covers: Case["covers"],
  wrong: FrameSpec,
  code: "PROTOCOL_ERROR" | "FRAME_SIZE_ERROR",
): Case => ({
  id: `http2/ping-${name}`,
  spec: "rfc9113#6.7",
  covers,
  level: "MUST",
  role: "server",
  title: `The server ends the connection for ${what} with ${code}.`,
  steps: [handshake, send(wrong)],
  control: [handshake, send(ping())],
  allowed: connectionError(code),
});
const answers = (name: string, title: string, covers: Case["covers"], steps: Step[], marks: string[]): Case => ({
  id: `http2/ping-${name}`,
  spec: "rfc9113#6.7",
  covers,
  level: "MUST",
  role: "server",
  title,
  steps,
  control: [handshake],
  allowed: [{ see: { see: "all", of: [{ see: "accepted" }, ...marks.map(pong)] } }],
});

/** PING (rfc9113#6.7). */
export const cases: readonly Case[] = [
  answers(
    "answered",
    "The server answers PING with ACK and the same eight octets.",
    ["rfc9113#6.7/answered", "rfc9113#6.7/ack-flag", "rfc9113#6.7/eight-octets"],
    [handshake, send(ping())],
    [MARK],
  ),
  answers(
    "each-answered",
    "The server answers each of three PINGs that come at once.",
    ["rfc9113#6.7/answered"],
    [handshake, send(ping("0000000000000001"), ping("0000000000000002"), ping("ffffffffffffffff"))],
    ["0000000000000001", "0000000000000002", "ffffffffffffffff"],
  ),
  answers(
    "with-unused-flags",
    "The server answers PING with flags that mean nothing on it.",
    ["rfc9113#6.7/answered", "rfc9113#4.1/unused-flags"],
    [handshake, send(ping(MARK, { flags: 0xfe }))],
    [MARK],
  ),
  {
    ...answers(
      "answered-without-window",
      "The server answers PING while the windows leave no room for content.",
      ["rfc9113#6.7/answered", "rfc9113#5.2.1/only-data", "rfc9113#6.9/exempt-accepted"],
      [{ do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 0]] }, send(get(1), ping())],
      [MARK],
    ),
    fence: "ping",
  },
  {
    id: "http2/ping-ack-not-answered",
    spec: "rfc9113#6.7",
    covers: ["rfc9113#6.7/ack-not-answered"],
    level: "MUST NOT",
    role: "server",
    title: "The server does not answer a PING that is itself an answer.",
    steps: [handshake, send(ping(MARK, { flags: ["ACK"] }))],
    control: [handshake, send(ping())],
    allowed: [
      { see: { see: "accepted without", not: [{ see: "frame", type: "PING", where: { hex: MARK } }] } },
      // An answer to no question may be taken for a mistake; it is still not answered.
      permitted({ see: "GOAWAY", code: ["PROTOCOL_ERROR", "INTERNAL_ERROR"] }, "rfc9113#5.4.1", "warn"),
    ],
  },
  refused("on-a-stream", "PING on an idle stream", ["rfc9113#6.7/stream-not-zero"], ping(MARK, { stream: 1 }), "PROTOCOL_ERROR"),
  {
    ...refused("on-an-open-stream", "PING on the stream of a request", ["rfc9113#6.7/stream-not-zero"], ping(), "PROTOCOL_ERROR"),
    steps: [handshake, send(get(1), ping(MARK, { stream: 1 }))],
    control: [handshake, send(get(1), ping())],
  },
  refused("of-seven-octets", "PING of 7 octets", ["rfc9113#6.7/length"], ping("01020304050607"), "FRAME_SIZE_ERROR"),
  refused("of-nine-octets", "PING of 9 octets", ["rfc9113#6.7/length"], ping("010203040506070809"), "FRAME_SIZE_ERROR"),
  refused("of-no-octets", "PING without payload", ["rfc9113#6.7/length"], ping(""), "FRAME_SIZE_ERROR"),
  refused(
    "ack-of-seven-octets",
    "an answer to PING of 7 octets",
    ["rfc9113#6.7/length"],
    ping("01020304050607", { flags: ["ACK"] }),
    "FRAME_SIZE_ERROR",
  ),
  {
    id: "http2/ping-while-content-is-due",
    spec: "rfc9113#5",
    covers: ["rfc9113#5/order", "rfc9113#5.2.2/read-promptly"],
    level: "MUST",
    role: "server",
    title: "The server goes on reading while the content of a request is still to come.",
    fence: "ping",
    steps: [handshake, send({ ...get(1), flags: ["END_HEADERS"] }, ping())],
    control: [handshake, send(get(1))],
    // Some answer early and then reset the stream.
    allowed: [{ see: pong(MARK) }],
  },
];
