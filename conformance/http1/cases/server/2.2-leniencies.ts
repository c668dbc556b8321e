import { type LeniencyName, leniencyFeature } from "../../leniencies.ts";
import { LIMITS, limitFeature } from "../../limits.ts";
import { CHUNKED, LAST, noFraming } from "../framing-phrases.ts";
import {
  accepted,
  answered,
  badRequest,
  closesPolitely,
  get,
  head,
  permitted,
  refusedWith,
  request,
  SAYS_CLOSE,
  send,
  servedWith,
} from "../phrases.ts";
import type { Allowed, Case, Outcome, Text } from "../../vocabulary.ts";

/**
 * Leniencies that the texts permit, on a server that says that they are on (`conformance/http1/leniencies.ts`): it reads what they are for
 * as the same message in strict form, which is the control, and refuses the rest as before.
 */

type Lenient = Pick<Case, "id" | "title" | "allowed"> &
  Partial<Case> & { readonly on: LeniencyName; readonly wrong: Text; readonly right: Text };
const lenient = ({ on, wrong, right, needs = [], ...entry }: Lenient): Case => ({
  spec: "rfc9112#2.2",
  covers: COVERS[on],
  level: LEVELS[on],
  role: "server",
  needs: [leniencyFeature(on), ...needs],
  steps: [send(wrong)],
  control: [send(right)],
  ...entry,
});
const COVERS: Readonly<Record<LeniencyName, Case["covers"]>> = {
  "bare-lf": ["rfc9112#2.2/bare-lf"],
  "bare-cr": ["rfc9112#2.2/bare-cr"],
  fold: ["rfc9112#5.2/fold-in-request"],
  "same-lengths": ["rfc9112#6.3/same-lengths"],
  "length-and-coding": ["rfc9112#6.1/length-and-coding", "rfc9112#6.1/length-and-coding-close"],
};
const LEVELS: Readonly<Record<LeniencyName, Case["level"]>> = {
  "bare-lf": "MAY",
  "bare-cr": "MUST",
  fold: "MUST",
  "same-lengths": "MAY",
  "length-and-coding": "MUST",
};

const lf = (text: Text): Text => text.replaceAll("\r\n", "\n");
const feeds = (entry: Omit<Lenient, "on" | "wrong"> & { readonly wrong?: Text }): Case =>
  lenient({ on: "bare-lf", wrong: lf(entry.right), ...entry });
const returns = (entry: Omit<Lenient, "on">): Case => lenient({ on: "bare-cr", ...entry });
const folded = (entry: Omit<Lenient, "on">): Case => lenient({ on: "fold", spec: "rfc9112#5.2", ...entry });
const lengths = (entry: Omit<Lenient, "on" | "right">): Case =>
  lenient({ on: "same-lengths", spec: "rfc9112#6.3", needs: ["echo"], right: echo("Content-Length: 5"), ...entry });

/** A request for the echo, with content of five octets after these fields. */
const echo = (...fields: readonly Text[]): Text => `${head("POST {echo} HTTP/1.1", "Host: {authority}", ...fields)}hello`;
const echoed: Allowed = [{ see: servedWith(2, answered(1, { body: "hello" })) }, closesPolitely()];
/** The response says close, and the connection ends after it. */
const closed: Allowed = [
  { see: { see: "all", of: [answered(1, { fields: [SAYS_CLOSE] }), { see: "closed after", responses: 1 }] } },
  permitted({ see: "closed after", responses: 1 }, "rfc9112#9.6", "warn"),
];
/** What TRACE gives back of a field. */
const reflected = (pattern: string): Allowed => [{ see: servedWith(2, answered(1, { status: [200], bodyPattern: pattern })) }];
const trace = (...fields: readonly Text[]): Text => request("TRACE", ...fields);
const tooLarge: readonly [Outcome, ...Outcome[]] = [
  { see: refusedWith(["4xx"]) },
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
];

const many = (count: number): readonly Text[] => Array.from({ length: count }, (_, at) => `X-${at}: a`);
/** A header section of this many octets whose lines end in LF, the empty line included. */
const sectionOf = (octets: number): Text => {
  const host = "Host: localhost\n";
  return `GET {path} HTTP/1.1\n${host}X-A: ${"a".repeat(octets - host.length - "X-A: \n\n".length)}\n\n`;
};
const chunks = `${head("POST {echo} HTTP/1.1", "Host: {authority}", CHUNKED)}2\r\nhe\r\n3;a\r\nllo\r\n0\r\nX-Odd: 1\r\n\r\n`;
const both = (...fields: readonly Text[]): Text => `${head("POST {echo} HTTP/1.1", "Host: {authority}", ...fields)}5\r\nhello\r\n${LAST}`;

