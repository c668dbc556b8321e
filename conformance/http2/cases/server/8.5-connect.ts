import { acceptedAndAnswered, get, handshake, permitted, request, send, streamError } from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Step } from "../../vocabulary.ts";

const CONNECT: FieldSpec = [":method", "CONNECT"];
const TARGET: FieldSpec = [":authority", "127.0.0.1:9"];
const [, scheme, , path] = request();

/**
 * A malformed CONNECT. The control is a plain GET, since few servers accept a well-formed CONNECT. A server may reject the method or the
 * error; it must not open a tunnel.
 */
const malformedConnect = ({ fields, ...row }: Row & { readonly fields: FieldSpec[] }): Case => ({
  spec: "rfc9113#8.5",
  covers: ["rfc9113#8.5/malformed"],
  level: "MUST",
  role: "server",
  steps: [handshake, send({ ...get(1), fields })],
  control: [handshake, send(get(1))],
  allowed: streamError(
    1,
    "PROTOCOL_ERROR",
    permitted({ see: "response", stream: 1, status: [400, 403, 405, 421, 501, 502, 503] }, "rfc9113#8.1.1"),
  ),
  ...row,
});

/** A tunnel to the subject itself, as in the probe. The text names no code for what does not belong into it. */
const tunnel: readonly Step[] = [
  handshake,
  send({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], fields: [CONNECT, [":authority", "{authority}"]] }),
  { do: "await", see: { see: "response", stream: 1, status: ["2xx"] } },
];
const headersInTunnel = ({ flags, ...row }: Row & { readonly flags: FrameSpec["flags"] & {} }): Case => ({
  spec: "rfc9113#8.5",
  covers: ["rfc9113#8.5/other-frames"],
  level: "MUST",
  role: "server",
  needs: ["connect"],
  steps: [...tunnel, send({ type: "HEADERS", stream: 1, flags, fields: [["x-sum", "1"]] })],
  control: [...tunnel, send({ type: "DATA", stream: 1, data: "tunnelled" })],
  allowed: [
    { see: { see: "RST_STREAM", stream: 1, code: "any error" } },
    permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#5.4.1"),
    permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
  ],
  ...row,
});

/** CONNECT (rfc9113#8.5). */
export const cases: readonly Case[] = [
  malformedConnect({
    id: "http2/connect-with-scheme",
    level: "SHOULD",
    title: "The server opens no tunnel for CONNECT with :scheme.",
    fields: [CONNECT, scheme, TARGET],
  }),
  malformedConnect({
    id: "http2/connect-with-path",
    level: "SHOULD",
    title: "The server opens no tunnel for CONNECT with :path.",
    fields: [CONNECT, TARGET, path],
  }),
  malformedConnect({
    id: "http2/connect-with-scheme-and-path",
    level: "SHOULD",
    title: "The server opens no tunnel for CONNECT with :scheme and :path.",
    fields: [CONNECT, scheme, TARGET, path],
  }),
  malformedConnect({
    id: "http2/connect-without-authority",
    level: "SHOULD",
    title: "The server opens no tunnel for CONNECT without :authority.",
    fields: [CONNECT],
  }),
  malformedConnect({
    id: "http2/connect-without-port",
    level: "SHOULD",
    title: "The server opens no tunnel for CONNECT whose :authority has no port.",
    fields: [CONNECT, [":authority", "127.0.0.1"]],
  }),
  {
    id: "http2/connect-leaves-the-connection-alone",
    spec: "rfc9113#8.5",
    covers: ["rfc9113#8.5/omits-scheme-and-path", "rfc9113#8.5/authority"],
    level: "MUST",
    role: "server",
    title: "The server answers a well-formed CONNECT, or resets its stream and keeps the connection.",
    steps: [handshake, send({ ...get(1), fields: [CONNECT, TARGET] })],
    control: [handshake, send(get(1))],
    allowed: [
      ...acceptedAndAnswered(1),
      permitted(
        {
          see: "RST_STREAM",
          stream: 1,
          code: ["PROTOCOL_ERROR", "REFUSED_STREAM", "CANCEL", "CONNECT_ERROR", "INTERNAL_ERROR", "HTTP_1_1_REQUIRED"],
        },
        "rfc9113#5.4.2",
      ),
    ],
  },
  headersInTunnel({
    id: "http2/connect-headers-in-the-tunnel",
    title: "The server treats HEADERS in a tunnel as a stream error.",
    flags: ["END_HEADERS"],
  }),
  headersInTunnel({
    id: "http2/connect-trailers-in-the-tunnel",
    title: "The server treats HEADERS that end a tunnel as a stream error.",
    flags: ["END_HEADERS", "END_STREAM"],
  }),
];
