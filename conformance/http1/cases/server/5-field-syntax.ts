import {
  accepted,
  badRequest,
  type Entry,
  exchanged,
  get,
  head,
  likePath,
  notHttp,
  permitted,
  refusedWith,
  send,
  servedWith,
  texts,
} from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/** RFC 9112, section 5, and RFC 9110, section 5: names, colons, values and the size of field lines. */

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";

/** An unusual but valid field. */
const valid = ({ fields, ...entry }: Entry & Pick<Case, "spec" | "covers"> & { readonly fields: readonly Text[] }): Case => ({
  level: "MUST",
  ...exchanged({ wrong: get(...fields), right: get("X-Odd: 1") }),
  allowed: accepted,
  ...entry,
});

const spaceBeforeColon = ({ text, right, ...entry }: Entry & { readonly text: Text; readonly right: Text }): Case => ({
  spec: "rfc9112#5.1",
  covers: ["rfc9112#5.1/space-before-colon"],
  level: "MUST",
  ...texts({ wrong: text, right }),
  allowed: badRequest(),
  ...entry,
});

const badName = (id: Case["id"], title: string, field: Text): Case => ({
  id,
  spec: "rfc9112#5",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  title,
  ...texts({ wrong: get(field), right: get("X-Odd: 1") }),
  allowed: notHttp(),
});

/** The server rejects a folded value, or reads the fold as a space (rfc9112#5.2), which makes it the value of the control. */
const folded = ({ text, right = get("X-Odd: a b"), ...entry }: Entry & { readonly text: Text; readonly right?: Text }): Case => ({
  spec: "rfc9112#5.2",
  covers: ["rfc9112#5.2/fold-in-request"],
  level: "MUST",
  ...texts({ wrong: text, right }),
  allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9112#5.2")),
  ...entry,
});

/** The server rejects CR, LF and NUL, or reads them as spaces; it may keep other control characters (rfc9110#5.5). */
const control = ({ octet, level, ...entry }: Pick<Case, "id" | "title" | "level"> & { readonly octet: Text }): Case => ({
  ...entry,
  spec: "rfc9110#5.5",
  covers: [level === "MUST" ? "rfc9110#5.5/controls" : "rfc9110#5.5/other-controls"],
  level,
  ...texts({ wrong: get(`X-Odd: a${octet}b`), right: get("X-Odd: ab") }),
  allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9110#5.5")),
});

