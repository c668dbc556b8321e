import type { ClientRequest } from "../../harness/subject/subject.ts";

/** The parts of a request before it is written. */
export type RequestParts = {
  readonly method: ClientRequest["method"];
  readonly target: string;
  readonly version: string;
  readonly fields: readonly string[];
  readonly content: string;
  /** The line end. */
  readonly end: string;
  readonly userinfo: string | undefined;
};

/** The mistakes of an HTTP/1.1 client. Without one it accepts everything as a response, and any end as complete. */
export type Http1ClientFlaw = {
  readonly about: string;
  readonly mute?: true;
  /** Ends with this status as soon as it has connected. */
  readonly leaves?: 0 | 1;
  /** Drops the connection on any answer. */
  readonly slams?: true;

  /** The target for an address. */
  readonly target?: (url: string) => string;
  readonly request?: (parts: RequestParts) => Partial<RequestParts>;

  /** The line ends that it recognises, and the end of the head. */
  readonly lines?: RegExp;
  readonly headEnd?: RegExp;
  /** Treats a response without a plain status line as HTTP/0.9. */
  readonly old?: true;
  readonly nonsenseEndsHead?: true;
  readonly nulEnds?: true;
  /** Refuses anything unusual. */
  readonly fussy?: true;
  /** Hangs if the head matches. */
  readonly sticks?: RegExp;
  readonly interimIsFinal?: true;
  readonly interimHasContent?: true;

  readonly lengthFirst?: true;
  readonly noLengths?: true;
  readonly needsLength?: true;
  readonly zeroIsNone?: true;
  /** Treats an empty length as 0, whatever another line says. */
  readonly emptyIsZero?: true;
  readonly noChunks?: true;
  readonly fewChunks?: true;
  readonly decimalSizes?: true;
  /** Looks for the last chunk anywhere, even inside other chunks. */
  readonly endByText?: true;
  readonly mergesTrailers?: true;
  readonly trailersAreContent?: true;
  /** Waits for the content of a response that has none. */
  readonly waitsForContent?: true;
  readonly errorsAreEmpty?: true;
  /** Supports printable octets only. */
  readonly asText?: true;
  /** Does not notice that the connection has ended. */
  readonly waits?: true;
  /** Treats the octets of one read as the whole response. */
  readonly bySegment?: true;

  /** Reuses its connection even after Connection: close. */
  readonly clings?: true;
  readonly neverReuses?: true | "after POST";
  /** Treats octets after one response as the next. */
  readonly keepsRest?: true;
  readonly retries?: true;
  /** Repeats the request if the response is not a success. */
  readonly asksAgain?: true | "by GET";
};

/** Rewrites its request only. */
const sends = (about: string, request: NonNullable<Http1ClientFlaw["request"]>): Http1ClientFlaw => ({ about, request });
const adds = (about: string, ...fields: readonly string[]): Http1ClientFlaw =>
  sends(about, (parts) => ({ fields: [...parts.fields, ...fields] }));
