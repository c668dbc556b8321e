import { comesBackWith, first, holds, last, offering, open, ping, send, text } from "../phrases.ts";
import type { Case, FrameSpec, Handshake } from "../../vocabulary.ts";

/** RFC 6455, section 6.1: a server that sends its messages in fragments. */

const base = { role: "server", spec: "rfc6455#6.1", level: "MUST", covers: ["rfc6455#6.1/sent-as-frames"] } as const;
const MESSAGES: readonly FrameSpec[] = [
  text("Hello"),
  { opcode: "binary", hex: "00ff80c0" },
  text("aÿ€😀".repeat(20)),
  ping("between"),
  text("x"),
  { opcode: "binary", fill: { text: "b", count: 300 } },
  first(text("in")),
  last({ text: " parts" }),
  { opcode: "text", fill: { text: "€", count: 30_000 } },
];
const twice = (handshake: Handshake, frames: readonly FrameSpec[]): Pick<Case, "steps" | "control"> => ({
  steps: [open(handshake), send(...frames)],
  control: [open(handshake), send(...frames)],
});

export const cases: readonly Case[] = [
  {
    ...base,
    id: "websocket/sent-fragments-legal",
    title:
      "The server that sends messages in fragments sends valid ones: the type first, FIN last, nothing between them but control frames.",
    needs: ["fragments"],
    ...twice({}, MESSAGES),
    allowed: comesBackWith(holds("valid frames"), { see: "pong", text: "between" }),
  },
  {
    ...base,
    id: "websocket/sent-fragments-compressed",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments", "rfc7692#6/rsv1-first"],
    title: "The server that sends compressed messages in fragments sets RSV1 on the first only, and they inflate together.",
    needs: ["fragments", "deflate"],
    ...twice(
      offering(),
      MESSAGES.map((frame) =>
        frame.opcode === "ping" || frame.fin === false || frame.opcode === "continuation" ? frame : { ...frame, deflate: {} },
      ),
    ),
    allowed: comesBackWith(holds("valid frames"), holds("inflatable messages")),
  },
  {
    ...base,
    id: "websocket/sent-fragments-compressed-alone",
    spec: "rfc7692#7.1.1.1",
    covers: ["rfc7692#7.1.1.1/server-no-takeover", "rfc7692#6.1/fragments"],
    title: "The server that sends in fragments compresses each message by itself after agreeing to server_no_context_takeover.",
    needs: ["fragments", "server no takeover"],
    ...twice(offering("server_no_context_takeover"), [text("a".repeat(500)), text("a".repeat(500)), text("a".repeat(500))]),
    allowed: comesBackWith(holds("valid frames"), holds("no context takeover"), holds("inflatable messages")),
  },
];
