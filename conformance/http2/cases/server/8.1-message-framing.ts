import {
  acceptedAndAnswered,
  answeredLikeFirst,
  firstExchange,
  get,
  handshake,
  malformedRequest,
  openStreamWindows,
  permitted,
  post,
  request,
  send,
  streamError,
  withoutStreamWindows,
} from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Sight } from "../../vocabulary.ts";

const data = (text: string): FrameSpec => ({ type: "DATA", stream: 1, data: text });
const lastData = (text: string): FrameSpec => ({ type: "DATA", stream: 1, data: text, flags: ["END_STREAM"] });
const trailers = (...fields: FieldSpec[]): FrameSpec => ({ type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields });
const headers = (...fields: FieldSpec[]): FrameSpec => ({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], fields });
const CHECKSUM: FieldSpec = ["x-checksum", "1"];

const pseudoInTrailers = ({ field, ...row }: Row & { readonly field: FieldSpec }): Case => ({
  spec: "rfc9113#8.1",
  covers: ["rfc9113#8.1/trailers-pseudo-malformed", "rfc9113#8.3/not-in-trailers"],
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [handshake, send(post(1), data("content"), trailers(field, CHECKSUM))],
  control: [handshake, send(post(1), data("content"), trailers(CHECKSUM))],
  allowed: malformedRequest(1),
  ...row,
});

/** A GET without END_STREAM: its content follows, and its response has content. */
const ask: FrameSpec = { ...get(1), flags: ["END_HEADERS"] };

/** Frames after the end of a request: STREAM_CLOSED while the stream is half-closed (remote) (rfc9113#5.1). */
const afterTheEnd = ({ request, more, ...row }: Row & { readonly request: FrameSpec[]; readonly more: FrameSpec }): Case => ({
  spec: "rfc9113#8.1",
  covers: ["rfc9113#8.1/message-sequence", "rfc9113#8.1/last-frame-ends"],
  level: "MUST",
  role: "server",
  needs: ["body"],
  steps: [withoutStreamWindows, send(...request, more, openStreamWindows)],
  control: [withoutStreamWindows, send(...request, openStreamWindows)],
  allowed: streamError(1, "STREAM_CLOSED"),
  ...row,
});

const accepts = ({ frames, ...row }: Row<"covers"> & { readonly frames: FrameSpec[] }): Case => ({
  spec: "rfc9113#8.1",
  level: "MUST",
  role: "server",
  steps: [handshake, send(...frames)],
  control: [handshake, send(post(1), lastData(""))],
  allowed: acceptedAndAnswered(1),
  ...row,
});

/** What a server owes a client that waits before it sends content. */
const continued: Sight = { see: "frame", type: "HEADERS", stream: 1, where: { ":status": "100" } };
const finished: Sight = { see: "response", stream: 1, status: ["2xx", "3xx", "4xx", "5xx"] };

