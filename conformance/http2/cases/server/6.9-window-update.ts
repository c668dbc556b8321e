import {
  accepted,
  connectionError,
  get,
  handshake,
  openStreamWindows,
  permitted,
  post,
  send,
  streamError,
  withoutStreamWindows,
} from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

const MAX = 0x7fff_ffff;
const update = (stream: number, increment: number): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment });
const END: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"] };
const raw = (stream: number, hex: string): FrameSpec => ({ type: "WINDOW_UPDATE", stream, hex });

const wrongLength = ({ stream, hex, ...row }: Row & { readonly stream: number; readonly hex: string }): Case => ({
  spec: "rfc9113#6.9",
  covers: ["rfc9113#6.9/length"],
  level: "MUST",
  role: "server",
  steps: [withoutStreamWindows, send(get(1), raw(stream, hex), openStreamWindows)],
  control: [withoutStreamWindows, send(get(1), raw(stream, "00000001"), openStreamWindows)],
  allowed: connectionError("FRAME_SIZE_ERROR"),
  ...row,
});
/** The server answered early and reset the stream with NO_ERROR: there is no window left to overflow (rfc9113#8.1). */
const answeredEarly = permitted(
  {
    see: "all",
    of: [
      { see: "response", stream: 1, complete: true },
      { see: "RST_STREAM", stream: 1, code: "NO_ERROR" },
    ],
  },
  "rfc9113#8.1",
);
/** Increments that raise the connection window above 2^31-1. */
const overflow = ({
  wrong,
  legal,
  ...row
}: Row & { readonly wrong: readonly FrameSpec[]; readonly legal: readonly FrameSpec[] }): Case => ({
  spec: "rfc9113#6.9.1",
  covers: ["rfc9113#6.9.1/overflow-connection", "rfc9113#6.9.1/not-above-maximum"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(...wrong)],
  control: [handshake, send(...legal)],
  allowed: connectionError("FLOW_CONTROL_ERROR"),
  ...row,
});
/** The same for stream 1. Its request is incomplete, so no response has used the window. */
const streamOverflow = ({
  wrong,
  legal,
  ...row
}: Row & { readonly wrong: readonly FrameSpec[]; readonly legal: readonly FrameSpec[] }): Case => ({
  spec: "rfc9113#6.9.1",
  covers: ["rfc9113#6.9.1/overflow-stream", "rfc9113#6.9.1/not-above-maximum"],
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [handshake, send(post(1), ...wrong)],
  control: [handshake, send(post(1), ...legal, END)],
  allowed: streamError(1, "FLOW_CONTROL_ERROR", answeredEarly),
  ...row,
});
const accepts = (row: Row<"covers" | "steps" | "control">): Case => ({
  spec: "rfc9113#6.9",
  level: "MUST NOT",
  role: "server",
  allowed: accepted,
  ...row,
});

