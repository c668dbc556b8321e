import { handshake, malformedRequest, post, request, send, acceptedAndAnswered, malformedFields } from "./phrases.ts";
import type { Case, FieldSpec, FrameSpec } from "./vocabulary.ts";

const length = (value: string): FieldSpec => ["content-length", value];
const data = (octets: number, more: Partial<FrameSpec> = {}): FrameSpec => ({ type: "DATA", stream: 1, data: octets, ...more });
const last = (octets: number): FrameSpec => data(octets, { flags: ["END_STREAM"] });
const trailers: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-checksum", "1"]] };

/**
 * A POST whose content-length is not the sum of its DATA, beside one whose is. A server that answers POST with an error may have done so
 * before the content came (rfc9113#8.1.1), so that these need one that takes content.
 */
const mismatch = (id: Case["id"], title: string, wrong: FrameSpec[], right: FrameSpec[]): Case => ({
  id,
  spec: "rfc9113#8.1.1",
  covers: ["rfc9113#8.1.1/content-length", "rfc9113#8.1.1/stream-error"],
  level: "MUST",
  role: "server",
  needs: ["post"],
  title,
  steps: [handshake, send(...wrong)],
  control: [handshake, send(...right)],
  allowed: malformedRequest(1),
});

const agreement = (id: Case["id"], title: string, frames: FrameSpec[]): Case => ({
  id,
  spec: "rfc9113#8.1.1",
  covers: ["rfc9113#8.1.1/content-length"],
  level: "MUST",
  role: "server",
  title,
  steps: [handshake, send(...frames)],
  control: [handshake, send(post(1), last(10))],
  allowed: acceptedAndAnswered(1),
});

const TEN = [post(1, length("10")), last(10)];

export const cases: readonly Case[] = [
  mismatch(
    "http2/content-length-less-than-data",
    "The server treats a request as malformed when its one DATA is longer than its content-length.",
    [post(1, length("1")), last(10)],
    TEN,
  ),
  mismatch(
    "http2/content-length-less-than-data-in-frames",
    "The server treats a request as malformed when its DATA frames together are longer than its content-length.",
    [post(1, length("9")), data(5), last(5)],
    [post(1, length("10")), data(5), last(5)],
  ),
  mismatch(
    "http2/content-length-more-than-data",
    "The server treats a request as malformed when its one DATA is shorter than its content-length.",
    [post(1, length("11")), last(10)],
    TEN,
  ),
  mismatch(
    "http2/content-length-more-than-data-in-frames",
    "The server treats a request as malformed when its DATA frames together are shorter than its content-length.",
    [post(1, length("11")), data(5), last(5)],
    [post(1, length("10")), data(5), last(5)],
  ),
  mismatch(
    "http2/content-length-more-than-data-ended-by-trailers",
    "The server treats a request as malformed when trailers end it before its content-length is reached.",
    [post(1, length("11")), data(10), trailers],
    [post(1, length("10")), data(10), trailers],
  ),
  mismatch(
    "http2/content-length-more-than-nothing",
    "The server treats a request as malformed when an empty DATA ends it and its content-length is not 0.",
    [post(1, length("10")), last(0)],
    [post(1, length("0")), last(0)],
  ),
  mismatch(
    "http2/content-length-zero-with-data",
    "The server treats a request as malformed when DATA comes although its content-length is 0.",
    [post(1, length("0")), last(10)],
    [post(1, length("0")), last(0)],
  ),
  mismatch(
    "http2/content-length-counts-padding",
    "The server treats a request as malformed when only its padding would make up the content-length.",
    [post(1, length("15")), data(10, { flags: ["END_STREAM"], pad: 4 })],
    [post(1, length("10")), data(10, { flags: ["END_STREAM"], pad: 4 })],
  ),
  mismatch(
    "http2/content-length-differing-twice",
    "The server treats a request as malformed when it has two content-length fields that differ.",
    [post(1, length("10"), length("11")), last(10)],
    TEN,
  ),
  mismatch(
    "http2/content-length-beyond-64-bits",
    "The server treats a request as malformed when its content-length equals the content only after overflowing 64 bits.",
    // 2^64 + 10
    [post(1, length("18446744073709551626")), last(10)],
    TEN,
  ),
  mismatch(
    "http2/content-length-beyond-32-bits",
    "The server treats a request as malformed when its content-length equals the content only after overflowing 32 bits.",
    // 2^32 + 10
    [post(1, length("4294967306")), last(10)],
    TEN,
  ),
  mismatch(
    "http2/content-length-no-number",
    "The server treats a request with content as malformed when its content-length is no number.",
    [post(1, length("ten")), last(10)],
    TEN,
  ),
  mismatch(
    "http2/content-length-negative",
    "The server treats a request with content as malformed when its content-length is negative.",
    [post(1, length("-10")), last(10)],
    TEN,
  ),
  {
    id: "http2/content-length-with-end-stream",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/content-length", "rfc9113#8.1.1/stream-error"],
    level: "MUST",
    title: "The server treats a request as malformed when its HEADERS ends the stream and its content-length is not 0.",
    ...malformedFields(request("GET", length("10")), request("GET", length("0"))),
  },
  agreement("http2/content-length-exact", "The server answers a request whose DATA frames add up to its content-length.", [
    post(1, length("10")),
    data(4),
    last(6),
  ]),
  agreement("http2/content-length-without-padding", "The server answers a request whose padding comes on top of its content-length.", [
    post(1, length("10")),
    data(10, { flags: ["END_STREAM"], pad: 100 }),
  ]),
  agreement("http2/content-length-before-trailers", "The server answers a request whose content-length is reached before its trailers.", [
    post(1, length("10")),
    data(10),
    trailers,
  ]),
];
