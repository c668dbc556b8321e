import { acceptedAndAnswered, connectionError, get, handshake, holds, permitted, post, send, streamError } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

const HIGHEST = 0x7fff_ffff;
const data = (stream: number): FrameSpec => ({ type: "DATA", stream, flags: ["END_STREAM"], data: "content" });

const rejects = ({
  wrong,
  legal,
  others = [],
  ...row
}: Row<"covers"> & { readonly wrong: FrameSpec[]; readonly legal: FrameSpec[]; readonly others?: readonly Outcome[] }): Case => ({
  spec: "rfc9113#5.1.1",
  level: "MUST",
  role: "server",
  steps: [handshake, send(...wrong)],
  control: [handshake, send(...legal)],
  allowed: connectionError("PROTOCOL_ERROR", ...others),
  ...row,
});
/**
 * A skipped stream is closed, and a frame on a closed stream may be a connection error of type STREAM_CLOSED. To ignore the request is no
 * choice: a client that opens a stream with a lower identifier gets a connection error by MUST (rfc9113#5.1.1).
 */
const skipped: readonly Outcome[] = [permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1")];

/** Stream identifiers (rfc9113#5.1.1). */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/stream-identifier-even",
    title: "The server treats a request on an even stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#5.1.1/unexpected-identifier", "rfc9113#5.1/idle-server-initiated-headers", "rfc9113#5.1.1/client-odd"],
    wrong: [get(2)],
    legal: [get(1)],
  }),
  rejects({
    id: "http2/stream-identifier-even-after-odd",
    title: "The server treats a request on an even stream after one on an odd stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#5.1.1/unexpected-identifier", "rfc9113#5.1/idle-server-initiated-headers"],
    wrong: [get(1), get(4)],
    legal: [get(1), get(5)],
  }),
  rejects({
    id: "http2/stream-identifier-lower",
    title: "The server treats a request on a stream lower than the previous one as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#5.1.1/unexpected-identifier", "rfc9113#5.1.1/rising", "rfc9113#5.1/idle-lower-closed"],
    wrong: [get(5), get(3)],
    legal: [get(3), get(5)],
    others: skipped,
  }),
  rejects({
    id: "http2/stream-identifier-lower-amid-a-request",
    title: "The server treats a request on a stream lower than one still open as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#5.1.1/unexpected-identifier", "rfc9113#5.1.1/rising"],
    wrong: [post(7), get(5)],
    legal: [post(5), get(7)],
    others: skipped,
  }),
  {
    id: "http2/stream-identifier-skipped-data",
    spec: "rfc9113#5.1.1",
    covers: ["rfc9113#5.1.1/skipping", "rfc9113#5.1/idle-lower-closed", "rfc9113#6.1/stream-not-open"],
    level: "MUST",
    role: "server",
    title: "The server treats DATA on a skipped stream as an error of type STREAM_CLOSED.",
    steps: [handshake, send(get(5), data(3))],
    control: [handshake, send(post(3), data(3), get(5))],
    allowed: streamError(3, "STREAM_CLOSED", permitted({ see: "accepted" }, "rfc9113#5.1", "warn")),
  },
  {
    id: "http2/stream-identifiers-with-gaps",
    spec: "rfc9113#5.1.1",
    covers: ["rfc9113#5.1.1/skipping"],
    level: "MUST",
    role: "server",
    title: "The server accepts requests on streams 1, 7, 1,001 and 1,000,001.",
    steps: [handshake, send(get(1), get(7), get(1001), get(1_000_001))],
    control: [handshake, send(get(1), get(3), get(5), get(7))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted" },
            { see: "response", stream: 1 },
            { see: "response", stream: 7 },
            { see: "response", stream: 1001 },
            { see: "response", stream: 1_000_001 },
          ],
        },
      },
    ],
  },
  {
    id: "http2/stream-identifier-highest",
    spec: "rfc9113#5.1.1",
    covers: ["rfc9113#5.1.1/skipping", "rfc9113#4.1/frame-header"],
    level: "MUST",
    role: "server",
    title: "The server accepts a request on stream 2^31-1.",
    steps: [handshake, send(get(HIGHEST))],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(HIGHEST),
  },
  rejects({
    id: "http2/stream-identifier-after-the-highest",
    title: "The server treats a request on stream 1 after one on stream 2^31-1 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#5.1.1/unexpected-identifier", "rfc9113#5.1.1/not-reused"],
    wrong: [get(HIGHEST), get(1)],
    legal: [get(1), get(HIGHEST)],
    others: skipped,
  }),
  {
    id: "http2/stream-identifiers-of-pushes",
    spec: "rfc9113#5.1.1",
    covers: ["rfc9113#5.1.1/server-even", "rfc9113#5.1.1/rising", "rfc9113#6.6/promised-identifier"],
    level: "MUST",
    role: "server",
    needs: ["push"],
    title: "The server reserves streams with even, increasing identifiers.",
    steps: [handshake, send(get(1), get(3))],
    control: [handshake, send(get(1), get(3))],
    allowed: holds("stream-identifiers-increase"),
  },
];
