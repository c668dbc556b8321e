import { acceptedAndAnswered, get, handshake, permitted, request, send, streamError, withoutStreamWindows } from "../phrases.ts";
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
const opened: readonly Step[] = [
  send({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], fields: [CONNECT, [":authority", "{authority}"]] }),
  { do: "await", see: { see: "response", stream: 1, status: ["2xx"] } },
];
const tunnel: readonly Step[] = [handshake, ...opened];
const into = (data: string, ...flags: "END_STREAM"[]): FrameSpec => ({ type: "DATA", stream: 1, flags, data });
const credit = (increment: number): FrameSpec => ({ type: "WINDOW_UPDATE", stream: 1, increment });
const ping: Step = { do: "fence", by: "ping" };
/** What the client sends through this tunnel comes back: so the client decides when the server has how much to send. */
const echoed = ({ steps, ...row }: Row<"steps" | "allowed">): Case => ({
  spec: "rfc9113#8.5",
  covers: ["rfc9113#8.5/tunnel-octets"],
  level: "SHOULD",
  role: "server",
  needs: ["echo-tunnel"],
  steps,
  control: [...tunnel, send(into("tunnelled", "END_STREAM"))],
  ...row,
});
const LARGE = 300_000;
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
  echoed({
    id: "http2/connect-octets-wait-for-credit",
    title: "The server sends every octet of a tunnel once there is credit for it, however few are waiting.",
    fence: "ping",
    steps: [
      withoutStreamWindows,
      { do: "hold windows" },
      ...opened,
      send(into("a")),
      ping,
      send(credit(1)),
      { do: "await", see: { see: "text", stream: 1, text: "a" } },
      send(into("b")),
      ping,
      send(into("cd")),
      ping,
      send(credit(2)),
      { do: "await", see: { see: "text", stream: 1, text: "abc" } },
      ping,
      send(into("", "END_STREAM")),
      ping,
      // More than that: an end without content may wait for credit (rfc9113#6.9.1).
      send(credit(2)),
      { do: "await", see: { see: "response", stream: 1, complete: true } },
    ],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "text", stream: 1, text: "abcd" }] } }],
  }),
  echoed({
    id: "http2/connect-300-kilobytes-in-the-tunnel",
    title: "The server sends 300,000 octets of a tunnel.",
    fence: { stream: 1 },
    steps: [...tunnel, { do: "upload", stream: 1, octets: LARGE, end: true }],
    allowed: [{ see: { see: "content", stream: 1, octets: LARGE } }],
  }),
  {
    id: "http2/connect-only-data-in-the-tunnel",
    spec: "rfc9113#8.5",
    covers: ["rfc9113#8.5/other-frames-not-sent"],
    level: "MUST NOT",
    role: "server",
    needs: ["echo-tunnel"],
    title: "The server sends no second header section in a tunnel, also not at its end.",
    steps: [...tunnel, send(into("tunnelled", "END_STREAM")), { do: "await", see: { see: "response", stream: 1, complete: true } }],
    control: [...tunnel, send(into("tunnelled", "END_STREAM"))],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "HEADERS", stream: 1, count: 2 }] } }],
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
