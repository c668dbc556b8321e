import {
  accepted,
  answered,
  awaitResponse,
  badRequest,
  closedAfter,
  type Entry,
  get,
  head,
  likePath,
  permitted,
  refusedWith,
  send,
  servedWith,
  texts,
} from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/** RFC 9112, section 3.2: the Host field of a request. */

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";

/** A request whose Host is wrong, with a good one as the control. */
const wrong = ({
  requirement,
  text,
  right = get(),
  ...entry
}: Entry & { readonly requirement: string; readonly text: Text; readonly right?: Text }): Case => ({
  spec: "rfc9112#3.2",
  covers: [`rfc9112#3.2/${requirement}`],
  level: "MUST",
  ...texts({ wrong: text, right }),
  allowed: badRequest(),
  ...entry,
});
const invalid = (id: Case["id"], title: string, value: Text): Case =>
  wrong({ id, requirement: "host-invalid", title, text: head(line, `Host: ${value}`) });

export const cases: readonly Case[] = [
  wrong({
    id: "http1/host-missing",
    requirement: "host-missing",
    title: "The server answers 400 to an HTTP/1.1 request without Host.",
    text: head(line),
  }),
  wrong({
    id: "http1/host-twice",
    requirement: "host-twice",
    title: "The server answers 400 to a request with two equal Host lines.",
    text: head(line, host, host),
  }),
  wrong({
    id: "http1/host-twice-differing",
    requirement: "host-twice",
    title: "The server answers 400 to a request with two different Host lines.",
    text: head(line, host, "Host: other.example"),
  }),
  wrong({
    id: "http1/host-twice-apart",
    requirement: "host-twice",
    title: "The server answers 400 to two Host lines with other fields between them.",
    text: head(line, host, "X-Odd: 1", "Accept: */*", "hOST: other.example"),
  }),
  wrong({
    id: "http1/host-twice-in-older-version",
    requirement: "host-twice",
    title: "The server answers 400 to two Host lines in an HTTP/1.0 request.",
    text: head("GET {path} HTTP/1.0", host, host),
    right: head("GET {path} HTTP/1.0", host),
  }),
  invalid("http1/host-with-space", "The server answers 400 to a Host that contains a space.", "{authority} x"),
  invalid("http1/host-with-userinfo", "The server answers 400 to a Host with userinfo.", "user@{authority}"),
  invalid("http1/host-with-path", "The server answers 400 to a Host with a path.", "{authority}/"),
  invalid("http1/host-with-query", "The server answers 400 to a Host with a query.", "{authority}?a"),
  invalid("http1/host-with-fragment", "The server answers 400 to a Host with a fragment.", "{authority}#a"),
  invalid("http1/host-with-two-ports", "The server answers 400 to a Host with two ports.", "127.0.0.1:80:80"),
  invalid("http1/host-with-port-of-letters", "The server answers 400 to a Host whose port is not a number.", "127.0.0.1:http"),
  invalid("http1/host-with-open-bracket", "The server answers 400 to a Host with an unclosed bracket.", "[::1"),
  invalid("http1/host-with-bad-address", "The server answers 400 to a Host with an invalid address in brackets.", "[nothing]"),
  invalid("http1/host-with-angle-brackets", "The server answers 400 to a Host that contains angle brackets.", "<{authority}>"),
  invalid("http1/host-with-zero-octet", "The server answers 400 to a Host that contains NUL.", "{authority}\0"),
  invalid("http1/host-with-bad-escape", "The server answers 400 to a Host with an invalid percent-encoding.", "a%zzb"),
  {
    id: "http1/host-name-in-any-case",
    spec: "rfc9112#5",
    covers: ["rfc9112#5/name-case"],
    level: "MUST",
    role: "server",
    title: "The server compares the field name Host without regard to case.",
    steps: [send(head(line, "hOST: {authority}")), awaitResponse()],
    control: [send(get())],
    allowed: accepted,
  },
  {
    id: "http1/host-not-first",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-missing"],
    level: "MUST",
    role: "server",
    title: "The server finds Host after other fields.",
    steps: [send(head(line, "Accept: */*", "X-Odd: 1", host)), awaitResponse()],
    control: [send(get())],
    allowed: accepted,
  },
  {
    id: "http1/host-empty",
    spec: "rfc9112#3.3",
    covers: ["rfc9112#3.3/default-authority"],
    level: "MAY",
    role: "server",
    title: "The server serves a request with an empty Host for a default host, or rejects it.",
    steps: [send(head(line, "Host:"))],
    control: [send(get())],
    allowed: [
      { see: refusedWith([400]) },
      permitted(servedWith(2, answered(1, { status: ["2xx", "3xx", 404, 421] })), "rfc9112#3.3"),
      permitted(servedWith(2, likePath()), "rfc9112#3.3"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/host-missing-in-older-version",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-missing"],
    level: "MUST",
    role: "server",
    title: "The server accepts an HTTP/1.0 request without Host.",
    steps: [send(head("GET {path} HTTP/1.0"))],
    control: [send(head("GET {path} HTTP/1.0", host))],
    allowed: [{ see: { see: "all", of: [likePath(), closedAfter(1)] } }],
  },
];
