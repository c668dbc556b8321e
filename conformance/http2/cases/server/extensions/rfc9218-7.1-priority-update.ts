import {
  accepted,
  acceptedAndAnswered,
  answeredLikeFirst,
  connectionError,
  finalData,
  firstExchange,
  get,
  handshake,
  permitted,
  post,
  send,
  withoutStreamWindows,
} from "../../phrases.ts";
import type { Case, FrameSpec, Row } from "../../../vocabulary.ts";

const update = (stream: number, value = "u=1, i"): FrameSpec => ({ type: "PRIORITY_UPDATE", stream: 0, promised: stream, text: value });

/**
 * Only a server that supports the frame can find an error in it; to others its type is unknown (rfc9113#5.5). A server that sends
 * SETTINGS_NO_RFC7540_PRIORITIES supports it.
 */
const rejects = ({ requirement, frame, ...row }: Row & { readonly requirement: string; readonly frame: FrameSpec }): Case => ({
  spec: "rfc9218#7.1",
  covers: [`rfc9218#7.1/${requirement}`],
  level: "MUST",
  role: "server",
  needs: ["no-rfc7540-priorities"],
  steps: [handshake, send(post(1), frame)],
  control: [handshake, send(post(1), update(1), finalData)],
  allowed: connectionError("PROTOCOL_ERROR"),
  ...row,
});
const accepts = ({ frames, ...row }: Row<"spec" | "covers"> & { readonly frames: readonly FrameSpec[] }): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, send(...frames)],
  control: [handshake, send(get(1))],
  allowed: acceptedAndAnswered(1),
  ...row,
});
const field = ({ value, ...row }: Row & { readonly value: string }): Case => ({
  spec: "rfc9218#4",
  covers: ["rfc9218#4/unknown-ignored"],
  level: "MUST",
  role: "server",
  steps: [...firstExchange, send(get(3, ["priority", value]))],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});

