import { connectionError, get, handshake, permitted, send } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

const MARK = "00ff10ef20df30cf";
const ping = (hex = MARK, more: Partial<FrameSpec> = {}): FrameSpec => ({ type: "PING", hex, ...more });
const pong = (hex: string): Outcome["see"] => ({ see: "frame", type: "PING", stream: 0, where: { ack: true, hex } });

const rejects = ({
  wrong,
  code,
  ...row
}: Row<"covers"> & { readonly wrong: FrameSpec; readonly code: "PROTOCOL_ERROR" | "FRAME_SIZE_ERROR" }): Case => ({
  spec: "rfc9113#6.7",
  level: "MUST",
  role: "server",
  steps: [handshake, send(wrong)],
  control: [handshake, send(ping())],
  allowed: connectionError(code),
  ...row,
});
const answers = ({ marks, ...row }: Row<"covers" | "steps"> & { readonly marks: string[] }): Case => ({
  spec: "rfc9113#6.7",
  level: "MUST",
  role: "server",
  control: [handshake],
  allowed: [{ see: { see: "all", of: [{ see: "accepted" }, ...marks.map(pong)] } }],
  ...row,
});

/** PING (rfc9113#6.7). */
export const cases: readonly Case[] = [
  answers({
    id: "http2/ping-answered",
    title: "The server answers PING with a PING ACK that carries the same eight octets.",
    covers: ["rfc9113#6.7/answered", "rfc9113#6.7/ack-flag", "rfc9113#6.7/eight-octets"],
    steps: [handshake, send(ping())],
    marks: [MARK],
  }),
  answers({
    id: "http2/ping-each-answered",
    title: "The server answers each of three PING frames that arrive together.",
    covers: ["rfc9113#6.7/answered"],
    steps: [handshake, send(ping("0000000000000001"), ping("0000000000000002"), ping("ffffffffffffffff"))],
    marks: ["0000000000000001", "0000000000000002", "ffffffffffffffff"],
  }),
  answers({
    id: "http2/ping-with-unused-flags",
    title: "The server answers PING with undefined flags.",
    covers: ["rfc9113#6.7/answered", "rfc9113#4.1/unused-flags"],
    steps: [handshake, send(ping(MARK, { flags: 0xfe }))],
    marks: [MARK],
  }),
  answers({
    id: "http2/ping-answered-without-window",
    title: "The server answers PING while flow control blocks its response.",
    covers: ["rfc9113#6.7/answered", "rfc9113#5.2.1/only-data", "rfc9113#6.9/exempt-accepted"],
    steps: [{ do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 0]] }, send(get(1), ping())],
    marks: [MARK],
    fence: "ping",
  }),
  {
    id: "http2/ping-ack-not-answered",
    spec: "rfc9113#6.7",
    covers: ["rfc9113#6.7/ack-not-answered"],
    level: "MUST NOT",
    role: "server",
    title: "The server does not answer a PING ACK.",
    steps: [handshake, send(ping(MARK, { flags: ["ACK"] }))],
    control: [handshake, send(ping())],
    allowed: [
      { see: { see: "accepted without", not: [{ see: "frame", type: "PING", where: { hex: MARK } }] } },
      // A PING ACK without a PING may be treated as an error; it must still not be answered.
      permitted({ see: "GOAWAY", code: ["PROTOCOL_ERROR", "INTERNAL_ERROR"] }, "rfc9113#5.4.1", "warn"),
    ],
  },
  rejects({
    id: "http2/ping-on-a-stream",
    title: "The server treats PING on an idle stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.7/stream-not-zero"],
    wrong: ping(MARK, { stream: 1 }),
    code: "PROTOCOL_ERROR",
  }),
  {
    id: "http2/ping-on-an-open-stream",
    title: "The server treats PING on the stream of a request as a connection error of type PROTOCOL_ERROR.",
    spec: "rfc9113#6.7",
    covers: ["rfc9113#6.7/stream-not-zero"],
    level: "MUST",
    role: "server",
    steps: [handshake, send(get(1), ping(MARK, { stream: 1 }))],
    control: [handshake, send(get(1), ping())],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  rejects({
    id: "http2/ping-of-seven-octets",
    title: "The server treats PING of 7 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.7/length"],
    wrong: ping("01020304050607"),
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/ping-of-nine-octets",
    title: "The server treats PING of 9 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.7/length"],
    wrong: ping("010203040506070809"),
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/ping-of-no-octets",
    title: "The server treats an empty PING as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.7/length"],
    wrong: ping(""),
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/ping-ack-of-seven-octets",
    title: "The server treats a PING ACK of 7 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.7/length"],
    wrong: ping("01020304050607", { flags: ["ACK"] }),
    code: "FRAME_SIZE_ERROR",
  }),
  {
    id: "http2/ping-while-content-is-due",
    spec: "rfc9113#5",
    covers: ["rfc9113#5/order", "rfc9113#5.2.2/read-promptly"],
    level: "MUST",
    role: "server",
    title: "The server keeps reading while a request is incomplete.",
    fence: "ping",
    steps: [handshake, send({ ...get(1), flags: ["END_HEADERS"] }, ping())],
    control: [handshake, send(get(1))],
    // Some servers answer early and then reset the stream.
    allowed: [{ see: pong(MARK) }],
  },
];