/** HTTP message framing (rfc9113#8.1): which frames form a request, and in which order. */
export const cases: readonly Case[] = [
  {
    id: "http2/second-headers-without-end-stream",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/headers-without-end", "rfc9113#8.1/trailers-end-stream"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server treats a request with a second HEADERS without END_STREAM as malformed.",
    steps: [handshake, send(post(1), headers(CHECKSUM))],
    control: [handshake, send(post(1), trailers(CHECKSUM))],
    allowed: malformedRequest(1),
  },
  {
    id: "http2/second-headers-without-end-stream-after-data",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/headers-without-end", "rfc9113#8.1/trailers-end-stream"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server treats a request with HEADERS without END_STREAM after its content as malformed.",
    steps: [handshake, send(post(1), data("content"), headers(CHECKSUM))],
    control: [handshake, send(post(1), data("content"), trailers(CHECKSUM))],
    allowed: malformedRequest(1),
  },
  pseudoInTrailers({
    id: "http2/trailers-with-method",
    title: "The server treats a request with :method in its trailers as malformed.",
    field: [":method", "POST"],
  }),
  pseudoInTrailers({
    id: "http2/trailers-with-path",
    title: "The server treats a request with :path in its trailers as malformed.",
    field: [":path", "{path}"],
  }),
  pseudoInTrailers({
    id: "http2/trailers-with-status",
    title: "The server treats a request with :status in its trailers as malformed.",
    field: [":status", "200"],
  }),
  pseudoInTrailers({
    id: "http2/trailers-with-unknown-pseudo-field",
    title: "The server treats a request with an undefined pseudo-header field in its trailers as malformed.",
    field: [":checksum", "1"],
  }),
  afterTheEnd({
    id: "http2/headers-after-end-stream",
    title: "The server treats trailers after END_STREAM on DATA as a stream error of type STREAM_CLOSED.",
    request: [ask, lastData("content")],
    more: trailers(CHECKSUM),
  }),
  afterTheEnd({
    id: "http2/headers-after-get-ended",
    title: "The server treats trailers after END_STREAM on HEADERS as a stream error of type STREAM_CLOSED.",
    request: [get(1)],
    more: trailers(CHECKSUM),
  }),
  afterTheEnd({
    id: "http2/data-after-trailers",
    title: "The server treats DATA after trailers as a stream error of type STREAM_CLOSED.",
    request: [ask, data("content"), trailers(CHECKSUM)],
    more: lastData("more"),
  }),
  afterTheEnd({
    id: "http2/second-trailers",
    title: "The server treats a second trailer section as a stream error of type STREAM_CLOSED.",
    request: [ask, data("content"), trailers(CHECKSUM)],
    more: trailers(CHECKSUM),
  }),
  accepts({
    id: "http2/request-with-content-and-trailers",
    title: "The server answers a request with content and trailers.",
    covers: ["rfc9113#8.1/message-sequence", "rfc9113#8.1/trailers-end-stream"],
    frames: [post(1), data("content"), trailers(CHECKSUM)],
  }),
  accepts({
    id: "http2/request-with-trailers-and-no-content",
    title: "The server answers a request with trailers and no content.",
    covers: ["rfc9113#8.1/message-sequence", "rfc9113#8.1/trailers-end-stream"],
    frames: [post(1), trailers(CHECKSUM)],
  }),
  accepts({
    id: "http2/request-with-empty-trailers",
    title: "The server answers a request with an empty trailer section.",
    covers: ["rfc9113#8.1/message-sequence"],
    level: "SHOULD",
    frames: [post(1), data("content"), trailers()],
  }),
  accepts({
    id: "http2/trailers-with-continuation",
    title: "The server answers a request whose trailers are split into HEADERS and CONTINUATION.",
    covers: ["rfc9113#8.1/message-sequence", "rfc9113#8.1/last-frame-ends"],
    frames: [
      post(1),
      data("content"),
      { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: [CHECKSUM] },
      { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "2"]] },
    ],
  }),
  accepts({
    id: "http2/request-ended-by-empty-data",
    title: "The server answers a request that ends with an empty DATA frame.",
    covers: ["rfc9113#8.1/last-frame-ends"],
    frames: [post(1), data("content"), lastData("")],
  }),
  accepts({
    id: "http2/request-content-in-many-frames",
    title: "The server answers a request whose content arrives in several DATA frames, one of them empty.",
    covers: ["rfc9113#8.1/message-sequence", "rfc9113#8.1/no-chunked"],
    frames: [post(1), data("one"), data(""), data("two"), lastData("three")],
  }),
  {
    id: "http2/end-stream-before-continuation",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/last-frame-ends"],
    level: "MUST",
    role: "server",
    title: "The server answers a request whose HEADERS carries END_STREAM and is followed by CONTINUATION.",
    steps: [
      ...firstExchange,
      send(
        { type: "HEADERS", stream: 3, flags: ["END_STREAM"], fields: request().slice(0, 2) },
        { type: "CONTINUATION", stream: 3, fields: request().slice(2) },
        { type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"], fields: [["x-more", "2"]] },
      ),
    ],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/response-on-the-stream-of-the-request",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/new-stream"],
    level: "MUST",
    role: "server",
    title: "The server answers each of three requests on its own stream.",
    steps: [...firstExchange, send(get(3), get(5), get(9))],
    control: [...firstExchange],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted" },
            { see: "response", stream: 3, sameStatusAs: 1, complete: true },
            { see: "response", stream: 5, sameStatusAs: 1, complete: true },
            { see: "response", stream: 9, sameStatusAs: 1, complete: true },
          ],
        },
      },
    ],
  },
  {
    id: "http2/expect-continue-answered",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/immediate", "rfc9110#10.1.1/no-waiting", "rfc9113#8.8.5/expect-continue"],
    level: "MUST",
    role: "server",
    title: "The server answers Expect: 100-continue with 100 or a final status before the content arrives.",
    // Then the server answers a request on another stream: it is not slow, it is waiting for the content.
    steps: [
      handshake,
      send(post(1, ["expect", "100-continue"], ["content-length", "7"])),
      { do: "wait", ms: 1_000, until: { see: "frame", type: "HEADERS", stream: 1 } },
    ],
    control: [handshake, send(post(1, ["content-length", "7"]), lastData("content"))],
    allowed: [{ see: continued }, permitted(finished, "rfc9110#10.1.1")],
  },
];
