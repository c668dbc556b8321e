import {
  accepted,
  acceptedAndAnswered,
  connectionError,
  data,
  get,
  getOn,
  handshake,
  permitted,
  post,
  request,
  send,
  trailers,
  whole,
} from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

const ERROR = "H3_FRAME_ERROR";

/** A request stream that ends within its last frame. */
const cut = ({
  frames,
  right = [post(), data()],
  ...row
}: Row & { readonly frames: readonly FrameSpec[]; readonly right?: readonly FrameSpec[] }): Case => ({
  spec: "rfc9114#7.1",
  covers: ["rfc9114#7.1/truncated"],
  level: "MUST",
  role: "server",
  needs: ["reads-content"],
  steps: [handshake, whole("request", ...frames)],
  control: [handshake, whole("request", ...right)],
  allowed: connectionError(ERROR),
  ...row,
});
/** Octets of half a frame at the end of a request. */
const cutOctets = ({ hex, ...row }: Row & { readonly hex: string }): Case => ({
  ...cut({ ...row, frames: [] }),
  steps: [handshake, send("request", post(), data()), { do: "octets", on: "request", hex, note: "the beginning of a frame", end: true }],
});

/** A frame on the control stream whose payload does not have the octets of its fields. */
const size = ({ frame, also = [], ...row }: Row & { readonly frame: FrameSpec; readonly also?: readonly Outcome[] }): Case => ({
  spec: "rfc9114#7.1",
  covers: ["rfc9114#7.1/wrong-size", "rfc9114#10.8/exact-length"],
  level: "MUST",
  role: "server",
  steps: [handshake, send("control", frame)],
  control: [handshake, send("control", { type: 0x21, hex: "00" })],
  allowed: connectionError(ERROR, ...also),
  ...row,
});
const byId: readonly Outcome[] = [permitted({ see: "close", code: "H3_ID_ERROR" }, "rfc9114#7.2.3")];

/** SETTINGS that ends within a setting, as the first frame. */
const settings = ({ hex, ...row }: Row & { readonly hex: string }): Case => ({
  spec: "rfc9114#7.1",
  covers: ["rfc9114#7.1/wrong-size", "rfc9114#10.8/exact-length"],
  level: "MUST",
  role: "server",
  steps: [{ do: "open", on: "control", kind: "control" }, send("control", { type: "SETTINGS", hex })],
  control: [{ do: "open", on: "control", kind: "control" }, send("control", { type: "SETTINGS", hex: "2100" })],
  allowed: connectionError(ERROR),
  ...row,
});

const twin = { see: "response", on: "request 2", sameStatusAs: "request" } as const;
/** A request whose frames have integers in another form than the shortest, answered like a plain one. */
const form = ({ frames, ...row }: Row & { readonly frames: readonly FrameSpec[] }): Case => ({
  spec: "rfc9114#7.1",
  covers: ["rfc9114#7.1/layout"],
  level: "MUST",
  role: "server",
  steps: [handshake, whole("request", post(), data()), whole("request 2", ...frames)],
  control: [handshake, whole("request", post(), data()), whole("request 2", post(), data())],
  allowed: [{ see: { see: "all", of: [{ see: "accepted" }, twin] } }],
  ...row,
});

