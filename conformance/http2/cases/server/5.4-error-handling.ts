import { connectionError, generalErrors, get, handshake, permitted, post, send } from "../phrases.ts";
import type { Case, ErrorName, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

const content = (stream: number): FrameSpec => ({ type: "DATA", stream, flags: ["END_STREAM"], data: "content" });
const PING_OF_SEVEN: FrameSpec = { type: "PING", hex: "00000000000000" };
const PING: FrameSpec = { type: "PING", hex: "746f756368737421" };

const goneAfter = (code: ErrorName | readonly ErrorName[]): Outcome["see"] => ({
  see: "all",
  of: [{ see: "GOAWAY", code }, { see: "closed" }],
});
const untilClosed = { do: "await", see: { see: "all", of: [{ see: "closed" }] } } as const;

const closes = ({
  wrong,
  legal,
  code,
  ...row
}: Row & { readonly wrong: FrameSpec; readonly legal: FrameSpec; readonly code: ErrorName }): Case => ({
  spec: "rfc9113#5.4.1",
  covers: ["rfc9113#5.4.1/closes-tcp", "rfc9113#5.4.1/goaway-first", "rfc9113#5.4.1/goaway-when-ending", "rfc9113#6.8/before-closing"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(wrong), untilClosed],
  control: [handshake, send(legal)],
  allowed: [
    { see: goneAfter(code) },
    permitted(goneAfter(generalErrors(code)), "rfc9113#5.4", "warn"),
    permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
  ],
  fence: "none",
  ...row,
});

/** A stream error on stream 1, while stream 3 must complete. */
const leavesOthersAlone = ({ wrong, legal, ...row }: Row & { readonly wrong: FrameSpec; readonly legal: FrameSpec }): Case => ({
  spec: "rfc9113#5.4.2",
  covers: ["rfc9113#5.4.2/stream-only", "rfc9113#5.4.2/rst-stream"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(post(1), post(3), wrong, content(3))],
  control: [handshake, send(post(1), post(3), legal, content(3))],
  allowed: [
    {
      see: {
        see: "all",
        of: [
          { see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" },
          { see: "response", stream: 3 },
        ],
      },
    },
    permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1"),
    permitted(
      {
        see: "all",
        of: [
          { see: "RST_STREAM", stream: 1, code: "INTERNAL_ERROR" },
          { see: "response", stream: 3 },
        ],
      },
      "rfc9113#5.4",
      "warn",
    ),
    permitted({ see: "GOAWAY", code: "INTERNAL_ERROR" }, "rfc9113#5.4", "warn"),
    permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
  ],
  ...row,
});

/** Connection errors and stream errors (rfc9113#5.4). */
export const cases: readonly Case[] = [
  closes({
    id: "http2/connection-error-closes-tcp",
    title: "The server sends GOAWAY and closes the TCP connection after a frame of the wrong size.",
    wrong: PING_OF_SEVEN,
    legal: PING,
    code: "FRAME_SIZE_ERROR",
  }),
  closes({
    id: "http2/connection-error-of-protocol-closes-tcp",
    title: "The server sends GOAWAY and closes the TCP connection after a frame on the wrong stream.",
    wrong: { type: "DATA", stream: 0, data: "content" },
    legal: PING,
    code: "PROTOCOL_ERROR",
  }),
  closes({
    id: "http2/connection-error-of-compression-closes-tcp",
    title: "The server sends GOAWAY and closes the TCP connection after a field block that it cannot decode.",
    wrong: { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "80" },
    legal: get(1),
    code: "COMPRESSION_ERROR",
  }),
  {
    id: "http2/connection-error-reported-once",
    spec: "rfc9113#5.4",
    covers: ["rfc9113#5.4/one-connection-error", "rfc9113#5.4/one-report"],
    level: "SHOULD",
    role: "server",
    title: "The server reports the first of several connection errors and no other.",
    steps: [
      handshake,
      send(PING_OF_SEVEN, { type: "DATA", stream: 0, data: "content" }, { type: "WINDOW_UPDATE", hex: "00" }),
      untilClosed,
    ],
    control: [handshake, send(PING)],
    allowed: [
      { see: goneAfter("FRAME_SIZE_ERROR") },
      permitted(goneAfter(["PROTOCOL_ERROR"]), "rfc9113#5.4"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
    fence: "none",
  },
  {
    id: "http2/connection-error-amid-a-request",
    spec: "rfc9113#5.4.1",
    covers: ["rfc9113#5.4.1/goaway-first", "rfc9113#5.4/connection-error-reported"],
    level: "MUST",
    role: "server",
    title: "The server reports a connection error while a request is incomplete.",
    steps: [handshake, send(post(1), { ...content(1), flags: [] }, PING_OF_SEVEN)],
    control: [handshake, send(post(1), content(1), PING)],
    allowed: connectionError("FRAME_SIZE_ERROR"),
  },
  leavesOthersAlone({
    id: "http2/stream-error-leaves-other-streams-alone",
    title: "The server answers an open request after a stream error on another stream.",
    wrong: { type: "WINDOW_UPDATE", stream: 1, increment: 0 },
    legal: { type: "WINDOW_UPDATE", stream: 1, increment: 1 },
  }),
  {
    id: "http2/stream-error-reported-once",
    spec: "rfc9113#5.4",
    covers: ["rfc9113#5.4/first-stream-error", "rfc9113#5.4.2/one-reset"],
    level: "SHOULD",
    role: "server",
    title: "The server reports a stream error once when the same error follows on that stream.",
    steps: [
      handshake,
      send(
        post(1),
        { type: "WINDOW_UPDATE", stream: 1, increment: 0 },
        { type: "WINDOW_UPDATE", stream: 1, increment: 0 },
        { type: "WINDOW_UPDATE", stream: 1, increment: 0 },
      ),
    ],
    control: [handshake, send(post(1), content(1))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "RST_STREAM", stream: 1, code: ["PROTOCOL_ERROR", "INTERNAL_ERROR"] },
            { see: "holds", monitor: "one-rst-stream-per-stream" },
          ],
        },
      },
      permitted({ see: "GOAWAY", code: ["PROTOCOL_ERROR", "INTERNAL_ERROR"] }, "rfc9113#5.4.1"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
  {
    id: "http2/stream-reset-is-the-last-frame",
    spec: "rfc9113#5.4.2",
    covers: ["rfc9113#5.4.2/last-frame"],
    level: "MUST",
    role: "server",
    title: "The server sends nothing on a stream after it has reset it.",
    steps: [handshake, send(post(1), { type: "WINDOW_UPDATE", stream: 1, increment: 0 }, content(1), get(3))],
    control: [handshake, send(post(1), { type: "WINDOW_UPDATE", stream: 1, increment: 1 }, content(1), get(3))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "RST_STREAM", stream: 1, code: ["PROTOCOL_ERROR", "INTERNAL_ERROR", "STREAM_CLOSED"] },
            { see: "holds", monitor: "nothing-after-end-stream" },
          ],
        },
      },
      permitted({ see: "GOAWAY", code: ["PROTOCOL_ERROR", "INTERNAL_ERROR"] }, "rfc9113#5.4.1"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
];
