import { get, handshake, permitted, request, send } from "./phrases.ts";
import type { Case, FrameSpec, Step } from "./vocabulary.ts";

/** Patience has an end: the connection is ended, with whatever error it is called. */
const ENDED: Case["allowed"] = [
  { see: { see: "GOAWAY", code: "any error" } },
  permitted({ see: "closed" }, "rfc9113#5.4.1"),
  permitted({ see: "frame", type: "GOAWAY" }, "rfc9113#6.8"),
];

/**
 * A client that keeps a connection busy by doing nothing. Time is the subject of these cases: each states how long the server may put up
 * with it, and is over as soon as the server does something about it.
 */
const slow = (words: string, title: string, steps: readonly Step[], control: readonly Step[], more: Partial<Case> = {}): Case => ({
  id: `http2/abuse-${words}`,
  spec: "rfc9113#10.5",
  covers: ["rfc9113#10.5/track-and-limit"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  title,
  steps,
  control,
  allowed: ENDED,
  // Anything that we sent now would be what it waits for, or an error of ours.
  fence: "none",
  ...more,
});
const wait = (ms: number): Step => ({ do: "wait", ms });

const TEN = Array.from({ length: 10 }, (_, n) => 2 * n + 1);
const noWindow: Step = { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 0]] };
const settled = { see: "RST_STREAM", stream: 1, code: "any error" } as const;

export const cases: readonly Case[] = [
  slow(
    "slow-preface",
    "The server does not wait longer than 15 seconds for the rest of a connection preface.",
    [{ do: "preface", magic: "PRI * HTTP/2.0\r\n", settings: "none" }, wait(15_000)],
    [{ do: "preface" }],
    // Half a preface is no HTTP/2 yet.
    { allowed: [...ENDED, permitted({ see: "http1" }, "rfc9113#3.4")] },
  ),
  slow(
    "no-settings-after-the-preface",
    "The server does not wait longer than 15 seconds for the SETTINGS that belong to the preface.",
    [{ do: "preface", settings: "none" }, wait(15_000)],
    [{ do: "preface" }],
  ),
  slow(
    "slow-field-block",
    "The server does not wait longer than 15 seconds for the rest of a field block.",
    [handshake, send({ type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() }), wait(15_000)],
    [
      handshake,
      send(
        { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() },
        { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-name", "1"]] },
      ),
    ],
    { allowed: [...ENDED, permitted(settled, "rfc9113#10.5")] },
  ),
  slow(
    "zero-window-held",
    "The server does not hold the content of ten responses longer than 35 seconds for a client that gives no window.",
    [noWindow, { do: "hold windows" }, send(...TEN.map((stream) => get(stream))), { do: "wait", ms: 35_000, until: settled }],
    [
      noWindow,
      send(...TEN.map((stream) => get(stream)), ...TEN.map((stream): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment: 65_535 }))),
    ],
    {
      needs: ["body"],
      allowed: [{ see: settled }, permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5"), ...ENDED.slice(1)],
      fence: "ping",
    },
  ),
];
