import type { Allowed, Case, FieldSight, Outcome, Sight } from "../../vocabulary.ts";
import { answered, get, likePath, permitted, post, request, send, servedWith } from "../phrases.ts";

/** RFC 9110, sections 13.1.5, 14 and 15.3.7: ranges, of servers that answered a range of one octet with 206. A server may ignore any range. */

const OTHER = '"touchstone-has-no-such-tag"';
/** A position that no page reaches, and numbers that no machine integer holds. */
const FAR = "999999999999999";
const HUGE = "36893488147419103232";

/** What is sent is what Content-Range says, and a part of the page. */
const parts: Sight = { see: "holds", monitor: "ranges are parts of the whole" };
const everything: Sight = { see: "holds", monitor: "ranges are the whole" };
const contentRange = (pattern: string): FieldSight => ({ name: "content-range", pattern });
const notMultipart: Sight = {
  see: "not",
  of: { see: "response", nth: 2, fields: [{ name: "content-type", pattern: "^multipart/byteranges" }] },
};
/** The second of two responses: the whole page, since a server may ignore Range (rfc9110#14.2). */
const ignored = (verdict: "pass" | "warn" = "pass"): Outcome => permitted(servedWith(3, likePath(1), likePath(2)), "rfc9110#14.2", verdict);
const partial = (pattern: string, ...also: readonly Sight[]): Sight =>
  servedWith(3, likePath(1), answered(2, { status: [206], fields: [contentRange(pattern)] }), parts, ...also);
/** The whole page twice. */
const wholeTwice: Allowed = [{ see: servedWith(3, likePath(1), likePath(2)) }];

/** The page, and then the same request with these fields, on one connection: parts are compared with the page. */
const played = (...fields: readonly string[]): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [send(`${get()}${get(...fields)}`)],
  control: [send(`${get()}${get()}`)],
});

const needs = ["range", "pipelining", "content"] as const;

/** Ranges that can be satisfied: 206 with exactly that part. */
const satisfiable = [
  ["first-octet", "0-0", "^bytes 0-0/(?:\\d+|\\*)$", "the first octet"],
  ["last-octet", "-1", "^bytes (\\d+)-\\1/(?:\\d+|\\*)$", "the last octet"],
  ["from-the-second", "1-", "^bytes 1-\\d+/(?:\\d+|\\*)$", "everything but the first octet"],
  ["beyond-the-end", `0-${FAR}`, "^bytes 0-\\d+/(?:\\d+|\\*)$", "everything, by an end beyond that of the page", everything],
  ["suffix-beyond-the-start", `-${FAR}`, "^bytes 0-\\d+/(?:\\d+|\\*)$", "everything, by a suffix longer than the page", everything],
] as const;

const MULTIPART: FieldSight = { name: "content-type", pattern: "^multipart/byteranges" };
/** Fields that the client of a partial response has from the first one. */
const KNOWN = ["content-type", "content-language", "content-encoding", "last-modified"] as const;
/** One part of one octet: its boundary, its fields, an empty line, the octet. */
const PART = "--[^\\r\\n]+\\r\\n(?:[^\\r\\n]+\\r\\n)+\\r\\n.\\r\\n";
/** What the parts of a 206 look like: the sixth octet was asked for before the first. */
const several: readonly (Pick<Case, "spec" | "covers" | "title"> & {
  readonly id: string;
  readonly level?: Case["level"];
  readonly pattern: string;
})[] = [
  {
    id: "in-order",
    spec: "rfc9110#15.3.7.2",
    covers: ["rfc9110#15.3.7.2/requested-order"],
    title: "The parts of a 206 come in the order in which they were requested.",
    pattern: "content-range: *bytes 5-5/.*content-range: *bytes 0-0/",
  },
  {
    id: "types",
    spec: "rfc9110#15.3.7.2",
    covers: ["rfc9110#15.3.7.2/part-type"],
    title: "Each part of a 206 has the Content-Type of the page.",
    pattern: "\\ncontent-type:.*\\n\\r?\\n.*\\ncontent-type:",
  },
  {
    id: "lines",
    spec: "rfc9110#8.3.3",
    covers: ["rfc9110#8.3.3/multipart-crlf"],
    level: "MUST",
    title: "The lines between the parts of a 206 end in CRLF.",
    pattern: `^(?:\\r\\n)?${PART}${PART}--[^\\r\\n]+--`,
  },
];

