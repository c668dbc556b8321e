import {
  exchanged,
  accepted,
  badRequest,
  get,
  head,
  likePath,
  notHttp,
  permitted,
  refusedWith,
  send,
  servedWith,
  texts,
} from "./phrases.ts";
import type { Case, Text } from "./vocabulary.ts";

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";

/** Legal, if odd: taken like any other. */
const taken = (id: Case["id"], spec: Case["spec"], requirement: Case["covers"][0], title: string, fields: readonly Text[]): Case => ({
  id,
  spec,
  covers: [requirement],
  level: "MUST",
  title,
  ...exchanged(get(...fields), get("X-Odd: 1")),
  allowed: accepted,
});

const spaceBeforeColon = (id: Case["id"], title: string, text: Text, right: Text): Case => ({
  id,
  spec: "rfc9112#5.1",
  covers: ["rfc9112#5.1/space-before-colon"],
  level: "MUST",
  title,
  ...texts(text, right),
  allowed: badRequest(),
});

const badName = (id: Case["id"], title: string, field: Text): Case => ({
  id,
  spec: "rfc9112#5",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  title,
  ...texts(get(field), get("X-Odd: 1")),
  allowed: notHttp(),
});

/** A folded value is refused, or read with a space in place of the fold (rfc9112#5.2): then it says what the control says. */
const folded = (id: Case["id"], title: string, text: Text, right: Text = get("X-Odd: a b")): Case => ({
  id,
  spec: "rfc9112#5.2",
  covers: ["rfc9112#5.2/fold-in-request"],
  level: "MUST",
  title,
  ...texts(text, right),
  allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9112#5.2")),
});

/** CR, LF and NUL: refused, or read as spaces; other controls may be kept (rfc9110#5.5). */
const control = (id: Case["id"], title: string, octet: Text, level: Case["level"]): Case => ({
  id,
  spec: "rfc9110#5.5",
  covers: [level === "MUST" ? "rfc9110#5.5/controls" : "rfc9110#5.5/other-controls"],
  level,
  title,
  ...texts(get(`X-Odd: a${octet}b`), get("X-Odd: ab")),
  allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9110#5.5")),
});

