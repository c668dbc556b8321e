import type { Case, Sight, Text } from "../vocabulary.ts";
import { permitted } from "../phrases.ts";
import { answer, CONTENT, ok, twice, TWICE, whole } from "./phrases.ts";

/** What the client sends, whatever it is answered: a plain exchange, and a property of its request. */
const sends = (
  id: Case["id"],
  covers: Case["covers"],
  level: Case["level"],
  title: string,
  monitor: string,
  more: Pick<Case, "ask" | "needs"> & { readonly also?: readonly Sight[] } = {},
): Case => {
  const { ask, needs, also = [] } = more;
  const steps = ask?.twice === true ? twice(whole()) : [answer(ask?.method === "HEAD" ? ok(`Content-Length: ${CONTENT.length}`) : whole())];
  return {
    id,
    spec: covers[0].split("/")[0] as Case["spec"],
    covers,
    level,
    role: "client",
    ...(needs === undefined ? {} : { needs }),
    ...(ask === undefined ? {} : { ask }),
    title,
    steps,
    control: steps,
    allowed: [{ see: { see: "all", of: [{ see: "request" }, ...also, { see: "holds", monitor }] } }],
  };
};
const post = { ask: { method: "POST" }, needs: ["post"] } as const;
const head = { ask: { method: "HEAD" }, needs: ["head"] } as const;
const second = { ask: TWICE, needs: ["second"] } as const;

/** The target that comes of an address. */
const target = (
  id: Case["id"],
  requirement: Case["covers"][0],
  title: string,
  path: Text,
  pattern: string,
  level: Case["level"] = "MUST",
): Case => ({
  ...sends(id, [requirement], level, title, "valid request line", { ask: { path }, also: [{ see: "request", target: `^${pattern}$` }] }),
});

/** An address that no request line can hold as it stands: nothing of it gets out, whether it is asked for in another spelling or not at all. */
const unspeakable = (id: Case["id"], covers: Case["covers"], level: Case["level"], title: string, path: Text): Case => ({
  ...sends(id, covers, level, title, "valid request line"),
  ask: { path },
  controlAsk: {},
  control: [answer(whole())],
  allowed: [{ see: { see: "all", of: [{ see: "request" }, ...CLEAN] } }, permitted({ see: "requests", count: 0 }, "rfc9112#3.2")],
});
const CLEAN: readonly Sight[] = [
  { see: "requests", count: 1 },
  { see: "holds", monitor: "valid request line" },
  { see: "holds", monitor: "origin form" },
  { see: "holds", monitor: "nothing between requests" },
  { see: "not", of: { see: "request", fields: [{ name: "x-injected" }] } },
];

