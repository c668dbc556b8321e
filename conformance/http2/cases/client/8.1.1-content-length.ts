import { answerWith, content, exchangeSucceeds, malformedResponse, respond } from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row } from "../../vocabulary.ts";

const declaring = (...values: string[]): FieldSpec[] => values.map((value) => ["content-length", value]);
const sized = answerWith(respond(...declaring("2")), content());
const alone = (status: string, ...more: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream: "request",
  flags: ["END_STREAM", "END_HEADERS"],
  fields: [[":status", status], ...more],
});

const malformed = (row: Row<"steps">): Case => ({
  spec: "rfc9113#8.1.1",
  covers: ["rfc9113#8.1.1/content-length", "rfc9113#8.1.1/stream-error", "rfc9113#8.1.1/not-accepted"],
  level: "MUST",
  role: "client",
  fence: "exit",
  control: sized,
  allowed: malformedResponse,
  ...row,
});

/** Content-Length and content (rfc9113#8.1.1). */
export const cases: readonly Case[] = [
  malformed({
    id: "http2/client-content-length-too-long",
    title: "A client treats content shorter than its Content-Length as malformed.",
    steps: answerWith(respond(...declaring("5")), content()),
  }),
  malformed({
    id: "http2/client-content-length-too-short",
    title: "A client treats content longer than its Content-Length as malformed.",
    steps: answerWith(respond(...declaring("1")), content()),
  }),
  malformed({
    id: "http2/client-content-length-without-content",
    title: "A client treats a Content-Length of 2 without content as malformed.",
    steps: answerWith(alone("200", ...declaring("2"))),
  }),
  malformed({
    id: "http2/client-content-length-too-long-with-trailers",
    title: "A client treats content shorter than its Content-Length, followed by trailers, as malformed.",
    steps: answerWith(
      respond(...declaring("5")),
      { type: "DATA", stream: "request", data: "ok" },
      { type: "HEADERS", stream: "request", flags: ["END_STREAM", "END_HEADERS"], fields: [["x-checksum", "1"]] },
    ),
  }),
  malformed({
    id: "http2/client-content-length-differing-twice",
    title: "A client treats two different Content-Length fields as malformed.",
    steps: answerWith(respond(...declaring("2", "3")), content()),
  }),
  {
    id: "http2/client-content-length-padding-not-counted",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/content-length", "rfc9110#2.4/semantics"],
    level: "MUST",
    role: "client",
    title: "A client does not count padding towards Content-Length.",
    fence: "exit",
    steps: answerWith(respond(...declaring("2")), { ...content(), pad: 100 }),
    control: sized,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-content-length-of-304",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/no-content-accepted", "rfc9113#8.1.1/content-length-no-content"],
    level: "MUST",
    role: "client",
    title: "A client accepts a 304 response with a non-zero Content-Length and no content.",
    fence: "exit",
    steps: answerWith(alone("304", ["etag", '"1"'], ...declaring("1000"))),
    control: sized,
    allowed: exchangeSucceeds,
  },
  ...[
    { id: "http2/client-content-in-204", of: "content", status: "204", text: undefined },
    { id: "http2/client-octet-in-204", of: "one octet of content", status: "204", text: "x" },
    { id: "http2/client-content-in-304", of: "content", status: "304", text: undefined },
  ].map(({ id, of, status, text }) =>
    malformed({
      id: id as Case["id"],
      // rfc9110#6.4.1 says that there is no content; that a receiver notices it follows only from that.
      level: "SHOULD",
      title: `A client treats DATA with ${of} in a ${status} response as malformed.`,
      steps: answerWith({ ...alone(status), flags: ["END_HEADERS"] }, content(text)),
      control: answerWith({ ...alone(status), flags: ["END_HEADERS"] }, content("")),
    }),
  ),
];
