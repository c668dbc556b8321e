import { type ReadRequest, valueOf } from "../../wire/http1/read.ts";
import type { Draft, Http1ServerFlaw } from "./flaw.ts";

const sends = (about: string, send: NonNullable<Http1ServerFlaw["sends"]>): Http1ServerFlaw => ({ about, sends: send });
const writes = (about: string, write: NonNullable<Http1ServerFlaw["writes"]>): Http1ServerFlaw => ({ about, writes: write });

/** Removes a field from a response; returns its value. */
function without(draft: Draft, name: string): void {
  draft.fields = draft.fields.filter(([known]) => known.toLowerCase() !== name);
}
const replaced = (draft: Draft, name: string, value: string): void => {
  without(draft, name);
  draft.fields.push([name, value]);
};
const isSwitch = (text: string): boolean => text.startsWith("HTTP/1.1 101");
const isPath = ({ target }: ReadRequest): boolean => target === "/";

/** The flaws of an HTTP/1.1 server in what it sends. */
const ANSWERS: Readonly<Record<string, Http1ServerFlaw>> = {
  // Reports.
  "reports-nonsense": {
    about: "tells its program nonsense about every request",
    reports: (lines) => lines.map((line) => line.replace(/: [^]*/, ": nonsense")),
  },
  "reports-all-as-complete": {
    about: "tells its program that all content is complete",
    reports: (lines) => lines.map((line) => line.replace("incomplete", "complete")),
  },
  "reports-host-alone": {
    about: "tells its program the whole target as the path",
    reports: (lines) => lines.map((line) => line.replace(/^path: /, "path: http://somewhere")),
  },
  // Heads.
  "omits-the-space": writes("leaves out the space behind the status", (text) => text.replace(/^(HTTP\/1\.1 \d+) [\w ]*\r\n/, "$1\r\n")),
  "says-1.0": sends("says HTTP/1.0, and keeps connections", (draft, request) => {
    draft.version = "HTTP/1.0";
    if (!draft.close && request.version !== "HTTP/1.0") draft.fields.push(["Connection", "keep-alive"]);
  }),
  "reads-what-it-has-refused": {
    about: "answers PUT before its content, and then reads however much of it comes",
    begins: ({ method }) => (method === "PUT" ? 405 : undefined),
    keeps: ({ method }, close) => close && method !== "PUT",
    sends: (draft, { method }) => {
      if (method === "PUT") without(draft, "connection");
    },
  },
  "folds-fields": sends("folds its fields", (draft) => replaced(draft, "content-type", "text/\r\n html")),
  "ends-lines-with-line-feeds": writes("ends its lines in LF alone", (text) => text.replaceAll("\r\n", "\n")),
  "says-length-twice": writes("says Content-Length twice", (text) => text.replace(/(Content-Length: \d+\r\n)/, "$1$1")),
  "prefixes-chunk-sizes": writes("sends content in chunks, with 0x before their sizes", (text) =>
    text.replace(
      /Content-Length: \d+\r\n([^]*?\r\n\r\n)([^]+)$/,
      (_, rest: string, content: string) =>
        `Transfer-Encoding: chunked\r\n${rest}0x${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    ),
  ),
  "compresses-unasked": sends("names a coding that nobody has asked for", (draft, { version }) => {
    if (version !== "HTTP/1.1" || draft.framing !== "length") return;
    draft.framing = "chunked";
    draft.fields.push(["Transfer-Encoding", "gzip"]);
  }),
  "adds-a-line": writes("sends a line end behind every answer", (text) => `${text}\r\n`),
  "has-no-date": sends("has no Date", (draft) => without(draft, "date")),
  "dates-in-old-form": sends("writes its Date as RFC 850 did", (draft) => replaced(draft, "date", "Thursday, 01-Jan-26 00:00:00 GMT")),
  "dates-long-ago": sends("is late by days", (draft) => replaced(draft, "date", "Thu, 01 Jan 2026 00:00:00 GMT")),
  "has-two-types": sends("sends Content-Type twice", (draft) => void draft.fields.push(["Content-Type", "text/plain"])),
  "says-close-and-goes-on": {
    about: "sends Connection: close in every response, and keeps the connection",
    sends: (draft) => {
      without(draft, "connection");
      draft.fields.push(["Connection", "close"]);
    },
  },
  "never-says-close": sends("ends connections without saying so", (draft) => without(draft, "connection")),
  "advertises-upgrade": sends("names Upgrade, and not in Connection", (draft) => void draft.fields.push(["Upgrade", "x-odd"])),

  // HEAD and 304.
  "knows-no-head": { about: "answers 405 to HEAD", meets: ({ method }) => (method === "HEAD" ? 405 : undefined) },
  "sends-content-to-head": writes("sends content in answer to HEAD", (text, { method }) =>
    method === "HEAD" ? `${text}<p>content` : text,
  ),
  "sends-a-last-chunk-to-head": writes("sends the last chunk in answer to HEAD", (text, { method }) =>
    method === "HEAD" && text.includes("chunked") ? `${text}0\r\n\r\n` : text,
  ),
  "has-another-length-for-head": writes("says another length to HEAD", (text, { method }) =>
    method === "HEAD" || text.includes(" 304 ")
      ? text.replace(/Content-Length: \d+\r\n|\r\n\r\n/, (found) =>
          found.startsWith("C") ? "Content-Length: 1\r\n" : "\r\nContent-Length: 1\r\n\r\n",
        )
      : text,
  ),
  "has-fewer-fields-for-head": sends("leaves fields out for HEAD", (draft, { method }) => {
    if (method === "HEAD") without(draft, "content-type");
  }),
  "sends-content-with-304": writes("sends content with 304", (text) => (text.includes(" 304 ") ? `${text}<p>content` : text)),
  "forgets-fields-of-304": sends("leaves the ETag out of a 304", (draft) => {
    if (draft.status === 304) without(draft, "etag");
  }),

  // Methods.
  "allows-nothing": {
    about: "lists no allowed methods",
    meets: ({ method }) => (/^(?:PUT|DELETE|PATCH)$/.test(method) ? 405 : undefined),
    sends: (draft) => without(draft, "allow"),
  },
  "knows-no-options": {
    about: "answers 405 to OPTIONS, without Allow",
    meets: ({ method }) => (method === "OPTIONS" ? 405 : undefined),
  },
  "traces-nothing": sends("answers TRACE with its page", (draft, { method }) => {
    if (method === "TRACE") draft.content = "<p>page";
  }),
  "traces-secrets": sends("gives everything back to TRACE", (draft, request) => {
    if (request.method === "TRACE") draft.content = `${request.start}\r\n${request.fields.map(({ line }) => `${line}\r\n`).join("")}\r\n`;
  }),
  "agrees-to-connect-with-length": sends("says a length when it agrees to CONNECT", (draft, { method }) => {
    if (method === "CONNECT") draft.fields.push(["Content-Length", "0"]);
  }),
  "forgets-the-asterisk": {
    about: "does not answer OPTIONS *",
    meets: ({ target, from }) => (target === "*" && from > 0 ? "silence" : undefined),
  },

  // Interim responses.
  "hints-nothing": writes("sends a 103 without fields", (text) => text.replace(/^(HTTP\/1\.1 103 [^\r]*\r\n).*?\r\n\r\n/s, "$1\r\n")),
  "hints-with-a-length": writes("says a length in a 103", (text) =>
    text.replace(/^(HTTP\/1\.1 103 [^\r]*\r\n)/, "$1Content-Length: 0\r\n"),
  ),
  "hints-once": sends("sends hints for the first request only", (draft, { from }) => {
    if (from > 0) draft.interim = [];
  }),
  "hints-to-old-versions": sends("sends 103 to HTTP/1.0 as well", (draft, { target }) => {
    if (target === "/early") draft.interim = ["HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"];
  }),
  "hints-and-leaves": writes("ends the connection behind the hints, where it is to end anyway", (text, { fields, version }) =>
    text.startsWith("HTTP/1.1 103") &&
    valueOf(fields, "connection") === "close" &&
    valueOf(fields, "te") === undefined &&
    version === "HTTP/1.1"
      ? `${text.split("\r\n\r\n")[0]}\r\n\r\n`
      : text,
  ),

  // HTTP/2.
  "switches-without-a-name": writes("agrees to a protocol without naming it in Connection", (text) =>
    isSwitch(text) ? text.replace("Connection: Upgrade\r\n", "") : text,
  ),
  "switches-to-another": writes("agrees to another protocol than was asked for", (text, { fields }) =>
    isSwitch(text) && (valueOf(fields, "upgrade") ?? "").includes(",") ? text.replace("Upgrade: h2c", "Upgrade: x-odd/1") : text,
  ),
  "begins-without-settings": {
    about: "starts HTTP/2 without SETTINGS",
    frames: (frames) => frames.filter(({ type, flags }) => type !== "SETTINGS" || flags !== undefined),
  },
  "ignores-stream-3": { about: "answers stream 1 only", frames: (frames) => frames.filter(({ stream }) => stream !== 3) },
  "sends-beyond-the-window": {
    about: "sends content whatever the window",
    frames: (frames) =>
      frames.some(({ type, stream }) => type === "HEADERS" && stream === 1)
        ? [...frames.filter(({ type }) => type !== "DATA"), { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "page" }]
        : frames,
  },
  "switches-and-falls-silent": {
    about: "does not answer a POST after the upgrade to HTTP/2",
    frames: (frames) => frames.filter(({ type }) => type !== "HEADERS" && type !== "DATA"),
  },
  "changes-its-page": sends("answers another page every other time", (draft, request) => {
    if (isPath(request) && request.from > 0) draft.status = 203;
  }),
};

/** Flaws in responses must show in refusals too: these impostors refuse white space before a colon. */
const refuses = ({ fields }: ReadRequest): number | undefined => (fields.some(({ line }) => /^[^:]*[ \t]:/.test(line)) ? 400 : undefined);
export const HTTP1_ANSWERS: Readonly<Record<string, Http1ServerFlaw>> = Object.fromEntries(
  Object.entries(ANSWERS).map(([name, flaw]) => [name, { meets: refuses, ...flaw }]),
);
