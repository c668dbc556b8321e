import { accepted, connectionError, getOn, handshake, holds, permitted } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row, Step } from "../../vocabulary.ts";

const SETTINGS: FrameSpec = { type: "SETTINGS" };
const control = (...frames: FrameSpec[]): readonly Step[] => [
  { do: "open", on: "control", kind: "control" },
  { do: "send", on: "control", frames },
];

/** Another first frame than SETTINGS. `also`: what is wrong with it anyway. */
const missing = ({ first, also = [], ...row }: Row & { readonly first: FrameSpec; readonly also?: Outcome[] }): Case => ({
  spec: "rfc9114#6.2.1",
  covers: ["rfc9114#6.2.1/missing-settings"],
  level: "MUST",
  role: "server",
  steps: control(first, SETTINGS),
  control: control(SETTINGS),
  allowed: connectionError("H3_MISSING_SETTINGS", ...also),
  ...row,
});
const unexpected = permitted({ see: "close", code: "H3_FRAME_UNEXPECTED" }, "rfc9114#7.2");

/** A reset may overtake what was sent before it, so the server must have read that. */
const settled: readonly Step[] = [handshake, getOn("request"), { do: "await", see: { see: "response", on: "request", complete: true } }];
const closed = ({
  how,
  before = [handshake],
  also = [],
  ...row
}: Row & { readonly how: Step; readonly before?: readonly Step[]; readonly also?: Outcome[] }): Case => ({
  spec: "rfc9114#6.2.1",
  covers: ["rfc9114#6.2.1/closed"],
  level: "MUST",
  role: "server",
  steps: [...before, how],
  control: before,
  allowed: connectionError("H3_CLOSED_CRITICAL_STREAM", ...also),
  ...row,
});

