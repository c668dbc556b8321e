import { data, handshake, malformedRequest, post, request, trailers, whole } from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row } from "../../vocabulary.ts";

const length = (value: string): FieldSpec => ["content-length", value];

/** A Content-Length that differs from the DATA payloads. The text calls such a message malformed, and binds no server to notice (rfc9114#4.1.2). */
const differs = ({
  frames,
  right = [post(length("7")), data()],
  ...row
}: Row & { readonly frames: readonly FrameSpec[]; readonly right?: readonly FrameSpec[] }): Case => ({
  spec: "rfc9114#4.1.2",
  covers: ["rfc9114#4.1.2/content-length", "rfc9114#4.1.2/stream-error"],
  level: "SHOULD",
  role: "server",
  needs: ["reads-content"],
  steps: [handshake, whole("request", ...frames)],
  control: [handshake, whole("request", ...right)],
  allowed: malformedRequest(),
  ...row,
});

export const cases: readonly Case[] = [
  differs({
    id: "http3/content-length-too-small",
    title: "The server treats content that is longer than Content-Length as malformed.",
    frames: [post(length("3")), data()],
  }),
  differs({
    id: "http3/content-length-too-large",
    title: "The server treats content that is shorter than Content-Length as malformed.",
    frames: [post(length("30")), data()],
  }),
  differs({
    id: "http3/content-length-zero-with-content",
    title: "The server treats content after Content-Length: 0 as malformed.",
    frames: [post(length("0")), data()],
  }),
  differs({
    id: "http3/content-length-without-content",
    title: "The server treats a request without DATA after Content-Length: 7 as malformed.",
    frames: [post(length("7"))],
  }),
  differs({
    id: "http3/content-length-with-empty-data",
    title: "The server treats empty DATA after Content-Length: 7 as malformed.",
    frames: [post(length("7")), data(0)],
  }),
  differs({
    id: "http3/content-length-too-small-in-two-frames",
    title: "The server counts the payloads of several DATA frames against Content-Length.",
    frames: [post(length("8")), data(), data()],
    right: [post(length("14")), data(), data()],
  }),
  differs({
    id: "http3/content-length-too-large-before-trailers",
    title: "The server treats trailers before the end of the announced content as malformed.",
    frames: [post(length("30")), data(), trailers(["x-sum", "1"])],
  }),
  differs({
    id: "http3/content-length-of-a-get",
    title: "The server treats a GET with Content-Length: 7 and no content as malformed.",
    frames: [{ type: "HEADERS", fields: request("GET", length("7")) }],
    right: [{ type: "HEADERS", fields: request("GET", length("0")) }],
  }),
  differs({
    id: "http3/content-length-negative",
    title: "The server treats a negative Content-Length as malformed.",
    frames: [post(length("-7")), data()],
  }),
  differs({
    id: "http3/content-length-not-a-number",
    title: "The server treats a Content-Length that is not a number as malformed.",
    frames: [post(length("seven")), data()],
  }),
  differs({
    id: "http3/content-length-with-sign",
    title: "The server treats a Content-Length with a plus sign as malformed.",
    frames: [post(length("+7")), data()],
  }),
  differs({
    id: "http3/two-different-content-lengths",
    title: "The server treats two different Content-Length fields as malformed.",
    frames: [post(length("7"), length("8")), data()],
  }),
  differs({
    id: "http3/content-length-beyond-numbers",
    title: "The server treats a Content-Length of thirty digits as malformed, or its content as too short.",
    frames: [post(length("1".repeat(30))), data()],
  }),
];