export const cases: readonly Case[] = [
  ...satisfiable.map(([name, range, pattern, words, ...also]): Case => ({
    id: `http1/range-${name}`,
    spec: "rfc9110#15.3.7.1",
    covers: ["rfc9110#15.3.7.1/content-range", "rfc9110#15.3.7.2/single-not-multipart"],
    level: "MUST",
    needs,
    title: `A 206 for ${words} has that range as its content, and says so in Content-Range.`,
    ...played(`Range: bytes=${range}`),
    allowed: [{ see: partial(pattern, notMultipart, ...also) }, ignored()],
  })),
  {
    id: "http1/range-answered",
    spec: "rfc9110#14.2",
    covers: ["rfc9110#14.2/partial"],
    level: "SHOULD",
    needs,
    title: "A server that supports ranges answers one within the page with 206.",
    ...played("Range: bytes=1-2"),
    allowed: [{ see: partial("^bytes 1-2/(?:\\d+|\\*)$") }],
  },
  {
    id: "http1/range-complete-length",
    spec: "rfc9110#14.4",
    covers: ["rfc9110#14.4/complete-length"],
    level: "SHOULD",
    needs: [...needs, "length"],
    title: "Content-Range states the complete length where the page has one.",
    ...played("Range: bytes=0-0"),
    allowed: [{ see: partial("^bytes 0-0/\\d+$") }, ignored()],
  },
  {
    id: "http1/range-beyond-every-integer",
    spec: "rfc9110#14.1.2",
    covers: ["rfc9110#14.1.2/large-numbers"],
    level: "MUST",
    needs,
    title: "An end of 2^65 does not overflow: the range is the whole page.",
    ...played(`Range: bytes=0-${HUGE}`),
    allowed: [
      { see: partial("^bytes 0-\\d+/(?:\\d+|\\*)$", everything) },
      ignored(),
      permitted(servedWith(3, likePath(1), answered(2, { status: ["4xx"] })), "rfc9110#14.2", "warn"),
    ],
  },
  {
    id: "http1/range-unsatisfiable",
    spec: "rfc9110#15.5.17",
    covers: ["rfc9110#14.2/unsatisfiable", "rfc9110#15.5.17/content-range", "rfc9110#14.4/416-length"],
    level: "SHOULD",
    needs,
    title: "The server answers a range beyond the page with 416 and the length of the page.",
    ...played(`Range: bytes=${FAR}-`),
    allowed: [
      { see: servedWith(3, likePath(1), answered(2, { status: [416], fields: [contentRange("^bytes \\*/\\d+$")] })) },
      ignored("pass"),
    ],
  },
  {
    id: "http1/range-unknown-unit",
    spec: "rfc9110#14.2",
    covers: ["rfc9110#14.2/unknown-unit"],
    level: "MUST",
    needs,
    title: "The server ignores a Range with an unknown unit.",
    ...played("Range: touchstones=0-0"),
    allowed: wholeTwice,
  },
  {
    id: "http1/range-with-head",
    spec: "rfc9110#14.2",
    covers: ["rfc9110#14.2/ignored-for-others"],
    level: "MUST",
    role: "server",
    needs: ["range", "head", "content"],
    title: "The server ignores Range with HEAD, for which no handling of it is defined.",
    steps: [send(request("HEAD", "Range: bytes=0-0"))],
    control: [send(request("HEAD"))],
    // HEAD is GET without the content (rfc9110#9.3.2), and most servers read that sentence as the definition that rfc9110#14.2 asks for.
    allowed: [
      { see: servedWith(2, likePath()) },
      permitted(servedWith(2, answered(1, { status: [206], framing: "none" })), "rfc9110#9.3.2", "warn"),
    ],
  },
  {
    id: "http1/range-with-post",
    spec: "rfc9110#14.2",
    covers: ["rfc9110#14.2/ignored-for-others"],
    level: "MUST",
    role: "server",
    needs: ["range", "post"],
    title: "The server ignores Range with POST, for which no handling of it is defined.",
    steps: [send(post("touchstone", "Range: bytes=0-0"))],
    control: [send(post("touchstone"))],
    allowed: [
      {
        see: servedWith(2, answered(1, { status: ["2xx", "3xx"] }), { see: "not", of: answered(1, { status: [206] }) }),
      },
    ],
  },
  {
    id: "http1/range-several",
    spec: "rfc9110#15.3.7.2",
    covers: ["rfc9110#15.3.7.2/multipart", "rfc9110#15.3.7.2/no-content-range", "rfc9110#15.3.7.2/part-content-range"],
    level: "MUST",
    needs: [...needs, "length"],
    title: "A 206 with several parts is multipart/byteranges: Content-Range stands in each part, and not in the head.",
    ...played("Range: bytes=0-0,5-5"),
    allowed: [
      {
        see: servedWith(
          3,
          likePath(1),
          answered(2, {
            status: [206],
            fields: [
              { name: "content-type", pattern: "^multipart/byteranges\\s*;.*boundary=" },
              { name: "content-range", absent: true },
            ],
            bodyPattern: "content-range: *bytes 0-(?:0|5)/",
          }),
        ),
      },
      // Ranges may be joined (rfc9110#15.3.7.2), or answered one by one.
      permitted(partial("^bytes \\d+-\\d+/(?:\\d+|\\*)$"), "rfc9110#15.3.7.2"),
      ignored(),
      permitted(servedWith(3, likePath(1), answered(2, { status: [416] })), "rfc9110#14.2", "warn"),
    ],
  },
  {
    id: "http1/range-with-fields",
    spec: "rfc9110#15.3.7",
    covers: ["rfc9110#15.3.7/fields", "rfc9110#15.3.7/all-fields"],
    level: "MUST",
    needs: [...needs, "etag"],
    title: "A 206 has the Date and ETag of the 200.",
    ...played("Range: bytes=0-0"),
    allowed: [
      { see: servedWith(3, likePath(1), answered(2, { status: [206], fields: [{ name: "date" }, { name: "etag", value: "{etag}" }] })) },
      ignored(),
    ],
  },
  {
    id: "http1/range-after-if-none-match",
    spec: "rfc9110#13.2.2",
    covers: ["rfc9110#13.2.2/order"],
    level: "MUST",
    role: "server",
    needs: ["range", "etag"],
    title: "The server evaluates If-None-Match before Range: a match is answered with 304.",
    steps: [send(get("Range: bytes=0-0", "If-None-Match: {etag}"))],
    control: [send(get("Range: bytes=0-0", `If-None-Match: ${OTHER}`))],
    allowed: [{ see: servedWith(2, answered(1, { status: [304], framing: "none" })) }],
  },
  {
    id: "http1/if-range",
    spec: "rfc9110#13.1.5",
    covers: ["rfc9110#13.1.5/true", "rfc9110#13.1.5/evaluated"],
    level: "SHOULD",
    needs: [...needs, "etag"],
    title: "The server sends the range where If-Range has its entity tag.",
    ...played("Range: bytes=0-0", "If-Range: {etag}"),
    allowed: [{ see: partial("^bytes 0-0/") }],
  },
  ...(
    [
      ["other-tag", `If-Range: ${OTHER}`, "another entity tag", "etag"],
      ["weak-tag", "If-Range: W/{etag}", "its entity tag as a weak one", "etag"],
      ["other-date", "If-Range: {earlier}", "another date than Last-Modified", "modified"],
    ] as const
  ).map(([name, field, words, feature]): Case => ({
    id: `http1/if-range-${name}`,
    spec: "rfc9110#13.1.5",
    covers: ["rfc9110#13.1.5/false", "rfc9110#13.1.5/evaluated"],
    level: "MUST",
    needs: [...needs, feature],
    title: `The server ignores Range where If-Range has ${words}.`,
    ...played("Range: bytes=0-0", field),
    allowed: wholeTwice,
  })),
  {
    id: "http1/if-range-without-range",
    spec: "rfc9110#13.1.5",
    covers: ["rfc9110#13.1.5/without-range"],
    level: "MUST",
    needs: [...needs, "etag"],
    title: "The server ignores If-Range without Range.",
    ...played(`If-Range: ${OTHER}`),
    allowed: wholeTwice,
  },
  ...several.map(({ id, pattern, ...entry }): Case => ({
    ...entry,
    id: `http1/range-several-${id}`,
    level: entry.level ?? "SHOULD",
    needs: [...needs, "length"],
    ...played("Range: bytes=5-5,0-0"),
    allowed: [
      { see: servedWith(3, likePath(1), answered(2, { status: [206], fields: [MULTIPART], bodyPattern: pattern })) },
      // Ranges may be joined (rfc9110#15.3.7.2), answered one by one, or ignored (rfc9110#14.2); another case judges the head.
      permitted(servedWith(3, likePath(1), { see: "not", of: answered(2, { fields: [MULTIPART] }) }), "rfc9110#14.2"),
      ...(id === "types" ? [permitted(answered(1, { fields: [{ name: "content-type", absent: true }] }), "rfc9110#15.3.7.2")] : []),
    ],
  })),
  {
    id: "http1/range-without-more-fields",
    spec: "rfc9110#15.3.7",
    covers: ["rfc9110#15.3.7/if-range-fields"],
    level: "SHOULD NOT",
    needs: [...needs, "etag"],
    title: "A 206 to a request with If-Range has no fields of the representation that the client has already.",
    ...played("Range: bytes=0-0", "If-Range: {etag}"),
    allowed: [
      { see: servedWith(3, likePath(1), answered(2, { status: [206], fields: KNOWN.map((name) => ({ name, absent: true })) })) },
      ignored(),
    ],
  },
  {
    id: "http1/content-range-of-request-ignored",
    spec: "rfc9110#14.4",
    covers: ["rfc9110#14.4/ignored-in-requests"],
    level: "MUST",
    needs: ["pipelining", "content"],
    title: "The server ignores Content-Range with GET, for which it has no meaning.",
    ...played("Content-Range: bytes 0-0/1"),
    allowed: wholeTwice,
  },
];
