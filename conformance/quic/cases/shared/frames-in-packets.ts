import { app, casesOf, packet, PING, type Side } from "../phrases.ts";
import type { Case, FrameSpec, Level, Step } from "../../vocabulary.ts";

/** Frames that belong into 1-RTT packets alone, with words for a title. */
const ONE_RTT: Readonly<Record<string, FrameSpec>> = {
  "reset-stream": { type: "RESET_STREAM", stream: 0 },
  "stop-sending": { type: "STOP_SENDING", stream: 0 },
  "new-token": { type: "NEW_TOKEN", token: "00" },
  stream: { type: "STREAM", stream: 0, data: "!\0" },
  "max-data": { type: "MAX_DATA", max: 2 ** 31 },
  "max-stream-data": { type: "MAX_STREAM_DATA", stream: 0, max: 2 ** 31 },
  "max-streams": { type: "MAX_STREAMS_BIDI", max: 1_000 },
  "max-streams-unidirectional": { type: "MAX_STREAMS_UNI", max: 1_000 },
  "data-blocked": { type: "DATA_BLOCKED", max: 0 },
  "stream-data-blocked": { type: "STREAM_DATA_BLOCKED", stream: 0, max: 0 },
  "streams-blocked": { type: "STREAMS_BLOCKED_BIDI", max: 0 },
  "streams-blocked-unidirectional": { type: "STREAMS_BLOCKED_UNI", max: 0 },
  "new-connection-id": { type: "NEW_CONNECTION_ID", sequence: 1, id: "0102030405060708" },
  "retire-connection-id": { type: "RETIRE_CONNECTION_ID", sequence: 0 },
  "path-challenge": { type: "PATH_CHALLENGE" },
  "path-response": { type: "PATH_RESPONSE" },
  "application-close": { type: "CONNECTION_CLOSE_APP", code: 0x100 },
  "handshake-done": { type: "HANDSHAKE_DONE" },
  "unknown-frame": { type: 0x21 },
};

/** Which packet may carry which frame (rfc9000#12.4, table 3). */
export function framesInPackets(side: Side): Case[] {
  const { who, id, role } = side;
  const { after, refused } = casesOf(side);
  const begun = (level: Level): Step => side.beginWith({ hold: level === "initial" ? "initial" : "handshake" });
  const misplaced = (level: "initial" | "handshake"): Case[] =>
    Object.entries(ONE_RTT).map(([words, frame]): Case => {
      const isUnknown = typeof frame.type === "number";
      const code = isUnknown ? (["FRAME_ENCODING_ERROR", "PROTOCOL_VIOLATION"] as const) : "PROTOCOL_VIOLATION";
      return {
        id: id(`${level}-with-${words}`),
        spec: "rfc9000#12.4",
        covers: [isUnknown ? "rfc9000#12.4/unknown-type" : "rfc9000#12.4/not-permitted"],
        level: "MUST",
        role,
        title: `The ${who} treats ${isUnknown ? "a frame of an unknown type" : nameOf(frame)} in ${level === "initial" ? "an Initial" : "a Handshake"} packet as a connection error.`,
        steps: [begun(level), packet({ level }, frame)],
        control: [begun(level), packet({ level }, PING)],
        allowed: level === "initial" ? side.initialError(code) : side.error(code),
      };
    });
  const nameOf = ({ type }: FrameSpec): string =>
    type === "CONNECTION_CLOSE_APP" ? "a CONNECTION_CLOSE of the application" : String(type).replace(/_(?:BIDI|UNI)$/, "");
  return [
    ...misplaced("initial"),
    ...misplaced("handshake"),
    ...([0x1f, 0x21, 0x2f, 0x3fff, 0x3fff_ffff, 0x1f * 7 + 27] as const).map((type) =>
      refused({
        id: id(`unknown-frame-type-${type.toString(16)}`),
        spec: "rfc9000#12.4",
        covers: ["rfc9000#12.4/unknown-type"],
        title: `The ${who} treats a frame of the unknown type 0x${type.toString(16)} as a connection error of type FRAME_ENCODING_ERROR.`,
        frames: [{ type }],
        code: "FRAME_ENCODING_ERROR",
      }),
    ),
    refused({
      id: id("packet-without-frames"),
      spec: "rfc9000#12.4",
      covers: ["rfc9000#12.4/no-frames"],
      title: `The ${who} treats a packet without a frame as a connection error of type PROTOCOL_VIOLATION.`,
      frames: [],
      code: "PROTOCOL_VIOLATION",
    }),
    {
      id: id("handshake-packet-without-frames"),
      spec: "rfc9000#12.4",
      covers: ["rfc9000#12.4/no-frames"],
      level: "MUST",
      role,
      title: `The ${who} treats a Handshake packet without a frame as a connection error of type PROTOCOL_VIOLATION.`,
      steps: [begun("handshake"), packet({ level: "handshake" })],
      control: [begun("handshake"), packet({ level: "handshake" }, PING)],
      allowed: side.error("PROTOCOL_VIOLATION"),
    },
    after({
      id: id("padding-alone"),
      spec: "rfc9000#19.1",
      covers: ["rfc9000#19.1/no-meaning"],
      title: `The ${who} accepts a packet that holds nothing but PADDING.`,
      steps: [app({ type: "PADDING" }, { type: "PADDING" }, { type: "PADDING" })],
      control: [app(PING)],
      allowed: [{ see: { see: "accepted" } }],
    }),
  ];
}
