import { LIMITS, type LimitName, limitFeature } from "../../limits.ts";
import { answeredFirst, CHUNKED, chunked, LAST, plainChunks } from "../framing-phrases.ts";
import { answered, closedAfter, get, head, NOWHERE, permitted, post, refusedWith, send, served } from "../phrases.ts";
import type { Allowed, Case, Step, Text } from "../../vocabulary.ts";

/** Limits that the server was given (`conformance/http1/limits.ts`), met exactly by the control and exceeded by one. */

type Limited = Pick<Case, "id" | "title" | "spec" | "covers" | "level" | "allowed"> &
  Partial<Pick<Case, "needs" | "fence">> & { readonly limit: LimitName; readonly over: readonly Step[]; readonly at: readonly Step[] };

const limited = ({ limit, over, at, needs = [], ...entry }: Limited): Case => ({
  role: "server",
  needs: [limitFeature(limit), ...needs],
  steps: over,
  control: at,
  ...entry,
});

/** Any 4xx is appropriate, and so is the end of the connection. */
const TOO_LARGE: Allowed = [{ see: refusedWith(["4xx"]) }, permitted(closedAfter(0), "rfc9112#9.5", "warn")];
/** The same, after one good response. */
const SECOND_TOO_LARGE: Allowed = [{ see: refusedWith(["4xx"], 2) }, permitted(closedAfter(1), "rfc9112#9.5", "warn")];

const section = (entry: Pick<Limited, "id" | "title" | "over" | "at"> & Partial<Limited>): Case =>
  limited({ limit: "section", spec: "rfc9110#5.4", covers: ["rfc9110#5.4/too-large"], level: "MUST", allowed: TOO_LARGE, ...entry });

const HOST: Text = "Host: localhost";
/** Header lines of this many octets, with line ends and the empty line, in `lines` lines. */
function linesOf(octets: number, lines: number): readonly Text[] {
  const each = Math.floor((octets - `${HOST}\r\n\r\n`.length) / lines);
  const first = octets - `${HOST}\r\n\r\n`.length - each * (lines - 1);
  return [
    HOST,
    ...Array.from({ length: lines }, (_, at) => `X-${"abcdefghijklmnopqrst"[at]}: `.padEnd((at === 0 ? first : each) - 2, "a")),
  ];
}
const heads = (octets: number, lines: number): Text => head("GET {path} HTTP/1.1", ...linesOf(octets, lines));
const { section: SECTION, fields: FIELDS, trailers: TRAILERS, target: TARGET, content: CONTENT, unread: UNREAD } = LIMITS;

const manyLines = (count: number): readonly Text[] => Array.from({ length: count }, (_, at) => `X-${at}: a`);
const withFields = (count: number): Text => get(...manyLines(count - 1));
const withTrailers = (lines: readonly Text[]): Text => chunked(`5\r\nhello\r\n${head("0", ...lines)}`);
/** A trailer section of this many octets, with line ends and the empty line. */
const trailersOf = (octets: number): Text => withTrailers([`X-A: ${"a".repeat(octets - "X-A: \r\n\r\n".length)}`]);

/** A good request whose target has this many octets. Its path is the one that the probe found missing, whose length does not vary. */
const withTarget = (octets: number): Text =>
  NOWHERE.replace("-here ", `-here?${"a".repeat(octets - NOWHERE.indexOf(" HTTP") + "GET ".length - 1)} `);
const target = (entry: Pick<Limited, "id" | "title" | "over" | "at"> & Partial<Limited>): Case =>
  limited({
    limit: "target",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/long-target"],
    level: "MUST",
    needs: ["distinct"],
    allowed: [{ see: refusedWith([414]) }, permitted(closedAfter(0), "rfc9112#9.5", "warn")],
    ...entry,
  });

const DECLINED: Allowed = [
  { see: refusedWith([413]) },
  permitted(refusedWith(["4xx"]), "rfc9110#15.5"),
  permitted(closedAfter(0), "rfc9112#9.5", "warn"),
  answeredFirst,
];
const chunks = (entry: Pick<Limited, "id" | "title" | "over" | "at" | "limit"> & Partial<Limited>): Case =>
  limited({
    spec: "rfc9110#15.5.14",
    covers: ["rfc9110#15.5.14/content-too-large"],
    level: "MAY",
    needs: ["post"],
    allowed: DECLINED,
    ...entry,
  });

const answeredOnce: Step = { do: "await", see: answered() };

const inChunks = (...contents: readonly Text[]): Text =>
  chunked(`${contents.map((content) => `${content.length.toString(16)}\r\n${content}\r\n`).join("")}${LAST}`);
/** Two chunks with extensions of this many octets in all. */
const extended = (octets: number): Text => chunked(`5;${"a".repeat(29)}\r\nhello\r\n5;${"b".repeat(octets - 31)}\r\nworld\r\n${LAST}`);
const tiny = (count: number, size = 1): Text => inChunks(...Array.from({ length: count }, () => "a".repeat(size)));

