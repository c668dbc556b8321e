import type { Case, Sight, Text } from "../vocabulary.ts";
import { permitted } from "../phrases.ts";
import { answer, CONTENT, ok, twice, TWICE, whole } from "./phrases.ts";

/** RFC 9112, sections 3, 5 and 6: the requests that a client sends, whatever the response. */

type Entry = Pick<Case, "id" | "title" | "level">;

/** A plain exchange, and a property of the client's request. */
const sends = ({
  monitor,
  also = [],
  ask,
  covers,
  ...entry
}: Entry & Pick<Case, "covers" | "ask" | "needs"> & { readonly monitor: string; readonly also?: readonly Sight[] }): Case => {
  const steps = ask?.twice === true ? twice(whole()) : [answer(ask?.method === "HEAD" ? ok(`Content-Length: ${CONTENT.length}`) : whole())];
  return {
    spec: covers[0].split("/")[0] as Case["spec"],
    covers,
    role: "client",
    ...(ask === undefined ? {} : { ask }),
    steps,
    control: steps,
    allowed: [{ see: { see: "all", of: [{ see: "request" }, ...also, { see: "holds", monitor }] } }],
    ...entry,
  };
};
const post = { ask: { method: "POST" }, needs: ["post"] } as const;
const head = { ask: { method: "HEAD" }, needs: ["head"] } as const;
const second = { ask: TWICE, needs: ["second"] } as const;

/** The request target that results from an address. */
const target = ({
  path,
  pattern,
  level = "MUST",
  ...entry
}: Pick<Case, "id" | "title" | "covers"> & {
  readonly level?: Case["level"];
  readonly path: Text;
  readonly pattern: string;
}): Case => sends({ ...entry, level, monitor: "valid request line", ask: { path }, also: [{ see: "request", target: `^${pattern}$` }] });

const CLEAN: readonly Sight[] = [
  { see: "requests", count: 1 },
  { see: "holds", monitor: "valid request line" },
  { see: "holds", monitor: "origin form" },
  { see: "holds", monitor: "nothing between requests" },
  { see: "not", of: { see: "request", fields: [{ name: "x-injected" }] } },
];
/** An address that cannot go into a request line unchanged: the client encodes it, or sends no request. */
const unspeakable = ({ path, ...entry }: Entry & Pick<Case, "covers"> & Partial<Pick<Case, "spec">> & { readonly path: Text }): Case => ({
  spec: entry.covers[0].split("/")[0] as Case["spec"],
  role: "client",
  steps: [answer(whole())],
  ask: { path },
  controlAsk: {},
  control: [answer(whole())],
  allowed: [{ see: { see: "all", of: [{ see: "request" }, ...CLEAN] } }, permitted({ see: "requests", count: 0 }, "rfc9112#3.2")],
  ...entry,
});

