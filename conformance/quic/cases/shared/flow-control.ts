import { accepted, app, casesOf, piece, pieceOctets, type Side } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

/** Frames about a stream whose identifier is beyond the limit of streams. */
const ABOUT: Readonly<Record<string, FrameSpec>> = {
  stream: { type: "STREAM", data: "!" },
  "reset-stream": { type: "RESET_STREAM" },
  "stop-sending": { type: "STOP_SENDING" },
  "max-stream-data": { type: "MAX_STREAM_DATA", max: 2 ** 30 },
  "stream-data-blocked": { type: "STREAM_DATA_BLOCKED" },
};
/** The first stream that a limit does not permit. */
export const beyondStreams = (side: Side, limit: "bidirectional streams" | "unidirectional streams"): Case[] =>
  Object.entries(ABOUT)
    .filter(([words]) => limit === "bidirectional streams" || (words !== "stop-sending" && words !== "max-stream-data"))
    .map(([words, frame]) =>
      casesOf(side).refused({
        id: side.id(`${words}-beyond-the-limit-of-${limit.replace(" ", "-")}`),
        spec: "rfc9000#4.6",
        covers: ["rfc9000#4.6/stream-limit"],
        title: `The ${side.who} treats ${String(frame.type)} on the first ${limit.slice(0, -1)} that it does not permit as a connection error of type STREAM_LIMIT_ERROR.`,
        needs: [limit.replace(" ", "-")],
        frames: [{ ...frame, stream: { limit, plus: 0 } }],
        instead: [{ ...frame, stream: { limit, plus: -1 } }],
        code: "STREAM_LIMIT_ERROR",
      }),
    );

