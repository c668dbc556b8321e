import { sectionOf } from "../../../harness/case.ts";
import type { Case, Sight, Text } from "../../vocabulary.ts";
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
    spec: sectionOf(covers[0]),
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
const unencodable = ({ path, ...entry }: Entry & Pick<Case, "covers"> & Partial<Pick<Case, "spec">> & { readonly path: Text }): Case => ({
  spec: sectionOf(entry.covers[0]),
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
    title: "The client sends method, target and version separated by single spaces.",
    monitor: "valid request line",
  }),
  sends({
    id: "http1/client-request-line-of-post",
    covers: ["rfc9112#3/request-line"],
    level: "MUST",
    title: "The client sends the request line of a POST in the same form.",
    monitor: "valid request line",
    ...post,
  }),
  sends({
    id: "http1/client-version-sent",
    covers: ["rfc9112#2.3/version-sent", "rfc9110#6.2/highest-version", "rfc9110#6.2/version-sent"],
    level: "MUST",
    title: "The client sends version HTTP/1.1.",
    monitor: "version HTTP/1.1 in requests",
  }),
  sends({
    id: "http1/client-line-ends-sent",
    covers: ["rfc9112#2.2/bare-cr-sent", "rfc9112#2.1/format"],
    level: "MUST",
    title: "The client ends every line of its head in CRLF and sends no other CR.",
    monitor: "request lines end in CRLF",
  }),
  sends({
    id: "http1/client-no-empty-lines-sent",
    covers: ["rfc9112#2.2/extra-crlf-sent"],
    level: "MUST NOT",
    title: "The client sends no octets between its requests.",
    monitor: "nothing between requests",
    ...second,
  }),
  sends({
    id: "http1/client-no-empty-lines-behind-post",
    covers: ["rfc9112#2.2/extra-crlf-sent", "rfc9112#2.2/crlf-counted"],
    level: "MUST NOT",
    title: "The client sends no octets after the content of a POST.",
    monitor: "nothing between requests",
    ask: { method: "POST", twice: true },
    needs: ["post", "second"],
  }),
  sends({
    id: "http1/client-fields-sent",
    covers: ["rfc9112#2.1/format", "rfc9112#5.2/fold-sent", "rfc9112#2.2/space-before-fields-sent"],
    level: "MUST",
    title: "The client sends field lines of a token, a colon and a value, without folds.",
    monitor: "valid field lines in requests",
  }),
  sends({
    id: "http1/client-fields-of-post-sent",
    covers: ["rfc9112#2.1/format", "rfc9112#5.2/fold-sent"],
    level: "MUST",
    title: "The client sends field lines of the same form with a POST.",
    monitor: "valid field lines in requests",
    ...post,
  }),
  sends({
    id: "http1/client-host-once",
    covers: ["rfc9112#3.2/host-sent", "rfc9110#7.2/host-sent", "rfc9110#5.3/single-line"],
    level: "MUST",
    title: "The client sends exactly one Host field in every request.",
    monitor: "one Host",
    ...second,
  }),
  sends({
    id: "http1/client-host-is-the-authority",
    covers: ["rfc9112#3.2/host-is-authority"],
    level: "MUST",
    title: "The client sends the authority of the address, including its port, in Host.",
    monitor: "Host matches the address",
  }),
  sends({
    id: "http1/client-host-first",
    covers: ["rfc9110#7.2/host-first"],
    level: "SHOULD",
    title: "The client sends Host as the first field.",
    monitor: "Host first",
  }),
  sends({
    id: "http1/client-host-without-userinfo",
    covers: ["rfc9112#3.2/host-is-authority", "rfc9110#4.2.4/userinfo-not-sent"],
    level: "MUST NOT",
    title: "The client sends the userinfo of an address neither in Host nor in the target.",
    monitor: "no userinfo",
    ask: { userinfo: "user:secret" },
    also: [{ see: "holds", monitor: "Host matches the address" }],
  }),
  sends({
    id: "http1/client-origin-form",
    covers: ["rfc9112#3.2.1/origin-form"],
    level: "MUST",
    title: "The client sends only path and query as the target to an origin server.",
    monitor: "origin form",
  }),
  target({
    id: "http1/client-path-as-given",
    covers: ["rfc9112#3.2.1/origin-form"],
    title: "The client sends the path of the address unchanged as the target.",
    path: "/a/b-c_d~e.f",
    pattern: "/a/b-c_d~e\\.f",
  }),
  target({
    id: "http1/client-query-as-given",
    covers: ["rfc9112#3.2.1/origin-form"],
    title: "The client sends the query of the address unchanged, including further question marks.",
    path: "/a?b=c&d=?/%20e",
    pattern: "/a\\?b=c&d=\\?/%20e",
  }),
  target({
    id: "http1/client-no-fragment-sent",
    covers: ["rfc9112#3.2.1/origin-form"],
    title: "The client sends no fragment in the target.",
    path: "/a?b=c#/d?e",
    pattern: "/a\\?b=c",
  }),
  target({
    id: "http1/client-empty-path",
    covers: ["rfc9112#3.2.1/empty-path"],
    title: "The client sends a slash for an address without a path.",
    path: "",
    pattern: "/",
  }),
  target({
    id: "http1/client-empty-path-with-query",
    covers: ["rfc9112#3.2.1/empty-path"],
    title: "The client sends a slash before the query of an address without a path.",
    path: "?a=b",
    pattern: "/\\?a=b",
  }),
  target({
    id: "http1/client-target-of-8000-octets",
    covers: ["rfc9112#3/8000-octets"],
    title: "The client can send a request line of 8,000 octets.",
    path: `/${"a".repeat(7985)}`,
    pattern: "/a{7985}",
    level: "SHOULD",
  }),
  unencodable({
    id: "http1/client-space-in-the-path",
    covers: ["rfc9112#3.2/no-space"],
    level: "MUST NOT",
    title: "The client does not send a space from the address in the target.",
    path: "/a b",
  }),
  unencodable({
    id: "http1/client-line-end-in-the-path",
    covers: ["rfc9112#11.1/no-splitting", "rfc9112#3.2/no-space"],
    level: "MUST NOT",
    title: "The client does not turn a line end in the address into a field.",
    path: "/a\r\nX-Injected: 1",
  }),
  unencodable({
    id: "http1/client-request-in-the-path",
    covers: ["rfc9112#11.1/no-splitting", "rfc9112#3.2/no-space"],
    level: "MUST NOT",
    title: "The client does not turn a whole request in the address into a second request.",
    path: "/a HTTP/1.1\r\nHost: a\r\n\r\nGET /b",
  }),
  unencodable({
    id: "http1/client-encoded-line-end-in-the-path",
    covers: ["rfc9112#11.1/no-splitting"],
    level: "SHOULD",
    title: "The client keeps a percent-encoded line end in the address encoded.",
    path: "/a%0d%0aX-Injected:%201",
  }),
  sends({
    id: "http1/client-fields-once",
    covers: ["rfc9110#5.3/single-line"],
    level: "MUST NOT",
    title: "The client sends singleton fields once.",
    monitor: "singleton request fields once",
    ...post,
  }),
  sends({
    id: "http1/client-no-empty-members-sent",
    covers: ["rfc9110#5.6.1.1/no-empty-elements"],
    level: "MUST NOT",
    title: "The client sends no empty list members.",
    monitor: "no empty list members",
  }),
  sends({
    id: "http1/client-no-bad-white-space-sent",
    covers: ["rfc9110#5.6.3/bws-sent"],
    level: "MUST NOT",
    title: "The client sends no whitespace around the equals sign of a parameter.",
    monitor: "no bad whitespace",
    ...post,
  }),
  sends({
    id: "http1/client-connection-options",
    covers: ["rfc9110#7.6.1/listed", "rfc9110#10.1.4/option", "rfc9110#7.8/option", "rfc9112#7.4/te-option"],
    level: "MUST",
    title: "The client lists its connection-specific fields in Connection.",
    monitor: "connection-specific fields listed in Connection",
    ...second,
  }),
  sends({
    id: "http1/client-no-option-for-all",
    covers: ["rfc9110#7.6.1/no-end-to-end"],
    level: "MUST NOT",
    title: "The client lists no end-to-end field in Connection.",
    monitor: "no end-to-end field listed in Connection",
  }),
  sends({
    id: "http1/client-no-chunked-in-te",
    covers: ["rfc9112#7.4/no-chunked-in-te"],
    level: "MUST NOT",
    title: "The client does not list chunked in TE.",
    monitor: "no chunked in TE",
  }),
  sends({
    id: "http1/client-get-without-content",
    covers: ["rfc9110#9.3.1/get-content"],
    level: "SHOULD NOT",
    title: "The client sends no content with GET.",
    monitor: "no content with GET or HEAD",
  }),
  sends({
    id: "http1/client-get-without-length",
    covers: ["rfc9110#8.6/user-agent-omits"],
    level: "SHOULD NOT",
    title: "The client sends no Content-Length with GET.",
    monitor: "no framing fields in GET or HEAD",
  }),
  sends({
    id: "http1/client-head-without-content",
    covers: ["rfc9110#9.3.2/head-content", "rfc9110#8.6/user-agent-omits"],
    level: "SHOULD NOT",
    title: "The client sends neither content nor a length with HEAD.",
    monitor: "no framing fields in GET or HEAD",
    ...head,
  }),
  sends({
    id: "http1/client-post-framed",
    covers: ["rfc9112#6.3/client-framing", "rfc9112#6/request-signalled"],
    level: "MUST",
    title: "The client frames the content of a POST by length or by chunks.",
    monitor: "framed content with POST",
    ...post,
    also: [{ see: "not", of: { see: "request", body: "" } }],
  }),
  sends({
    id: "http1/client-post-framed-once",
    covers: ["rfc9112#6.2/no-length-with-coding", "rfc9110#8.6/malformed-not-forwarded", "rfc9112#6.1/chunked-once"],
    level: "MUST NOT",
    title: "The client frames content in one way, correctly, and sends all of it.",
    monitor: "unambiguous framing in requests",
    ...post,
  }),
  sends({
    id: "http1/client-post-length-rather-than-chunks",
    covers: ["rfc9110#8.6/user-agent-sends"],
    level: "SHOULD",
    title: "The client sends Content-Length with content of known length.",
    monitor: "framed content with POST",
    ...post,
    also: [{ see: "request", framing: "length" }],
  }),
  sends({
    id: "http1/client-no-chunks-to-the-unknown",
    covers: ["rfc9112#6.1/client-knows-version", "rfc9112#6.3/client-chunked-version"],
    level: "MUST NOT",
    title: "The client sends its first request without chunks, since it does not know the server's version.",
    monitor: "valid chunks in requests",
    ...post,
    also: [{ see: "request", fields: [{ name: "transfer-encoding", absent: true }] }],
  }),
  sends({
    id: "http1/client-no-expectation-without-content",
    covers: ["rfc9110#10.1.1/without-content"],
    level: "MUST NOT",
    title: "The client does not send Expect: 100-continue without content.",
    monitor: "no expectation without content",
  }),
  sends({
    id: "http1/client-dates-sent",
    covers: ["rfc9110#5.6.7/imf-sent", "rfc9110#5.6.7/date-whitespace"],
    level: "MUST",
    title: "The client sends dates in the IMF-fixdate form.",
    monitor: "request dates in IMF-fixdate",
  }),
  sends({
    id: "http1/client-own-close-is-the-last",
    covers: ["rfc9112#9.6/client-no-more"],
    level: "MUST NOT",
    title: "The client sends no request after its own Connection: close.",
    monitor: "no request after close",
    ...second,
  }),
  sends({
    id: "http1/client-no-referer-of-nothing",
    covers: ["rfc9110#10.1.3/referer-none"],
    level: "MUST",
    title: "The client whose request no resource led to sends no Referer, or about:blank.",
    monitor: "no Referer",
  }),
  sends({
    id: "http1/client-short-weights-sent",
    covers: ["rfc9110#12.4.2/three-digits"],
    level: "MUST NOT",
    title: "The client sends no weight with more than three digits after the point.",
    monitor: "short weights",
  }),
  sends({
    id: "http1/client-weight-sent-last",
    covers: ["rfc9110#12.5.1/weight-last"],
    level: "SHOULD",
    title: "The client sends the weight of a media range after its parameters.",
    monitor: "weights behind parameters",
  }),
];
