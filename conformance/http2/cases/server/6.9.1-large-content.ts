import { get, handshake, holds, openStreamWindows, permitted, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row, Sight, Step } from "../../vocabulary.ts";

const MAX = 0x7fff_ffff;
/** The connection window until a WINDOW_UPDATE of ours (rfc9113#6.9.2). */
const INITIAL = 65_535;
const update = (stream: number, increment: number): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment });
/** The least content of a target with `big-body`. */
const BIG = 131_072;
const until = (see: Sight): Step => ({ do: "await", see });
const content = (octets: number, stream?: number): Step => until({ see: "content", octets, ...(stream === undefined ? {} : { stream }) });
const whole = (stream: number): Sight => ({ see: "response", stream, complete: true });
const ping: Step = { do: "fence", by: "ping" };
/** With stream windows that never end; the harness opens no window by itself. */
const openStreams: readonly Step[] = [{ do: "handshake", settings: [["INITIAL_WINDOW_SIZE", MAX]] }, { do: "hold windows" }];
const FLOW_CONTROL: Outcome["see"] = { see: "holds", monitor: "flow-control" };

const WHOLE = ["content-length-agrees", "nothing-after-end-stream", "trailers-end-stream"];

/** Whole responses, each with its content on its own stream. */
const allWhole = (...streams: number[]): Outcome => ({
  see: { see: "all", of: streams.flatMap((stream): Sight[] => [whole(stream), { see: "content", stream, octets: BIG }]) },
});
/** A server may give a stream up at any time, even where its response then is not complete. */
const givenUp = (...streams: number[]): Outcome[] =>
  streams.map((stream) => permitted({ see: "RST_STREAM", stream, code: "NO_ERROR" }, "rfc9113#8.1", "warn"));

/** A response of more than 131,072 octets. */
const sends = (row: Row<"covers" | "steps">): Case => ({
  spec: "rfc9113#6.9.1",
  level: "MUST",
  role: "server",
  needs: ["big-body"],
  fence: "ping",
  control: [handshake, send(get(1))],
  allowed: [{ see: FLOW_CONTROL }],
  ...row,
});

