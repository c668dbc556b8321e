import { casesOf, type Side } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

const LAST = "ffffffffffffffff";
const BEYOND_STREAMS = 2 ** 61;

/** The content of a frame that ends before the frame does; the packet has nothing else. */
const CUT: Readonly<Record<string, FrameSpec>> = {
  ACK: { type: "ACK", hex: "000000" },
  "ACK with a range that is missing": { type: "ACK", hex: "00000100" },
  "ACK without ECN counts": { type: "ACK_ECN", hex: "00000000" },
  RESET_STREAM: { type: "RESET_STREAM", hex: "0000" },
  STOP_SENDING: { type: "STOP_SENDING", hex: "00" },
  CRYPTO: { type: "CRYPTO", hex: "000561" },
  STREAM: { type: 0x0a, hex: "000561" },
  "STREAM without an ID": { type: 0x0a, hex: "" },
  MAX_DATA: { type: "MAX_DATA", hex: "80" },
  MAX_STREAM_DATA: { type: "MAX_STREAM_DATA", hex: "00" },
  MAX_STREAMS: { type: "MAX_STREAMS_BIDI", hex: "" },
  DATA_BLOCKED: { type: "DATA_BLOCKED", hex: "40" },
  STREAM_DATA_BLOCKED: { type: "STREAM_DATA_BLOCKED", hex: "00" },
  STREAMS_BLOCKED: { type: "STREAMS_BLOCKED_UNI", hex: "" },
  NEW_CONNECTION_ID: { type: "NEW_CONNECTION_ID", hex: "01000801020304050607" },
  "NEW_CONNECTION_ID without its token": { type: "NEW_CONNECTION_ID", hex: "0100080102030405060708" },
  RETIRE_CONNECTION_ID: { type: "RETIRE_CONNECTION_ID", hex: "" },
  PATH_CHALLENGE: { type: "PATH_CHALLENGE", hex: "01020304050607" },
  PATH_RESPONSE: { type: "PATH_RESPONSE", hex: "01020304" },
  CONNECTION_CLOSE: { type: "CONNECTION_CLOSE", hex: "000005" },
  "CONNECTION_CLOSE of the application": { type: "CONNECTION_CLOSE_APP", hex: "" },
};
const slug = (words: string): string => words.toLowerCase().replaceAll(/[^a-z]+/g, "-");