/** WINDOW_UPDATE (rfc9113#6.9): its layout, its increment, and the maximum window (rfc9113#6.9.1). */
export const cases: readonly Case[] = [
  {
    id: "http2/window-update-zero-on-connection",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9/increment-zero-connection"],
    level: "MUST",
    role: "server",
    title: "The server treats an increment of 0 on the connection as a connection error of type PROTOCOL_ERROR.",
    steps: [handshake, send(update(0, 0))],
    control: [handshake, send(update(0, 1))],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/window-update-zero-on-stream",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9/increment-zero-stream"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server treats an increment of 0 on a stream as a stream error of type PROTOCOL_ERROR.",
    steps: [withoutStreamWindows, send(get(1), update(1, 0), openStreamWindows)],
    control: [withoutStreamWindows, send(get(1), update(1, 1), openStreamWindows)],
    allowed: streamError(1, "PROTOCOL_ERROR"),
  },
  {
    id: "http2/window-update-zero-beside-reserved-bit",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9/increment-zero-connection", "rfc9113#6.9/reserved-bit"],
    level: "MUST",
    role: "server",
    title: "The server treats an increment of 0 with the reserved bit set as a connection error of type PROTOCOL_ERROR.",
    steps: [handshake, send(raw(0, "80000000"))],
    control: [handshake, send(raw(0, "80000001"))],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  wrongLength({
    id: "http2/window-update-of-three-octets",
    title: "The server treats WINDOW_UPDATE of 3 octets on the connection as a connection error of type FRAME_SIZE_ERROR.",
    stream: 0,
    hex: "000001",
  }),
  wrongLength({
    id: "http2/window-update-of-five-octets",
    title: "The server treats WINDOW_UPDATE of 5 octets on the connection as a connection error of type FRAME_SIZE_ERROR.",
    stream: 0,
    hex: "0000000100",
  }),
  wrongLength({
    id: "http2/window-update-of-no-octets",
    title: "The server treats an empty WINDOW_UPDATE on the connection as a connection error of type FRAME_SIZE_ERROR.",
    stream: 0,
    hex: "",
  }),
  wrongLength({
    id: "http2/window-update-of-three-octets-on-stream",
    title: "The server treats WINDOW_UPDATE of 3 octets on a stream as a connection error of type FRAME_SIZE_ERROR.",
    stream: 1,
    hex: "000001",
  }),
  wrongLength({
    id: "http2/window-update-of-five-octets-on-stream",
    title: "The server treats WINDOW_UPDATE of 5 octets on a stream as a connection error of type FRAME_SIZE_ERROR.",
    stream: 1,
    hex: "0000000100",
  }),
  accepts({
    id: "http2/window-update-with-reserved-bit",
    title: "The server ignores the reserved bit before the increment of WINDOW_UPDATE.",
    covers: ["rfc9113#6.9/reserved-bit"],
    steps: [handshake, send(get(1), raw(0, "80000001"), raw(1, "80000001"))],
    control: [handshake, send(get(1), raw(0, "00000001"), raw(1, "00000001"))],
  }),
  accepts({
    id: "http2/window-update-with-unused-flags",
    title: "The server accepts WINDOW_UPDATE with undefined flags.",
    covers: ["rfc9113#4.1/unused-flags"],
    steps: [handshake, send({ ...update(0, 1), flags: 0xff })],
    control: [handshake, send(update(0, 1))],
  }),
  accepts({
    id: "http2/window-update-on-half-closed-stream",
    title: "The server accepts WINDOW_UPDATE on a stream that the client has ended.",
    covers: ["rfc9113#6.9/half-closed-no-error", "rfc9113#5.1/half-closed-remote-permitted"],
    needs: ["body"],
    steps: [withoutStreamWindows, send(get(1), update(1, 65_535), openStreamWindows)],
    control: [withoutStreamWindows, send(get(1), openStreamWindows)],
  }),
  accepts({
    id: "http2/window-update-to-the-maximum",
    title: "The server accepts WINDOW_UPDATE that raises the connection window to exactly 2^31-1.",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/not-above-maximum", "rfc9113#6.9.2/initial-65535"],
    steps: [handshake, send(update(0, MAX - 65_535))],
    control: [handshake, send(update(0, 1))],
  }),
  accepts({
    id: "http2/window-update-to-the-maximum-on-stream",
    title: "The server accepts WINDOW_UPDATE that raises a stream window to exactly 2^31-1.",
    spec: "rfc9113#6.9.1",
    covers: ["rfc9113#6.9.1/not-above-maximum"],
    steps: [withoutStreamWindows, send(get(1), update(1, MAX))],
    control: [withoutStreamWindows, send(get(1), update(1, 65_535))],
    fence: { stream: 1 },
  }),
  accepts({
    id: "http2/window-update-of-connection-after-settings",
    title: "The server accepts WINDOW_UPDATE that raises the connection window to 2^31-1 regardless of INITIAL_WINDOW_SIZE.",
    spec: "rfc9113#6.9.2",
    covers: ["rfc9113#6.9.2/connection-unaffected"],
    steps: [handshake, send({ type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", MAX]] }, update(0, MAX - 65_535))],
    control: [handshake, send(update(0, 1))],
  }),
  overflow({
    id: "http2/window-update-overflow",
    title: "The server sends FLOW_CONTROL_ERROR on the connection if the connection window exceeds 2^31-1.",
    wrong: [update(0, MAX)],
    legal: [update(0, MAX - 65_535)],
  }),
  overflow({
    id: "http2/window-update-overflow-by-one",
    title: "The server sends FLOW_CONTROL_ERROR on the connection if the connection window exceeds 2^31-1 by one octet.",
    wrong: [update(0, MAX - 65_534)],
    legal: [update(0, MAX - 65_535)],
  }),
  overflow({
    id: "http2/window-update-overflow-in-steps",
    title:
      "The server sends FLOW_CONTROL_ERROR on the connection if several WINDOW_UPDATE frames raise the connection window above 2^31-1.",
    wrong: [update(0, 0x4000_0000), update(0, 0x3fff_0000), update(0, 1)],
    legal: [update(0, 0x4000_0000), update(0, 0x3fff_0000)],
  }),
  streamOverflow({
    id: "http2/window-update-overflow-on-stream",
    title: "The server treats a stream window above 2^31-1 as a stream error of type FLOW_CONTROL_ERROR.",
    wrong: [update(1, MAX)],
    legal: [update(1, MAX - 65_535)],
  }),
  streamOverflow({
    id: "http2/window-update-overflow-on-stream-in-steps",
    title: "The server sends a stream error of type FLOW_CONTROL_ERROR if several WINDOW_UPDATE frames raise a stream window above 2^31-1.",
    wrong: [update(1, 0x4000_0000), update(1, 0x4000_0000)],
    legal: [update(1, 0x4000_0000)],
  }),
];
