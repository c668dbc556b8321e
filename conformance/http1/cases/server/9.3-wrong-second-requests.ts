import { awaitResponse, badRequest, get, head, notHttp, permitted, refusedWith, request, send, served } from "../phrases.ts";
import { limitFeature, LIMITS } from "../../limits.ts";
import type { Allowed, Case, Text } from "../../vocabulary.ts";

/**
 * RFC 9112, section 9.3: each request on a connection is judged by itself. A server that does not report a fault must not go on with what
 * it kept of the good request before.
 */

const HOST: Text = "Host: {authority}";

type Wrong = Pick<Case, "id" | "spec" | "covers" | "level"> & {
  readonly about: string;
  readonly wrong: Text;
  readonly right?: Text;
  readonly allowed?: Allowed;
  readonly needs?: readonly string[];
};

/** A good request, its response, and then this one. */
const second = ({ about, wrong, right = get(), allowed = badRequest(2), needs = [], ...entry }: Wrong): Case => ({
  title: `After a good request, the server rejects ${about}.`,
  role: "server",
  needs: ["keep-alive", ...needs],
  steps: [send(get()), awaitResponse(), send(wrong)],
  control: [send(get()), awaitResponse(), send(right)],
  allowed,
  ...entry,
});
const line = (id: Case["id"], about: string, start: Text): Case =>
  second({
    id,
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/no-match"],
    level: "SHOULD",
    about,
    wrong: head(start, HOST),
    allowed: notHttp(2),
  });
/** An invalid request line: 400, or a redirect to the target in its proper form (rfc9112#3.2). */
const target = (id: Case["id"], about: string, start: Text): Case =>
  second({
    id,
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/invalid-line"],
    level: "SHOULD",
    about: `${about}, or redirects to the corrected target`,
    wrong: head(start, HOST),
    allowed: [
      { see: refusedWith([400], 2) },
      permitted({ see: "all", of: [served(3), { see: "response", nth: 2, status: [301] }] }, "rfc9112#3.2"),
      permitted(refusedWith(["4xx", 501, 505], 2), "rfc9112#2.2", "warn"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.5", "warn"),
    ],
  });
const field = (entry: Pick<Wrong, "id" | "spec" | "covers" | "level" | "about"> & { readonly fields: readonly Text[] }): Case => {
  const { fields, ...rest } = entry;
  return second({ ...rest, wrong: head("GET {path} HTTP/1.1", ...fields) });
};
const content = (
  entry: Pick<Wrong, "id" | "spec" | "covers" | "about"> &
    Partial<Pick<Wrong, "level">> & { readonly fields: readonly Text[]; readonly content: Text },
): Case => {
  const { fields, content: octets, ...rest } = entry;
  return second({
    level: "MUST",
    ...rest,
    wrong: request("POST", ...fields) + octets,
    right: `${request("POST", "Content-Length: 5")}hello`,
    needs: ["post"],
    allowed: [
      { see: { see: "error and close", nth: 2, status: [400] } },
      permitted({ see: "error and close", nth: 2, status: ["4xx", 501] }, "rfc9110#15.5", "warn"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.5", "warn"),
      permitted({ see: "closed after", responses: 2 }, "rfc9112#9.3"),
    ],
  });
};

export const cases: readonly Case[] = [
  line("http1/second-method-with-at-sign", "a method with an at sign", "G@T {path} HTTP/1.1"),
  line("http1/second-method-that-begins-with-parenthesis", "a method that begins with a parenthesis", "(GET {path} HTTP/1.1"),
  line("http1/second-line-of-one-word", "a request line of one word", "GET"),
  line("http1/second-line-of-two-words", "a request line without a target", "GET HTTP/1.1"),
  line("http1/second-version-of-another-protocol", "the version of another protocol", "GET {path} HTCPCP/1.1"),
  line("http1/second-version-in-lower-case", "a version in lower case", "GET {path} http/1.1"),
  line("http1/second-version-with-two-digits", "a version with two digits", "GET {path} HTTP/1.11"),
  line("http1/second-version-without-minor", "a version without its second number", "GET {path} HTTP/1"),
  target("http1/second-line-of-four-words", "a request line of four words", "GET {path} more HTTP/1.1"),
  target("http1/second-target-with-vertical-bar", "a target that contains a vertical bar", "GET {path}?a|b HTTP/1.1"),
  second({
    id: "http1/second-method-too-long",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/long-method"],
    level: "SHOULD",
    about: "a method that is longer than any it implements",
    wrong: request("M".repeat(200)),
    allowed: [
      { see: refusedWith([501], 2) },
      permitted(refusedWith([405], 2), "rfc9110#9.1", "warn"),
      permitted(refusedWith(["4xx"], 2), "rfc9110#9.1", "warn"),
    ],
  }),
  second({
    id: "http1/second-target-beyond-limit",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/long-target"],
    level: "MUST",
    about: "a target that is longer than its limit",
    needs: [limitFeature("target")],
    wrong: head(`GET {path}?${"a".repeat(LIMITS.target)} HTTP/1.1`, HOST),
    allowed: [
      { see: refusedWith([414], 2) },
      permitted(refusedWith(["4xx"], 2), "rfc9110#15.5", "warn"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.5", "warn"),
    ],
  }),
  second({
    id: "http1/second-version-unsupported",
    spec: "rfc9110#15.6.6",
    covers: ["rfc9110#15.6.6/505"],
    level: "MAY",
    about: "a version that it does not know, or answers in its own",
    wrong: head("GET {path} HTTP/9.1", HOST),
    allowed: [
      { see: refusedWith([505], 2) },
      permitted(refusedWith(["4xx", 501], 2), "rfc9110#15.5"),
      permitted(served(3), "rfc9110#6.2"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.5"),
    ],
  }),
  field({
    id: "http1/second-host-missing",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-missing"],
    level: "MUST",
    about: "a request without Host",
    fields: ["X-Odd: 1"],
  }),
  field({
    id: "http1/second-host-twice",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-twice"],
    level: "MUST",
    about: "a request with two Host fields",
    fields: [HOST, HOST],
  }),
  field({
    id: "http1/second-host-invalid",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-invalid"],
    level: "MUST",
    about: "an invalid Host",
    fields: ["Host: a b"],
  }),
  field({
    id: "http1/second-space-before-colon",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon"],
    level: "MUST",
    about: "white space between a field name and its colon",
    fields: [HOST, "X-Odd : 1"],
  }),
  content({
    id: "http1/second-length-invalid",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/invalid-length-request"],
    about: "an invalid Content-Length",
    fields: ["Content-Length: 5a"],
    content: "hello",
  }),
  content({
    id: "http1/second-lengths-that-differ",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/invalid-length-request"],
    about: "two lengths that differ",
    fields: ["Content-Length: 5", "Content-Length: 6"],
    content: "hello",
  }),
  content({
    id: "http1/second-coding-not-final",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    about: "chunked that is not the final coding",
    fields: ["Transfer-Encoding: chunked, x-odd"],
    content: "5\r\nhello\r\n0\r\n\r\n",
  }),
  content({
    id: "http1/second-chunk-size-invalid",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/grammar"],
    level: "SHOULD",
    about: "a chunk size that is no number",
    fields: ["Transfer-Encoding: chunked"],
    content: "x\r\nhello\r\n0\r\n\r\n",
  }),
];
