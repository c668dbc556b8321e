import { type ReadRequest, valueOf } from "../../wire/http1/read.ts";
import type { Draft, Http1ServerFlaw } from "./flaw.ts";

/** Replaces field lines of the request before it is read: a server that ignores a field, or misreads it. */
const misreads = (about: string, line: RegExp, replacement = ""): Http1ServerFlaw => ({
  about,
  misreads: (text) => text.replaceAll(line, replacement),
});
/** Replaces the response to requests with this field. */
const answers = (about: string, name: string, answer: (draft: Draft, request: ReadRequest) => void): Http1ServerFlaw => ({
  about,
  sends: (draft, request) => {
    if (valueOf(request.fields, name) !== undefined) answer(draft, request);
  },
});

const named = (draft: Draft, name: string): string | undefined => draft.fields.find(([known]) => known.toLowerCase() === name)?.[1];
const without = (draft: Draft, name: string): void => {
  draft.fields = draft.fields.filter(([known]) => known.toLowerCase() !== name);
};
const failed = (draft: Draft): void => void Object.assign(draft, { status: 412, reason: "Precondition Failed", content: "" });
/** Changes the content of a response with several parts. */
const multipart = (about: string, change: (content: string) => string): Http1ServerFlaw =>
  answers(about, "range", (draft) => {
    if (named(draft, "content-type")?.startsWith("multipart") === true) draft.content = change(draft.content);
  });
const EARLY = "Thu, 01 Jan 1970 00:00:00 GMT";
const LATE = "Sat, 01 Jan 2050 00:00:00 GMT";

