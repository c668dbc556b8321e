import { membersOf, type ReadRequest, valueOf } from "../../wire/http1/read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import { HTTP1_ANSWERS } from "./server-answers.ts";
import { HTTP1_CONDITIONS } from "./server-conditions.ts";

import type { AskedPeer, Http1ServerFlaw } from "./flaw.ts";

const START = /^(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE) \/[a-z-]* HTTP\/1\.1$/;
const FIELD =
  /^(?:Host: [a-z\d.:]+|Connection: (?:close|keep-alive)|Content-Length: [1-9]\d{0,5}|Transfer-Encoding: chunked|Expect: 100-continue|TE: trailers|X-Odd: [\w -]*(?:: \w+)?)$/;
/** More fields than any plain request has. */
const FEW = 5;

/** Five octets in one chunk, or no chunks at all. */
const PLAIN_CHUNKS = new Set(["", "5 0"]);

/** A request in an unusual spelling. */
function isUnusual(request: ReadRequest, peer: AskedPeer): boolean {
  const { start, fields, chunks, trailers, oddities, method, content } = request;
  if (!START.test(start) || fields.length > FEW || !fields.every(({ line }) => FIELD.test(line))) return true;
  if (!PLAIN_CHUNKS.has(chunks.map(({ line }) => line).join(" ")) || !/^[\w=]*$/.test(toLatin1(content))) return true;
  if (request.framing === "length" && content.length === 0) return true;
  if (trailers.length > 0 || oddities.length > 0 || peer.strays) return true;
  return content.length > 0 && method !== "POST" && method !== "PUT";
}

/** What spoils chunks behind good ones, in a read of its own. */
const SPOILED = /^(?:5g\r\n|\r\nhello|5\r\nhelloo|0\r\nX-Odd\r\n)/;

/** Selects by a name in the path. */
const isMissing = ({ target }: ReadRequest): boolean => target.includes("touchstone-looks");
const option = ({ fields }: ReadRequest, name: string): boolean => membersOf(fields, "connection").includes(name);
const has = ({ fields }: ReadRequest, line: RegExp): boolean => fields.some((field) => line.test(field.line));

const meets = (about: string, meet: NonNullable<Http1ServerFlaw["meets"]>): Http1ServerFlaw => ({ about, meets: meet });
const keeps = (about: string, keep: NonNullable<Http1ServerFlaw["keeps"]>): Http1ServerFlaw => ({ about, keeps: keep });
const misreads = (about: string, misread: NonNullable<Http1ServerFlaw["misreads"]>): Http1ServerFlaw => ({ about, misreads: misread });

const known = ({ method }: ReadRequest): number | undefined => (/^(?:GET|HEAD|POST|OPTIONS)$/.test(method) ? undefined : 501);

