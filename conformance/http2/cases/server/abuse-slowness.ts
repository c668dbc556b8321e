import { get, handshake, permitted, request, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

/** The server ends the connection, with any error. */
const ENDED: Case["allowed"] = [
  { see: { see: "GOAWAY", code: "any error" } },
  permitted({ see: "closed" }, "rfc9113#5.4.1"),
  permitted({ see: "frame", type: "GOAWAY" }, "rfc9113#6.8"),
];

/**
 * A client that holds a connection by doing nothing. Each case states how long the server may wait, and ends as soon as the server acts.
 */
const slow = (row: Row<"steps" | "control">): Case => ({
  spec: "rfc9113#10.5",
  covers: ["rfc9113#10.5/track-and-limit"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  allowed: ENDED,
  // Anything sent now would either complete what the server waits for or be an error of the harness.
  fence: "none",
  ...row,
});
const wait = (ms: number): Step => ({ do: "wait", ms });

const TEN = Array.from({ length: 10 }, (_, n) => 2 * n + 1);
const settled = { see: "RST_STREAM", stream: 1, code: "any error" } as const;

/** Slow clients (rfc9113#10.5). */
export const cases: readonly Case[] = [
  slow({
    id: "http2/abuse-slow-preface",
    title: "The server waits at most 15 seconds for the rest of a connection preface.",
    steps: [{ do: "preface", magic: "PRI * HTTP/2.0\r\n", settings: "none" }, wait(15_000)],
    control: [{ do: "preface" }],
    allowed: [...ENDED, permitted({ see: "http1" }, "rfc9113#3.4")],
  }),
  slow({
    id: "http2/abuse-no-settings-after-the-preface",
    title: "The server waits at most 15 seconds for the SETTINGS of the client's preface.",
    steps: [{ do: "preface", settings: "none" }, wait(15_000)],
    control: [{ do: "preface" }],
  }),
  slow({
    id: "http2/abuse-slow-field-block",
    title: "The server waits at most 15 seconds for the rest of a field block.",
    steps: [handshake, send({ type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() }), wait(15_000)],
    control: [
      handshake,
      send(
        { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() },
        { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-name", "1"]] },
      ),
    ],
    allowed: [...ENDED, permitted(settled, "rfc9113#10.5")],
  }),
  slow({
    id: "http2/abuse-zero-window-held",
    title: "The server holds the content of ten responses at most 35 seconds for a client that opens no window.",
    needs: ["body"],
    steps: [
      withoutStreamWindows,
      { do: "hold windows" },
      send(...TEN.map((stream) => get(stream))),
      { do: "wait", ms: 35_000, until: settled },
    ],
    control: [
      withoutStreamWindows,
      send(...TEN.map((stream) => get(stream)), ...TEN.map((stream): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment: 65_535 }))),
    ],
    fence: "ping",
    allowed: [{ see: settled }, permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5"), ...ENDED.slice(1)],
  }),
  slow({
    id: "http2/abuse-window-trickle",
    title:
      "The server holds the content of a response at most 35 seconds for a client that opens its window by one octet every three seconds.",
    needs: ["some-body"],
    steps: [
      withoutStreamWindows,
      { do: "hold windows" },
      send(get(1)),
      ...Array.from({ length: 12 }, (): readonly Step[] => [
        send({ type: "WINDOW_UPDATE", stream: 1, increment: 1 }),
        { do: "wait", ms: 3_000, until: settled },
      ]).flat(),
    ],
    control: [withoutStreamWindows, send(get(1), { type: "WINDOW_UPDATE", stream: 1, increment: 65_535 })],
    fence: "ping",
    allowed: [{ see: settled }, permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5"), ...ENDED.slice(1)],
  }),
];
