import { acceptedAndAnswered, handshake, malformedFields, malformedRequest, post, request, send } from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row } from "../../vocabulary.ts";

const length = (value: string): FieldSpec => ["content-length", value];
const data = (octets: number, more: Partial<FrameSpec> = {}): FrameSpec => ({ type: "DATA", stream: 1, data: octets, ...more });
const last = (octets: number): FrameSpec => data(octets, { flags: ["END_STREAM"] });
const trailers: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-checksum", "1"]] };

/**
 * A POST whose Content-Length differs from the sum of its DATA. A server that answers POST with an error may do so before the content
 * arrives (rfc9113#8.1.1), so these cases need one that accepts content.
 */
const mismatch = ({ wrong, legal, ...row }: Row & { readonly wrong: FrameSpec[]; readonly legal: FrameSpec[] }): Case => ({
  spec: "rfc9113#8.1.1",
  covers: ["rfc9113#8.1.1/content-length", "rfc9113#8.1.1/stream-error"],
  level: "SHOULD",
  role: "server",
  needs: ["post"],
  steps: [handshake, send(...wrong)],
  control: [handshake, send(...legal)],
  allowed: malformedRequest(1),
  ...row,
});

const agreement = ({ frames, ...row }: Row & { readonly frames: FrameSpec[] }): Case => ({
  spec: "rfc9113#8.1.1",
  covers: ["rfc9113#8.1.1/content-length", "rfc9110#2.4/semantics"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(...frames)],
  control: [handshake, send(post(1), last(10))],
  allowed: acceptedAndAnswered(1),
  ...row,
});

const TEN = [post(1, length("10")), last(10)];

/** Malformed messages (rfc9113#8.1.1): Content-Length and the sum of DATA. */
export const cases: readonly Case[] = [
  mismatch({
    id: "http2/content-length-less-than-data",
    title: "The server treats a request as malformed when its only DATA exceeds its Content-Length.",
    wrong: [post(1, length("1")), last(10)],
    legal: TEN,
  }),
  mismatch({
    id: "http2/content-length-less-than-data-in-frames",
    title: "The server treats a request as malformed when its DATA frames together exceed its Content-Length.",
    wrong: [post(1, length("9")), data(5), last(5)],
    legal: [post(1, length("10")), data(5), last(5)],
  }),
  mismatch({
    id: "http2/content-length-more-than-data",
    title: "The server treats a request as malformed when its only DATA is shorter than its Content-Length.",
    wrong: [post(1, length("11")), last(10)],
    legal: TEN,
  }),
  mismatch({
    id: "http2/content-length-more-than-data-in-frames",
    title: "The server treats a request as malformed when its DATA frames together are shorter than its Content-Length.",
    wrong: [post(1, length("11")), data(5), last(5)],
    legal: [post(1, length("10")), data(5), last(5)],
  }),
  mismatch({
    id: "http2/content-length-more-than-data-ended-by-trailers",
    title: "The server treats a request as malformed when its trailers arrive before its Content-Length is reached.",
    wrong: [post(1, length("11")), data(10), trailers],
    legal: [post(1, length("10")), data(10), trailers],
  }),
  mismatch({
    id: "http2/content-length-more-than-nothing",
    title: "The server treats a request as malformed when an empty DATA ends it and its Content-Length is not 0.",
    wrong: [post(1, length("10")), last(0)],
    legal: [post(1, length("0")), last(0)],
  }),
  mismatch({
    id: "http2/content-length-zero-with-data",
    title: "The server treats a request with DATA as malformed when its Content-Length is 0.",
    wrong: [post(1, length("0")), last(10)],
    legal: [post(1, length("0")), last(0)],
  }),
  mismatch({
    id: "http2/content-length-counts-padding",
    title: "The server treats a request as malformed when only its padding would make up its Content-Length.",
    wrong: [post(1, length("15")), data(10, { flags: ["END_STREAM"], pad: 4 })],
    legal: [post(1, length("10")), data(10, { flags: ["END_STREAM"], pad: 4 })],
  }),
  mismatch({
    id: "http2/content-length-differing-twice",
    title: "The server treats a request with two different Content-Length fields as malformed.",
    wrong: [post(1, length("10"), length("11")), last(10)],
    legal: TEN,
  }),
  mismatch({
    id: "http2/content-length-beyond-64-bits",
    title: "The server treats a request as malformed when its Content-Length matches the content only after a 64-bit overflow.",
    wrong: [post(1, length("18446744073709551626")), last(10)],
    legal: TEN,
  }),
  mismatch({
    id: "http2/content-length-beyond-32-bits",
    title: "The server treats a request as malformed when its Content-Length matches the content only after a 32-bit overflow.",
    wrong: [post(1, length("4294967306")), last(10)],
    legal: TEN,
  }),
  mismatch({
    id: "http2/content-length-no-number",
    title: "The server treats a request with content as malformed when its Content-Length is not a number.",
    wrong: [post(1, length("ten")), last(10)],
    legal: TEN,
  }),
  mismatch({
    id: "http2/content-length-negative",
    title: "The server treats a request with content as malformed when its Content-Length is negative.",
    wrong: [post(1, length("-10")), last(10)],
    legal: TEN,
  }),
  {
    id: "http2/content-length-with-end-stream",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/content-length", "rfc9113#8.1.1/stream-error"],
    level: "SHOULD",
    title: "The server treats a request as malformed when its HEADERS ends the stream and its Content-Length is not 0.",
    ...malformedFields(request("GET", length("10")), request("GET", length("0"))),
  },
  agreement({
    id: "http2/content-length-exact",
    title: "The server answers a request whose DATA frames add up to its Content-Length.",
    frames: [post(1, length("10")), data(4), last(6)],
  }),
  agreement({
    id: "http2/content-length-without-padding",
    title: "The server does not count padding towards the Content-Length of a request.",
    frames: [post(1, length("10")), data(10, { flags: ["END_STREAM"], pad: 100 })],
  }),
  agreement({
    id: "http2/content-length-before-trailers",
    title: "The server answers a request with trailers whose DATA matches its Content-Length.",
    frames: [post(1, length("10")), data(10), trailers],
  }),
];