/** A request whose content nobody wants: the response comes before it. */
const early = (field: Text): readonly Step[] => [send(head("PUT {path} HTTP/1.1", "Host: {authority}", field)), answeredOnce];
const unread = (entry: Pick<Limited, "id" | "title" | "over" | "at"> & Partial<Limited>): Case =>
  limited({
    limit: "unread",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/server-reads-all"],
    level: "SHOULD",
    needs: ["keep-alive"],
    allowed: [{ see: closedAfter(1) }],
    ...entry,
  });

export const cases: readonly Case[] = [
  section({
    id: "http1/limit-section",
    title: "The server accepts a header section of its limit, and rejects one of an octet more.",
    over: [send(heads(SECTION + 1, 1))],
    at: [send(heads(SECTION, 1))],
  }),
  section({
    id: "http1/limit-section-of-lines",
    title: "The server counts all lines of a header section.",
    over: [send(heads(SECTION + 1, 16))],
    at: [send(heads(SECTION, 16))],
  }),
  section({
    id: "http1/limit-section-in-pieces",
    title: "The server counts a header section that arrives in pieces as it counts a whole one.",
    over: [send(heads(SECTION + 1, 4), { cut: 97 })],
    at: [send(heads(SECTION, 4), { cut: 97 })],
  }),
  section({
    id: "http1/limit-section-without-end",
    title: "The server does not wait for the end of a header section beyond its limit.",
    over: [send(`GET {path} HTTP/1.1\r\n${HOST}\r\nX-A: ${"a".repeat(SECTION)}`)],
    at: [send(heads(SECTION, 1))],
    fence: "none",
  }),
  section({
    id: "http1/limit-section-of-a-second-request",
    title: "The server counts the header section of each request anew.",
    over: [send(heads(SECTION, 2)), answeredOnce, send(heads(SECTION + 1, 2))],
    at: [send(heads(SECTION, 2)), answeredOnce, send(heads(SECTION, 2))],
    needs: ["keep-alive"],
    allowed: SECOND_TOO_LARGE,
  }),
  section({
    id: "http1/limit-fields",
    limit: "fields",
    title: "The server accepts as many fields as its limit, and rejects one more.",
    over: [send(withFields(FIELDS + 1))],
    at: [send(withFields(FIELDS))],
  }),
  section({
    id: "http1/limit-fields-of-a-second-request",
    limit: "fields",
    title: "The server counts the fields of each request anew.",
    over: [send(withFields(FIELDS)), answeredOnce, send(withFields(FIELDS + 1))],
    at: [send(withFields(FIELDS)), answeredOnce, send(withFields(FIELDS))],
    needs: ["keep-alive"],
    allowed: SECOND_TOO_LARGE,
  }),
  section({
    id: "http1/limit-trailers",
    limit: "trailers",
    title: "The server accepts a trailer section of its limit, and rejects one of an octet more.",
    over: [send(trailersOf(TRAILERS + 1))],
    at: [send(trailersOf(TRAILERS))],
    needs: ["post"],
    allowed: [...TOO_LARGE, answeredFirst],
  }),
  section({
    id: "http1/limit-fields-of-trailers",
    limit: "fields",
    title: "The server accepts as many trailers as its limit of fields, and rejects one more.",
    over: [send(withTrailers(manyLines(FIELDS + 1)))],
    at: [send(withTrailers(manyLines(FIELDS)))],
    needs: ["post"],
    allowed: [...TOO_LARGE, answeredFirst],
  }),
  target({
    id: "http1/limit-target",
    title: "The server accepts a target of its limit, and rejects one of an octet more.",
    over: [send(withTarget(TARGET + 1))],
    at: [send(withTarget(TARGET))],
  }),
  target({
    id: "http1/limit-target-in-pieces",
    title: "The server counts a target that arrives in pieces as it counts a whole one.",
    over: [send(withTarget(TARGET + 1), { cut: 97 })],
    at: [send(withTarget(TARGET), { cut: 97 })],
  }),
  target({
    id: "http1/limit-target-without-end",
    title: "The server does not wait for the end of a target far beyond its limit.",
    over: [send(withTarget(TARGET * 2).replace(/ HTTP.*/s, ""))],
    at: [send(withTarget(TARGET))],
    fence: "none",
  }),
  chunks({
    id: "http1/limit-content",
    limit: "content",
    title: "The server accepts content of its limit, and declines an octet more.",
    over: [send(post("a".repeat(CONTENT + 1)))],
    at: [send(post("a".repeat(CONTENT)))],
  }),
  chunks({
    id: "http1/limit-content-in-chunks",
    limit: "content",
    title: "The server counts the content of all chunks.",
    over: [send(inChunks("a".repeat(CONTENT - 100), "b".repeat(101)))],
    at: [send(inChunks("a".repeat(CONTENT - 100), "b".repeat(100)))],
  }),
  chunks({
    id: "http1/limit-extensions",
    limit: "extensions",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/limited"],
    level: "SHOULD",
    title: "The server accepts chunk extensions of its limit, and rejects an octet more.",
    over: [send(extended(LIMITS.extensions + 1))],
    at: [send(extended(LIMITS.extensions))],
  }),
  chunks({
    id: "http1/limit-extensions-without-end",
    limit: "extensions",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/limited"],
    level: "SHOULD",
    title: "The server does not wait for the end of a chunk extension far beyond its limit.",
    over: [send(chunked(`5;${"a".repeat(LIMITS.extensions * 2)}`))],
    at: [send(extended(LIMITS.extensions))],
    fence: "none",
  }),
  chunks({
    id: "http1/limit-tiny-chunks",
    limit: "tiny-chunks",
    title: "The server accepts as many tiny chunks as its limit, and rejects one more.",
    over: [send(tiny(LIMITS["tiny-chunks"] + 1))],
    at: [send(tiny(LIMITS["tiny-chunks"]))],
  }),
  chunks({
    id: "http1/limit-tiny-chunks-by-size",
    limit: "tiny-chunks",
    title: "The server counts chunks of 15 octets as tiny, and does not count those of 16.",
    over: [send(tiny(LIMITS["tiny-chunks"] + 1, 15))],
    at: [send(tiny(LIMITS["tiny-chunks"] + 1, 16))],
  }),
  limited({
    id: "http1/limit-empty-lines",
    limit: "empty-lines",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "The server ignores as many empty lines before a request as its limit, and rejects one more.",
    over: [send("\r\n".repeat(LIMITS["empty-lines"] + 1) + get())],
    at: [send("\r\n".repeat(LIMITS["empty-lines"]) + get())],
    allowed: TOO_LARGE,
  }),
  limited({
    id: "http1/limit-empty-lines-between",
    limit: "empty-lines",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "The server counts the empty lines before each request anew.",
    needs: ["keep-alive"],
    over: [send("\r\n".repeat(LIMITS["empty-lines"]) + get()), answeredOnce, send("\r\n".repeat(LIMITS["empty-lines"] + 1) + get())],
    at: [send("\r\n".repeat(LIMITS["empty-lines"]) + get()), answeredOnce, send("\r\n".repeat(LIMITS["empty-lines"]) + get())],
    allowed: SECOND_TOO_LARGE,
  }),
  limited({
    id: "http1/limit-requests",
    limit: "requests",
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/close-announced"],
    level: "SHOULD",
    title: "The server says with its last response that the connection ends, and ends it.",
    needs: ["pipelining"],
    over: [send(get().repeat(LIMITS.requests))],
    at: [send(get().repeat(LIMITS.requests - 1))],
    allowed: [
      {
        see: {
          see: "all",
          of: [answered(LIMITS.requests, { fields: [{ name: "connection", pattern: "\\bclose\\b" }] }), closedAfter(LIMITS.requests)],
        },
      },
      permitted(closedAfter(LIMITS.requests), "rfc9112#9.5", "warn"),
    ],
  }),
  unread({
    id: "http1/limit-unread",
    title: "After an early response, the server does not read content whose length exceeds its limit.",
    over: [...early(`Content-Length: ${UNREAD + 1}`), send("a".repeat(UNREAD + 1))],
    at: [...early(`Content-Length: ${UNREAD}`), send("a".repeat(UNREAD))],
  }),
  unread({
    id: "http1/limit-unread-in-chunks",
    title: "After an early response, the server does not wait for the end of chunks beyond its limit.",
    over: [...early(CHUNKED), send(`${(UNREAD * 2).toString(16)}\r\n${"a".repeat(UNREAD + 1)}`)],
    at: [...early(CHUNKED), send(`${UNREAD.toString(16)}\r\n${"a".repeat(UNREAD)}\r\n${LAST}`)],
    fence: "none",
  }),
  {
    id: "http1/limit-content-and-more-requests",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "MUST",
    role: "server",
    needs: [limitFeature("content"), "post", "pipelining"],
    title: "The server counts the content of each request anew.",
    steps: [send(post("a".repeat(CONTENT)) + inChunks("b".repeat(CONTENT)) + post("c".repeat(CONTENT)))],
    control: [send(post("hello") + plainChunks + post("hello"))],
    allowed: [{ see: served(4) }],
  },
  {
    id: "http1/limit-extensions-of-each-message",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/ignored"],
    level: "MUST",
    role: "server",
    needs: [limitFeature("extensions"), "post", "pipelining"],
    title: "The server counts the chunk extensions of each message anew.",
    steps: [send(extended(LIMITS.extensions) + extended(LIMITS.extensions))],
    control: [send(plainChunks + plainChunks)],
    allowed: [{ see: served(3) }],
  },
];
