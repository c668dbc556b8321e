import { accepted, connectionError, get, handshake, permitted, post, send, streamError } from "./phrases.ts";
import type { Case, FrameSpec, Step } from "./vocabulary.ts";

const MOST = 0x7fff_ffff;
const update = (stream: number, increment: number): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment });
const END: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"] };
const raw = (stream: number, hex: string): FrameSpec => ({ type: "WINDOW_UPDATE", stream, hex });
/** A response that cannot end before we allow it keeps its stream half-closed. */
const blocked: Step = { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 0]] };
const unblock: FrameSpec = { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 65_535]] };

const wrongLength = (name: string, octets: number, stream: number, hex: string): Case => ({
  id: `http2/window-update-of-${name}`,
  spec: "rfc9113#6.9",
  covers: ["rfc9113#6.9/length"],
  level: "MUST",
  role: "server",
  title: `The server ends the connection for WINDOW_UPDATE of ${octets} octets on ${stream === 0 ? "the connection" : "a stream"} with FRAME_SIZE_ERROR.`,
  steps: [blocked, send(get(1), raw(stream, hex), unblock)],
  control: [blocked, send(get(1), raw(stream, "00000001"), unblock)],
  allowed: connectionError("FRAME_SIZE_ERROR"),
});
/** It has answered before it read on, and wants the rest no more: the stream is closed, and its window nobody's affair (rfc9113#8.1). */
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
const overflow = (name: string, title: string, wrong: FrameSpec[], right: FrameSpec[], stream: boolean): Case => ({
  id: `http2/window-update-${name}`,
  spec: "rfc9113#6.9.1",
  covers: [stream ? "rfc9113#6.9.1/overflow-stream" : "rfc9113#6.9.1/overflow-connection", "rfc9113#6.9.1/not-above-maximum"],
  level: "MUST",
  role: "server",
  // A stream whose request is not whole yet: its window stands as it is.
  ...(stream ? { needs: ["post"] } : {}),
  title,
  steps: stream ? [handshake, send(post(1), ...wrong)] : [handshake, send(...wrong)],
  control: stream ? [handshake, send(post(1), ...right, END)] : [handshake, send(...right)],
  allowed: stream ? streamError(1, "FLOW_CONTROL_ERROR", answeredEarly) : connectionError("FLOW_CONTROL_ERROR"),
});
const taken = (name: string, what: string, covers: Case["covers"], steps: Step[], control: Step[]): Case => ({
  id: `http2/window-update-${name}`,
  spec: "rfc9113#6.9",
  covers,
  level: "MUST NOT",
  role: "server",
  title: `The server takes no offence at WINDOW_UPDATE ${what}.`,
  steps,
  control,
  allowed: accepted,
});