/** HTTP/1.1 servers with one flaw each. The blunt ones come first: they fail most cases at once. */
export const HTTP1_SERVER_FLAWS: Readonly<Record<string, Http1ServerFlaw>> = {
  lenient: { about: "accepts everything as what it looks like" },
  silent: { about: "answers nothing", mute: true },
  slams: { about: "ends every connection at once", slams: true },
  "crashes-on-the-unusual": meets("answers 500 to what is not written as everybody writes it", (request, peer) =>
    isUnusual(request, peer) ? 500 : undefined,
  ),
  "refuses-the-unusual": meets("answers 400 to what is not written as everybody writes it", (request, peer) =>
    isUnusual(request, peer) ? 400 : undefined,
  ),
  "answers-the-unusual-twice": {
    about: "answers an unusually written request twice",
    writes: (text, request, peer) => (isUnusual(request, peer) ? text + text : text),
  },
  "knows-no-chunks": meets("answers 411 to chunks", ({ framing }) => (framing === "chunked" ? 411 : undefined)),
  "knows-no-content": meets("answers 413 to content", ({ content }) => (content.length > 0 ? 413 : undefined)),

  // Reading.
  "reads-by-the-segment": {
    about: "treats every read as the start of a request, and answers 501 to anything else",
    misreads: (text, peer) => {
      peer.forget();
      return text;
    },
    meets: known,
  },
  "deaf-behind-one-request": misreads("passes over the second read, where the first was one request", (text, { reads, count }) =>
    reads === 2 && count === 1 ? "" : text,
  ),
  "one-request-a-read": misreads(
    "passes over what stands behind the first request of a read",
    (text) => /^.*?\r\n\r\n/s.exec(text)?.[0] ?? text,
  ),
  "reads-twice": misreads("reads no more than twice", (text, peer) => (peer.reads > 2 ? "" : text)),
  "reads-four-times": misreads("reads no more than four times", (text, peer) => (peer.reads > 4 ? "" : text)),
  "takes-carriage-returns-for-line-ends": misreads("treats a CR as the end of a line", (text) => text.replaceAll(/\r(?!\n)/g, "\r\n")),
  "unfolds-into-fields": misreads("treats a folded line as a field of its own", (text) =>
    text.replaceAll(/\r\n[ \t]+(?=[\w-]+:)/g, "\r\n"),
  ),
  "drops-white-space-before-fields": misreads("ignores white space before the first field", (text) =>
    text.replaceAll(/(HTTP\/1\.1\r\n)[ \t]+/g, "$1"),
  ),
  "reads-characters": misreads("treats an octet beyond ASCII as the first of two", (text) => text.replaceAll(/[\xc0-\xff]\r/g, "?")),
  "passes-over-content": misreads("answers 404 before it reads the content, and then reads that as requests", (text) =>
    text.replaceAll(/((?:POST|PUT|BREW) \/touchstone-looks.*?)Content-Length: \d+\r\n/gs, "$1"),
  ),
  "expects-no-content-of-get": misreads("reads the content of methods that seldom have any as requests", (text) =>
    text.replaceAll(/((?:GET|HEAD|OPTIONS|DELETE) \/ .*?)(?:Content-Length: \d+|Transfer-Encoding: chunked)\r\n/gs, "$1"),
  ),
  "counts-one-less": {
    about: "treats a length of five as four, and answers 501 to the rest",
    misreads: (text) => text.replaceAll("Content-Length: 5\r\n", "Content-Length: 4\r\n"),
    meets: known,
  },
  "tires-after-sixteen": meets("answers no more than sixteen requests of a connection", (_, { count }) =>
    count > 16 ? "silence" : undefined,
  ),
  "takes-the-end-for-the-end": { about: "treats the end of the connection as the end of a request", onEnd: "serves what is there" },
  "leaves-with-the-client": { about: "drops what it has not answered when the client ends its half", onEnd: "drops all", late: 20 },
  "never-ends-idle-connections": { about: "ignores that the client closed its half", onEnd: "nothing" },
  "goes-by-host": meets("goes by Host whatever the target says", ({ fields }) =>
    valueOf(fields, "host") === "other.example" ? 404 : undefined,
  ),
  "reads-schemes-by-the-letter": meets("knows schemes only in lower case", ({ target }) => (/^[A-Z]+:/.test(target) ? 404 : undefined)),
  "expects-content": meets("does not answer a request that expects 100 and has no content", ({ fields, method }) =>
    method === "GET" && valueOf(fields, "expect") !== undefined ? "silence" : undefined,
  ),

  // Tunnels.
  "chunks-tunnels": {
    about: "sends what comes through a tunnel in chunks",
    tunnels: { back: (text) => `${text.length.toString(16)}\r\n${text}\r\n` },
  },
  "swallows-tunnels": { about: "answers CONNECT with 200, and carries nothing", tunnels: { out: () => "" } },
  "keeps-tunnels-open": { about: "keeps a tunnel open whose far end has closed", tunnels: { staysOpen: true } },
  "narrows-tunnels": {
    about: "carries only the first octets of a longer piece through a tunnel",
    tunnels: { out: (text) => text.slice(0, 4_000), back: (text) => text.slice(0, 4_000) },
  },
  "cuts-long-content": {
    about: "loses an octet of content that is longer than a few reads",
    sends: (draft, { content }) => {
      if (content.length > 65_536) draft.content = draft.content.slice(1);
    },
  },

  "refuses-within-its-answer": misreads("begins to answer, and sends its refusal of wrong chunks within that answer", (text, peer) => {
    if (!SPOILED.test(text)) return text;
    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nHTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    peer.close();
    return "";
  }),

  // Persistence of connections.
  "closes-by-the-letter": keeps("knows close only as everybody writes it", (request) => has(request, /^Connection: close$/)),
  "keeps-old-connections": keeps("keeps connections of HTTP/1.0", ({ version }, close) => close && version !== "HTTP/1.0"),
  "keeps-old-connections-by-the-letter": keeps(
    "knows keep-alive of HTTP/1.0 only as everybody writes it",
    (request, close) => close || (request.version === "HTTP/1.0" && !has(request, /^Connection: keep-alive$/)),
  ),
  "keep-alive-wins": keeps(
    "keeps a connection where keep-alive stands beside close",
    (request, close) => close && !option(request, "keep-alive"),
  ),
  "closes-by-the-word": keeps("ends the connection wherever it reads close", (request, close) => close || has(request, /close/i)),
  "closes-on-keep-alive": keeps("ends the connection that is asked to be kept", (request, close) => close || option(request, "keep-alive")),
  "closes-on-unknown-options": keeps(
    "ends the connection where an option is not known",
    (request, close) => close || option(request, "x-odd"),
  ),
  "keeps-after-errors": keeps("keeps the connection behind what is not there", (request, close) => close && !isMissing(request)),
  "keeps-after-head": keeps("keeps the connection behind HEAD", ({ method }, close) => close && method !== "HEAD"),
  "keeps-after-post": keeps("keeps the connection behind POST", ({ method }, close) => close && method !== "POST"),
  "goes-on-behind-close": keeps("goes on behind a close that it has obeyed", (request, close) => close && request.from === 0),

  // Expectations.
  "continues-and-falls-silent": meets("sends 100, and nothing after it", (request) =>
    valueOf(request.fields, "expect") === undefined ? undefined : "silence",
  ),
  "waits-for-content": { about: "sends 100 only after the content has arrived", continues: () => false },
  "expects-by-the-letter": {
    about: "recognises 100-continue only in its usual spelling",
    continues: (request) => has(request, /^Expect: 100-continue$/),
  },
  "continues-lengths-only": {
    about: "sends no 100 for chunks",
    continues: (request) => has(request, /^Expect: 100-continue$/) && request.framing === "length",
  },
  "continues-old-versions": { about: "sends 100 to HTTP/1.0 as well", continues: (request) => has(request, /^Expect: 100-continue$/) },
  "continues-without-upgrade": {
    about: "sends no 100 if there is another expectation",
    continues: (request) => has(request, /^Expect: 100-continue$/) && valueOf(request.fields, "upgrade") === undefined,
  },

  // The upgrade to HTTP/2.
  "switches-without-settings": {
    about: "upgrades to h2c without HTTP2-Settings",
    switches: ({ fields }) => membersOf(fields, "upgrade").includes("h2c"),
  },
  "switches-to-h2": { about: "upgrades to h2 in clear text", switches: ({ fields }) => /\bh2c?\b/.test(valueOf(fields, "upgrade") ?? "") },
  "switches-to-anything": { about: "agrees to any protocol", switches: ({ fields }) => valueOf(fields, "upgrade") !== undefined },
  ...HTTP1_ANSWERS,
  ...HTTP1_CONDITIONS,

  // Flaws that also show by chance, if two reads become one or one connection ends another.
  "ends-the-first-chunks-only": {
    about: "omits the last chunk of every response but the first of a read",
    orders: (responses) => responses.map((text, at) => (at === 0 ? text : text.replace(/0\r\n\r\n$/, ""))),
  },
  "answers-backwards": { about: "answers the requests of a read in reverse", orders: (answers) => answers.toReversed() },
  "dies-of-resets": { about: "stops serving after a connection is reset", dies: true },

  "closes-after-errors": keeps(
    "ends the connection behind what is not there, without saying so",
    (request, close) => close || isMissing(request),
  ),
  "closes-always": keeps("ends every connection behind the first answer", () => true),
};