/** Fields above the server's limit: a 4xx that says so; a server without such a limit serves the request (rfc9110#5.4). */
const tooLarge = (id: Case["id"], title: string, fields: readonly Text[]): Case => ({
  id,
  spec: "rfc9110#5.4",
  covers: ["rfc9110#5.4/too-large"],
  level: "MUST",
  title,
  ...texts({ wrong: get(...fields), right: get("X-Odd: 1") }),
  allowed: [
    { see: refusedWith([431]) },
    permitted(refusedWith(["4xx"]), "rfc9110#5.4"),
    permitted(servedWith(2, likePath()), "rfc9110#5.4"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

export const cases: readonly Case[] = [
  valid({
    id: "http1/field-name-of-all-characters",
    spec: "rfc9110#5.1",
    covers: ["rfc9112#5/name-case"],
    title: "The server accepts a field name that contains every character of a token.",
    fields: ["!#$%&'*+-.^_`|~09azAZ: 1"],
  }),
  valid({
    id: "http1/field-without-value",
    spec: "rfc9112#5",
    covers: ["rfc9112#5.1/edges-excluded"],
    title: "The server accepts a field with an empty value.",
    fields: ["X-Odd:"],
  }),
  valid({
    id: "http1/field-of-white-space",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    title: "The server accepts a field whose value is only whitespace.",
    fields: ["X-Odd: \t \t"],
  }),
  valid({
    id: "http1/field-with-tab-inside",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/obs-text", "rfc9110#2.4/semantics"],
    title: "The server accepts a tab inside a field value.",
    fields: ["X-Odd: a\tb"],
  }),
  valid({
    id: "http1/field-with-colons",
    spec: "rfc9112#5",
    covers: ["rfc9112#5.1/edges-excluded"],
    title: "The server ends a field name at the first colon and keeps the others in the value.",
    fields: ["X-Odd::a:b:"],
  }),
  valid({
    id: "http1/field-beyond-ascii",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/obs-text"],
    title: "The server accepts octets beyond ASCII in a field value as they are.",
    fields: ["X-Odd: \x80\xe4\xff"],
    level: "SHOULD",
  }),
  {
    id: "http1/field-edges-excluded",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    level: "MUST",
    title: "The server ignores whitespace around the value of Host.",
    ...exchanged({ wrong: head(line, "Host: \t {authority} \t "), right: get() }),
    allowed: accepted,
  },
  {
    id: "http1/field-without-space",
    spec: "rfc9112#5",
    covers: ["rfc9112#5.1/edges-excluded"],
    level: "MUST",
    title: "The server accepts a field without a space after its colon.",
    ...exchanged({ wrong: head(line, "Host:{authority}"), right: get() }),
    allowed: accepted,
  },
  {
    id: "http1/field-length-between-white-space",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server ignores whitespace around the value of Content-Length.",
    steps: [send(`${head("POST {path} HTTP/1.1", host, "Content-Length: \t 5 \t")}hello`)],
    control: [send(`${head("POST {path} HTTP/1.1", host, "Content-Length: 5")}hello`)],
    allowed: [{ see: servedWith(2, { see: "response", nth: 1, status: ["2xx", "3xx"] }) }],
  },
  spaceBeforeColon({
    id: "http1/space-before-colon",
    title: "The server answers 400 to a space between a field name and its colon.",
    text: get("X-Odd : 1"),
    right: get("X-Odd: 1"),
  }),
  spaceBeforeColon({
    id: "http1/tab-before-colon",
    title: "The server answers 400 to a tab between a field name and its colon.",
    text: get("X-Odd\t: 1"),
    right: get("X-Odd: 1"),
  }),
  spaceBeforeColon({
    id: "http1/space-before-colon-of-host",
    title: "The server answers 400 to a space between Host and its colon.",
    text: head(line, "Host : {authority}"),
    right: get(),
  }),
  spaceBeforeColon({
    id: "http1/space-before-colon-of-content-length",
    title: "The server answers 400 to a space between Content-Length and its colon.",
    text: `${get("Content-Length : 5")}hello`,
    right: `${get("Content-Length: 5")}hello`,
  }),
  spaceBeforeColon({
    id: "http1/space-before-colon-of-connection",
    title: "The server answers 400 to a space between Connection and its colon.",
    text: get("Connection : keep-alive"),
    right: get("Connection: keep-alive"),
  }),
  badName("http1/field-name-empty", "The server answers 400 to a field line that begins with its colon.", ": 1"),
  badName("http1/field-name-with-space", "The server answers 400 to a field name that contains a space.", "X Odd: 1"),
  badName("http1/field-name-with-zero-octet", "The server answers 400 to a field name that contains NUL.", "X-\0Odd: 1"),
  badName("http1/field-name-with-control", "The server answers 400 to a field name that contains a control character.", "X-\x01Odd: 1"),
  badName("http1/field-name-with-delete", "The server answers 400 to a field name that contains DEL.", "X-\x7fOdd: 1"),
  badName("http1/field-name-with-parenthesis", "The server answers 400 to a field name that contains a parenthesis.", "X(Odd: 1"),
  badName("http1/field-name-with-slash", "The server answers 400 to a field name that contains a slash.", "X/Odd: 1"),
  badName("http1/field-name-with-quotes", "The server answers 400 to a field name in quotes.", '"X-Odd": 1'),
  badName("http1/field-name-beyond-ascii", "The server answers 400 to a field name that contains an octet beyond ASCII.", "X-\xd6dd: 1"),
  folded({
    id: "http1/fold-with-space",
    title: "The server rejects a value folded with a space, or unfolds it.",
    text: get("X-Odd: a\r\n b"),
  }),
  folded({
    id: "http1/fold-with-tab",
    title: "The server rejects a value folded with a tab, or unfolds it.",
    text: get("X-Odd: a\r\n\tb"),
  }),
  folded({
    id: "http1/fold-twice",
    title: "The server rejects a value folded over three lines, or unfolds it.",
    text: get("X-Odd: a\r\n b\r\n c"),
  }),
  folded({
    id: "http1/fold-of-nothing",
    title: "The server rejects a value folded onto a line of whitespace, or unfolds it.",
    text: get("X-Odd: a\r\n \t "),
  }),
  folded({
    id: "http1/fold-in-host",
    title: "The server rejects a Host whose value is on a folded line, or uses that value.",
    text: head(line, "Host:\r\n {authority}"),
    right: get(),
  }),
  folded({
    id: "http1/fold-is-no-field",
    title: "The server does not read a folded line as another field, whatever it looks like.",
    text: get("X-Odd: a\r\n Connection: close"),
    right: get("X-Odd: a Connection: close"),
  }),
  folded({
    id: "http1/fold-in-connection",
    title: "The server rejects a Connection whose value is on a folded line, or obeys it.",
    text: get("Connection:\r\n close"),
    right: get("Connection: close"),
    allowed: badRequest(1, permitted({ see: "all", of: [likePath(), { see: "closed after", responses: 1 }] }, "rfc9112#5.2")),
  }),
  control({
    id: "http1/field-value-with-zero-octet",
    title: "The server rejects NUL in a field value, or reads it as a space.",
    octet: "\0",
    level: "MUST",
  }),
  control({
    id: "http1/field-value-with-control",
    title: "The server rejects a control character in a field value, or keeps it.",
    octet: "\x01",
    level: "MAY",
  }),
  control({
    id: "http1/field-value-with-escape",
    title: "The server rejects ESC in a field value, or keeps it.",
    octet: "\x1b",
    level: "MAY",
  }),
  control({
    id: "http1/field-value-with-delete",
    title: "The server rejects DEL in a field value, or keeps it.",
    octet: "\x7f",
    level: "MAY",
  }),
  tooLarge("http1/field-too-large", "The server answers 4xx to a field of 300,000 octets, or serves the request.", [
    `X-Odd: ${"a".repeat(300_000)}`,
  ]),
  tooLarge("http1/field-name-too-large", "The server answers 4xx to a field name of 300,000 octets, or serves the request.", [
    `${"X".repeat(300_000)}: 1`,
  ]),
  tooLarge(
    "http1/fields-too-many",
    "The server answers 4xx to 10,000 fields, or serves the request.",
    Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`),
  ),
  {
    id: "http1/fields-without-end",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large"],
    level: "MUST",
    role: "server",
    title: "The server answers 4xx to a field that has not ended after 3 million octets.",
    steps: [send(`${line}\r\n${host}\r\nX-Odd: ${"a".repeat(3_000_000)}`), { do: "await", see: { see: "connection closed" } }],
    control: [send(get("X-Odd: 1"))],
    allowed: [
      { see: { see: "error and close", status: [431] } },
      permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#5.4"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/fields-of-7000-octets",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large"],
    level: "MUST",
    role: "server",
    title: "The server accepts a header section of 7,000 octets, or answers 4xx.",
    steps: [send(get(...Array.from({ length: 70 }, (_, n) => `X-Odd-${n}: ${"a".repeat(90)}`)))],
    control: [send(get("X-Odd: 1"))],
    allowed: [{ see: servedWith(2, likePath()) }, permitted(refusedWith([431]), "rfc9110#5.4", "warn")],
  },
];
