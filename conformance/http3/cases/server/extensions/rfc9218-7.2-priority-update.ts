import {
  acceptedAndAnswered,
  acceptedFields,
  connectionError,
  data,
  getOn,
  handshake,
  holds,
  post,
  request,
  send,
  whole,
} from "../../phrases.ts";
import type { Case, FrameSpec, Row } from "../../../vocabulary.ts";

const update = (id: number, text = "u=1, i"): FrameSpec => ({ type: "PRIORITY_UPDATE", id, text });
const ofPush = (id: number): FrameSpec => ({ type: "PRIORITY_UPDATE_PUSH", id, text: "u=1" });

/** Only a server that knows the frame can find an error in it; others ignore its type (rfc9114#9). */
const refuses = ({ frames, ...row }: Row<"covers"> & { readonly frames: FrameSpec[] }): Case => ({
  spec: "rfc9218#7.2",
  level: "MUST",
  role: "server",
  needs: ["priority-update"],
  steps: [handshake, send("control", ...frames)],
  control: [handshake, send("control", update(0))],
  allowed: connectionError("H3_ID_ERROR"),
  ...row,
});
const takes = ({ frames, ...row }: Row<"spec" | "covers"> & { readonly frames: FrameSpec[] }): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, send("control", ...frames), getOn("request")],
  control: [handshake, getOn("request")],
  allowed: acceptedAndAnswered("request"),
  ...row,
});
const FIELDS: readonly (readonly [slug: string, words: string, value: string])[] = [
  ["urgency-out-of-range", "an urgency of 9", "u=9"],
  ["urgency-of-another-type", "an urgency that is a string", 'u="1"'],
  ["unknown-parameter", "an unknown parameter", "u=1, x=?1"],
  ["incremental-of-another-type", "an incremental that is a number", "u=1, i=5"],
];

/** PRIORITY_UPDATE in HTTP/3 (rfc9218#7.2), and the Priority field (rfc9218#4). */
export const cases: readonly Case[] = [
  {
    id: "http3/priority-update-on-a-request-stream",
    spec: "rfc9218#7.2",
    covers: ["rfc9218#7.2/other-stream"],
    level: "MUST",
    role: "server",
    needs: ["priority-update", "reads-content"],
    title: "The server treats PRIORITY_UPDATE on a request stream as a connection error of type H3_FRAME_UNEXPECTED.",
    steps: [handshake, whole("request", post(), update(0), data())],
    control: [handshake, whole("request", post(), data())],
    allowed: connectionError("H3_FRAME_UNEXPECTED"),
  },
  {
    id: "http3/priority-update-of-a-push-on-a-request-stream",
    spec: "rfc9218#7.2",
    covers: ["rfc9218#7.2/other-stream"],
    level: "MUST",
    role: "server",
    needs: ["priority-update", "reads-content"],
    title: "The server treats PRIORITY_UPDATE for a push on a request stream as a connection error of type H3_FRAME_UNEXPECTED.",
    steps: [handshake, whole("request", post(), ofPush(0), data())],
    control: [handshake, whole("request", post(), data())],
    allowed: connectionError("H3_FRAME_UNEXPECTED"),
  },
  refuses({
    id: "http3/priority-update-of-a-control-stream",
    title: "The server treats PRIORITY_UPDATE for a unidirectional stream as a connection error of type H3_ID_ERROR.",
    covers: ["rfc9218#7.2/no-request-stream"],
    frames: [update(2)],
  }),
  refuses({
    id: "http3/priority-update-of-a-stream-of-the-server",
    title: "The server treats PRIORITY_UPDATE for a bidirectional stream of its own as a connection error of type H3_ID_ERROR.",
    covers: ["rfc9218#7.2/no-request-stream"],
    frames: [update(1)],
  }),
  refuses({
    id: "http3/priority-update-of-a-unidirectional-stream-of-the-server",
    title: "The server treats PRIORITY_UPDATE for a unidirectional stream of its own as a connection error of type H3_ID_ERROR.",
    covers: ["rfc9218#7.2/no-request-stream"],
    frames: [update(3)],
  }),
  refuses({
    id: "http3/priority-update-of-an-unpromised-push",
    title: "The server treats PRIORITY_UPDATE for a push that it has not promised as a connection error of type H3_ID_ERROR.",
    covers: ["rfc9218#7.2/not-promised"],
    frames: [{ type: "MAX_PUSH_ID", id: 10 }, ofPush(3)],
  }),
  refuses({
    id: "http3/priority-update-of-a-push-beyond-the-maximum",
    title: "The server treats PRIORITY_UPDATE for a push beyond the maximum as a connection error of type H3_ID_ERROR.",
    covers: ["rfc9218#7.2/not-promised"],
    frames: [ofPush(0)],
  }),
  takes({
    id: "http3/priority-update-before-the-request",
    spec: "rfc9218#7",
    covers: ["rfc9218#7/before-open", "rfc9218#7/buffered"],
    title: "The server accepts PRIORITY_UPDATE before its request.",
    frames: [update(0)],
  }),
  takes({
    id: "http3/priority-update-without-a-value",
    spec: "rfc9218#7",
    covers: ["rfc9218#7/before-open"],
    title: "The server accepts PRIORITY_UPDATE with an empty Priority Field Value.",
    frames: [update(0, "")],
  }),
  takes({
    id: "http3/priority-update-with-unknown-parameters",
    spec: "rfc9218#4",
    covers: ["rfc9218#4/unknown-ignored"],
    title: "The server ignores unknown parameters in PRIORITY_UPDATE.",
    frames: [update(0, "u=9, x=1")],
  }),
  takes({
    id: "http3/many-priority-updates",
    spec: "rfc9218#7",
    covers: ["rfc9218#7/before-open"],
    title: "The server accepts twenty PRIORITY_UPDATE frames.",
    frames: Array.from({ length: 20 }, (_, at) => update(4 * (at % 4), `u=${at % 8}`)),
  }),
  ...FIELDS.map(([slug, words, value]): Case => ({
    id: `http3/priority-field-with-${slug}`,
    spec: "rfc9218#4",
    covers: ["rfc9218#4/unknown-ignored"],
    level: "MUST",
    title: `The server ignores ${words} in the Priority field.`,
    ...acceptedFields(request("GET", ["priority", value])),
  })),
  {
    id: "http3/server-without-priority-update",
    spec: "rfc9218#7.2",
    covers: ["rfc9218#7.2/server-never"],
    level: "MUST NOT",
    role: "server",
    title: "The server sends no PRIORITY_UPDATE.",
    steps: [handshake, getOn("request")],
    control: [handshake, getOn("request")],
    allowed: holds("frames-in-place"),
  },
];
