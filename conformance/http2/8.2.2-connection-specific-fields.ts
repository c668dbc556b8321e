import { answeredLikeFirst, get, handshake, malformedRequest, firstExchange, post, request, send, malformedFields } from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

const refused = (words: string, what: string, fields: FieldSpec[], requirement = "malformed"): Case => ({
  id: `http2/${words}`,
  spec: "rfc9113#8.2.2",
  covers: [`rfc9113#8.2.2/${requirement}`],
  level: "MUST",
  title: `The server treats a request with ${what} as malformed.`,
  ...malformedFields(request("GET", ...fields), request("GET", ["x-name", "1"])),
});

export const cases: readonly Case[] = [
  refused("connection-keep-alive", "connection: keep-alive", [["connection", "keep-alive"]]),
  refused("connection-close", "connection: close", [["connection", "close"]]),
  refused("connection-naming-a-field", "a connection field that names another", [
    ["connection", "x-name"],
    ["x-name", "1"],
  ]),
  refused("proxy-connection", "proxy-connection", [["proxy-connection", "keep-alive"]]),
  refused("keep-alive", "keep-alive", [["keep-alive", "timeout=5"]]),
  refused("transfer-encoding-chunked", "transfer-encoding: chunked", [["transfer-encoding", "chunked"]]),
  refused("transfer-encoding-identity", "transfer-encoding: identity", [["transfer-encoding", "identity"]]),
  refused("upgrade", "upgrade", [["upgrade", "websocket"]]),
  refused("te-gzip", "te: gzip", [["te", "gzip"]], "te-value"),
  refused("te-trailers-and-more", "te: trailers, deflate", [["te", "trailers, deflate"]], "te-value"),
  refused(
    "te-twice",
    "te: trailers and another te",
    [
      ["te", "trailers"],
      ["te", "gzip"],
    ],
    "te-value",
  ),
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
    // The section speaks of header fields.
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server treats a request with a connection field in its trailers as malformed.",
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
    title: "The server takes te: trailers.",
    steps: [...firstExchange, send(get(3, ["te", "trailers"]))],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
];