export const cases: readonly Case[] = [
  sends({
    id: "http1/client-request-line",
    covers: ["rfc9112#3/request-line"],
    level: "MUST",
    title: "The request line is method, target and version with one space between.",
    monitor: "valid request line",
  }),
  sends({
    id: "http1/client-request-line-of-post",
    covers: ["rfc9112#3/request-line"],
    level: "MUST",
    title: "So is that of POST.",
    monitor: "valid request line",
    ...post,
  }),
  sends({
    id: "http1/client-version-sent",
    covers: ["rfc9112#2.3/version-sent", "rfc9110#6.2/highest-version", "rfc9110#6.2/version-sent"],
    level: "MUST",
    title: "The client says HTTP/1.1.",
    monitor: "version HTTP/1.1 in requests",
  }),
  sends({
    id: "http1/client-line-ends-sent",
    covers: ["rfc9112#2.2/bare-cr-sent", "rfc9112#2.1/format"],
    level: "MUST",
    title: "Every line of its head ends in CRLF, and holds no CR.",
    monitor: "request lines end in CRLF",
  }),
  sends({
    id: "http1/client-no-empty-lines-sent",
    covers: ["rfc9112#2.2/extra-crlf-sent"],
    level: "MUST NOT",
    title: "No line end or other octet stands before or behind its requests.",
    monitor: "nothing between requests",
    ...second,
  }),
  sends({
    id: "http1/client-no-empty-lines-behind-post",
    covers: ["rfc9112#2.2/extra-crlf-sent", "rfc9112#2.2/crlf-counted"],
    level: "MUST NOT",
    title: "None stands behind the content of POST either.",
    monitor: "nothing between requests",
    ask: { method: "POST", twice: true },
    needs: ["post", "second"],
  }),
  sends({
    id: "http1/client-fields-sent",
    covers: ["rfc9112#2.1/format", "rfc9112#5.2/fold-sent", "rfc9112#2.2/space-before-fields-sent"],
    level: "MUST",
    title: "Its field lines are a token, a colon and a value, and none is folded.",
    monitor: "valid field lines in requests",
  }),
  sends({
    id: "http1/client-fields-of-post-sent",
    covers: ["rfc9112#2.1/format", "rfc9112#5.2/fold-sent"],
    level: "MUST",
    title: "So are those of POST.",
    monitor: "valid field lines in requests",
    ...post,
  }),
  sends({
    id: "http1/client-host-once",
    covers: ["rfc9112#3.2/host-sent", "rfc9110#7.2/host-sent", "rfc9110#5.3/single-line"],
    level: "MUST",
    title: "Every request has one Host field.",
    monitor: "one Host",
    ...second,
  }),
  sends({
    id: "http1/client-host-is-the-authority",
    covers: ["rfc9112#3.2/host-is-authority"],
    level: "MUST",
    title: "Host is the authority of the address, its port with it.",
    monitor: "Host matches the address",
  }),
  sends({
    id: "http1/client-host-first",
    covers: ["rfc9110#7.2/host-first"],
    level: "SHOULD",
    title: "Host is the first of its fields.",
    monitor: "Host first",
  }),
  sends({
    id: "http1/client-host-without-userinfo",
    covers: ["rfc9112#3.2/host-is-authority", "rfc9110#4.2.4/userinfo-not-sent"],
    level: "MUST NOT",
    title: "User information of an address gets neither into Host nor into the target.",
    monitor: "no userinfo",
    ask: { userinfo: "user:secret" },
    also: [{ see: "holds", monitor: "Host matches the address" }],
  }),
  sends({
    id: "http1/client-origin-form",
    covers: ["rfc9112#3.2.1/origin-form"],
    level: "MUST",
    title: "To the server itself it sends path and query alone.",
    monitor: "origin form",
  }),
  target({
    id: "http1/client-path-as-given",
    covers: ["rfc9112#3.2.1/origin-form"],
    title: "The path of the address is the target.",
    path: "/a/b-c_d~e.f",
    pattern: "/a/b-c_d~e\\.f",
  }),
  target({
    id: "http1/client-query-as-given",
    covers: ["rfc9112#3.2.1/origin-form"],
    title: "The query of the address is part of the target, its own question mark too.",
    path: "/a?b=c&d=?/%20e",
    pattern: "/a\\?b=c&d=\\?/%20e",
  }),
  target({
    id: "http1/client-no-fragment-sent",
    covers: ["rfc9112#3.2.1/origin-form"],
    title: "The fragment of an address is no part of the target.",
    path: "/a?b=c#/d?e",
    pattern: "/a\\?b=c",
  }),
  target({
    id: "http1/client-empty-path",
    covers: ["rfc9112#3.2.1/empty-path"],
    title: "An address without a path is asked for as a slash.",
    path: "",
    pattern: "/",
  }),
  target({
    id: "http1/client-empty-path-with-query",
    covers: ["rfc9112#3.2.1/empty-path"],
    title: "So is one with a query alone.",
    path: "?a=b",
    pattern: "/\\?a=b",
  }),
  target({
    id: "http1/client-target-of-8000-octets",
    covers: ["rfc9112#3/8000-octets"],
    title: "A request line of 8,000 octets can be sent.",
    path: `/${"a".repeat(7985)}`,
    pattern: "/a{7985}",
    level: "SHOULD",
  }),
  unspeakable({
    id: "http1/client-space-in-the-path",
    covers: ["rfc9112#3.2/no-space"],
    level: "MUST NOT",
    title: "White space in an address does not get into the target.",
    path: "/a b",
  }),
  unspeakable({
    id: "http1/client-line-end-in-the-path",
    covers: ["rfc9112#11.1/no-splitting", "rfc9112#3.2/no-space"],
    level: "MUST NOT",
    title: "A line end in an address begins no field.",
    path: "/a\r\nX-Injected: 1",
  }),
  unspeakable({
    id: "http1/client-request-in-the-path",
    covers: ["rfc9112#11.1/no-splitting", "rfc9112#3.2/no-space"],
    level: "MUST NOT",
    title: "A whole request in an address is none.",
    path: "/a HTTP/1.1\r\nHost: a\r\n\r\nGET /b",
  }),
  unspeakable({
    id: "http1/client-encoded-line-end-in-the-path",
    covers: ["rfc9112#11.1/no-splitting"],
    level: "SHOULD",
    title: "A line end in percent-encoding stays in it.",
    path: "/a%0d%0aX-Injected:%201",
  }),
  sends({
    id: "http1/client-fields-once",
    covers: ["rfc9110#5.3/single-line"],
    level: "MUST NOT",
    title: "Fields of which there is one at most are sent once.",
    monitor: "singleton request fields once",
    ...post,
  }),
  sends({
    id: "http1/client-no-empty-members-sent",
    covers: ["rfc9110#5.6.1.1/no-empty-elements"],
    level: "MUST NOT",
    title: "Its lists have no empty members.",
    monitor: "no empty list members",
  }),
  sends({
    id: "http1/client-no-bad-white-space-sent",
    covers: ["rfc9110#5.6.3/bws-sent"],
    level: "MUST NOT",
    title: "No white space stands around the equals sign of a parameter that it sends.",
    monitor: "no bad whitespace",
    ...post,
  }),
  sends({
    id: "http1/client-connection-options",
    covers: ["rfc9110#7.6.1/listed", "rfc9110#10.1.4/option", "rfc9110#7.8/option", "rfc9112#7.4/te-option"],
    level: "MUST",
    title: "What is about the connection alone is named in Connection.",
    monitor: "connection-specific fields listed in Connection",
    ...second,
  }),
  sends({
    id: "http1/client-no-option-for-all",
    covers: ["rfc9110#7.6.1/no-end-to-end"],
    level: "MUST NOT",
    title: "No field that is meant for all is named in Connection.",
    monitor: "no end-to-end field listed in Connection",
  }),
  sends({
    id: "http1/client-no-chunked-in-te",
    covers: ["rfc9112#7.4/no-chunked-in-te"],
    level: "MUST NOT",
    title: "TE does not name chunked.",
    monitor: "no chunked in TE",
  }),
  sends({
    id: "http1/client-get-without-content",
    covers: ["rfc9110#9.3.1/get-content"],
    level: "SHOULD NOT",
    title: "GET has no content.",
    monitor: "no content with GET or HEAD",
  }),
  sends({
    id: "http1/client-get-without-length",
    covers: ["rfc9110#8.6/user-agent-omits"],
    level: "SHOULD NOT",
    title: "GET has no Content-Length, since it has no content.",
    monitor: "no framing fields in GET or HEAD",
  }),
  sends({
    id: "http1/client-head-without-content",
    covers: ["rfc9110#9.3.2/head-content", "rfc9110#8.6/user-agent-omits"],
    level: "SHOULD NOT",
    title: "HEAD has neither content nor a length.",
    monitor: "no framing fields in GET or HEAD",
    ...head,
  }),
  sends({
    id: "http1/client-post-framed",
    covers: ["rfc9112#6.3/client-framing", "rfc9112#6/request-signalled"],
    level: "MUST",
    title: "Content is announced by a length, or sent in chunks.",
    monitor: "framed content with POST",
    ...post,
    also: [{ see: "not", of: { see: "request", body: "" } }],
  }),
  sends({
    id: "http1/client-post-framed-once",
    covers: ["rfc9112#6.2/no-length-with-coding", "rfc9110#8.6/malformed-not-forwarded", "rfc9112#6.1/chunked-once"],
    level: "MUST NOT",
    title: "It is announced in one way, rightly, and comes whole.",
    monitor: "unambiguous framing in requests",
    ...post,
  }),
  sends({
    id: "http1/client-post-length-rather-than-chunks",
    covers: ["rfc9110#8.6/user-agent-sends"],
    level: "SHOULD",
    title: "Content of a known length has that length.",
    monitor: "framed content with POST",
    ...post,
    also: [{ see: "request", framing: "length" }],
  }),
  sends({
    id: "http1/client-no-chunks-to-the-unknown",
    covers: ["rfc9112#6.1/client-knows-version", "rfc9112#6.3/client-chunked-version"],
    level: "MUST NOT",
    title: "To a server that it knows nothing of, its first request is not in chunks.",
    monitor: "valid chunks in requests",
    ...post,
    also: [{ see: "request", fields: [{ name: "transfer-encoding", absent: true }] }],
  }),
  sends({
    id: "http1/client-no-expectation-without-content",
    covers: ["rfc9110#10.1.1/without-content"],
    level: "MUST NOT",
    title: "It expects no 100 for a request without content.",
    monitor: "no expectation without content",
  }),
  sends({
    id: "http1/client-dates-sent",
    covers: ["rfc9110#5.6.7/imf-sent"],
    level: "MUST",
    title: "Dates that it sends have the fixed form.",
    monitor: "request dates in IMF-fixdate",
  }),
  sends({
    id: "http1/client-own-close-is-the-last",
    covers: ["rfc9112#9.6/client-no-more"],
    level: "MUST NOT",
    title: "Behind a request that says close, it sends no other on the connection.",
    monitor: "no request after close",
    ...second,
  }),
];
