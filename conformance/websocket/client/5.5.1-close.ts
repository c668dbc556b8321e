import { cases as server } from "../5.5.1-close.ts";
import { all, close, holds, open, permitted, send, text } from "../phrases.ts";
import type { Case, Step } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** As long as a client that waits for the server is watched, in milliseconds. */
const WAIT_MS = 300;
const HELLO = text("Hello");
/** We leave the end of the connection to the client for a while, and end it then as a server does. */
const late: readonly Step[] = [{ do: "await", see: { see: "Close frame" } }, { do: "wait", ms: WAIT_MS }, { do: "half-close" }];

export const cases: readonly Case[] = [
  ...ofServers(server),
  {
    id: "websocket/client-waits-for-the-end",
    spec: "rfc6455#5.5.1",
    covers: ["rfc6455#5.5.1/client-waits", "rfc6455#7.1.2/handshake"],
    level: "SHOULD",
    role: "client",
    title: "When Close frames have gone both ways the client waits for the server to end the connection, and ends it then.",
    steps: [open(), { do: "ignore", what: "end" }, send(close(1000)), ...late],
    control: [open(), send(close(1000))],
    allowed: [
      { see: all({ see: "closing handshake", echoes: 0 }, holds("server closes the connection first")) },
      // It may end it at any time.
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
    title: "Behind its answer to a Close frame the client sends nothing, however late the server ends the connection.",
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
