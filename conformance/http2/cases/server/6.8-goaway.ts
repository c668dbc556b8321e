import { answered, connectionError, firstExchange, get, handshake, openStreamWindows, permitted, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

/** A client's GOAWAY names streams of the server, which are even. */
const LAST = 0x7fff_fffe;
const goaway = (more: Partial<FrameSpec> = {}): FrameSpec => ({ type: "GOAWAY", last: LAST, code: "NO_ERROR", ...more });
/** A response that has started and cannot end until the window opens. */
const responseStarted: Step[] = [
  { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 1]] },
  { do: "hold windows" },
  send(get(1)),
  { do: "await", see: { see: "response", stream: 1 } },
  { do: "release windows" },
];

/** GOAWAY during a response, then a window for the rest of it. */
const midResponse = ({ frames, ...row }: Row<"covers"> & { readonly frames: readonly FrameSpec[] }): Case => ({
  spec: "rfc9113#6.8",
  level: "MUST",
  role: "server",
  needs: ["body"],
  fence: { stream: 1 },
  steps: [...responseStarted, send(...frames, openStreamWindows)],
  control: [...responseStarted, send(openStreamWindows)],
  allowed: [
    { see: { see: "response", stream: 1, complete: true } },
    // A server may close a connection at any time, but should send GOAWAY.
    permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
  ],
  ...row,
});
const PING_CUT_SHORT: FrameSpec = { type: "PING", hex: "01020304050607" };

/** GOAWAY (rfc9113#6.8), from the client and from the server. */
export const cases: readonly Case[] = [
  {
    id: "http2/goaway-on-a-stream",
    spec: "rfc9113#6.8",
    covers: ["rfc9113#6.8/stream-not-zero"],
    level: "MUST",
    role: "server",
    title: "The server treats GOAWAY on a stream as a connection error of type PROTOCOL_ERROR.",
    steps: [handshake, send(get(1), goaway({ stream: 1 }))],
    control: [handshake, send(get(1))],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  midResponse({
    id: "http2/goaway-lets-response-finish",
    title: "The server completes its response after the client sends GOAWAY.",
    covers: ["rfc9113#6.8/graceful-completes"],
    frames: [goaway()],
  }),
  midResponse({
    id: "http2/goaway-with-debug-data",
    title: "The server completes its response after a GOAWAY with arbitrary debug data.",
    covers: ["rfc9113#6.8/graceful-completes", "rfc9113#6.8/debug-data"],
    frames: [goaway({ text: "maintenance \x00\xff" })],
  }),
  midResponse({
    id: "http2/goaway-in-two-steps",
    title: "The server completes its response after GOAWAY with a high last stream and another with 0.",
    covers: ["rfc9113#6.8/graceful-completes", "rfc9113#6.8/several"],
    frames: [goaway(), goaway({ last: 0 })],
  }),
  midResponse({
    id: "http2/goaway-with-reserved-bit",
    title: "The server ignores the reserved bit before the last stream identifier of GOAWAY.",
    covers: ["rfc9113#6.8/graceful-completes"],
    frames: [
      {
        type: "GOAWAY",
        hex: "8000000000000000",
      },
    ],
  }),
  {
    id: "http2/goaway-lets-client-go-on",
    spec: "rfc9113#6.8",
    covers: ["rfc9113#6.8/no-new-streams", "rfc9113#6.8/graceful-completes"],
    level: "SHOULD",
    role: "server",
    title: "The server answers a request that the client sends after its own GOAWAY.",
    fence: { stream: 3 },
    steps: [...firstExchange, send(goaway(), get(3))],
    control: [...firstExchange, send(get(3))],
    allowed: [
      ...answered(3),
      // A server may read GOAWAY as a wish to end the connection, and end it.
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
  {
    id: "http2/goaway-stops-pushes",
    spec: "rfc9113#6.8",
    covers: ["rfc9113#6.8/no-new-streams"],
    level: "MUST NOT",
    role: "server",
    needs: ["push"],
    title: "The server pushes nothing with a response after the client's GOAWAY.",
    fence: { stream: 3 },
    steps: [...firstExchange, send(goaway(), get(3))],
    control: [...firstExchange, send(get(3))],
    allowed: [
      { see: { see: "accepted without", not: [{ see: "frame", type: "PUSH_PROMISE", stream: 3 }] } },
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
  {
    id: "http2/goaway-names-last-stream",
    spec: "rfc9113#6.8",
    covers: ["rfc9113#6.8/last-stream", "rfc9113#5.4.1/goaway-first", "rfc9113#6.8/before-closing", "rfc9113#7/defined-codes"],
    level: "SHOULD",
    role: "server",
    title: "The server's GOAWAY names the highest stream that it has answered.",
    steps: [...firstExchange, send(get(3)), { do: "await", see: { see: "response", stream: 3, complete: true } }, send(PING_CUT_SHORT)],
    control: [...firstExchange, send(get(3))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "GOAWAY", code: ["FRAME_SIZE_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR"] },
            { see: "frame", type: "GOAWAY", stream: 0, where: { last: 3 } },
          ],
        },
      },
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
  {
    id: "http2/goaway-answered",
    spec: "rfc9113#6.8",
    covers: ["rfc9113#6.8/answered-with-goaway", "rfc9113#6.8/last-never-rises"],
    level: "SHOULD",
    role: "server",
    title: "The server sends GOAWAY before it closes a connection on which the client sent GOAWAY.",
    fence: "none",
    // The PING makes sure that the server reads GOAWAY before it sees the connection end.
    steps: [...firstExchange, send(goaway({ last: 0 })), { do: "fence", by: "ping" }, { do: "half-close" }],
    control: [...firstExchange],
    allowed: [{ see: { see: "frame", type: "GOAWAY", where: { code: "NO_ERROR" } } }],
  },
];
