import { close, first, open, send, text } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

const HELLO = text("Hello");
const half: Step = { do: "bytes", hex: "818a000000006162", note: "the beginning of a text frame" };

/** RFC 6455, section 7.2: connections that end without a closing handshake. */
const WAYS: readonly (readonly [id: string, what: string, steps: readonly Step[]])[] = [
  ["closed-idle", "is closed without a Close frame", [send(HELLO), { do: "await", see: { see: "messages", count: 1 } }, { do: "close" }]],
  ["reset-idle", "is reset", [send(HELLO), { do: "await", see: { see: "messages", count: 1 } }, { do: "reset" }]],
  ["reset-at-once", "is reset directly after the handshake", [{ do: "reset" }]],
  ["closed-in-a-frame", "is closed inside a frame", [half, { do: "close" }]],
  ["reset-in-a-frame", "is reset inside a frame", [half, { do: "reset" }]],
  ["closed-in-a-message", "is closed inside a message", [send(first(HELLO)), { do: "close" }]],
  [
    "reset-with-echo-on-its-way",
    "is reset while echoes are in flight",
    [send(...Array.from({ length: 50 }, () => ({ opcode: "binary", fill: { text: "b", count: 20_000 } }) as const)), { do: "reset" }],
  ],
  ["reset-behind-close", "is reset directly after a Close frame", [send(close(1000)), { do: "reset" }]],
];

export const cases: readonly Case[] = WAYS.map(([id, what, steps]): Case => ({
  id: `websocket/lost-${id}`,
  spec: "rfc6455#7.2",
  covers: ["rfc6455#7.2/abort"],
  level: "MUST",
  role: "server",
  title: `The server keeps serving others after a connection ${what}.`,
  steps: [open(), ...steps],
  control: [open(), send(HELLO)],
  allowed: [{ see: { see: "still open" } }],
  fence: "new",
}));