/** PRIORITY_UPDATE (rfc9218#7.1) and the Priority field (rfc9218#4). */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/priority-update-on-a-stream",
    title: "The server that supports RFC 9218 ends the connection for PRIORITY_UPDATE on a stream.",
    requirement: "other-stream",
    frame: { ...update(1), stream: 1 },
  }),
  rejects({
    id: "http2/priority-update-for-stream-zero",
    title: "The server that supports RFC 9218 ends the connection for PRIORITY_UPDATE that names stream 0.",
    requirement: "stream-zero-named",
    frame: update(0),
  }),
  rejects({
    id: "http2/priority-update-for-an-idle-push-stream",
    title: "The server that supports RFC 9218 ends the connection for PRIORITY_UPDATE that names an idle push stream.",
    requirement: "push-idle",
    frame: update(2),
  }),
  rejects({
    id: "http2/priority-update-too-short",
    title: "The server that supports RFC 9218 ends the connection for PRIORITY_UPDATE without room for a stream identifier.",
    requirement: "layout",
    frame: { type: "PRIORITY_UPDATE", stream: 0, hex: "000001" },
    allowed: connectionError("FRAME_SIZE_ERROR"),
  }),
  rejects({
    id: "http2/priority-update-empty",
    title: "The server that supports RFC 9218 ends the connection for an empty PRIORITY_UPDATE.",
    requirement: "layout",
    frame: { type: "PRIORITY_UPDATE", stream: 0, hex: "" },
    allowed: connectionError("FRAME_SIZE_ERROR"),
  }),
  {
    id: "http2/priority-update-for-too-many-idle-streams",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/too-many"],
    level: "MUST",
    role: "server",
    needs: ["no-rfc7540-priorities", "stream-limit"],
    title:
      "The server that supports RFC 9218 ends the connection for PRIORITY_UPDATE on more idle streams than its MAX_CONCURRENT_STREAMS.",
    steps: [handshake, { do: "repeat", times: 1000, stride: 2, frames: [update(1)] }, send(update(2001))],
    control: [handshake, { do: "repeat", times: 10, stride: 2, frames: [update(1)] }],
    allowed: connectionError("PROTOCOL_ERROR", permitted({ see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, "rfc9113#10.5")),
  },
  {
    id: "http2/priority-update-at-the-stream-limit",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7/before-open"],
    level: "MUST",
    role: "server",
    // To a server that does not support the frame its type is unknown, so it ignores it (rfc9113#5.5).
    needs: ["stream-limit", "body"],
    title: "The server accepts PRIORITY_UPDATE for an idle stream that, with the open ones, just reaches its MAX_CONCURRENT_STREAMS.",
    fence: "ping",
    steps: [withoutStreamWindows, { do: "fill streams", last: 3999, beyond: -1 }, send(update(4001))],
    control: [withoutStreamWindows, { do: "fill streams", last: 3999, beyond: -1 }],
    allowed: [...accepted, permitted({ see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, "rfc9113#10.5", "warn")],
  },
  accepts({
    id: "http2/priority-update-before-the-request",
    title: "The server accepts PRIORITY_UPDATE for an idle stream, and answers the request that opens it.",
    spec: "rfc9218#7",
    covers: ["rfc9218#7/before-open"],
    frames: [update(1), get(1)],
  }),
  accepts({
    id: "http2/priority-update-amid-the-request",
    title: "The server accepts PRIORITY_UPDATE for an open stream.",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/stream-states"],
    frames: [post(1), update(1), finalData],
  }),
  accepts({
    id: "http2/priority-update-without-parameters",
    title: "The server accepts PRIORITY_UPDATE without priority parameters.",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/layout"],
    frames: [post(1), update(1, ""), finalData],
  }),
  {
    id: "http2/priority-update-after-the-response",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/discard"],
    level: "SHOULD",
    role: "server",
    title: "The server accepts PRIORITY_UPDATE for a closed stream.",
    steps: [...firstExchange, send(update(1))],
    control: [...firstExchange],
    allowed: accepted,
  },
  accepts({
    id: "http2/priority-update-parameter-out-of-range",
    title: "The server ignores an urgency out of range in PRIORITY_UPDATE.",
    spec: "rfc9218#4",
    covers: ["rfc9218#4/unknown-ignored"],
    frames: [post(1), update(1, "u=9"), finalData],
  }),
  accepts({
    id: "http2/priority-update-parameter-of-another-type",
    title: "The server ignores an urgency of the wrong type in PRIORITY_UPDATE.",
    spec: "rfc9218#4",
    covers: ["rfc9218#4/unknown-ignored"],
    frames: [post(1), update(1, 'u="high", i=3'), finalData],
  }),
  accepts({
    id: "http2/priority-update-parameter-unknown",
    title: "The server ignores an unknown parameter in PRIORITY_UPDATE.",
    spec: "rfc9218#4",
    covers: ["rfc9218#4/unknown-ignored"],
    frames: [post(1), update(1, "u=2, touchstone=?1;a=b"), finalData],
  }),
  {
    id: "http2/priority-update-unreadable",
    spec: "rfc9218#7",
    covers: ["rfc9218#7/parse-failure"],
    level: "SHOULD",
    role: "server",
    title: "The server ignores PRIORITY_UPDATE with a value that does not parse, or reports PROTOCOL_ERROR.",
    steps: [handshake, send(post(1), update(1, "((\u0001,=u"), finalData)],
    control: [handshake, send(post(1), update(1), finalData)],
    allowed: [...acceptedAndAnswered(1), permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9218#7")],
  },
  {
    id: "http2/priority-update-never-from-the-server",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/server-never"],
    level: "MUST NOT",
    role: "server",
    title: "The server sends no PRIORITY_UPDATE.",
    steps: [handshake, send(update(1), get(1, ["priority", "u=0, i"]))],
    control: [handshake, send(get(1))],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "PRIORITY_UPDATE" }] } }],
  },
  field({ id: "http2/priority-field-legal", title: "The server answers a request with a valid Priority field.", value: "u=0, i" }),
  field({
    id: "http2/priority-field-out-of-range",
    title: "The server answers a request whose Priority field has an urgency out of range.",
    value: "u=-1, i=?0",
  }),
  field({
    id: "http2/priority-field-of-another-type",
    title: "The server answers a request whose Priority field has parameters of the wrong type.",
    value: "u=?1, i=3.5",
  }),
  field({
    id: "http2/priority-field-unknown-parameter",
    title: "The server answers a request whose Priority field has an unknown parameter.",
    value: "u=5, touchstone=(a b)",
  }),
  field({
    id: "http2/priority-field-unreadable",
    title: "The server answers a request whose Priority field does not parse.",
    value: "((,=u",
  }),
  field({ id: "http2/priority-field-empty", title: "The server answers a request with an empty Priority field.", value: "" }),
];
