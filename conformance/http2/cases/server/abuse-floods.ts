import { attackStopped, FLOOD_BUDGET, get, handshake, permitted, post, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

/**
 * Legal frames in harmful numbers (rfc9113#10.5), far above what any honest client sends. The control sends five of them. A PING that is
 * answered after the last one shows that the server did not stop the flood.
 */
const flood = ({
  times,
  frames,
  before = [],
  stride = 0,
  ...row
}: Row & {
  readonly times: number;
  readonly frames: readonly FrameSpec[];
  readonly before?: readonly Step[];
  readonly stride?: number;
}): Case => ({
  spec: "rfc9113#10.5",
  covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: FLOOD_BUDGET,
  steps: [handshake, ...before, { do: "repeat", times, stride, frames }],
  control: [handshake, ...before, { do: "repeat", times: 5, stride, frames }],
  allowed: attackStopped(),
  fence: "ping",
  ...row,
});

/** A flood on one stream may also be stopped by resetting that stream. */
const orReset = (stream: number): Case["allowed"] =>
  attackStopped(permitted({ see: "RST_STREAM", stream, code: "any error" }, "rfc9113#10.5"));
const FORTY = Array.from({ length: 40 }, (_, n) => 2 * n + 1);
const granting = (increment: number): Step => send(...FORTY.map((stream): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment })));
const OPEN: readonly Step[] = [send(post(1))];
/** One frame of 16,200 octets that changes the same setting 2,700 times. */
const RESTLESS: FrameSpec = {
  type: "SETTINGS",
  settings: Array.from({ length: 2700 }, (_, n) => ["INITIAL_WINDOW_SIZE", n % 2 === 0 ? 65_535 : 65_536] as const),
};

/** Floods of small frames (rfc9113#10.5). */
export const cases: readonly Case[] = [
  flood({
    id: "http2/abuse-ping-flood",
    title: "The server stops a flood of 10,000 PING frames (CVE-2019-9512).",
    times: 10_000,
    frames: [{ type: "PING", hex: "746f756368737421" }],
    controlBreaks: "rfc9113#6.7/answered",
  }),
  flood({
    id: "http2/abuse-ping-ack-flood",
    title: "The server stops a flood of 10,000 acknowledgements of PING frames that it has not sent.",
    times: 10_000,
    frames: [{ type: "PING", flags: ["ACK"], hex: "746f756368737421" }],
  }),
  flood({
    id: "http2/abuse-settings-flood",
    title: "The server stops a flood of 10,000 empty SETTINGS frames (CVE-2019-9515).",
    times: 10_000,
    frames: [{ type: "SETTINGS", settings: [] }],
    controlBreaks: "rfc9113#6.5.3/ack-each",
  }),
  flood({
    id: "http2/abuse-settings-changes",
    title: "The server stops 200 SETTINGS frames that change one setting 2,700 times each.",
    times: 200,
    frames: [RESTLESS],
    control: [handshake, { do: "repeat", times: 5, frames: [{ type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 65_536]] }] }],
  }),
  flood({
    id: "http2/abuse-priority-flood",
    title: "The server stops a flood of 10,000 PRIORITY frames for different streams (CVE-2019-9513).",
    times: 10_000,
    frames: [{ type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } }],
    stride: 2,
    controlBreaks: "rfc9113#6.3/any-state",
  }),
  flood({
    id: "http2/abuse-priority-churn",
    title: "The server stops a flood of 10,000 PRIORITY frames that move one stream.",
    times: 10_000,
    frames: [{ type: "PRIORITY", stream: 1, priority: { on: 3, weight: 256, exclusive: true } }],
  }),
  flood({
    id: "http2/abuse-priority-update-flood",
    title: "The server that supports RFC 9218 stops a flood of 10,000 PRIORITY_UPDATE frames.",
    needs: ["no-rfc7540-priorities"],
    times: 10_000,
    frames: [{ type: "PRIORITY_UPDATE", stream: 0, promised: 1, text: "u=1" }],
  }),
  flood({
    id: "http2/abuse-empty-data-flood",
    title: "The server stops a flood of 10,000 empty DATA frames without END_STREAM (CVE-2019-9518).",
    times: 10_000,
    frames: [{ type: "DATA", stream: 1, data: "" }],
    before: OPEN,
    allowed: orReset(1),
  }),
  flood({
    id: "http2/abuse-padding-flood",
    title: "The server stops a flood of 10,000 DATA frames that hold only padding.",
    times: 10_000,
    frames: [{ type: "DATA", stream: 1, pad: 0, data: "" }],
    before: OPEN,
    allowed: orReset(1),
  }),
  flood({
    id: "http2/abuse-window-update-flood",
    title: "The server stops a flood of 10,000 WINDOW_UPDATE frames with increment 1 on the connection.",
    times: 10_000,
    frames: [{ type: "WINDOW_UPDATE", stream: 0, increment: 1 }],
  }),
  flood({
    id: "http2/abuse-window-update-flood-on-a-stream",
    title: "The server stops a flood of 10,000 WINDOW_UPDATE frames with increment 1 on a stream.",
    times: 10_000,
    frames: [{ type: "WINDOW_UPDATE", stream: 1, increment: 1 }],
    before: OPEN,
    allowed: orReset(1),
  }),
  flood({
    id: "http2/abuse-unknown-frame-flood",
    title: "The server stops a flood of 10,000 frames of unknown type.",
    times: 10_000,
    frames: [{ type: 0xfb, stream: 0, hex: "" }],
    controlBreaks: "rfc9113#5.5/frames-discarded",
  }),
  {
    id: "http2/abuse-data-dribble",
    spec: "rfc9113#10.5",
    covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
    level: "SHOULD",
    role: "server",
    group: "abuse",
    budget: FLOOD_BUDGET,
    title: "The server stops a client that opens its windows one octet at a time, 2,000 times (CVE-2019-9511).",
    needs: ["body"],
    // A PING between any two octets keeps the server from sending them together. The harness opens no window by itself.
    steps: [
      withoutStreamWindows,
      { do: "hold windows" },
      send(...FORTY.map((stream) => get(stream))),
      ...Array.from({ length: 50 }, (): Step[] => [granting(1), { do: "fence", by: "ping" }]).flat(),
    ],
    control: [withoutStreamWindows, send(...FORTY.map((stream) => get(stream))), granting(65_535)],
    allowed: attackStopped(),
    fence: "ping",
  },
];
