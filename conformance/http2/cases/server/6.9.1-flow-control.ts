import { connectionError, get, handshake, permitted, post, send, streamError } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row, Step } from "../../vocabulary.ts";

const MAX = 0x7fff_ffff;
const END: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"] };
const window = (size: number): FrameSpec => ({ type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", size]] });
const update = (stream: number, increment: number): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment });
/** So much in all, in however many frames. That it is no more says `flow-control`. */
const data = (octets: number): Outcome["see"] => ({ see: "content", stream: 1, octets });
const FLOW_CONTROL: Outcome["see"] = { see: "holds", monitor: "flow-control" };
const RESPONSE: Outcome["see"] = { see: "response", stream: 1 };
/** Requests a response with this stream window; the harness opens no window by itself. */
const withWindow = (size: number, ...then: Step[]): Step[] => [
  { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", size]] },
  { do: "hold windows" },
  send(get(1)),
  ...then,
];
const until = (see: Outcome["see"]): Step => ({ do: "await", see });
const acknowledged: Step = until({ see: "frame", type: "SETTINGS", where: { ack: true } });

/** What the server sends into a small window. */
const sends = ({ of, ...row }: Row<"covers" | "steps"> & { readonly of: readonly [Outcome["see"], ...Outcome["see"][]] }): Case => ({
  spec: "rfc9113#6.9.1",
  level: "MUST",
  role: "server",
  needs: ["some-body"],
  fence: "ping",
  control: withWindow(65_535),
  allowed: [{ see: { see: "all", of } }],
  ...row,
});

/** The server's SETTINGS have come, and are not acknowledged: its streams have windows of 65,535 octets. */
const unacknowledged: readonly Step[] = [{ do: "preface" }, until({ see: "frame", type: "SETTINGS", where: { ack: false } })];
const ACK: FrameSpec = { type: "SETTINGS", flags: ["ACK"] };
/** A request with so much content in two frames. */
const posted = (octets: number): readonly FrameSpec[] => [
  post(1),
  { type: "DATA", stream: 1, data: octets / 2 },
  { type: "DATA", stream: 1, data: octets / 2 },
];

/** Flow control (rfc9113#6.9.1, rfc9113#6.9.2) of responses and of requests. */
export const cases: readonly Case[] = [
  sends({
    id: "http2/flow-window-of-one",
    title: "The server sends exactly one octet of content into a window of one octet.",
    covers: ["rfc9113#6.9.1/not-beyond-window", "rfc9113#6.5.2/initial-window-applies", "rfc9113#5.2.1/sender-respects"],
    steps: withWindow(1, until(data(1))),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-window-of-none",
    title: "The server sends the header section of its response and no content while the window is 0.",
    covers: ["rfc9113#6.9.1/not-beyond-window", "rfc9113#5.2.1/only-data", "rfc9113#6.5.2/initial-window-applies"],
    steps: withWindow(0),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-opened-by-update",
    title: "The server sends as many more octets as WINDOW_UPDATE allows.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window", "rfc9113#5.1/half-closed-remote-sending"],
    steps: withWindow(0, send(update(1, 7)), until(data(7))),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-opened-octet-by-octet",
    title: "The server uses each of several small increments.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window"],
    steps: withWindow(0, send(update(1, 1)), until(data(1)), send(update(1, 1)), until(data(2)), send(update(1, 1)), until(data(3))),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-opened-by-settings",
    title: "The server sends what a larger INITIAL_WINDOW_SIZE adds to the window of an open stream.",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/adjust-open-streams", "rfc9113#6.9.1/not-beyond-window"],
    steps: withWindow(0, send(window(5)), until(data(5))),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-opened-by-the-difference",
    title: "The server adds only the growth of INITIAL_WINDOW_SIZE to the window of an open stream.",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/adjust-open-streams", "rfc9113#6.9.1/not-beyond-window"],
    steps: withWindow(4, until(data(4)), send(window(7)), until(data(7))),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-negative-window",
    title: "The server tracks a window that SETTINGS made negative, and sends when it is positive again.",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/negative", "rfc9113#6.9.2/adjust-open-streams", "rfc9113#6.9.1/not-beyond-window"],
    steps: withWindow(
      10,
      until(data(10)),
      send(window(0)),
      acknowledged,
      send(update(1, 10)),
      { do: "fence", by: "ping" },
      send(update(1, 2)),
      until(data(12)),
    ),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-negative-window-raised-by-settings",
    title: "The server sends nothing until SETTINGS raise a negative window above 0.",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/negative", "rfc9113#6.9.2/adjust-open-streams"],
    steps: withWindow(
      10,
      until(data(10)),
      send(window(3)),
      acknowledged,
      send(window(10)),
      acknowledged,
      send(window(13)),
      until(data(13)),
    ),
    of: [FLOW_CONTROL, RESPONSE],
  }),
  sends({
    id: "http2/flow-window-does-not-affect-the-connection",
    title: "The server does not apply INITIAL_WINDOW_SIZE to the connection window.",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/connection-unaffected"],
    steps: [...withWindow(0), send(window(MAX)), until(RESPONSE)],
    of: [FLOW_CONTROL, RESPONSE],
  }),
  {
    id: "http2/flow-overflow-by-settings",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/overflow-by-settings", "rfc9113#6.9.1/not-above-maximum"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server sends FLOW_CONTROL_ERROR on the connection if SETTINGS raise the window of an open stream above 2^31-1.",
    steps: [handshake, send(post(1), update(1, MAX - 65_535), window(65_536))],
    control: [handshake, send(post(1), update(1, MAX - 65_535), window(65_535), END)],
    allowed: connectionError("FLOW_CONTROL_ERROR"),
  },
  {
    id: "http2/flow-stream-window-overrun",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/beyond-window"],
    level: "MAY",
    role: "server",
    needs: ["post", "small-window"],
    title: "The server rejects DATA beyond the stream window with FLOW_CONTROL_ERROR.",
    fence: "ping",
    steps: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 65_536 }],
    control: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 0 }],
    // A server that answers early and closes the stream has no window to overrun.
    allowed: streamError(
      1,
      "FLOW_CONTROL_ERROR",
      permitted({ see: "RST_STREAM", stream: 1, code: "STREAM_CLOSED" }, "rfc9113#5.1"),
      permitted(
        {
          see: "all",
          of: [
            { see: "response", stream: 1, complete: true },
            { see: "RST_STREAM", stream: 1, code: "NO_ERROR" },
          ],
        },
        "rfc9113#8.1",
      ),
    ),
  },
  {
    id: "http2/flow-stream-window-overrun-octet-by-octet",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/beyond-window", "rfc9113#6.1/counts-whole-payload"],
    level: "MAY",
    role: "server",
    needs: ["post", "small-window"],
    title: "The server rejects DATA beyond the stream window with FLOW_CONTROL_ERROR if the last frames have one octet each.",
    fence: "ping",
    steps: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 64, octetByOctet: true }],
    control: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 0, octetByOctet: true }],
    // A server that answers early and closes the stream has no window to overrun.
    allowed: streamError(1, "FLOW_CONTROL_ERROR", permitted({ see: "RST_STREAM", stream: 1, code: "STREAM_CLOSED" }, "rfc9113#5.1")),
  },
  {
    id: "http2/flow-window-lowered-below-what-was-sent",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/adjust-open-streams", "rfc9113#6.9.2/initial-65535"],
    level: "MUST",
    role: "server",
    needs: ["post", "tiny-window"],
    title: "The server reopens the window of a stream on which 20,000 octets came before its smaller INITIAL_WINDOW_SIZE was acknowledged.",
    fence: { stream: 1 },
    steps: [
      ...unacknowledged,
      send(...posted(20_000)),
      { do: "fence", by: "ping" },
      send(ACK),
      { do: "upload", stream: 1, octets: 5_000, end: true },
    ],
    control: [
      ...unacknowledged,
      send(...posted(2)),
      { do: "fence", by: "ping" },
      send(ACK),
      { do: "upload", stream: 1, octets: 500, end: true },
    ],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1 }] } }],
  },
  {
    id: "http2/flow-empty-data-without-a-window",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/empty-at-zero", "rfc9113#6.9.2/initial-65535"],
    level: "MUST",
    role: "server",
    needs: ["post", "tiny-window"],
    title: "The server accepts an empty DATA frame with END_STREAM while the window of its stream is below zero.",
    fence: { stream: 1 },
    // In one write, so that no credit comes in between.
    steps: [...unacknowledged, send(...posted(20_000), ACK, END)],
    control: [...unacknowledged, send(...posted(2), { ...END, data: 1 }, ACK)],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1 }] } }],
  },
  {
    id: "http2/flow-connection-window-overrun",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/beyond-window", "rfc9113#5.2.1/initial-windows"],
    level: "MAY",
    role: "server",
    needs: ["post", "small-window"],
    title: "The server rejects DATA beyond the connection window with FLOW_CONTROL_ERROR.",
    fence: "ping",
    steps: [handshake, send(post(1)), { do: "fill window", of: "connection", stream: 1, beyond: 65_536 }],
    control: [handshake, send(post(1)), { do: "fill window", of: "connection", stream: 1, beyond: 0 }],
    // The server may reset the stream if the stream window ends at the same octet.
    allowed: connectionError(
      "FLOW_CONTROL_ERROR",
      permitted({ see: "RST_STREAM", stream: 1, code: "FLOW_CONTROL_ERROR" }, "rfc9113#6.9"),
      permitted({ see: "RST_STREAM", stream: 1, code: "STREAM_CLOSED" }, "rfc9113#5.1"),
    ),
  },
  {
    id: "http2/flow-window-opened-again",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/receiver-updates", "rfc9113#6.9/always-counted"],
    level: "SHOULD",
    role: "server",
    needs: ["post", "small-window"],
    title: "The server sends WINDOW_UPDATE after content has used up a stream window.",
    fence: "none",
    steps: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 0 }],
    control: [handshake, send(post(1), END)],
    // A server that has answered already may open no more window.
    allowed: [{ see: { see: "frame", type: "WINDOW_UPDATE", stream: 1 } }, permitted({ see: "response", stream: 1 }, "rfc9113#8.1")],
  },
  {
    id: "http2/flow-connection-window-opened-again",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9.1/receiver-updates", "rfc9113#6.9/always-counted"],
    level: "MUST",
    role: "server",
    needs: ["post", "small-window"],
    title: "The server reopens the connection window after content has used it up, so that another request fits.",
    fence: "none",
    // The second request can complete only after the connection window opens again.
    steps: [
      handshake,
      send(post(1)),
      { do: "fill window", of: "connection", stream: 1, beyond: 0 },
      send(END, post(3)),
      { do: "fill window", of: "stream", stream: 3, beyond: 0, end: true },
    ],
    control: [handshake, send(post(1), END)],
    allowed: [{ see: { see: "response", stream: 3 } }],
  },
  {
    id: "http2/flow-padding-counted",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/counts-whole-payload", "rfc9113#6.9.1/receiver-updates", "rfc9113#6.9/always-counted"],
    level: "MUST",
    role: "server",
    needs: ["post", "small-window"],
    title: "The server sends WINDOW_UPDATE after padding has used up a stream window.",
    fence: "none",
    steps: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 0, padded: true }],
    control: [handshake, send(post(1), { ...END, pad: 255, data: 1 })],
    // A server that has answered already may open no more window.
    allowed: [{ see: { see: "frame", type: "WINDOW_UPDATE", stream: 1 } }, permitted({ see: "response", stream: 1 }, "rfc9113#8.1")],
  },
  {
    id: "http2/flow-frame-headers-not-counted",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/header-not-counted"],
    level: "MUST",
    role: "server",
    needs: ["some-body"],
    title: "The server counts only the payload of DATA: it sends nine octets into a window of nine.",
    fence: "ping",
    steps: withWindow(9, until(data(9))),
    control: withWindow(65_535),
    allowed: [{ see: { see: "all", of: [FLOW_CONTROL, RESPONSE] } }],
  },
  {
    id: "http2/flow-empty-data-at-zero",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/empty-at-zero"],
    level: "MUST",
    role: "server",
    needs: ["post", "small-window"],
    title: "The server accepts an empty DATA frame that ends a stream whose window is 0.",
    steps: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 0 }, send(END)],
    control: [handshake, send(post(1), END)],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, RESPONSE] } }],
  },
  {
    id: "http2/flow-increments-in-range",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9/increment-range", "rfc9113#6.9.1/receiver-updates"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server sends WINDOW_UPDATE with increments of at least 1.",
    fence: "ping",
    steps: [handshake, send(post(1), { type: "DATA", stream: 1, data: 16_384 }, { type: "DATA", stream: 1, data: 16_384 }, END)],
    control: [handshake, send(post(1), END)],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "window-increments-not-zero" },
            { see: "holds", monitor: "frames-well-formed" },
          ],
        },
      },
    ],
  },
];
