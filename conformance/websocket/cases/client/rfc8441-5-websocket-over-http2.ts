import { all, close, comesBack, comesBackWith, framesOnly, holds, not, open, permitted, ping, send, text } from "../phrases.ts";
import type { Case, Sight } from "../../vocabulary.ts";

/** RFC 8441 for clients: what is specific to WebSockets on HTTP/2 streams. `expand.ts` repeats all other cases over HTTP/2. */

const HELLO = text("Hello");
const over = { role: "client", over: "http2", needs: ["http2"] } as const;

/** A plain exchange, and a property of the client's extended CONNECT. */
const looked = ({
  monitor,
  ...entry
}: Pick<Case, "id" | "spec" | "covers" | "level" | "title" | "ask"> & { readonly monitor: string }): Case => ({
  ...over,
  ...framesOnly(HELLO),
  allowed: comesBackWith(holds(monitor)),
  ...entry,
});
const FAILED: Sight = { see: "handshake failed" };
const RESOURCE = "path and authority of the address";

const asks: readonly Case[] = [
  looked({
    id: "websocket/client-http2-stream-protocol",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/websocket-value", "rfc8441#4/protocol-single"],
    level: "MUST",
    title: "The client opens the WebSocket by a CONNECT request with one :protocol, whose value is websocket.",
    monitor: "CONNECT for websocket",
  }),
  looked({
    id: "websocket/client-http2-stream-scheme",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/scheme", "rfc8441#4/scheme-and-path"],
    level: "MUST",
    title: "The client sends the :scheme http for a ws: address, and https for a wss: address.",
    monitor: "scheme of the address",
  }),
  looked({
    id: "websocket/client-http2-stream-path",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path"],
    level: "MUST",
    title: "The client sends :path and :authority of the address.",
    monitor: RESOURCE,
  }),
  looked({
    id: "websocket/client-http2-stream-path-with-query",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path"],
    level: "MUST",
    title: "The client sends the query of the address in :path.",
    ask: { path: "/a/b?c=d&e=%20f" },
    monitor: RESOURCE,
  }),
  looked({
    id: "websocket/client-http2-stream-path-empty",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path"],
    level: "MUST",
    title: "The client sends a slash as :path for an address without a path.",
    ask: { path: "" },
    monitor: RESOURCE,
  }),
  looked({
    id: "websocket/client-http2-stream-without-connection-fields",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/no-connection-fields"],
    level: "MUST NOT",
    title: "The client sends an extended CONNECT without Connection and Upgrade.",
    monitor: "no Connection or Upgrade",
  }),
  {
    ...over,
    id: "websocket/client-http2-stream-not-announced",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/client-waits"],
    level: "MUST NOT",
    title: "The client sends no extended CONNECT to a server that has not enabled it.",
    ask: { announces: false },
    steps: [{ do: "wait", ms: 500, until: { see: "handshake failed" } }],
    control: [open(), send(HELLO)],
    allowed: [{ see: holds("extended CONNECT only if announced") }],
    fence: "none",
  },
];

const answers: readonly Case[] = [
  ...(["400", "401", "404", "500", "503"] as const).map((status): Case => ({
    ...over,
    id: `websocket/client-http2-stream-status-${status}`,
    spec: "rfc6455#4.1",
    covers: ["rfc6455#4.1/status", "rfc8441#5/stream-as-connection"],
    level: "MUST",
    title: `The client opens no WebSocket for a response of ${status} to its extended CONNECT.`,
    steps: [open({ instead: { ":status": status } }), send(ping("nobody"), text("nobody")), { do: "wait", ms: 300, until: FAILED }],
    control: [open(), send(ping("somebody"), text("somebody"))],
    allowed: [
      { see: FAILED },
      // It handles the response as HTTP, which does not oblige it to end its half of the stream.
      permitted(all(not({ see: "messages", count: 1 }), not({ see: "pong", text: "nobody" }), not({ see: "Close frame" })), "rfc6455#4.1"),
    ],
    fence: "none",
  })),
  {
    ...over,
    id: "websocket/client-http2-stream-behind-103",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/client-parses"],
    level: "MUST",
    title: "The client opens the WebSocket for a 200 after an interim 103.",
    steps: [open({ instead: { ":status": "103" }, more: ["link: </style.css>; rel=preload; as=style"] }), open(), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: comesBack,
  },
  {
    ...over,
    id: "websocket/client-http2-stream-ended-in-order",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/stream-as-connection"],
    level: "SHOULD",
    title: "The client ends its half of the stream with END_STREAM after the closing handshake.",
    ...framesOnly(close(1000)),
    allowed: [
      { see: all({ see: "closing handshake" }, holds("stream ended with END_STREAM")) },
      permitted({ see: "closing handshake" }, "rfc8441#5", "warn"),
    ],
  },
];

export const cases: readonly Case[] = [...asks, ...answers];