/** Frames whose members contradict the format (rfc9000#19, rfc9000#20.1). */
export function malformedFrames(side: Side): Case[] {
  const { who, id } = side;
  const { refused } = casesOf(side);
  const wrong = (
    row: Row<"spec" | "covers"> & {
      readonly frame: FrameSpec;
      readonly instead: FrameSpec;
      readonly code?: Parameters<typeof refused>[0]["code"];
    },
  ): Case => {
    const { frame, instead, code = "FRAME_ENCODING_ERROR", ...rest } = row;
    return refused({ frames: [frame], instead: [instead], code, ...rest });
  };
  return [
    ...Object.entries(CUT).map(([words, frame]) =>
      refused({
        id: id(`cut-${slug(words)}`),
        spec: "rfc9000#20.1",
        covers: ["rfc9000#20.1/badly-formatted"],
        level: "SHOULD",
        title: `The ${who} treats ${words === "ACK without ECN counts" ? words : `a truncated frame (${words})`} as a connection error of type FRAME_ENCODING_ERROR.`,
        frames: [frame],
        code: "FRAME_ENCODING_ERROR",
      }),
    ),
    wrong({
      id: id("ack-of-negative-numbers"),
      spec: "rfc9000#19.3.1",
      covers: ["rfc9000#19.3.1/negative"],
      title: `The ${who} treats an ACK whose first range reaches below 0 as a connection error of type FRAME_ENCODING_ERROR.`,
      frame: { type: "ACK", largest: 0, first: 1 },
      instead: { type: "ACK", largest: 0, first: 0 },
    }),
    wrong({
      id: id("ack-of-negative-numbers-in-a-later-range"),
      spec: "rfc9000#19.3.1",
      covers: ["rfc9000#19.3.1/negative"],
      title: `The ${who} treats an ACK with a gap that reaches below 0 as a connection error of type FRAME_ENCODING_ERROR.`,
      frame: { type: "ACK", largest: 1, first: 0, ranges: [[5, 0]] },
      instead: { type: "ACK", largest: 1, first: 0 },
    }),
    wrong({
      id: id("ack-of-a-negative-second-range"),
      spec: "rfc9000#19.3.1",
      covers: ["rfc9000#19.3.1/negative"],
      title: `The ${who} treats an ACK whose second range reaches below 0 as a connection error of type FRAME_ENCODING_ERROR.`,
      frame: { type: "ACK", largest: 2, first: 0, ranges: [[0, 9]] },
      instead: { type: "ACK", largest: 0, first: 0 },
    }),
    wrong({
      id: id("crypto-beyond-the-largest-offset"),
      spec: "rfc9000#19.6",
      covers: ["rfc9000#19.6/largest-offset"],
      title: `The ${who} treats CRYPTO beyond offset 2^62-1 as FRAME_ENCODING_ERROR or CRYPTO_BUFFER_EXCEEDED.`,
      frame: { type: "CRYPTO", hex: `${LAST}0161` },
      instead: { type: "CRYPTO" },
      code: ["FRAME_ENCODING_ERROR", "CRYPTO_BUFFER_EXCEEDED"],
    }),
    wrong({
      id: id("stream-beyond-the-largest-offset"),
      spec: "rfc9000#19.8",
      covers: ["rfc9000#19.8/largest-offset"],
      title: `The ${who} treats STREAM beyond offset 2^62-1 as FRAME_ENCODING_ERROR or FLOW_CONTROL_ERROR.`,
      frame: { type: 0x0e, hex: `00${LAST}0161` },
      instead: { type: 0x0e, hex: "00000121" },
      code: ["FRAME_ENCODING_ERROR", "FLOW_CONTROL_ERROR"],
    }),
    ...(["MAX_STREAMS_BIDI", "MAX_STREAMS_UNI"] as const).map((type) =>
      wrong({
        id: id(`too-many-${type === "MAX_STREAMS_BIDI" ? "bidirectional" : "unidirectional"}-streams-permitted`),
        spec: "rfc9000#19.11",
        covers: ["rfc9000#19.11/beyond-ids"],
        title: `The ${who} treats MAX_STREAMS beyond 2^60 ${type === "MAX_STREAMS_BIDI" ? "bidirectional" : "unidirectional"} streams as a connection error of type FRAME_ENCODING_ERROR.`,
        frame: { type, max: BEYOND_STREAMS },
        instead: { type, max: 2 ** 60 },
      }),
    ),
    ...(["STREAMS_BLOCKED_BIDI", "STREAMS_BLOCKED_UNI"] as const).map((type) =>
      wrong({
        id: id(`blocked-beyond-${type === "STREAMS_BLOCKED_BIDI" ? "bidirectional" : "unidirectional"}-stream-ids`),
        spec: "rfc9000#19.14",
        covers: ["rfc9000#19.14/beyond-ids"],
        title: `The ${who} treats STREAMS_BLOCKED at more than 2^60 ${type === "STREAMS_BLOCKED_BIDI" ? "bidirectional" : "unidirectional"} streams as STREAM_LIMIT_ERROR or FRAME_ENCODING_ERROR.`,
        frame: { type, max: BEYOND_STREAMS },
        instead: { type, max: { limit: type === "STREAMS_BLOCKED_BIDI" ? "bidirectional streams" : "unidirectional streams", plus: 0 } },
        code: ["STREAM_LIMIT_ERROR", "FRAME_ENCODING_ERROR"],
      }),
    ),
    wrong({
      id: id("new-connection-id-without-octets"),
      spec: "rfc9000#19.15",
      covers: ["rfc9000#19.15/length"],
      title: `The ${who} treats NEW_CONNECTION_ID with an empty ID as a connection error of type FRAME_ENCODING_ERROR.`,
      frame: { type: "NEW_CONNECTION_ID", sequence: 1, id: "" },
      instead: { type: "NEW_CONNECTION_ID", sequence: 1, id: "0102030405060708" },
    }),
    wrong({
      id: id("new-connection-id-too-long"),
      spec: "rfc9000#19.15",
      covers: ["rfc9000#19.15/length"],
      title: `The ${who} treats NEW_CONNECTION_ID with an ID of 21 octets as a connection error of type FRAME_ENCODING_ERROR.`,
      frame: { type: "NEW_CONNECTION_ID", sequence: 1, id: "01".repeat(21) },
      instead: { type: "NEW_CONNECTION_ID", sequence: 1, id: "01".repeat(20) },
    }),
    wrong({
      id: id("retire-prior-to-beyond-the-sequence-number"),
      spec: "rfc9000#19.15",
      covers: ["rfc9000#19.15/retire-beyond"],
      title: `The ${who} treats NEW_CONNECTION_ID that retires its own ID as a connection error of type FRAME_ENCODING_ERROR.`,
      frame: { type: "NEW_CONNECTION_ID", sequence: 1, retire: 2, id: "0102030405060708" },
      instead: { type: "NEW_CONNECTION_ID", sequence: 1, retire: 1, id: "0102030405060708" },
    }),
  ];
}