export const cases: readonly Case[] = [
  feeds({
    id: "http1/lenient-lf-head",
    title: "The lenient server reads a head whose lines end in LF.",
    right: get("X-Odd: 1", "X-More: 2"),
    allowed: accepted,
  }),
  feeds({
    id: "http1/lenient-lf-some-lines",
    title: "The lenient server reads a head whose lines end in LF or in CRLF.",
    wrong: "GET {path} HTTP/1.1\r\nX-Odd: 1\nHost: {authority}\r\nX-More: 2\n\r\n",
    right: get("X-Odd: 1", "X-More: 2"),
    allowed: accepted,
  }),
  feeds({
    id: "http1/lenient-lf-before-request",
    title: "The lenient server ignores an empty line that ends in LF before a request.",
    wrong: `\n${get()}`,
    right: `\r\n${get()}`,
    allowed: accepted,
  }),
  feeds({
    id: "http1/lenient-lf-close",
    title: "The lenient server obeys close on a line that ends in LF.",
    right: get("X-Odd: 1", "Connection: close"),
    allowed: closed,
  }),
  feeds({
    id: "http1/lenient-lf-length",
    title: "The lenient server reads content by a length on a line that ends in LF.",
    needs: ["echo"],
    right: echo("X-Odd: 1", "Content-Length: 5", "X-More: 2"),
    allowed: echoed,
  }),
  feeds({
    id: "http1/lenient-lf-chunks",
    title: "The lenient server reads chunks and trailers whose lines end in LF.",
    needs: ["echo"],
    right: chunks,
    allowed: echoed,
  }),
  feeds({
    id: "http1/lenient-lf-value-edges",
    title: "The lenient server removes the white space around a value on a line that ends in LF.",
    needs: ["echo"],
    right: echo("Content-Length: \t 5 \t"),
    allowed: echoed,
  }),
  feeds({
    id: "http1/lenient-lf-host-twice",
    title: "The lenient server rejects two Host lines that end in LF.",
    covers: ["rfc9112#3.2/host-twice"],
    level: "MUST",
    wrong: lf(get("Host: {authority}")),
    right: lf(get()),
    allowed: badRequest(),
  }),
  ...(
    [
      ["nul", "NUL in a value", "X-Odd: a\0b"],
      ["name-empty", "an empty name", ": a"],
      ["colon-missing", "no colon", "X-Odd"],
      ["name-with-space", "a space in its name", "X Odd: a"],
    ] as const
  ).map(([name, words, line]) =>
    feeds({
      id: `http1/lenient-lf-${name}`,
      title: `The lenient server rejects a line that ends in LF and has ${words}.`,
      covers: ["rfc9112#2.2/no-match"],
      level: "SHOULD",
      wrong: lf(get(line)),
      right: lf(get("X-Odd: a")),
      allowed: badRequest(),
    }),
  ),
  feeds({
    id: "http1/lenient-lf-lines-counted",
    title: "The lenient server counts lines that end in LF.",
    needs: [limitFeature("fields")],
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large"],
    level: "MUST",
    wrong: lf(get(...many(LIMITS.fields))),
    right: lf(get(...many(LIMITS.fields - 1))),
    allowed: tooLarge,
  }),
  feeds({
    id: "http1/lenient-lf-octets-counted",
    title: "The lenient server counts the octets of lines that end in LF.",
    needs: [limitFeature("section")],
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large"],
    level: "MUST",
    wrong: sectionOf(LIMITS.section + 1),
    right: sectionOf(LIMITS.section),
    allowed: tooLarge,
  }),

  returns({
    id: "http1/lenient-cr-in-value",
    title: "The lenient server replaces a bare CR in a value by a space.",
    needs: ["trace"],
    wrong: trace("X-Odd: a\rb\rc"),
    right: trace("X-Odd: a b c"),
    allowed: reflected("X-Odd: a b c\r\n"),
  }),
  returns({
    id: "http1/lenient-cr-in-request-line",
    title: "The lenient server replaces bare CRs in a request line by spaces.",
    wrong: "GET\r{path}\rHTTP/1.1\r\nHost: {authority}\r\n\r\n",
    right: get(),
    allowed: accepted,
  }),
  returns({
    id: "http1/lenient-cr-after-value",
    title: "The lenient server reads a bare CR after a value as a space.",
    wrong: get("Connection: close\r"),
    right: get("Connection: close"),
    allowed: closed,
  }),
  returns({
    id: "http1/lenient-cr-in-name",
    title: "The lenient server rejects a name with a bare CR inside.",
    wrong: get("X\rOdd: 1"),
    right: get("X-Odd: 1"),
    allowed: badRequest(),
  }),
  returns({
    id: "http1/lenient-cr-after-chunk-size",
    title: "The lenient server reads a bare CR between a chunk size and its extension as a space.",
    needs: ["echo"],
    wrong: chunks.replace("3;a", "3\r;a"),
    right: chunks.replace("3;a", "3 ;a"),
    allowed: echoed,
  }),
  returns({
    id: "http1/lenient-cr-in-chunk-size",
    title: "The lenient server rejects a chunk size with a bare CR inside.",
    needs: ["echo"],
    wrong: chunks.replace("3;a", "0\r3"),
    right: chunks.replace("3;a", "03"),
    allowed: noFraming(permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3")),
  }),

  folded({
    id: "http1/lenient-fold-joined",
    title: "The lenient server replaces each fold by a space.",
    needs: ["trace"],
    wrong: trace("X-Odd: a\r\n b\r\n\t c", "X-More: d"),
    right: trace("X-Odd: a b c", "X-More: d"),
    allowed: reflected("X-Odd: a +b +c\r\nX-More: d\r\n"),
  }),
  folded({
    id: "http1/lenient-fold-close",
    title: "The lenient server obeys close on a folded line.",
    wrong: get("Connection: keep-alive,\r\n close"),
    right: get("Connection: keep-alive, close"),
    allowed: closed,
  }),
  folded({
    id: "http1/lenient-fold-length",
    title: "The lenient server reads content by a length on a folded line.",
    needs: ["echo"],
    wrong: echo("Content-Length:\r\n 5", "X-Odd: 1"),
    right: echo("Content-Length: 5", "X-Odd: 1"),
    allowed: echoed,
  }),
  folded({
    id: "http1/lenient-fold-nul",
    title: "The lenient server rejects NUL on a folded line.",
    wrong: get("X-Odd: a\r\n b\0"),
    right: get("X-Odd: a\r\n b"),
    allowed: badRequest(),
  }),
  folded({
    id: "http1/lenient-fold-first",
    title: "The lenient server rejects white space before the first field.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/space-before-fields"],
    wrong: "GET {path} HTTP/1.1\r\n X-Odd: 1\r\nHost: {authority}\r\n\r\n",
    right: get("X-Odd: 1"),
    allowed: badRequest(),
  }),

  lengths({
    id: "http1/lenient-same-lengths-on-lines",
    title: "The lenient server reads equal lengths on two lines as one.",
    wrong: echo("Content-Length: 5", "Content-Length: 5"),
    allowed: echoed,
  }),
  lengths({
    id: "http1/lenient-same-lengths-in-a-list",
    title: "The lenient server reads a list of equal lengths as one.",
    wrong: echo("Content-Length: 5, 05,5"),
    allowed: echoed,
  }),
  ...(
    [
      ["differ", "that differ", "5, 6"],
      ["differ-last", "of which the last differs", "5, 5, 6"],
      ["with-a-word", "one of which is a word", "5, five"],
    ] as const
  ).map(([name, words, value]) =>
    lengths({
      id: `http1/lenient-lengths-${name}`,
      title: `The lenient server rejects lengths ${words}.`,
      covers: ["rfc9112#6.3/invalid-length-request"],
      level: "MUST",
      wrong: echo(`Content-Length: ${value}`),
      allowed: noFraming(),
    }),
  ),

  ...(
    [
      ["length-first", "behind a length", ["Content-Length: 3", CHUNKED]],
      ["coding-first", "before a length", [CHUNKED, "Content-Length: 30"]],
    ] as const
  ).map(([name, words, fields]) =>
    lenient({
      id: `http1/lenient-coding-overrides-${name}`,
      title: `The lenient server reads content by a transfer coding ${words}, and closes the connection after its response.`,
      on: "length-and-coding",
      spec: "rfc9112#6.1",
      needs: ["echo"],
      wrong: both(...fields),
      right: both(CHUNKED),
      allowed: [{ see: { see: "all", of: [answered(1, { body: "hello" }), { see: "closed after", responses: 1 }] } }],
    }),
  ),
  {
    id: "http1/lenient-length-and-other-coding",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    level: "MUST",
    role: "server",
    needs: [leniencyFeature("length-and-coding"), "post"],
    title: "The lenient server rejects a length beside a coding that does not end the content.",
    steps: [send(`${request("POST", "Content-Length: 5", "Transfer-Encoding: identity")}hello`)],
    control: [send(`${request("POST", "Content-Length: 5")}hello`), { do: "await", see: answered() }],
    allowed: noFraming(permitted({ see: "error and close", status: [501] }, "rfc9112#6.1")),
  },
];