const withoutLength = (fields: readonly string[]): string[] => fields.filter((line) => !line.startsWith("Content-Length"));
/** Everything after the authority, unchanged. */
const behindAuthority = (url: string): string => url.replace(/^\w+:\/\/[^/?#]*/, "");

/** HTTP/1.1 clients that are wrong on purpose, by name. */
export const HTTP1_CLIENT_FLAWS: Readonly<Record<string, Http1ClientFlaw>> = {
  lenient: { about: "accepts everything, and treats any end as a good one" },
  silent: { about: "connects, and says nothing", mute: true },
  "leaves-at-once": { about: "ends with status 0 before anything has come", leaves: 0 },
  "fails-at-once": { about: "ends with status 1 before anything has come", leaves: 1 },
  slams: { about: "asks, then drops the connection on any answer", slams: true },
  "older-version": sends("says HTTP/1.0", ({ fields }) => ({ version: "HTTP/1.0", fields: [...fields, "Connection: keep-alive"] })),
  "bare-lf": sends("ends its lines in LF", () => ({ end: "\n" })),
  "space-before-colon": sends("writes a space before the colon", ({ fields }) => ({ fields: [...fields, "X-Odd : 1"] })),
  "host-last": sends("sends Host last", ({ fields }) => ({ fields: [...fields.slice(1), fields[0] ?? ""] })),
  "userinfo-in-host": sends("writes user information into Host", ({ fields, userinfo }) =>
    userinfo === undefined ? {} : { fields: [(fields[0] ?? "").replace(": ", `: ${userinfo}@`), ...fields.slice(1)] },
  ),
  "raw-target": { about: "sends everything after the authority unchanged", target: behindAuthority },
  "decoded-target": { about: "decodes its target", target: (url) => decodeURIComponent(new URL(url).pathname) },
  "short-targets": { about: "cuts its target", target: (url) => behindAuthority(url).slice(0, 4096) || "/" },
  "tidy-paths": {
    about: "writes a path in its own way",
    target: (url) => `${new URL(url).pathname.replaceAll("~", "%7E")}${new URL(url).search}`,
  },
  "two-agents": adds("sends User-Agent twice", "User-Agent: another"),
  "empty-members": adds("leaves members of a list empty", "Accept: text/plain,, */*"),
  "refers-to-itself": adds("sends a Referer for a page that nothing led to", "Referer: http://touchstone.example/"),
  "long-weights": adds("writes a weight with four digits", "Accept-Language: de;q=0.1234"),
  "weights-first": adds("writes a parameter behind the weight", "Accept: text/html;q=0.5;level=1"),
  "bad-white-space": adds("writes spaces around equals signs", "Accept: text/plain; q = 1"),
  "offers-h2c": adds(
    "offers h2c, and does not know what 101 means",
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABk",
  ),
  "offers-h2c-alone": adds("offers h2c, and does not list it", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
  "offers-h2c-and-leaves": {
    ...adds("offers h2c, and fails where a connection is the last", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"),
    sticks: /Connection: close/,
  },
  "te-alone": adds("sends TE, and does not name it", "TE: trailers"),
  "names-host": adds("names Host in Connection", "Connection: host"),
  "te-chunked": adds("asks for chunks by TE", "TE: chunked", "Connection: TE"),
  "length-with-get": sends("says that it has no content", ({ fields, method }) =>
    method === "POST" ? {} : { fields: [...fields, "Content-Length: 0"] },
  ),
  "post-in-chunks": sends("sends its content in chunks", ({ method, fields, content }) =>
    method === "POST"
      ? {
          fields: [...withoutLength(fields), "Transfer-Encoding: chunked"],
          content: `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
        }
      : {},
  ),
  "post-framed-twice": sends("frames its content twice", ({ method, fields, content }) =>
    method === "POST"
      ? { fields: [...fields, "Transfer-Encoding: chunked"], content: `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n` }
      : {},
  ),
  "expects-for-nothing": adds("expects 100 for nothing", "Expect: 100-continue"),
  "old-dates": adds("writes dates as of old", "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"),
  "retries-on": { about: "tries again and again", retries: true },
  "cr-ends-lines": { about: "treats a lone CR as a line end", lines: /\r\n|\r|\n/, headEnd: /\r?\n\r?\n|\r\r/ },
  "cr-and-octet-end-lines": {
    about: "ends a line at CR and any octet",
    lines: /\r\n|\r[^\n]|\n/,
    headEnd: /\r?\n\r?\n|\r\n\r[^\n]/,
  },
  // oxlint-disable-next-line no-control-regex -- the flaw is about controls
  "other-lines": { about: "splits lines at the separators of other encodings too", lines: /\r\n|[\x0b\x0c\x1c-\x1e\x85]/ },
  "crlf-only": { about: "waits for CRLF, and sees no response without it", headEnd: /\r\n\r\n/ },
  "c-strings": { about: "ignores everything after NUL", nulEnds: true },
  "head-ends-at-nonsense": { about: "treats the first line that is not a field as content", nonsenseEndsHead: true },
  "sticks-to-repeated-lengths": {
    about: "hangs on a length that comes twice",
    sticks: /content-length: 10(?:, 10|[^]*content-length: 10)/i,
  },
  // oxlint-disable-next-line no-control-regex -- the flaw is about controls
  "sticks-to-controls": { about: "hangs on controls in a value", sticks: /[\x01\x07\x7f]/ },
  "sticks-to-large-heads": { about: "hangs on a large head", sticks: /^[^]{16000}/ },
  "sticks-to-long-reasons": { about: "hangs on a long reason", sticks: /^HTTP\/1\.1 \d+ [^\r\n]{1000}/ },
  "sticks-to-high-statuses": { about: "hangs on a status from 600", sticks: /^HTTP\/1\.1 [6-9]/ },
  "interim-has-content": { about: "reads content after 1xx", interimHasContent: true },
  "length-first": { about: "believes Content-Length before Transfer-Encoding", lengthFirst: true },
  "needs-length": { about: "refuses content without a length", needsLength: true },
  "zero-is-none": { about: "treats the length 0 as a missing length", zeroIsNone: true },
  "empty-is-zero": { about: "treats an empty length as 0", emptyIsZero: true },
  "no-chunks": { about: "treats chunks as content", noChunks: true },
  "few-chunks": { about: "reads eight chunks, and not the ninth", fewChunks: true },
  "ends-by-text": { about: "looks for the last chunk inside of others", endByText: true },
  "merges-trailers": { about: "believes a length among the trailers", mergesTrailers: true },
  "trailers-are-content": { about: "treats trailers as content", trailersAreContent: true },
  "waits-for-content": { about: "waits for the content of HEAD, 204 and 304", waitsForContent: true },
  "errors-are-empty": { about: "discards the content of errors", errorsAreEmpty: true },
  "as-text": { about: "supports printable octets only", asText: true },
  waits: { about: "does not notice the end of the connection", waits: true },
  clings: { about: "reuses its connection even after Connection: close", clings: true },
  "never-reuses": { about: "opens a connection for each request", neverReuses: true },
  "never-reuses-after-post": { about: "opens a new connection after each POST", neverReuses: "after POST" },
  "keeps-the-rest": { about: "treats octets after one answer as the next", keepsRest: true },
  "asks-again": { about: "repeats the request if the answer is not a success", asksAgain: true },
  "asks-again-by-get": { about: "asks again by GET if the answer is not a success", asksAgain: "by GET" },
  "absolute-form": { about: "sends the whole address", target: (url) => url },
  "extra-line-end": sends("sends a line end behind its request", ({ content }) => ({ content: `${content}\r\n` })),
  folds: adds("folds a field", "X-Odd: a\r\n b"),
  "another-host": sends("names another host", ({ fields }) => ({ fields: ["Host: elsewhere", ...fields.slice(1)] })),
  "two-hosts": sends("sends Host twice", ({ fields }) => ({ fields: [...fields, fields[0] ?? ""] })),
  "content-with-get": sends("sends content with everything", ({ fields, method }) =>
    method === "POST" ? {} : { fields: [...fields, "Content-Length: 2"], content: "hi" },
  ),
  "post-without-length": sends("does not say how long its content is", ({ fields }) => ({ fields: withoutLength(fields), content: "" })),
  old: { about: "treats a response without a plain status line as HTTP/0.9", old: true },
  "interim-is-final": { about: "treats 1xx as the answer", interimIsFinal: true },
  "two-spaces": sends("writes two spaces", ({ target }) => ({ target: ` ${target}` })),
  "by-segment": { about: "treats the octets of one read as the whole response", bySegment: true },
  "decimal-sizes": { about: "reads sizes of chunks as decimal numbers", decimalSizes: true },
  "closes-and-goes-on": { ...adds("says close, and goes on", "Connection: close"), clings: true },
  "keeps-the-rest-as-of-old": {
    about: "the same, and treats a response without a plain status line as HTTP/0.9",
    keepsRest: true,
    old: true,
  },
  fussy: { about: "refuses anything unusual", fussy: true },
  "no-lengths": { about: "reads until the connection ends, whatever the length", noLengths: true },
};
