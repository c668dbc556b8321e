import {
  accepted,
  connectionError,
  data,
  handshake,
  malformedFields,
  malformedRequest,
  permitted,
  request,
  send,
  trailers,
  whole,
} from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Step } from "../../vocabulary.ts";

const CONNECT: FieldSpec = [":method", "CONNECT"];
const [, scheme, authority, path] = request() as [FieldSpec, FieldSpec, FieldSpec, FieldSpec];
const tunnel: readonly Step[] = [
  handshake,
  send("request", { type: "HEADERS", fields: [CONNECT, authority] }),
  { do: "await", see: { see: "response", on: "request", status: ["2xx"] } },
];

const malformed = ({ fields, ...row }: Row & { readonly fields: FieldSpec[] }): Case => ({
  spec: "rfc9114#4.4",
  covers: ["rfc9114#4.4/malformed"],
  level: "SHOULD",
  ...malformedFields(fields),
  // Many servers refuse CONNECT as such.
  allowed: [...malformedRequest(), permitted({ see: "response", on: "request", status: [404, 405] }, "rfc9110#15.5.6", "warn")],
  ...row,
});
const onTunnel = ({ frame, ...row }: Row & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9114#4.4",
  covers: ["rfc9114#4.4/other-frames"],
  level: "MUST",
  role: "server",
  needs: ["connect"],
  steps: [...tunnel, send("request", frame)],
  control: [...tunnel, send("request", data())],
  allowed: connectionError("H3_FRAME_UNEXPECTED"),
  ...row,
});

/** CONNECT (rfc9114#4.4). */
export const cases: readonly Case[] = [
  malformed({
    id: "http3/connect-with-scheme",
    title: "The server treats CONNECT with :scheme as malformed.",
    fields: [CONNECT, scheme, authority],
  }),
  malformed({
    id: "http3/connect-with-path",
    title: "The server treats CONNECT with :path as malformed.",
    fields: [CONNECT, authority, path],
  }),
  malformed({
    id: "http3/connect-with-scheme-and-path",
    title: "The server treats CONNECT with :scheme and :path as malformed.",
    fields: [CONNECT, scheme, authority, path],
  }),
  malformed({
    id: "http3/connect-without-authority",
    title: "The server treats CONNECT without :authority as malformed.",
    fields: [CONNECT],
  }),
  malformed({
    id: "http3/connect-with-empty-authority",
    title: "The server treats CONNECT with an empty :authority as malformed.",
    fields: [CONNECT, [":authority", ""]],
  }),
  malformed({
    id: "http3/connect-with-authority-without-port",
    title: "The server treats CONNECT without a port in :authority as malformed.",
    fields: [CONNECT, [":authority", "localhost"]],
  }),
  onTunnel({
    id: "http3/headers-in-a-tunnel",
    title: "The server treats HEADERS on a connected stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: trailers(["x-name", "1"]),
  }),
  onTunnel({
    id: "http3/settings-in-a-tunnel",
    title: "The server treats SETTINGS on a connected stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "SETTINGS" },
  }),
  onTunnel({
    id: "http3/push-promise-in-a-tunnel",
    title: "The server treats PUSH_PROMISE on a connected stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "PUSH_PROMISE", id: 0, fields: [] },
  }),
  onTunnel({
    id: "http3/goaway-in-a-tunnel",
    title: "The server treats GOAWAY on a connected stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "GOAWAY", id: 0 },
  }),
  onTunnel({
    id: "http3/max-push-id-in-a-tunnel",
    title: "The server treats MAX_PUSH_ID on a connected stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "MAX_PUSH_ID", id: 3 },
  }),
  onTunnel({
    id: "http3/frame-of-http2-in-a-tunnel",
    title: "The server treats a frame of type 0x6 on a connected stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: 0x6, hex: "0102030405060708" },
  }),
  {
    id: "http3/tunnel-passes-octets",
    spec: "rfc9114#4.4",
    covers: ["rfc9114#4.4/tunnel"],
    level: "MUST",
    role: "server",
    needs: ["echo-tunnel"],
    title: "The server passes the octets of DATA through a tunnel, in both directions.",
    steps: [
      ...tunnel,
      send("request", data("one, ")),
      send("request", data("two")),
      { do: "await", see: { see: "text", on: "request", text: "one, two" } },
    ],
    control: tunnel,
    allowed: accepted,
  },
  {
    id: "http3/reserved-frame-in-a-tunnel",
    spec: "rfc9114#7.2.8",
    covers: ["rfc9114#7.2.8/no-meaning", "rfc9114#7.2.8/anywhere"],
    level: "MUST NOT",
    role: "server",
    needs: ["connect"],
    title: "The server ignores a frame of a reserved type on a connected stream.",
    steps: [...tunnel, send("request", { type: 0x21, hex: "0102" }, data())],
    control: [...tunnel, send("request", data())],
    allowed: accepted,
  },
  {
    id: "http3/tunnel-ends",
    spec: "rfc9114#4.4",
    covers: ["rfc9114#4.4/fin"],
    level: "MUST",
    role: "server",
    needs: ["echo-tunnel"],
    title: "The server accepts the end of the client's side of a tunnel.",
    steps: [...tunnel, whole("request", data())],
    control: tunnel,
    allowed: accepted,
  },
];
