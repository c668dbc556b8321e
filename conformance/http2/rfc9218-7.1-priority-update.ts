import {
  accepted,
  answeredLikeFirst,
  connectionError,
  get,
  handshake,
  firstExchange,
  permitted,
  post,
  send,
  acceptedAndAnswered,
} from "./phrases.ts";
import type { Case, FieldSpec, FrameSpec } from "./vocabulary.ts";

const update = (stream: number, value = "u=1, i"): FrameSpec => ({ type: "PRIORITY_UPDATE", stream: 0, promised: stream, text: value });
const END: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" };

/**
 * Only a server that knows the frame can call anything in it an error; to others it is of an unknown type (rfc9113#5.5). A server that
 * announces SETTINGS_NO_RFC7540_PRIORITIES knows of this scheme.
 */
const wrong = (
  id: Case["id"],
  requirement: string,
  title: string,
  frame: FrameSpec,
  allowed = connectionError("PROTOCOL_ERROR"),
): Case => ({
  id,
  spec: "rfc9218#7.1",
  covers: [`rfc9218#7.1/${requirement}`],
  level: "MUST",
  role: "server",
  needs: ["no-rfc7540-priorities"],
  title,
  steps: [handshake, send(post(1), frame)],
  control: [handshake, send(post(1), update(1), END)],
  allowed,
});
const taken = (id: Case["id"], spec: Case["spec"], covers: Case["covers"], title: string, ...frames: FrameSpec[]): Case => ({
  id,
  spec,
  covers,
  level: "MUST",
  role: "server",
  title,
  steps: [handshake, send(...frames)],
  control: [handshake, send(get(1))],
  allowed: acceptedAndAnswered(1),
});
const field = (words: string, what: string, value: string): Case => ({
  id: `http2/priority-field-${words}`,
  spec: "rfc9218#4",
  covers: ["rfc9218#4/unknown-ignored"],
  level: "MUST",
  role: "server",
  title: `The server answers a request whose priority field ${what}.`,
  steps: [...firstExchange, send(get(3, ["priority", value] as FieldSpec))],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
});

export const cases: readonly Case[] = [
  wrong(
    "http2/priority-update-on-a-stream",
    "other-stream",
    "The server that knows PRIORITY_UPDATE ends the connection when it comes on a stream.",
    { ...update(1), stream: 1 },
  ),
  wrong(
    "http2/priority-update-for-stream-zero",
    "stream-zero-named",
    "The server that knows PRIORITY_UPDATE ends the connection when it names stream 0.",
    update(0),
  ),
  wrong(
    "http2/priority-update-for-an-idle-push-stream",
    "push-idle",
    "The server that knows PRIORITY_UPDATE ends the connection when it names a push stream that was never promised.",
    update(2),
  ),
  wrong(
    "http2/priority-update-too-short",
    "layout",
    "The server that knows PRIORITY_UPDATE ends the connection when it is shorter than the stream identifier in it.",
    { type: "PRIORITY_UPDATE", stream: 0, hex: "000001" },
    connectionError("FRAME_SIZE_ERROR"),
  ),
  wrong(
    "http2/priority-update-empty",
    "layout",
    "The server that knows PRIORITY_UPDATE ends the connection when it is empty.",
    { type: "PRIORITY_UPDATE", stream: 0, hex: "" },
    connectionError("FRAME_SIZE_ERROR"),
  ),
  {
    id: "http2/priority-update-for-too-many-idle-streams",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/too-many"],
    level: "MUST",
    role: "server",
    needs: ["no-rfc7540-priorities", "stream-limit"],
    title: "The server that knows PRIORITY_UPDATE ends the connection when it names more idle streams than may be open.",
    steps: [handshake, { do: "repeat", times: 1000, stride: 2, frames: [update(1)] }, send(update(2001))],
    control: [handshake, { do: "repeat", times: 10, stride: 2, frames: [update(1)] }],
    allowed: connectionError("PROTOCOL_ERROR", permitted({ see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, "rfc9113#10.5")),
  },
  taken(
    "http2/priority-update-before-the-request",
    "rfc9218#7",
    ["rfc9218#7/before-open"],
    "The server takes PRIORITY_UPDATE for a stream that is not open yet, and answers the request that opens it.",
    update(1),
    get(1),
  ),
  taken(
    "http2/priority-update-amid-the-request",
    "rfc9218#7.1",
    ["rfc9218#7.1/stream-states"],
    "The server takes PRIORITY_UPDATE for an open stream.",
    post(1),
    update(1),
    END,
  ),
  taken(
    "http2/priority-update-without-parameters",
    "rfc9218#7.1",
    ["rfc9218#7.1/layout"],
    "The server takes PRIORITY_UPDATE with no priority parameter.",
    post(1),
    update(1, ""),
    END,
  ),
  {
    id: "http2/priority-update-after-the-response",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/discard"],
    level: "MUST",
    role: "server",
    title: "The server takes PRIORITY_UPDATE for a stream that is done.",
    steps: [...firstExchange, send(update(1))],
    control: [...firstExchange],
    allowed: accepted,
  },
  ...(
    [
      ["out-of-range", "an urgency out of range", "u=9"],
      ["of-another-type", "an urgency of another type", 'u="high", i=3'],
      ["unknown", "an unknown parameter", "u=2, touchstone=?1;a=b"],
    ] as const
  ).map(([words, what, value]): Case =>
    taken(
      `http2/priority-update-parameter-${words}`,
      "rfc9218#4",
      ["rfc9218#4/unknown-ignored"],
      `The server ignores ${what} in PRIORITY_UPDATE.`,
      post(1),
      update(1, value),
      END,
    ),
  ),
  {
    id: "http2/priority-update-unreadable",
    spec: "rfc9218#7",
    covers: ["rfc9218#7/parse-failure"],
    level: "MUST",
    role: "server",
    title: "The server ignores PRIORITY_UPDATE with a value that cannot be parsed, or calls it a PROTOCOL_ERROR.",
    steps: [handshake, send(post(1), update(1, "((\u0001,=u"), END)],
    control: [handshake, send(post(1), update(1), END)],
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
  field("legal", "is legal", "u=0, i"),
  field("out-of-range", "has an urgency out of range", "u=-1, i=?0"),
  field("of-another-type", "has parameters of another type", "u=?1, i=3.5"),
  field("unknown-parameter", "has a parameter that nobody has defined", "u=5, touchstone=(a b)"),
  field("unreadable", "cannot be parsed", "((,=u"),
  field("empty", "is empty", ""),
];