/** Large responses: both windows (rfc9113#6.9.1), frame sizes (rfc9113#4.2) and the end of the stream (rfc9113#8.1). */
export const cases: readonly Case[] = [
  sends({
    id: "http2/flow-connection-window-used-up",
    title: "The server stops at the end of the connection window, although the window of the stream is open.",
    covers: ["rfc9113#6.9.1/not-beyond-window", "rfc9113#5.2.1/sender-respects", "rfc9113#6.9.2/initial-65535"],
    steps: [...openStreams, send(get(1)), content(INITIAL), ping],
  }),
  sends({
    id: "http2/flow-connection-window-opened-by-update",
    title: "The server uses the connection window again as far as each WINDOW_UPDATE opens it.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window"],
    steps: [
      ...openStreams,
      send(get(1)),
      content(INITIAL),
      send(update(0, 10_000)),
      content(INITIAL + 10_000),
      ping,
      send(update(0, 1)),
      content(INITIAL + 10_001),
    ],
  }),
  sends({
    id: "http2/flow-connection-window-not-opened-by-a-stream",
    title: "The server does not count WINDOW_UPDATE on a stream for the connection.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window", "rfc9113#5.2.1/sender-respects"],
    steps: [
      { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 100_000]] },
      { do: "hold windows" },
      send(get(1)),
      content(INITIAL),
      send(update(1, 100_000)),
    ],
  }),
  sends({
    id: "http2/flow-connection-window-shared",
    title: "The server sends no more on two streams together than the connection window allows.",
    covers: ["rfc9113#6.9.1/not-beyond-window", "rfc9113#5.2.1/sender-respects"],
    steps: [...openStreams, send(get(1), get(3)), content(INITIAL), ping, send(update(0, 20_000)), content(INITIAL + 20_000)],
  }),
  sends({
    id: "http2/flow-stream-window-used-up",
    title: "The server stops at the end of a stream window, although the connection window is open, and continues on another stream.",
    covers: ["rfc9113#6.9.1/not-beyond-window", "rfc9113#5.2.1/sender-respects", "rfc9113#6.9.2/initial-65535"],
    steps: [
      handshake,
      { do: "hold windows" },
      send(update(0, 1_000_000), get(1)),
      content(INITIAL, 1),
      ping,
      send(get(3)),
      content(INITIAL, 3),
    ],
  }),
  sends({
    id: "http2/flow-stream-window-not-opened-by-the-connection",
    title: "The server does not count WINDOW_UPDATE on the connection for a stream.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window"],
    steps: [
      { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 20_000]] },
      { do: "hold windows" },
      send(get(1)),
      content(20_000),
      send(update(0, 100_000)),
    ],
  }),
  sends({
    id: "http2/large-content-complete",
    spec: "rfc9113#8.1",
    title: "The server sends the whole of two large responses, with the end of their streams, while the client opens its windows.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window", "rfc9113#8.1/last-frame-ends"],
    steps: [handshake, send(get(1)), until(whole(1)), send(get(3)), until(whole(3))],
    allowed: [
      {
        see: {
          see: "all",
          of: [whole(1), whole(3), FLOW_CONTROL, ...holdsAll(...WHOLE)],
        },
      },
    ],
  }),
  sends({
    id: "http2/large-content-on-two-streams",
    spec: "rfc9113#8.1",
    title: "The server sends the whole of two large responses at the same time, each on its own stream.",
    covers: ["rfc9113#5/interleaved", "rfc9113#8.1/last-frame-ends"],
    fence: "none",
    steps: [handshake, send(get(1), get(3))],
    allowed: [allWhole(1, 3), ...givenUp(1, 3)],
  }),
  sends({
    id: "http2/large-content-by-turns",
    spec: "rfc9113#5",
    needs: ["big-body", "lasting"],
    title:
      "The server completes large responses of different priorities that wait for credit, after one of them is reset and another changes.",
    covers: ["rfc9113#5/interleaved", "rfc9113#8.1/last-frame-ends"],
    steps: [
      handshake,
      { do: "hold windows" },
      send(
        ...[1, 3].map((stream) => get(stream, ["priority", "u=3, i"])),
        get(5, ["priority", "u=3"]),
        get(7, ["priority", "u=1"]),
        get(9, ["priority", "u=3, i"]),
        get(11, ["priority", "u=6, i"]),
      ),
      content(INITIAL),
      send(
        { type: "RST_STREAM", stream: 7, code: "CANCEL" },
        { type: "PRIORITY_UPDATE", promised: 5, text: "u=0" },
        { type: "PRIORITY_UPDATE", promised: 3, text: "u=3" },
        { type: "PRIORITY_UPDATE", promised: 11, text: "u=3, i" },
        { type: "RST_STREAM", stream: 9, code: "CANCEL" },
      ),
      { do: "release windows" },
    ],
    fence: "none",
    allowed: [allWhole(1, 3, 5, 11), ...givenUp(1, 3, 5, 11)],
  }),
  sends({
    id: "http2/large-content-in-frames-of-the-initial-size",
    spec: "rfc9113#4.2",
    title: "The server sends a large response in frames of at most 16,384 octets until the client allows more.",
    covers: ["rfc9113#4.1/length-limit"],
    steps: [
      { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", MAX]] },
      { do: "hold windows" },
      send(update(0, 500_000), get(1)),
      content(131_072),
      { do: "release windows" },
    ],
    allowed: [{ see: { see: "all", of: [FLOW_CONTROL, ...holdsAll("frame-sizes")] } }],
  }),
  sends({
    id: "http2/large-content-in-frames-of-a-reduced-size",
    spec: "rfc9113#4.2",
    title: "The server sends frames of at most 16,384 octets again after it acknowledges a lower MAX_FRAME_SIZE.",
    covers: ["rfc9113#4.1/length-limit", "rfc9113#6.5.3/relied-upon"],
    steps: [
      {
        do: "handshake",
        settings: [
          ["INITIAL_WINDOW_SIZE", MAX],
          ["MAX_FRAME_SIZE", 100_000],
        ],
      },
      { do: "hold windows" },
      send(get(1)),
      content(INITIAL),
      send({ type: "SETTINGS", settings: [["MAX_FRAME_SIZE", 16_384]] }),
      until({ see: "frame", type: "SETTINGS", where: { ack: true } }),
      send(update(0, 500_000)),
      content(131_072),
      { do: "release windows" },
    ],
    allowed: [{ see: { see: "all", of: [FLOW_CONTROL, ...holdsAll("frame-sizes")] } }],
  }),
  sends({
    id: "http2/large-content-with-window-updates",
    spec: "rfc9113#6.9",
    needs: ["big-body", "lasting"],
    title: "The server accepts two WINDOW_UPDATE frames for every 2,048 octets of four large responses.",
    covers: ["rfc9113#6.9.1/window-updated"],
    steps: [
      { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 2048]] },
      ...[1, 3, 5, 7].flatMap((stream) => [send(get(stream)), until(whole(stream))]),
    ],
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, whole(7)] } },
      { see: { see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, by: "rfc9113#10.5", verdict: "warn" },
    ],
  }),
  {
    id: "http2/trailers-after-blocked-content",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/trailers-end-stream", "rfc9113#5.2.1/only-data"],
    level: "MUST",
    role: "server",
    needs: ["trailers", "body"],
    title: "The server sends its trailers, which end the stream, after content that had to wait for a window.",
    fence: { stream: 1 },
    steps: [withoutStreamWindows, send(get(1)), ping, send(openStreamWindows)],
    control: [handshake, send(get(1))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            whole(1),
            { see: "content", stream: 1, octets: 1 },
            ...holdsAll("trailers-end-stream", "nothing-after-end-stream", "flow-control"),
          ],
        },
      },
    ],
  },
  {
    id: "http2/large-field-section-in-several-frames",
    spec: "rfc9113#4.3",
    covers: ["rfc9113#4.3/contiguous", "rfc9113#4.3/last-end-headers", "rfc9113#4.1/length-limit", "rfc9113#4.1/unused-flags-unset"],
    level: "MUST",
    role: "server",
    needs: ["large-fields"],
    title: "The server splits a field block of more than 16,384 octets into HEADERS and CONTINUATION frames.",
    fence: "ping",
    steps: [handshake, send(get(1), get(3)), until({ see: "response", stream: 3 })],
    control: [handshake, send(get(1))],
    allowed: holds("frame-sizes", "field-blocks-contiguous", "field-blocks-decode", "undefined-flags-unset"),
  },
];

function holdsAll(...monitors: string[]): Sight[] {
  return monitors.map((monitor) => ({ see: "holds", monitor }));
}