/** Flow control of one stream, and final sizes (rfc9000#4). */
export function flowControl(side: Side): Case[] {
  const { who, id, stream, window } = side;
  const { after, refused } = casesOf(side);
  const needs = [window === "stream data" ? "stream-window" : "unidirectional-window"];
  /** Data that is within no limit, and its twin that is. */
  const beyond = (row: Row<"covers"> & { readonly frame: FrameSpec; readonly instead: FrameSpec }): Case => {
    const { frame, instead, ...rest } = row;
    return refused({ spec: "rfc9000#4.1", frames: [frame], instead: [instead], code: "FLOW_CONTROL_ERROR", ...rest });
  };
  /** Frames that state other final sizes of a stream than the one before. */
  const contradicts = (
    row: Row & { readonly first: readonly FrameSpec[]; readonly second: FrameSpec; readonly instead?: FrameSpec },
  ): Case => {
    const { first, second, instead = { type: "PING" }, ...rest } = row;
    return after({
      spec: "rfc9000#4.5",
      covers: ["rfc9000#4.5/final-size"],
      level: "SHOULD",
      steps: [app(...first), app(second)],
      control: [app(...first), app(instead)],
      allowed: side.error("FINAL_SIZE_ERROR"),
      ...rest,
    });
  };
  const OPEN = piece(stream);
  const SIZE = pieceOctets();
  const END_SIZE = 12;
  /** A stream that ends after a whole frame, because HTTP/3 would refuse one that ends within; one that could be forgotten by then lacks its data. */
  const END: FrameSpec =
    stream === 0 ? { type: "STREAM", stream, data: "!\n0123456789", end: true } : { type: "STREAM", stream, offset: END_SIZE, end: true };

  return [
    beyond({
      id: id("stream-data-beyond-the-limit"),
      covers: ["rfc9000#4.1/limits"],
      title: `The ${who} treats data beyond the limit of a stream as a connection error of type FLOW_CONTROL_ERROR.`,
      needs,
      frame: { type: "STREAM", stream, offset: { limit: window, plus: 0 }, data: "a" },
      instead: { type: "STREAM", stream, offset: { limit: window, plus: -1 }, data: "a" },
    }),
    beyond({
      id: id("stream-data-far-beyond-the-limit"),
      covers: ["rfc9000#4.1/limits"],
      title: `The ${who} treats data a gigabyte beyond the limit of a stream as a connection error of type FLOW_CONTROL_ERROR.`,
      needs,
      frame: { type: "STREAM", stream, offset: { limit: window, plus: 2 ** 30 }, data: "a" },
      instead: { type: "STREAM", stream, offset: { limit: window, plus: -1 }, data: "a" },
    }),
    beyond({
      id: id("stream-end-beyond-the-limit"),
      covers: ["rfc9000#4.1/limits"],
      title: `The ${who} treats the end of a stream beyond its limit as a connection error of type FLOW_CONTROL_ERROR.`,
      needs,
      frame: { type: "STREAM", stream, offset: { limit: window, plus: 1 }, end: true },
      instead: { type: "STREAM", stream, offset: { limit: window, plus: 0 } },
    }),
    beyond({
      id: id("reset-beyond-the-limit"),
      covers: ["rfc9000#4.1/limits", "rfc9000#4.5/counts"],
      title: `The ${who} treats a reset with a final size beyond the limit of a stream as a connection error of type FLOW_CONTROL_ERROR.`,
      needs,
      frame: { type: "RESET_STREAM", stream, code: 0x10c, finalSize: { limit: window, plus: 1 } },
      instead: { type: "RESET_STREAM", stream, code: 0x10c },
    }),
    after({
      id: id("empty-stream-frame-at-the-limit"),
      spec: "rfc9000#19.8",
      covers: ["rfc9000#19.8/empty"],
      title: `The ${who} accepts a STREAM frame without data at the limit of the stream.`,
      needs,
      steps: [app({ type: "STREAM", stream, offset: { limit: window, plus: 0 } })],
      control: [app(OPEN)],
      allowed: accepted,
    }),
    ...(["MAX_DATA", "MAX_STREAM_DATA"] as const).map((type) =>
      after({
        id: id(`${type.toLowerCase().replaceAll("_", "-")}-that-lowers-the-limit`),
        spec: "rfc9000#4.1",
        covers: ["rfc9000#4.1/no-decrease"],
        title: `The ${who} ignores ${type} below the limit that holds.`,
        steps: [...side.opened, app({ type, stream: 0, max: 1 })],
        control: [...side.opened, app({ type, stream: 0, max: 2 ** 31 })],
        allowed: accepted,
      }),
    ),
    ...(["MAX_STREAMS_BIDI", "MAX_STREAMS_UNI"] as const).map((type) =>
      after({
        id: id(`${type === "MAX_STREAMS_BIDI" ? "bidirectional" : "unidirectional"}-max-streams-that-lowers-the-limit`),
        spec: "rfc9000#4.6",
        covers: ["rfc9000#4.6/no-decrease"],
        title: `The ${who} ignores MAX_STREAMS (${type === "MAX_STREAMS_BIDI" ? "bidirectional" : "unidirectional"}) below the limit that holds.`,
        steps: [app({ type, max: 1 })],
        control: [app({ type, max: 1_000 })],
        allowed: accepted,
      }),
    ),
    ...beyondStreams(side, "unidirectional streams"),
    contradicts({
      id: id("data-after-the-end"),
      title: `The ${who} treats data beyond the end of a stream as a connection error of type FINAL_SIZE_ERROR.`,
      first: [END],
      second: { type: "STREAM", stream, offset: END_SIZE, data: "a" },
    }),
    contradicts({
      id: id("second-end-further-on"),
      title: `The ${who} treats a second, later end of a stream as a connection error of type FINAL_SIZE_ERROR.`,
      first: [END],
      second: { type: "STREAM", stream, offset: END_SIZE + 1, end: true },
    }),
    contradicts({
      id: id("second-end-before-the-first"),
      title: `The ${who} treats a second, earlier end of a stream as a connection error of type FINAL_SIZE_ERROR.`,
      first: [END],
      second: { type: "STREAM", stream, offset: 3, end: true },
      instead: END,
    }),
    contradicts({
      id: id("end-before-data"),
      title: `The ${who} treats an end of a stream before data that has come as a connection error of type FINAL_SIZE_ERROR.`,
      first: [OPEN],
      second: { type: "STREAM", stream, offset: 3, end: true },
      instead: { type: "STREAM", stream, offset: SIZE, data: "a" },
    }),
    contradicts({
      id: id("reset-before-data"),
      title: `The ${who} treats a reset with a final size below data that has come as a connection error of type FINAL_SIZE_ERROR.`,
      first: [OPEN],
      second: { type: "RESET_STREAM", stream, code: 0x10c, finalSize: 3 },
      instead: { type: "RESET_STREAM", stream, code: 0x10c, finalSize: SIZE },
    }),
    contradicts({
      id: id("reset-with-another-size-than-the-end"),
      title: `The ${who} treats a reset with another final size than the end of the stream as a connection error of type FINAL_SIZE_ERROR.`,
      first: [{ type: "STREAM", stream, offset: SIZE + 5, end: true }, OPEN],
      second: { type: "RESET_STREAM", stream, code: 0x10c, finalSize: SIZE + 9 },
      instead: { type: "RESET_STREAM", stream, code: 0x10c, finalSize: SIZE + 5 },
    }),
    // A unidirectional stream may be forgotten once it is reset.
    ...(stream === 0
      ? [
          contradicts({
            id: id("data-after-a-reset"),
            title: `The ${who} treats data beyond the final size of a reset as a connection error of type FINAL_SIZE_ERROR.`,
            first: [OPEN, { type: "RESET_STREAM", stream, code: 0x10c, finalSize: SIZE }],
            second: { type: "STREAM", stream, offset: SIZE, data: "a" },
          }),
          contradicts({
            id: id("second-reset-with-another-size"),
            title: `The ${who} treats a second reset with another final size as a connection error of type FINAL_SIZE_ERROR.`,
            first: [OPEN, { type: "RESET_STREAM", stream, code: 0x10c, finalSize: SIZE }],
            second: { type: "RESET_STREAM", stream, code: 0x10c, finalSize: SIZE + 1 },
            instead: { type: "RESET_STREAM", stream, code: 0x10c, finalSize: SIZE },
          }),
        ]
      : []),
  ];
}
