import type { RequirementRef } from "../../harness/case.ts";
import { open, permitted } from "../phrases.ts";
import type { Case, Handshake, Outcome, Step } from "../vocabulary.ts";
import { answerOf, givesUp } from "./phrases.ts";

const EMPTY = "Content-Length: 0";
const status = (line: string, ...more: readonly string[]): Handshake => ({ start: `HTTP/1.1 ${line}`, more: [...more, EMPTY] });

type Refusal = readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]];

/** All else is as in an answer that opens: only the status says that this one does not. */
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
  ["599", "599, which nobody knows", status("599 Whatever")],
  ["200-with-content", "200 with content", { start: "HTTP/1.1 200 OK", more: ["Content-Length: 5"], content: "Hello" }],
  [
    "200-in-chunks",
    "200 with content in chunks",
    { start: "HTTP/1.1 200 OK", more: ["Transfer-Encoding: chunked"], content: "5\r\nHello\r\n0\r\n\r\n" },
  ],
];

/** What is no answer of HTTP/1.1 at all, or no whole one. */
const NO_STATUS_LINE: readonly Refusal[] = [
  ["status-four-digits", "with a status of four digits", { start: "HTTP/1.1 1010 Switching Protocols" }],
  ["status-two-digits", "with a status of two digits", { start: "HTTP/1.1 10 Switching Protocols" }],
  ["status-letters", "whose status has letters", { start: "HTTP/1.1 1O1 Switching Protocols" }],
  ["status-missing", "without a status", { start: "HTTP/1.1 Switching Protocols" }],
  ["version-missing", "without a version", { start: "101 Switching Protocols" }],
  ["another-protocol", "of ICY in place of HTTP", { start: "ICY 101 Switching Protocols" }],
  [
    "version-http-1-0",
    "of HTTP/1.0",
    { start: "HTTP/1.0 101 Switching Protocols" },
    // The line of the specification is an example, and the version of a response is its server's.
    permitted({ see: "all echoed" }, "rfc6455#4.2.2", "warn"),
  ],
  [
    "line-without-colon",
    "with a line that is no field",
    { more: ["this is no field"] },
    permitted({ see: "all echoed" }, "rfc9112#2.2", "warn"),
  ],
];

const statusCase = ([id, what, answer, ...others]: Refusal): Case => ({
  id: `websocket/client-answer-status-${id}`,
  spec: "rfc6455#4.1",
  covers: ["rfc6455#4.1/status"],
  level: "MUST",
  title: `By an answer of ${what} no WebSocket is opened.`,
  ...answerOf(answer),
  allowed: givesUp(...others),
});

const cut = (id: string, title: string, covers: RequirementRef, ...steps: readonly Step[]): Case => ({
  id: `websocket/client-answer-${id}`,
  spec: "rfc6455#4.1",
  covers: [covers],
  level: "MUST",
  role: "client",
  title,
  steps,
  control: [open()],
  allowed: givesUp(),
});
const HEAD = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n";

export const cases: readonly Case[] = [
  ...STATUSES.map(statusCase),
  ...NO_STATUS_LINE.map(([id, what, answer, ...others]): Case => ({
    id: `websocket/client-answer-${id}`,
    spec: "rfc6455#4.1",
    covers: ["rfc6455#4.1/answer-conforms"],
    level: "MUST",
    title: `By an answer ${what} no WebSocket is opened.`,
    ...answerOf(answer),
    allowed: givesUp(...others),
  })),
  cut(
    "ends-in-its-head",
    "By an answer that ends before its head is whole no WebSocket is opened.",
    "rfc6455#4.1/answer-conforms",
    { do: "text", text: HEAD },
    { do: "half-close" },
  ),
  cut(
    "ends-in-the-accept-value",
    "By an answer that ends inside the accept value no WebSocket is opened.",
    "rfc6455#4.1/answer-conforms",
    { do: "text", text: HEAD.slice(0, -"pt}\r\n".length).replace("{acce", "s3pPLMBi") },
    { do: "half-close" },
  ),
  cut(
    "frames-without-a-head",
    "By frames in place of an answer no WebSocket is opened.",
    "rfc6455#4.1/answer-conforms",
    { do: "text", text: "\x81\x05Hello\x81\x05Hello" },
    { do: "half-close" },
  ),
  cut("end", "By the end of the connection in place of an answer no WebSocket is opened.", "rfc6455#4.1/answer-conforms", {
    do: "half-close",
  }),
];