export const cases: readonly Case[] = [
  sends(
    "http1/client-request-line",
    ["rfc9112#3/request-line"],
    "MUST",
    "The request line is method, target and version with one space between.",
    "valid request line",
  ),
  sends("http1/client-request-line-of-post", ["rfc9112#3/request-line"], "MUST", "So is that of POST.", "valid request line", post),
  sends(
    "http1/client-version-sent",
    ["rfc9112#2.3/version-sent", "rfc9110#6.2/highest-version", "rfc9110#6.2/version-sent"],
    "MUST",
    "The client says HTTP/1.1.",
    "version HTTP/1.1 in requests",
  ),
  sends(
    "http1/client-line-ends-sent",
    ["rfc9112#2.2/bare-cr-sent", "rfc9112#2.1/format"],
    "MUST",
    "Every line of its head ends in CRLF, and holds no CR.",
    "request lines end in CRLF",
  ),
  sends(
    "http1/client-no-empty-lines-sent",
    ["rfc9112#2.2/extra-crlf-sent"],
    "MUST NOT",
    "No line end or other octet stands before or behind its requests.",
    "nothing between requests",
    second,
  ),
  sends(
    "http1/client-no-empty-lines-behind-post",
    ["rfc9112#2.2/extra-crlf-sent", "rfc9112#2.2/crlf-counted"],
    "MUST NOT",
    "None stands behind the content of POST either.",
    "nothing between requests",
    {
      ask: { method: "POST", twice: true },
      needs: ["post", "second"],
    },
  ),
  sends(
    "http1/client-fields-sent",
    ["rfc9112#2.1/format", "rfc9112#5.2/fold-sent", "rfc9112#2.2/space-before-fields-sent"],
    "MUST",
    "Its field lines are a token, a colon and a value, and none is folded.",
    "valid field lines in requests",
  ),
  sends(
    "http1/client-fields-of-post-sent",
    ["rfc9112#2.1/format", "rfc9112#5.2/fold-sent"],
    "MUST",
    "So are those of POST.",
    "valid field lines in requests",
    post,
  ),
  sends(
    "http1/client-host-once",
    ["rfc9112#3.2/host-sent", "rfc9110#7.2/host-sent", "rfc9110#5.3/single-line"],
    "MUST",
    "Every request has one Host field.",
    "one Host",
    second,
  ),
  sends(
    "http1/client-host-is-the-authority",
    ["rfc9112#3.2/host-is-authority"],
    "MUST",
    "Host is the authority of the address, its port with it.",
    "Host matches the address",
  ),
  sends("http1/client-host-first", ["rfc9110#7.2/host-first"], "SHOULD", "Host is the first of its fields.", "Host first"),
  sends(
    "http1/client-host-without-userinfo",
    ["rfc9112#3.2/host-is-authority", "rfc9110#4.2.4/userinfo-not-sent"],
    "MUST NOT",
    "User information of an address gets neither into Host nor into the target.",
    "no userinfo",
    {
      ask: { userinfo: "user:secret" },
      also: [{ see: "holds", monitor: "Host matches the address" }],
    },
  ),
  sends(
    "http1/client-origin-form",
    ["rfc9112#3.2.1/origin-form"],
    "MUST",
    "To the server itself it sends path and query alone.",
    "origin form",
  ),
  target(
    "http1/client-path-as-given",
    "rfc9112#3.2.1/origin-form",
    "The path of the address is the target.",
    "/a/b-c_d~e.f",
    "/a/b-c_d~e\\.f",
  ),
  target(
    "http1/client-query-as-given",
    "rfc9112#3.2.1/origin-form",
    "The query of the address is part of the target, its own question mark too.",
    "/a?b=c&d=?/%20e",
    "/a\\?b=c&d=\\?/%20e",
  ),
  target(
    "http1/client-no-fragment-sent",
    "rfc9112#3.2.1/origin-form",
    "The fragment of an address is no part of the target.",
    "/a?b=c#/d?e",
    "/a\\?b=c",
  ),
  target("http1/client-empty-path", "rfc9112#3.2.1/empty-path", "An address without a path is asked for as a slash.", "", "/"),
  target("http1/client-empty-path-with-query", "rfc9112#3.2.1/empty-path", "So is one with a query alone.", "?a=b", "/\\?a=b"),
  target(
    "http1/client-target-of-8000-octets",
    "rfc9112#3/8000-octets",
    "A request line of 8,000 octets can be sent.",
    `/${"a".repeat(7985)}`,
    "/a{7985}",
    "SHOULD",
  ),
  unspeakable(
    "http1/client-space-in-the-path",
    ["rfc9112#3.2/no-space"],
    "MUST NOT",
    "White space in an address does not get into the target.",
    "/a b",
  ),
  unspeakable(
    "http1/client-line-end-in-the-path",
    ["rfc9112#11.1/no-splitting", "rfc9112#3.2/no-space"],
    "MUST NOT",
    "A line end in an address begins no field.",
    "/a\r\nX-Injected: 1",
  ),
  unspeakable(
    "http1/client-request-in-the-path",
    ["rfc9112#11.1/no-splitting", "rfc9112#3.2/no-space"],
    "MUST NOT",
    "A whole request in an address is none.",
    "/a HTTP/1.1\r\nHost: a\r\n\r\nGET /b",
  ),
  {
    ...unspeakable(
      "http1/client-encoded-line-end-in-the-path",
      ["rfc9112#11.1/no-splitting"],
      "SHOULD",
      "A line end in percent-encoding stays in it.",
      "/a%0d%0aX-Injected:%201",
    ),
  },
  sends(
    "http1/client-fields-once",
    ["rfc9110#5.3/single-line"],
    "MUST NOT",
    "Fields of which there is one at most are sent once.",
    "singleton request fields once",
    post,
  ),
  sends(
    "http1/client-no-empty-members-sent",
    ["rfc9110#5.6.1.1/no-empty-elements"],
    "MUST NOT",
    "Its lists have no empty members.",
    "no empty list members",
  ),
  sends(
    "http1/client-no-bad-white-space-sent",
    ["rfc9110#5.6.3/bws-sent"],
    "MUST NOT",
    "No white space stands around the equals sign of a parameter that it sends.",
    "no bad whitespace",
    post,
  ),
  sends(
    "http1/client-connection-options",
    ["rfc9110#7.6.1/listed", "rfc9110#10.1.4/option", "rfc9110#7.8/option", "rfc9112#7.4/te-option"],
    "MUST",
    "What is about the connection alone is named in Connection.",
    "connection-specific fields listed in Connection",
    second,
  ),
  sends(
    "http1/client-no-option-for-all",
    ["rfc9110#7.6.1/no-end-to-end"],
    "MUST NOT",
    "No field that is meant for all is named in Connection.",
    "no end-to-end field listed in Connection",
  ),
  sends("http1/client-no-chunked-in-te", ["rfc9112#7.4/no-chunked-in-te"], "MUST NOT", "TE does not name chunked.", "no chunked in TE"),
  sends(
    "http1/client-get-without-content",
    ["rfc9110#9.3.1/get-content"],
    "SHOULD NOT",
    "GET has no content.",
    "no content with GET or HEAD",
  ),
  sends(
    "http1/client-get-without-length",
    ["rfc9110#8.6/user-agent-omits"],
    "SHOULD NOT",
    "GET has no Content-Length, since it has no content.",
    "no framing fields in GET or HEAD",
  ),
  sends(
    "http1/client-head-without-content",
    ["rfc9110#9.3.2/head-content", "rfc9110#8.6/user-agent-omits"],
    "SHOULD NOT",
    "HEAD has neither content nor a length.",
    "no framing fields in GET or HEAD",
    head,
  ),
  sends(
    "http1/client-post-framed",
    ["rfc9112#6.3/client-framing", "rfc9112#6/request-signalled"],
    "MUST",
    "Content is announced by a length, or sent in chunks.",
    "framed content with POST",
    {
      ...post,
      also: [{ see: "not", of: { see: "request", body: "" } }],
    },
  ),
  sends(
    "http1/client-post-framed-once",
    ["rfc9112#6.2/no-length-with-coding", "rfc9110#8.6/malformed-not-forwarded", "rfc9112#6.1/chunked-once"],
    "MUST NOT",
    "It is announced in one way, rightly, and comes whole.",
    "unambiguous framing in requests",
    post,
  ),
  sends(
    "http1/client-post-length-rather-than-chunks",
    ["rfc9110#8.6/user-agent-sends"],
    "SHOULD",
    "Content of a known length has that length.",
    "framed content with POST",
    {
      ...post,
      also: [{ see: "request", framing: "length" }],
    },
  ),
  sends(
    "http1/client-no-chunks-to-the-unknown",
    ["rfc9112#6.1/client-knows-version", "rfc9112#6.3/client-chunked-version"],
    "MUST NOT",
    "To a server that it knows nothing of, its first request is not in chunks.",
    "valid chunks in requests",
    {
      ...post,
      also: [{ see: "request", fields: [{ name: "transfer-encoding", absent: true }] }],
    },
  ),
  sends(
    "http1/client-no-expectation-without-content",
    ["rfc9110#10.1.1/without-content"],
    "MUST NOT",
    "It expects no 100 for a request without content.",
    "no expectation without content",
  ),
  sends(
    "http1/client-dates-sent",
    ["rfc9110#5.6.7/imf-sent"],
    "MUST",
    "Dates that it sends have the fixed form.",
    "request dates in IMF-fixdate",
  ),
  sends(
    "http1/client-own-close-is-the-last",
    ["rfc9112#9.6/client-no-more"],
    "MUST NOT",
    "Behind a request that says close, it sends no other on the connection.",
    "no request after close",
    second,
  ),
];
