import { get, handshake, post, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const untilComplete = (stream: number): Step => ({ do: "await", see: { see: "response", stream, complete: true } });
const requestFor = (method: string, stream: number, path = "{path}"): FrameSpec => ({
  ...get(stream),
  fields: [...request(method).slice(0, 3), [":path", path]],
});

/** Requests whose responses show what the server sends: GET, HEAD, a missing path, and another method. */
const TRAFFIC: readonly Step[] = [
  handshake,
  send(get(1), requestFor("HEAD", 3), requestFor("GET", 5, "/touchstone/no-such-page"), requestFor("OPTIONS", 7)),
  untilComplete(1),
  untilComplete(3),
  untilComplete(5),
  untilComplete(7),
];

/** A property of every response. The steps contain no mistake, so the case is its own control. */
const holds = ({
  monitor,
  steps = TRAFFIC,
  ...row
}: Row<"spec" | "covers"> & { readonly monitor: string; readonly steps?: readonly Step[] }): Case => ({
  level: "MUST",
  role: "server",
  steps,
  control: steps,
  allowed: [{ see: { see: "holds", monitor } }],
  ...row,
});

/** Responses (rfc9113#8.1, rfc9113#8.2, rfc9113#8.3.2), by monitors that watch everything the server sends. */
export const cases: readonly Case[] = [
  holds({
    id: "http2/response-status",
    title: "The server starts every response with one three-digit :status and no other pseudo-header field.",
    spec: "rfc9113#8.3.2",
    covers: ["rfc9113#8.3.2/status", "rfc9113#8.3/only-defined", "rfc9113#8.3/own-direction"],
    monitor: "status-valid",
  }),
  holds({
    id: "http2/response-pseudo-fields-first",
    title: "The server sends :status before all other fields.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/pseudo-first", "rfc9113#8.3/once"],
    monitor: "pseudo-fields-first",
  }),
  holds({
    id: "http2/response-field-names",
    title: "The server sends lower-case field names without prohibited octets.",
    spec: "rfc9113#8.2",
    covers: ["rfc9113#8.2/lowercase", "rfc9113#8.2.1/name-octets-sent", "rfc9113#8.2.1/name-colon-sent"],
    monitor: "field-names-valid",
  }),
  holds({
    id: "http2/response-field-values",
    title: "The server sends field values without NUL, CR or LF, and without white space at either end.",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/value-delimiters", "rfc9113#8.2.1/value-edges"],
    monitor: "field-values-valid",
  }),
  holds({
    id: "http2/response-connection-specific-fields",
    title: "The server sends no connection-specific fields.",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/not-generated"],
    monitor: "no-connection-fields",
  }),
  holds({
    id: "http2/response-content-after-header",
    title: "The server sends DATA only after the header section of the final response.",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/message-sequence"],
    monitor: "content-after-header",
  }),
  holds({
    id: "http2/response-field-blocks-contiguous",
    title: "The server sends no frame between HEADERS and its CONTINUATION frames.",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/continuation-contiguous"],
    monitor: "field-blocks-contiguous",
  }),
  holds({
    id: "http2/response-to-head-without-content",
    title: "The server sends no content with a response to HEAD, with 204 or with 304.",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/content-length-no-content", "rfc9110#9.3.2/no-content"],
    monitor: "no-content-with-head-204-304",
  }),
  holds({
    id: "http2/response-content-length",
    title: "The server sends as many octets of content as its Content-Length declares.",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/content-length", "rfc9110#8.6/incorrect-not-forwarded"],
    needs: ["content-length"],
    monitor: "content-length-agrees",
  }),
  holds({
    id: "http2/response-trailers-end-the-stream",
    title: "The server ends the stream with its trailers.",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/trailers-end-stream", "rfc9113#8.1/trailers-no-pseudo"],
    needs: ["trailers"],
    monitor: "trailers-end-stream",
  }),
  holds({
    id: "http2/response-interim",
    title: "The server does not end a stream with an interim response, and sends no 101.",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/interim-responses", "rfc9113#8.6/no-101"],
    monitor: "interim-valid",
    steps: [
      handshake,
      send(post(1, ["expect", "100-continue"], ["content-length", "7"]), {
        type: "DATA",
        stream: 1,
        flags: ["END_STREAM"],
        data: "content",
      }),
      untilComplete(1),
      send(get(3)),
      untilComplete(3),
    ],
  }),
  {
    id: "http2/response-ends-its-stream",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/last-frame-ends"],
    level: "MUST",
    role: "server",
    title: "The server ends a response with END_STREAM.",
    steps: [handshake, send(get(1), requestFor("HEAD", 3))],
    control: [handshake, send(get(1), requestFor("HEAD", 3))],
    allowed: [
      {
        see: {
          see: "all",
          of: [{ see: "accepted" }, { see: "response", stream: 1, complete: true }, { see: "response", stream: 3, complete: true }],
        },
      },
    ],
  },
];
