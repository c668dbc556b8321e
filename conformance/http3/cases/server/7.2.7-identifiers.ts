import { accepted, connectionError, getOn, handshake, permitted, send } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

const push = (id: number): FrameSpec => ({ type: "MAX_PUSH_ID", id });
const cancel = (id: number): FrameSpec => ({ type: "CANCEL_PUSH", id });
const goaway = (id: number): FrameSpec => ({ type: "GOAWAY", id });

const refuses = ({
  frames,
  right,
  ...row
}: Row<"spec" | "covers"> & { readonly frames: FrameSpec[]; readonly right: FrameSpec[] }): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, send("control", ...frames)],
  control: [handshake, send("control", ...right)],
  allowed: connectionError("H3_ID_ERROR"),
  ...row,
});
const takes = ({
  frames,
  also = [],
  ...row
}: Row<"spec" | "covers"> & { readonly frames: FrameSpec[]; readonly also?: readonly Outcome[] }): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, send("control", ...frames), getOn("request")],
  control: [handshake, getOn("request")],
  allowed: [...accepted, ...also],
  ...row,
});
/** After GOAWAY a connection without open requests may be closed. */
const left: readonly Outcome[] = [permitted({ see: "closed" }, "rfc9114#5.2")];

/** Identifiers that must not fall, rise, or be unknown (rfc9114#7.2.3, #7.2.7, #5.2). */
export const cases: readonly Case[] = [
  refuses({
    id: "http3/max-push-id-falls",
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/smaller"],
    title: "The server treats a smaller MAX_PUSH_ID as a connection error of type H3_ID_ERROR.",
    frames: [push(8), push(7)],
    right: [push(7), push(8)],
  }),
  refuses({
    id: "http3/max-push-id-falls-to-zero",
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/smaller"],
    title: "The server treats MAX_PUSH_ID 0 after 1 as a connection error of type H3_ID_ERROR.",
    frames: [push(1), push(0)],
    right: [push(0), push(1)],
  }),
  refuses({
    id: "http3/max-push-id-falls-later",
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/smaller"],
    title: "The server compares MAX_PUSH_ID with the greatest one before.",
    frames: [push(3), push(1_000_000), push(4)],
    right: [push(3), push(4), push(1_000_000)],
  }),
  takes({
    id: "http3/max-push-id-rises",
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/control-stream-sent"],
    title: "The server accepts MAX_PUSH_ID frames with greater values.",
    frames: [push(0), push(1), push(1_000)],
  }),
  takes({
    id: "http3/max-push-id-again",
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/control-stream-sent"],
    title: "The server accepts MAX_PUSH_ID with the same value again.",
    frames: [push(4), push(4)],
  }),
  takes({
    id: "http3/max-push-id-greatest",
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/control-stream-sent"],
    title: "The server accepts MAX_PUSH_ID 2^62-1.",
    frames: [{ type: "MAX_PUSH_ID", hex: "ffffffffffffffff" }],
  }),
  refuses({
    id: "http3/cancel-push-without-max-push-id",
    spec: "rfc9114#7.2.3",
    covers: ["rfc9114#7.2.3/beyond-maximum", "rfc9114#7.2.3/never-promised"],
    title: "The server treats CANCEL_PUSH before MAX_PUSH_ID as a connection error of type H3_ID_ERROR.",
    frames: [cancel(0)],
    right: [push(0)],
  }),
  refuses({
    id: "http3/cancel-push-beyond-max-push-id",
    spec: "rfc9114#7.2.3",
    covers: ["rfc9114#7.2.3/beyond-maximum"],
    title: "The server treats CANCEL_PUSH beyond MAX_PUSH_ID as a connection error of type H3_ID_ERROR.",
    frames: [push(3), cancel(4)],
    right: [push(3), push(4)],
  }),
  refuses({
    id: "http3/cancel-push-never-promised",
    spec: "rfc9114#7.2.3",
    covers: ["rfc9114#7.2.3/never-promised"],
    title: "The server treats CANCEL_PUSH for a push that it has not promised as a connection error of type H3_ID_ERROR.",
    frames: [push(100), cancel(99)],
    right: [push(100)],
  }),
  refuses({
    id: "http3/goaway-rises",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/rises"],
    title: "The server treats a GOAWAY with a greater identifier as a connection error of type H3_ID_ERROR.",
    frames: [goaway(4), goaway(8)],
    right: [goaway(8), goaway(4)],
  }),
  refuses({
    id: "http3/goaway-rises-by-one",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/rises"],
    title: "The server treats GOAWAY 1 after 0 as a connection error of type H3_ID_ERROR.",
    frames: [goaway(0), goaway(1)],
    right: [goaway(1), goaway(0)],
  }),
  takes({
    id: "http3/goaway-falls",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/several", "rfc9114#5.2/below-completes"],
    title: "The server accepts GOAWAY frames with smaller identifiers.",
    frames: [goaway(10), goaway(3)],
    also: left,
  }),
  takes({
    id: "http3/goaway-again",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/several", "rfc9114#5.2/below-completes"],
    title: "The server accepts GOAWAY with the same identifier again.",
    frames: [goaway(3), goaway(3)],
    also: left,
  }),
  takes({
    id: "http3/goaway-greatest",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/maximum-first", "rfc9114#5.2/identifier"],
    title: "The server accepts GOAWAY with the identifier 2^62-1.",
    frames: [{ type: "GOAWAY", hex: "ffffffffffffffff" }],
    also: left,
  }),
  takes({
    id: "http3/goaway-with-any-push-id",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/identifier"],
    title: "The server accepts GOAWAY with a push ID that could not name a request stream.",
    frames: [goaway(5)],
    also: left,
  }),
  {
    id: "http3/goaway-while-a-request-is-open",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/below-completes"],
    level: "MUST",
    role: "server",
    title: "The server completes a request that is open when the client sends GOAWAY.",
    steps: [
      handshake,
      send("request", {
        type: "HEADERS",
        fields: [
          [":method", "POST"],
          [":scheme", "{scheme}"],
          [":authority", "{authority}"],
          [":path", "{post}"],
        ],
      }),
      send("control", goaway(0)),
      { do: "send", on: "request", frames: [{ type: "DATA", data: "content" }], end: true },
    ],
    control: [handshake, getOn("request")],
    fence: "none",
    allowed: [{ see: { see: "response", on: "request", complete: true } }],
  },
];