/** Larger than anyone wants: a 4xx that says so, or served all the same (rfc9110#5.4). */
const tooLarge = (id: Case["id"], title: string, fields: readonly Text[]): Case => ({
  id,
  spec: "rfc9110#5.4",
  covers: ["rfc9110#5.4/too-large"],
  level: "MUST",
  title,
  ...texts(get(...fields), get("X-Odd: 1")),
  allowed: [
    { see: refusedWith([431]) },
    permitted(refusedWith([400, 413, 414]), "rfc9110#5.4"),
    permitted(servedWith(2, likePath()), "rfc9110#5.4"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

export const cases: readonly Case[] = [
  taken(
    "http1/field-name-of-all-characters",
    "rfc9110#5.1",
    "rfc9112#5/name-case",
    "The server takes a field name of every character that a token may have.",
    ["!#$%&'*+-.^_`|~09azAZ: 1"],
  ),
  taken("http1/field-without-value", "rfc9112#5", "rfc9112#5.1/edges-excluded", "The server takes a field with an empty value.", [
    "X-Odd:",
  ]),
  taken("http1/field-of-white-space", "rfc9112#5.1", "rfc9112#5.1/edges-excluded", "The server takes a field whose value is white space.", [
    "X-Odd: \t \t",
  ]),
  taken("http1/field-with-tab-inside", "rfc9110#5.5", "rfc9110#5.5/obs-text", "The server takes a tab inside a field value.", [
    "X-Odd: a\tb",
  ]),
  taken(
    "http1/field-with-colons",
    "rfc9112#5",
    "rfc9112#5.1/edges-excluded",
    "The server takes the first colon for the end of the name, and the others as they are.",
    ["X-Odd::a:b:"],
  ),
  {
    ...taken(
      "http1/field-beyond-ascii",
      "rfc9110#5.5",
      "rfc9110#5.5/obs-text",
      "The server takes octets beyond ASCII in a field value as they are.",
      ["X-Odd: \x80\xe4\xff"],
    ),
    level: "SHOULD",
  },
  {
    id: "http1/field-edges-excluded",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    level: "MUST",
    title: "The server leaves the white space around the value of Host out of it.",
    ...exchanged(head(line, "Host: \t {authority} \t "), get()),
    allowed: accepted,
  },
  {
    id: "http1/field-without-space",
    spec: "rfc9112#5",
    covers: ["rfc9112#5.1/edges-excluded"],
    level: "MUST",
    title: "The server needs no space behind the colon.",
    ...exchanged(head(line, "Host:{authority}"), get()),
    allowed: accepted,
  },
  {
    id: "http1/field-length-between-white-space",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server leaves the white space around the value of Content-Length out of it.",
    steps: [send(`${head("POST {path} HTTP/1.1", host, "Content-Length: \t 5 \t")}hello`)],
    control: [send(`${head("POST {path} HTTP/1.1", host, "Content-Length: 5")}hello`)],
    allowed: [{ see: servedWith(2, { see: "response", nth: 1, status: ["2xx", "3xx"] }) }],
  },
  spaceBeforeColon(
    "http1/space-before-colon",
    "The server answers 400 to a space between a field name and its colon.",
    get("X-Odd : 1"),
    get("X-Odd: 1"),
  ),
  spaceBeforeColon(
    "http1/tab-before-colon",
    "The server answers 400 to a tab between a field name and its colon.",
    get("X-Odd\t: 1"),
    get("X-Odd: 1"),
  ),
  spaceBeforeColon(
    "http1/space-before-colon-of-host",
    "The server answers 400 to a space between Host and its colon.",
    head(line, "Host : {authority}"),
    get(),
  ),
  spaceBeforeColon(
    "http1/space-before-colon-of-content-length",
    "The server answers 400 to a space between Content-Length and its colon.",
    `${get("Content-Length : 5")}hello`,
    `${get("Content-Length: 5")}hello`,
  ),
  spaceBeforeColon(
    "http1/space-before-colon-of-connection",
    "The server answers 400 to a space between Connection and its colon.",
    get("Connection : keep-alive"),
    get("Connection: keep-alive"),
  ),
  badName("http1/field-name-empty", "The server answers 400 to a field line that begins with its colon.", ": 1"),
  badName("http1/field-name-with-space", "The server answers 400 to a field name with a space in it.", "X Odd: 1"),
  badName("http1/field-name-with-zero-octet", "The server answers 400 to a field name with an octet of zero in it.", "X-\0Odd: 1"),
  badName("http1/field-name-with-control", "The server answers 400 to a field name with a control character in it.", "X-\x01Odd: 1"),
  badName("http1/field-name-with-delete", "The server answers 400 to a field name with the octet 0x7f in it.", "X-\x7fOdd: 1"),
  badName("http1/field-name-with-parenthesis", "The server answers 400 to a field name with a character that no token has.", "X(Odd: 1"),
  badName("http1/field-name-with-slash", "The server answers 400 to a field name with a slash in it.", "X/Odd: 1"),
  badName("http1/field-name-with-quotes", "The server answers 400 to a field name in quotes.", '"X-Odd": 1'),
  badName("http1/field-name-beyond-ascii", "The server answers 400 to a field name with an octet beyond ASCII in it.", "X-\xd6dd: 1"),
  folded(
    "http1/fold-with-space",
    "A value that goes on in the next line behind a space is refused, or read as one.",
    get("X-Odd: a\r\n b"),
  ),
  folded("http1/fold-with-tab", "A value that goes on in the next line behind a tab is refused, or read as one.", get("X-Odd: a\r\n\tb")),
  folded("http1/fold-twice", "A value over three lines is refused, or read as one.", get("X-Odd: a\r\n b\r\n c")),
  folded(
    "http1/fold-of-nothing",
    "A value that goes on with an empty line behind a space is refused, or read as one.",
    get("X-Odd: a\r\n \t "),
  ),
  folded(
    "http1/fold-in-host",
    "A Host whose value stands in the next line is refused, or read as that value.",
    head(line, "Host:\r\n {authority}"),
    get(),
  ),
  folded(
    "http1/fold-is-no-field",
    "What follows a fold is no field of its own, whatever it looks like.",
    get("X-Odd: a\r\n Connection: close"),
    get("X-Odd: a Connection: close"),
  ),
  {
    ...folded(
      "http1/fold-in-connection",
      "A Connection whose value stands in the next line is refused, or obeyed.",
      get("Connection:\r\n close"),
      get("Connection: close"),
    ),
    allowed: badRequest(1, permitted({ see: "all", of: [likePath(), { see: "closed after", responses: 1 }] }, "rfc9112#5.2")),
  },
  control(
    "http1/field-value-with-zero-octet",
    "The server refuses an octet of zero in a field value, or reads it as a space.",
    "\0",
    "MUST",
  ),
  control("http1/field-value-with-control", "A control character in a field value is refused, or kept.", "\x01", "MAY"),
  control("http1/field-value-with-escape", "An escape character in a field value is refused, or kept.", "\x1b", "MAY"),
  control("http1/field-value-with-delete", "The octet 0x7f in a field value is refused, or kept.", "\x7f", "MAY"),
  tooLarge("http1/field-too-large", "The server answers a 4xx to a field of 300,000 octets, if that is more than it takes.", [
    `X-Odd: ${"a".repeat(300_000)}`,
  ]),
  tooLarge("http1/field-name-too-large", "The server answers a 4xx to a field name of 300,000 octets, if that is more than it takes.", [
    `${"X".repeat(300_000)}: 1`,
  ]),
  tooLarge(
    "http1/fields-too-many",
    "The server answers a 4xx to 10,000 fields, if that is more than it takes.",
    Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`),
  ),
  {
    id: "http1/fields-without-end",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large"],
    level: "MUST",
    role: "server",
    title: "The server answers a 4xx to a field that has not ended after 3 million octets.",
    steps: [send(`${line}\r\n${host}\r\nX-Odd: ${"a".repeat(3_000_000)}`), { do: "await", see: { see: "connection closed" } }],
    control: [send(get("X-Odd: 1"))],
    allowed: [
      { see: { see: "error and close", status: [431] } },
      permitted({ see: "error and close", status: [400, 413, 414] }, "rfc9110#5.4"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/fields-of-7000-octets",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large"],
    level: "MUST",
    role: "server",
    title: "The server takes fields of 7,000 octets in all, or answers a 4xx.",
    steps: [send(get(...Array.from({ length: 70 }, (_, n) => `X-Odd-${n}: ${"a".repeat(90)}`)))],
    control: [send(get("X-Odd: 1"))],
    allowed: [{ see: servedWith(2, likePath()) }, permitted(refusedWith([431]), "rfc9110#5.4", "warn")],
  },
];