/** The control stream: SETTINGS first, one of it, never closed (rfc9114#6.2.1). */
export const cases: readonly Case[] = [
  {
    id: "http3/control-stream-with-settings",
    spec: "rfc9114#6.2.1",
    covers: ["rfc9114#6.2.1/one-control-stream", "rfc9114#6.2.1/settings-first", "rfc9114#7.2.4/once"],
    level: "MUST",
    role: "server",
    title: "The server opens one control stream, whose first frame is its only SETTINGS.",
    steps: [handshake, getOn("request")],
    control: [handshake, getOn("request")],
    allowed: holds("one-control-stream", "settings-first", "settings-once"),
  },
  missing({
    id: "http3/control-stream-begins-with-goaway",
    title: "The server treats a control stream that begins with GOAWAY as H3_MISSING_SETTINGS.",
    first: { type: "GOAWAY", id: 0 },
  }),
  missing({
    id: "http3/control-stream-begins-with-max-push-id",
    title: "The server treats a control stream that begins with MAX_PUSH_ID as H3_MISSING_SETTINGS.",
    first: { type: "MAX_PUSH_ID", id: 0 },
  }),
  missing({
    id: "http3/control-stream-begins-with-cancel-push",
    title: "The server treats a control stream that begins with CANCEL_PUSH as H3_MISSING_SETTINGS.",
    first: { type: "CANCEL_PUSH", id: 0 },
    also: [permitted({ see: "close", code: "H3_ID_ERROR" }, "rfc9114#7.2.3")],
  }),
  missing({
    id: "http3/control-stream-begins-with-reserved-frame",
    title: "The server treats a control stream that begins with a frame of a reserved type as H3_MISSING_SETTINGS.",
    covers: ["rfc9114#6.2.1/missing-settings", "rfc9114#9/unknown-not-in-place"],
    first: { type: 0x21, hex: "00" },
  }),
  missing({
    id: "http3/control-stream-begins-with-unknown-frame",
    title: "The server treats a control stream that begins with a frame of an unknown type as H3_MISSING_SETTINGS.",
    covers: ["rfc9114#6.2.1/missing-settings", "rfc9114#9/unknown-not-in-place"],
    first: { type: 0x3f_ff, hex: "" },
  }),
  missing({
    id: "http3/control-stream-begins-with-data",
    title: "The server treats a control stream that begins with DATA as H3_MISSING_SETTINGS or H3_FRAME_UNEXPECTED.",
    first: { type: "DATA", data: "content" },
    also: [unexpected],
  }),
  missing({
    id: "http3/control-stream-begins-with-headers",
    title: "The server treats a control stream that begins with HEADERS as H3_MISSING_SETTINGS or H3_FRAME_UNEXPECTED.",
    first: { type: "HEADERS", fields: [["x-name", "1"]] },
    also: [unexpected],
  }),
  missing({
    id: "http3/control-stream-begins-with-a-frame-of-http2",
    title: "The server treats a control stream that begins with a frame of type 0x6 as H3_MISSING_SETTINGS or H3_FRAME_UNEXPECTED.",
    first: { type: 0x6, hex: "0102030405060708" },
    also: [unexpected],
  }),
  {
    id: "http3/second-control-stream",
    spec: "rfc9114#6.2.1",
    covers: ["rfc9114#6.2.1/second-control-stream"],
    level: "MUST",
    role: "server",
    title: "The server treats a second control stream as a connection error of type H3_STREAM_CREATION_ERROR.",
    steps: [handshake, { do: "open", on: "extra", kind: "control" }],
    control: [handshake, { do: "open", on: "extra", kind: 0x21 }],
    allowed: connectionError("H3_STREAM_CREATION_ERROR"),
  },
  {
    id: "http3/second-control-stream-with-settings",
    spec: "rfc9114#6.2.1",
    covers: ["rfc9114#6.2.1/second-control-stream"],
    level: "MUST",
    role: "server",
    title: "The server treats a second control stream with SETTINGS as a connection error of type H3_STREAM_CREATION_ERROR.",
    steps: [handshake, { do: "open", on: "extra", kind: "control" }, { do: "send", on: "extra", frames: [SETTINGS] }],
    control: [handshake, { do: "open", on: "extra", kind: 0x21 }, { do: "send", on: "extra", frames: [SETTINGS] }],
    allowed: connectionError("H3_STREAM_CREATION_ERROR"),
  },
  closed({
    id: "http3/control-stream-ended",
    title: "The server treats the end of the control stream as a connection error of type H3_CLOSED_CRITICAL_STREAM.",
    how: { do: "end", on: "control" },
  }),
  closed({
    id: "http3/control-stream-reset",
    before: settled,
    title: "The server treats a reset of the control stream as a connection error of type H3_CLOSED_CRITICAL_STREAM.",
    how: { do: "reset", on: "control", code: "H3_NO_ERROR" },
  }),
  closed({
    id: "http3/control-stream-reset-with-an-error",
    before: settled,
    title: "The server treats a reset of the control stream with an error code as H3_CLOSED_CRITICAL_STREAM.",
    how: { do: "reset", on: "control", code: "H3_INTERNAL_ERROR" },
  }),
  closed({
    id: "http3/control-stream-ended-with-settings",
    title: "The server treats a control stream that ends with SETTINGS as H3_CLOSED_CRITICAL_STREAM.",
    before: [{ do: "open", on: "control", kind: "control" }],
    how: { do: "send", on: "control", frames: [SETTINGS], end: true },
  }),
  closed({
    id: "http3/control-stream-ended-without-settings",
    title: "The server treats a control stream that ends before SETTINGS as H3_CLOSED_CRITICAL_STREAM or H3_MISSING_SETTINGS.",
    before: [{ do: "open", on: "control", kind: "control" }],
    how: { do: "end", on: "control" },
    also: [permitted({ see: "close", code: "H3_MISSING_SETTINGS" }, "rfc9114#6.2.1")],
  }),
  closed({
    id: "http3/control-stream-ended-within-a-frame",
    title: "The server treats a control stream that ends within a frame as H3_CLOSED_CRITICAL_STREAM or H3_FRAME_ERROR.",
    how: { do: "send", on: "control", frames: [{ type: 0x21, length: 10, hex: "00" }], end: true },
    also: [permitted({ see: "close", code: "H3_FRAME_ERROR" }, "rfc9114#7.1")],
  }),
  closed({
    id: "http3/control-stream-of-the-server-stopped",
    title: "The server treats STOP_SENDING for its control stream as H3_CLOSED_CRITICAL_STREAM.",
    // The text is about streams that are closed; QUIC makes a reset of STOP_SENDING (rfc9000#3.5).
    level: "SHOULD",
    before: settled,
    how: { do: "stop", on: "control", code: "H3_NO_ERROR" },
  }),
  {
    id: "http3/control-stream-in-longer-form",
    spec: "rfc9114#6.2",
    covers: ["rfc9114#6.2/type"],
    level: "MUST",
    role: "server",
    title: "The server accepts a control stream whose type takes two octets.",
    steps: [
      { do: "open", on: "control" },
      { do: "octets", on: "control", hex: "4000", note: "the type of a control stream in two octets" },
      { do: "send", on: "control", frames: [SETTINGS] },
      getOn("request"),
    ],
    control: [...control(SETTINGS), getOn("request")],
    allowed: accepted,
  },
  {
    id: "http3/second-control-stream-after-longer-form",
    spec: "rfc9114#6.2.1",
    covers: ["rfc9114#6.2.1/second-control-stream", "rfc9114#6.2/type"],
    level: "MUST",
    role: "server",
    title: "The server treats a second control stream whose type takes eight octets as H3_STREAM_CREATION_ERROR.",
    steps: [
      handshake,
      { do: "open", on: "extra" },
      { do: "octets", on: "extra", hex: "c000000000000000", note: "the type of a control stream" },
    ],
    control: [handshake, { do: "open", on: "extra" }, { do: "octets", on: "extra", hex: "c000000000000021", note: "a reserved type" }],
    allowed: connectionError("H3_STREAM_CREATION_ERROR"),
  },
  {
    id: "http3/control-stream-octet-by-octet",
    spec: "rfc9114#7",
    covers: ["rfc9114#7/spans-packets"],
    level: "MUST",
    role: "server",
    title: "The server reads a control stream that comes octet by octet.",
    steps: [
      { do: "open", on: "control", kind: "control" },
      {
        do: "send",
        on: "control",
        frames: [
          { type: "SETTINGS", settings: [["MAX_FIELD_SECTION_SIZE", 65_536]] },
          { type: 0x21, hex: "abcd" },
          { type: "MAX_PUSH_ID", id: 7 },
        ],
        cut: 1,
      },
    ],
    control: control(SETTINGS),
    allowed: accepted,
  },
  {
    id: "http3/control-frames-octet-by-octet-refused",
    spec: "rfc9114#7",
    covers: ["rfc9114#7.2.4/second", "rfc9114#7/spans-packets"],
    level: "MUST",
    role: "server",
    title: "The server finds a second SETTINGS on a control stream that comes octet by octet.",
    steps: [
      { do: "open", on: "control", kind: "control" },
      { do: "send", on: "control", frames: [SETTINGS, { type: 0x21, hex: "abcd" }, SETTINGS], cut: 1 },
    ],
    control: [
      { do: "open", on: "control", kind: "control" },
      { do: "send", on: "control", frames: [SETTINGS, { type: 0x21, hex: "abcd" }], cut: 1 },
    ],
    allowed: connectionError("H3_FRAME_UNEXPECTED"),
  },
  {
    id: "http3/settings-without-waiting",
    spec: "rfc9114#7.2.4.2",
    covers: ["rfc9114#7.2.4.2/not-waiting", "rfc9114#7.2.4.2/soon"],
    level: "MUST NOT",
    role: "server",
    title: "The server sends SETTINGS although no stream of the client has come.",
    steps: [{ do: "await", see: { see: "frame", on: "control", type: "SETTINGS" } }],
    control: [handshake],
    allowed: accepted,
  },
  {
    id: "http3/request-before-settings",
    spec: "rfc9114#7.2.4.2",
    covers: ["rfc9114#7.2.4.2/initial-values"],
    level: "SHOULD",
    role: "server",
    title: "The server answers a request that comes before the client's SETTINGS.",
    steps: [getOn("request"), { do: "await", see: { see: "response", on: "request", complete: true } }, handshake],
    control: [handshake, getOn("request"), { do: "await", see: { see: "response", on: "request", complete: true } }],
    allowed: accepted,
  },
];
