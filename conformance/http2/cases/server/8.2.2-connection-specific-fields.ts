import { answeredLikeFirst, firstExchange, get, handshake, malformedFields, malformedRequest, post, request, send } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const rejects = ({
  fields,
  requirement = "malformed",
  ...row
}: Row & { readonly fields: FieldSpec[]; readonly requirement?: string }): Case => ({
  spec: "rfc9113#8.2.2",
  covers: [`rfc9113#8.2.2/${requirement}`],
  level: "MUST",
  ...malformedFields(request("GET", ...fields), request("GET", ["x-name", "1"])),
  ...row,
});

/** Connection-specific fields (rfc9113#8.2.2). */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/connection-keep-alive",
    title: "The server treats a request with Connection: keep-alive as malformed.",
    fields: [["connection", "keep-alive"]],
  }),
  rejects({
    id: "http2/connection-close",
    title: "The server treats a request with Connection: close as malformed.",
    fields: [["connection", "close"]],
  }),
  rejects({
    id: "http2/connection-naming-a-field",
    title: "The server treats a request with Connection that names another field as malformed.",
    fields: [
      ["connection", "x-name"],
      ["x-name", "1"],
    ],
  }),
  rejects({
    id: "http2/proxy-connection",
    title: "The server treats a request with Proxy-Connection as malformed.",
    fields: [["proxy-connection", "keep-alive"]],
  }),
  rejects({
    id: "http2/keep-alive",
    title: "The server treats a request with Keep-Alive as malformed.",
    fields: [["keep-alive", "timeout=5"]],
  }),
  rejects({
    id: "http2/transfer-encoding-chunked",
    title: "The server treats a request with Transfer-Encoding: chunked as malformed.",
    fields: [["transfer-encoding", "chunked"]],
  }),
  rejects({
    id: "http2/transfer-encoding-identity",
    title: "The server treats a request with Transfer-Encoding: identity as malformed.",
    fields: [["transfer-encoding", "identity"]],
  }),
  rejects({ id: "http2/upgrade", title: "The server treats a request with Upgrade as malformed.", fields: [["upgrade", "websocket"]] }),
  rejects({
    id: "http2/te-gzip",
    title: "The server treats a request with TE: gzip as malformed.",
    requirement: "te-malformed",
    fields: [["te", "gzip"]],
  }),
  rejects({
    id: "http2/te-trailers-and-more",
    title: "The server treats a request with TE: trailers, deflate as malformed.",
    requirement: "te-malformed",
    fields: [["te", "trailers, deflate"]],
  }),
  rejects({
    id: "http2/te-twice",
    title: "The server treats a request with TE: trailers and a second TE field as malformed.",
    requirement: "te-malformed",
    fields: [
      ["te", "trailers"],
      ["te", "gzip"],
    ],
  }),
  {
    id: "http2/transfer-encoding-with-content",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/malformed", "rfc9113#8.1/no-chunked"],
    level: "MUST",
    role: "server",
    title: "The server treats a request with chunked content as malformed.",
    steps: [
      handshake,
      send(post(1, ["transfer-encoding", "chunked"]), { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "3\r\none\r\n0\r\n\r\n" }),
    ],
    control: [handshake, send(post(1), { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "3\r\none\r\n0\r\n\r\n" })],
    allowed: malformedRequest(1),
  },
  {
    id: "http2/connection-in-trailers",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/malformed"],
    // The section names header fields only.
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server treats a request with Connection in its trailers as malformed.",
    steps: [
      handshake,
      send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["connection", "close"]] }),
    ],
    control: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-name", "1"]] })],
    allowed: malformedRequest(1),
  },
  {
    id: "http2/te-trailers",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/te-allowed"],
    level: "MUST",
    role: "server",
    title: "The server accepts TE: trailers.",
    steps: [...firstExchange, send(get(3, ["te", "trailers"]))],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
];
