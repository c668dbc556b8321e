import { claims } from "../server/5.5.1-close.ts";
import { ofClients } from "../claims.ts";
import { all, close, holds, open, permitted, send, text } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

/** RFC 6455, section 5.5.1, for clients: the closing handshake. */

/** How long the client must wait for the server to close, in milliseconds. */
const WAIT_MS = 300;
const HELLO = text("Hello");
/** Leaves the close to the client for a while, then closes as a server does. */
const late: readonly Step[] = [{ do: "await", see: { see: "Close frame" } }, { do: "wait", ms: WAIT_MS }, { do: "half-close" }];

export const cases: readonly Case[] = [
  ...ofClients(claims),
  {
    id: "websocket/client-waits-for-the-end",
    spec: "rfc6455#5.5.1",
    covers: ["rfc6455#5.5.1/client-waits", "rfc6455#7.1.2/handshake"],
    level: "SHOULD",
    role: "client",
    title: "The client waits for the server to close the connection after the closing handshake, then closes too.",
    steps: [open(), { do: "ignore", what: "end" }, send(close(1000)), ...late],
    control: [open(), send(close(1000))],
    allowed: [
      { see: all({ see: "closing handshake", echoes: 0 }, holds("server closes the connection first")) },
      // It may close at any time.
      permitted({ see: "closing handshake", echoes: 0 }, "rfc6455#5.5.1"),
    ],
    fence: "none",
  },
  {
    id: "websocket/client-answers-close-without-end",
    spec: "rfc6455#5.5.1",
    covers: ["rfc6455#5.5.1/answer", "rfc6455#5.5.1/nothing-after"],
    level: "MUST",
    role: "client",
    title: "The client sends nothing after its answer to a Close frame, however late the server closes the connection.",
    steps: [
      open(),
      { do: "ignore", what: "end" },
      send(HELLO),
      { do: "await", see: { see: "messages", count: 1 } },
      send(close(1000)),
      ...late,
    ],
    control: [open(), send(HELLO)],
    allowed: [{ see: all({ see: "closing handshake", echoes: 1 }, holds("nothing after a Close frame"), holds("all frames masked")) }],
    fence: "none",
  },
];