/** The flaws of an HTTP/1.1 server in conditional requests and ranges (rfc9110#13, rfc9110#14). */
export const HTTP1_CONDITIONS: Readonly<Record<string, Http1ServerFlaw>> = {
  // Entity tags.
  "compares-strongly": misreads("finds no weak entity tag in If-None-Match", /(If-None-Match: )W\/[^\r]*/g, '$1"none"'),
  "reads-one-tag": misreads("reads the first entity tag of If-None-Match only", /(If-None-Match: "[^"]*"),[^\r]*/g, "$1"),
  "knows-no-asterisk": misreads("does not know the asterisk", /(If-(?:None-)?Match: )\*/g, '$1"*"'),
  "matches-any-tag": misreads("answers 304 to any If-None-Match", /If-None-Match: "[^\r]*/g, "If-None-Match: *"),
  "ignores-if-match": misreads("ignores If-Match", /If-Match: [^\r]*\r\n/g),
  "reads-one-tag-of-if-match": misreads("reads the first entity tag of If-Match only", /(If-Match: "[^"]*"),[^\r]*/g, "$1"),
  "compares-weakly": misreads("compares weakly in If-Match and If-Range", /(If-(?:Match|Range): )W\//g, "$1"),
  "looks-at-if-none-match-first": misreads("evaluates If-None-Match before If-Match", /If-Match: [^\r]*\r\n(?=If-None-Match: "impostor")/g),

  // Dates.
  "prefers-dates": misreads("evaluates dates before entity tags", /If-(?:None-)?Match: [^\r]*\r\n(?=If-\w+-Since: )/g),
  "takes-any-date-for-late": misreads("answers 304 to any If-Modified-Since", /If-Modified-Since: [^\r]*/g, `If-Modified-Since: ${LATE}`),
  "reads-one-date": misreads("reads the first of two dates", /(If-\w+-Since: [^\r]* GMT),[^\r]*/g, "$1"),
  "takes-no-date-for-early": misreads(
    "treats an invalid date in If-Unmodified-Since as the earliest",
    /If-Unmodified-Since: the [^\r]*/g,
    `If-Unmodified-Since: ${EARLY}`,
  ),
  "takes-any-date-for-early": misreads(
    "answers 412 to any If-Unmodified-Since",
    /If-Unmodified-Since: [^\r]*/g,
    `If-Unmodified-Since: ${EARLY}`,
  ),
  "ignores-if-unmodified-since": misreads("ignores If-Unmodified-Since", /If-Unmodified-Since: [^\r]*\r\n/g),
  "knows-one-format": misreads("knows dates only in IMF-fixdate", /If-Modified-Since: (?!\w{3},)[^\r]*\r\n/g),
  "adds-2000-to-years": misreads(
    "takes every year of two digits for one of this century",
    /If-Modified-Since: \w+day, \d\d-\w{3}-([5-9]\d) [^\r]*/g,
    "If-Modified-Since: Sat, 01 Jan 20$1 00:00:00 GMT",
  ),
  "answers-post-with-304": answers("answers 304 to a POST with a date", "if-modified-since", (draft, { method }) => {
    if (method === "POST") Object.assign(draft, { status: 304, reason: "Not Modified", content: "", framing: "none" });
  }),
  "conditions-before-all": answers("answers 412 where nothing is", "if-match", (draft) => {
    if (draft.status === 404) failed(draft);
  }),
  "conditions-for-options": answers("answers 412 to OPTIONS", "if-match", (draft, { method }) => {
    if (method === "OPTIONS") failed(draft);
  }),

  // Ranges.
  "sends-another-part": answers("sends another part than it says", "range", (draft) => {
    if (draft.status === 206) draft.content = draft.content.replace(/./s, "?");
  }),
  "sends-an-octet-more": answers("sends an octet more than it says", "range", (draft) => {
    if (draft.status === 206) draft.content += "?";
  }),
  "says-no-range": answers("sends 206 without Content-Range", "range", (draft) => {
    if (draft.status === 206) without(draft, "content-range");
  }),
  "says-no-length": answers("says no complete length", "range", (draft) => {
    const said = named(draft, "content-range")?.replace(/\/\d+$/, "/*");
    without(draft, "content-range");
    if (said !== undefined && draft.status === 206) draft.fields.push(["Content-Range", said]);
  }),
  "ignores-ranges-but-one": misreads("sends the whole page for all ranges but the first octet", /Range: bytes=(?!0-0\r)[^\r]*\r\n/g),
  "overflows-at-2-to-the-64": misreads("reads numbers modulo 2^64", /36893488147419103232/g, "0"),
  "takes-any-unit-for-octets": misreads("treats any range unit as bytes", /Range: touchstones=/g, "Range: bytes="),
  "ranges-for-head": answers("answers HEAD with 416", "range", (draft, { method }) => {
    if (method === "HEAD") Object.assign(draft, { status: 416, reason: "Range Not Satisfiable" });
  }),
  "ranges-for-post": answers("answers POST with 206", "range", (draft, { method }) => {
    if (method === "POST") Object.assign(draft, { status: 206, reason: "Partial Content", content: draft.content.slice(0, 1) });
  }),
  "joins-nothing": answers("says Content-Range in the head of a multipart", "range", (draft) => {
    if (named(draft, "content-type")?.startsWith("multipart") === true) draft.fields.push(["Content-Range", "bytes 0-5/1"]);
  }),
  "forgets-its-tag": answers("sends 206 without ETag", "range", (draft) => {
    if (draft.status === 206) without(draft, "etag");
  }),
  "ranges-before-conditions": misreads("evaluates Range before If-None-Match", /(Range: bytes=0-0\r\n)If-None-Match: [^\r]*\r\n/g, "$1"),
  "ignores-if-range": misreads("ignores If-Range", /If-Range: [^\r]*\r\n/g),
  "ignores-ranges-with-if-range": misreads("ignores Range where If-Range is", /Range: bytes=0-0\r\n(?=If-Range)/g),
  "reorders-parts": misreads("sorts ranges", /bytes=5-5,0-0/g, "bytes=0-0,5-5"),
  "parts-without-types": multipart("says no Content-Type in parts", (content) => content.replaceAll(/content-type: [^\r]*\r\n/gi, "")),
  "parts-in-bare-lines": multipart("ends the lines of parts with LF alone", (content) => content.replaceAll("\r\n", "\n")),
  "repeats-what-is-known": answers("says Content-Type in a 206 with If-Range", "if-range", (draft) => {
    if (draft.status === 206) draft.fields.push(["Content-Type", "text/plain"]);
  }),
  "obeys-content-range": answers("answers 206 to Content-Range", "content-range", (draft) => {
    Object.assign(draft, { status: 206, reason: "Partial Content", content: draft.content.slice(0, 1) });
  }),
  "describes-what-is-not-modified": answers("says Content-Type in a 304", "if-none-match", (draft) => {
    if (draft.status === 304) draft.fields.push(["Content-Type", "text/plain"]);
  }),
  "codes-by-identity": answers("says Content-Encoding: identity", "accept-encoding", (draft) => {
    draft.fields.push(["Content-Encoding", "identity"]);
  }),
  "modified-tomorrow": {
    about: "says a Last-Modified in the future",
    sends: (draft) => {
      without(draft, "last-modified");
      draft.fields.push(["Last-Modified", LATE]);
    },
  },
  "if-range-alone": answers("treats If-Range without Range as If-Match", "if-range", (draft, { fields }) => {
    if (valueOf(fields, "range") === undefined) failed(draft);
  }),
};
