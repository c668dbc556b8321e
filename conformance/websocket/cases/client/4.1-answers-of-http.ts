import { open, permitted } from "../phrases.ts";
import type { Case, Handshake, Outcome } from "../../vocabulary.ts";
import { responseOf, failsHandshake } from "./phrases.ts";

const EMPTY = "Content-Length: 0";
const status = (line: string, ...more: readonly string[]): Handshake => ({ start: `HTTP/1.1 ${line}`, more: [...more, EMPTY] });

type Refusal = readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]];

/** RFC 6455, section 4.1: responses that open no WebSocket, although all but their status line would. */
const STATUSES: readonly Refusal[] = [
  ["200", "200", status("200 OK")],
  ["201", "201", status("201 Created")],
  ["204", "204", { start: "HTTP/1.1 204 No Content" }],
  ["300", "300", status("300 Multiple Choices")],
  ["301", "301", status("301 Moved Permanently", "Location: /elsewhere")],
  ["302", "302", status("302 Found", "Location: /elsewhere")],
  ["304", "304", { start: "HTTP/1.1 304 Not Modified" }],
  ["307-without-location", "307 without a Location", status("307 Temporary Redirect")],
  ["400", "400", status("400 Bad Request")],
  ["401", "401", status("401 Unauthorized", 'WWW-Authenticate: Basic realm="touchstone"')],
  ["403", "403", status("403 Forbidden")],
  ["404", "404", status("404 Not Found")],
  ["407", "407", status("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="touchstone"')],
  ["426", "426", status("426 Upgrade Required", "Sec-WebSocket-Version: 13")],
  ["500", "500", status("500 Internal Server Error")],
  ["503", "503", status("503 Service Unavailable", "Retry-After: 100")],
  ["599", "599, which is unknown", status("599 Whatever")],
  ["200-with-content", "200 with content", { start: "HTTP/1.1 200 OK", more: ["Content-Length: 5"], content: "Hello" }],
  [
    "200-in-chunks",
    "200 with chunked content",
    { start: "HTTP/1.1 200 OK", more: ["Transfer-Encoding: chunked"], content: "5\r\nHello\r\n0\r\n\r\n" },
  ],
];

/** Responses that are not valid HTTP/1.1, or incomplete. */
const NO_STATUS_LINE: readonly Refusal[] = [
  ["status-four-digits", "with a status of four digits", { start: "HTTP/1.1 1010 Switching Protocols" }],
  ["status-two-digits", "with a status of two digits", { start: "HTTP/1.1 10 Switching Protocols" }],
  ["status-letters", "whose status has letters", { start: "HTTP/1.1 1O1 Switching Protocols" }],
  ["status-missing", "without a status", { start: "HTTP/1.1 Switching Protocols" }],
  ["version-missing", "without a version", { start: "101 Switching Protocols" }],
  ["another-protocol", "of ICY instead of HTTP", { start: "ICY 101 Switching Protocols" }],
  [
    "version-http-1-0",
    "of HTTP/1.0",
    { start: "HTTP/1.0 101 Switching Protocols" },
    // The status line in the RFC is an example, and the server chooses the version of its response.
    permitted({ see: "all echoed" }, "rfc6455#4.2.2", "warn"),
  ],
  [
    "line-without-colon",
    "with a line that is not a field",
    { more: ["this is no field"] },
    permitted({ see: "all echoed" }, "rfc9112#2.2", "warn"),
  ],
];

const statusCase = ([id, what, answer, ...others]: Refusal): Case => ({
  id: `websocket/client-answer-status-${id}`,
  spec: "rfc6455#4.1",
  covers: ["rfc6455#4.1/status"],
  level: "MUST",
  title: `The client opens no WebSocket for a response with status ${what}.`,
  ...responseOf({ wrong: answer }),
  allowed: failsHandshake(...others),
});

/** A response that is cut off, or none at all. */
const cut = (entry: Pick<Case, "id" | "title" | "covers" | "steps">): Case => ({
  ...entry,
  spec: "rfc6455#4.1",
  level: "MUST",
  role: "client",
  control: [open()],
  allowed: failsHandshake(),
});
const HEAD = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n";

export const cases: readonly Case[] = [
  ...STATUSES.map(statusCase),
  ...NO_STATUS_LINE.map(([id, what, answer, ...others]): Case => ({
    id: `websocket/client-answer-${id}`,
    spec: "rfc6455#4.1",
    covers: ["rfc6455#4.1/answer-conforms"],
    level: "MUST",
    title: `The client opens no WebSocket for a response ${what}.`,
    ...responseOf({ wrong: answer }),
    allowed: failsHandshake(...others),
  })),
  cut({
    id: "websocket/client-answer-ends-in-its-head",
    title: "The client opens no WebSocket for a response cut off in its head.",
    covers: ["rfc6455#4.1/answer-conforms"],
    steps: [{ do: "text", text: HEAD }, { do: "half-close" }],
  }),
  cut({
    id: "websocket/client-answer-ends-in-the-accept-value",
    title: "The client opens no WebSocket for a response cut off in the accept value.",
    covers: ["rfc6455#4.1/answer-conforms"],
    steps: [{ do: "text", text: HEAD.slice(0, -"pt}\r\n".length).replace("{acce", "s3pPLMBi") }, { do: "half-close" }],
  }),
  cut({
    id: "websocket/client-answer-frames-without-a-head",
    title: "The client opens no WebSocket for frames in place of a response.",
    covers: ["rfc6455#4.1/answer-conforms"],
    steps: [{ do: "text", text: "\x81\x05Hello\x81\x05Hello" }, { do: "half-close" }],
  }),
  cut({
    id: "websocket/client-answer-end",
    title: "The client opens no WebSocket if the connection closes without a response.",
    covers: ["rfc6455#4.1/answer-conforms"],
    steps: [
      {
        do: "half-close",
      },
    ],
  }),
];