/** WINDOW_UPDATE (rfc9113#6.9): its form, its increment, and the largest window (rfc9113#6.9.1). */
export const cases: readonly Case[] = [
  {
    id: "http2/window-update-zero-on-connection",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9/increment-zero-connection"],
    level: "MUST",
    role: "server",
    title: "The server ends the connection for an increment of 0 on the connection with PROTOCOL_ERROR.",
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
    title: "The server takes an increment of 0 on a stream for a stream error of type PROTOCOL_ERROR.",
    steps: [blocked, send(get(1), update(1, 0), unblock)],
    control: [blocked, send(get(1), update(1, 1), unblock)],
    allowed: streamError(1, "PROTOCOL_ERROR"),
  },
  {
    id: "http2/window-update-zero-beside-reserved-bit",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9/increment-zero-connection", "rfc9113#6.9/reserved-bit"],
    level: "MUST",
    role: "server",
    title: "The server ends the connection for an increment that is nothing but the reserved bit with PROTOCOL_ERROR.",
    steps: [handshake, send(raw(0, "80000000"))],
    control: [handshake, send(raw(0, "80000001"))],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  wrongLength("three-octets", 3, 0, "000001"),
  wrongLength("five-octets", 5, 0, "0000000100"),
  wrongLength("no-octets", 0, 0, ""),
  wrongLength("three-octets-on-stream", 3, 1, "000001"),
  wrongLength("five-octets-on-stream", 5, 1, "0000000100"),
  taken(
    "with-reserved-bit",
    "with the reserved bit before its increment",
    ["rfc9113#6.9/reserved-bit"],
    [handshake, send(get(1), raw(0, "80000001"), raw(1, "80000001"))],
    [handshake, send(get(1), raw(0, "00000001"), raw(1, "00000001"))],
  ),
  taken(
    "with-unused-flags",
    "with flags that mean nothing on it",
    ["rfc9113#4.1/unused-flags"],
    [handshake, send({ ...update(0, 1), flags: 0xff })],
    [handshake, send(update(0, 1))],
  ),
  {
    ...taken(
      "on-half-closed-stream",
      "on a stream that the client has ended",
      ["rfc9113#6.9/half-closed-no-error", "rfc9113#5.1/half-closed-remote-permitted"],
      [blocked, send(get(1), update(1, 65_535), unblock)],
      [blocked, send(get(1), unblock)],
    ),
    needs: ["body"],
  },
  {
    ...taken(
      "to-the-maximum",
      "that takes the window of the connection to 2^31-1 exactly",
      ["rfc9113#6.9.1/not-above-maximum", "rfc9113#6.9.2/initial-65535"],
      [handshake, send(update(0, MOST - 65_535))],
      [handshake, send(update(0, 1))],
    ),
    spec: "rfc9113#6.9.1",
  },
  {
    ...taken(
      "to-the-maximum-on-stream",
      "that takes the window of a stream to 2^31-1 exactly",
      ["rfc9113#6.9.1/not-above-maximum"],
      [blocked, send(get(1), update(1, MOST))],
      [blocked, send(get(1), update(1, 65_535))],
    ),
    spec: "rfc9113#6.9.1",
    fence: { stream: 1 },
  },
  {
    ...taken(
      "of-connection-after-settings",
      "that takes the window of the connection to 2^31-1, whatever SETTINGS have made of the windows of streams",
      ["rfc9113#6.9.2/connection-unaffected"],
      [handshake, send({ type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", MOST]] }, update(0, MOST - 65_535))],
      [handshake, send(update(0, 1))],
    ),
    spec: "rfc9113#6.9.2",
  },
  overflow(
    "overflow",
    "The server ends the connection when the window of it would pass 2^31-1 with FLOW_CONTROL_ERROR.",
    [update(0, MOST)],
    [update(0, MOST - 65_535)],
    false,
  ),
  overflow(
    "overflow-by-one",
    "The server ends the connection when its window is one octet too large with FLOW_CONTROL_ERROR.",
    [update(0, MOST - 65_534)],
    [update(0, MOST - 65_535)],
    false,
  ),
  overflow(
    "overflow-in-steps",
    "The server ends the connection when several WINDOW_UPDATE together take the window beyond 2^31-1 with FLOW_CONTROL_ERROR.",
    [update(0, 0x4000_0000), update(0, 0x3fff_0000), update(0, 1)],
    [update(0, 0x4000_0000), update(0, 0x3fff_0000)],
    false,
  ),
  overflow(
    "overflow-on-stream",
    "The server takes a stream's window beyond 2^31-1 for a stream error of type FLOW_CONTROL_ERROR.",
    [update(1, MOST)],
    [update(1, MOST - 65_535)],
    true,
  ),
  overflow(
    "overflow-on-stream-in-steps",
    "The server takes several WINDOW_UPDATE that together take a stream's window beyond 2^31-1 for a stream error of type FLOW_CONTROL_ERROR.",
    [update(1, 0x4000_0000), update(1, 0x4000_0000)],
    [update(1, 0x4000_0000)],
    true,
  ),
];