/** Types, lengths and payloads of frames (rfc9114#7.1). */
export const cases: readonly Case[] = [
  cut({
    id: "http3/headers-cut",
    needs: [],
    title: "The server treats a stream that ends within HEADERS as a connection error of type H3_FRAME_ERROR.",
    frames: [{ ...get(), length: 200 }],
    right: [get()],
  }),
  cut({
    id: "http3/data-cut",
    title: "The server treats a stream that ends within DATA as a connection error of type H3_FRAME_ERROR.",
    frames: [post(), { ...data(), length: 20 }],
  }),
  cut({
    id: "http3/data-cut-before-content",
    title: "The server treats a stream that ends before the content of DATA as a connection error of type H3_FRAME_ERROR.",
    frames: [post(), { type: "DATA", length: 20 }],
  }),
  cut({
    id: "http3/second-data-cut",
    title: "The server treats a stream that ends within the second DATA frame as a connection error of type H3_FRAME_ERROR.",
    frames: [post(), data(), { ...data(), length: 8 }],
  }),
  cut({
    id: "http3/trailers-cut",
    title: "The server treats a stream that ends within the trailers as a connection error of type H3_FRAME_ERROR.",
    frames: [post(), data(), { ...trailers(["x-sum", "1"]), length: 50 }],
  }),
  cut({
    id: "http3/unknown-frame-cut",
    title: "The server treats a stream that ends within a frame of an unknown type as a connection error of type H3_FRAME_ERROR.",
    frames: [post(), data(), { type: 0x21, length: 20, hex: "00" }],
  }),
  cutOctets({
    id: "http3/frame-type-cut",
    title: "The server treats a stream that ends within the type of a frame as a connection error of type H3_FRAME_ERROR.",
    hex: "40",
  }),
  cutOctets({
    id: "http3/frame-without-length",
    title: "The server treats a stream that ends before the length of a frame as a connection error of type H3_FRAME_ERROR.",
    hex: "00",
  }),
  cutOctets({
    id: "http3/frame-length-cut",
    title: "The server treats a stream that ends within the length of a frame as a connection error of type H3_FRAME_ERROR.",
    hex: "0080",
  }),

  size({
    id: "http3/goaway-without-id",
    title: "The server treats an empty GOAWAY as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "GOAWAY" },
  }),
  size({
    id: "http3/goaway-with-half-an-id",
    title: "The server treats a GOAWAY that ends within its identifier as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "GOAWAY", hex: "40" },
  }),
  size({
    id: "http3/goaway-too-long",
    title: "The server treats an octet after the identifier of GOAWAY as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "GOAWAY", id: 0, hex: "00" },
  }),
  size({
    id: "http3/max-push-id-without-id",
    title: "The server treats an empty MAX_PUSH_ID as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "MAX_PUSH_ID" },
  }),
  size({
    id: "http3/max-push-id-with-half-an-id",
    title: "The server treats a MAX_PUSH_ID that ends within its identifier as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "MAX_PUSH_ID", hex: "c000" },
  }),
  size({
    id: "http3/max-push-id-too-long",
    title: "The server treats an octet after the identifier of MAX_PUSH_ID as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "MAX_PUSH_ID", id: 5, hex: "00" },
  }),
  size({
    id: "http3/cancel-push-without-id",
    title: "The server treats an empty CANCEL_PUSH as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "CANCEL_PUSH" },
    also: byId,
  }),
  size({
    id: "http3/cancel-push-too-long",
    title: "The server treats an octet after the identifier of CANCEL_PUSH as a connection error of type H3_FRAME_ERROR.",
    frame: { type: "CANCEL_PUSH", id: 0, hex: "00" },
    also: byId,
  }),
  settings({
    id: "http3/settings-with-half-an-identifier",
    title: "The server treats SETTINGS that ends within an identifier as a connection error of type H3_FRAME_ERROR.",
    hex: "40",
  }),
  settings({
    id: "http3/settings-without-value",
    title: "The server treats SETTINGS that ends before a value as a connection error of type H3_FRAME_ERROR.",
    hex: "21",
  }),
  settings({
    id: "http3/settings-with-half-a-value",
    title: "The server treats SETTINGS that ends within a value as a connection error of type H3_FRAME_ERROR.",
    hex: "2180",
  }),
  settings({
    id: "http3/settings-with-half-a-second-setting",
    title: "The server treats SETTINGS that ends within its second setting as a connection error of type H3_FRAME_ERROR.",
    hex: "210021",
  }),

  form({
    id: "http3/headers-in-two-octet-form",
    title: "The server reads HEADERS whose type and length take two octets each.",
    frames: [{ ...post(), width: 2 }, data()],
  }),
  form({
    id: "http3/headers-in-eight-octet-form",
    title: "The server reads HEADERS whose type and length take eight octets each.",
    frames: [{ ...post(), width: 8 }, data()],
  }),
  form({
    id: "http3/data-in-four-octet-form",
    title: "The server reads DATA whose type and length take four octets each.",
    frames: [post(), { ...data(), width: 4 }],
  }),
  form({
    id: "http3/empty-data-in-eight-octet-form",
    title: "The server reads empty DATA whose type and length take eight octets each.",
    frames: [post(), { ...data(0), width: 8 }, data()],
  }),
  form({
    id: "http3/reserved-frame-in-eight-octet-form",
    title: "The server ignores a frame of a reserved type whose type and length take eight octets each.",
    frames: [{ type: 0x21, hex: "0102", width: 8 }, post(), data()],
  }),
  {
    id: "http3/settings-in-eight-octet-form",
    spec: "rfc9114#7.1",
    covers: ["rfc9114#7.1/layout", "rfc9114#7.2.4/any-number"],
    level: "MUST",
    role: "server",
    title: "The server reads SETTINGS whose integers take eight octets each.",
    steps: [
      { do: "open", on: "control", kind: "control" },
      send("control", { type: "SETTINGS", width: 8, hex: "c000000000000006c000000000010000" }),
      getOn("request"),
    ],
    control: [{ do: "open", on: "control", kind: "control" }, send("control", { type: "SETTINGS" }), getOn("request")],
    allowed: accepted,
  },
  {
    id: "http3/max-push-id-in-eight-octet-form",
    spec: "rfc9114#7.1",
    covers: ["rfc9114#7.1/layout"],
    level: "MUST",
    role: "server",
    title: "The server reads MAX_PUSH_ID whose integers take eight octets each.",
    steps: [handshake, send("control", { type: "MAX_PUSH_ID", width: 8, id: 3, idWidth: 8 }), getOn("request")],
    control: [handshake, send("control", { type: "MAX_PUSH_ID", id: 3 }), getOn("request")],
    allowed: accepted,
  },
  {
    id: "http3/frame-of-http2-in-longer-form",
    spec: "rfc9114#7.2.8",
    covers: ["rfc9114#7.2.8/http2-types", "rfc9114#7.1/layout"],
    level: "MUST",
    role: "server",
    title: "The server treats a frame of type 0x6 in eight octets as a connection error of type H3_FRAME_UNEXPECTED.",
    steps: [handshake, send("control", { type: 0x6, width: 8, hex: "0102030405060708" })],
    control: [handshake, send("control", { type: 0x21, width: 8, hex: "0102030405060708" })],
    allowed: connectionError("H3_FRAME_UNEXPECTED"),
  },
  {
    id: "http3/section-of-the-announced-size",
    spec: "rfc9114#4.2.2",
    covers: ["rfc9114#4.2.2/size", "rfc9114#4.2.2/limit"],
    level: "SHOULD",
    role: "server",
    needs: ["list-limit"],
    title: "The server accepts a header section as large as its SETTINGS_MAX_FIELD_SECTION_SIZE.",
    steps: [handshake, { do: "large section", on: "request", fields: request(), beyond: 0 }],
    control: [handshake, getOn("request")],
    allowed: acceptedAndAnswered("request"),
  },
];
