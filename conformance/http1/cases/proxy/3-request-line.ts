import type { RequirementRef } from "../../../harness/case.ts";
import type { Case, Outcome, Text } from "../../vocabulary.ts";
import {
  all,
  answer,
  atOrigin,
  exchange,
  forwarded,
  get,
  head,
  notForwarded,
  ok,
  permitted,
  refusedOnly,
  request,
  requests,
  send,
  texts,
  unambiguous,
} from "./phrases.ts";

/** RFC 9112, sections 2.3, 3 and 3.2: how a proxy reads a request line, and what it forwards. */

const line = (start: Text): Text => head(start, "Host: {authority}");
type Wrong = {
  readonly id: Case["id"];
  readonly title: string;
  readonly spec?: Case["spec"];
  readonly covers: readonly [RequirementRef, ...RequirementRef[]];
  readonly level?: Case["level"];
  readonly start: Text;
  readonly others?: readonly Outcome[];
};
const wrong = ({ spec = "rfc9112#3", level = "MUST", start, others = [], ...entry }: Wrong): Case => ({
  ...entry,
  spec,
  level,
  ...texts({ wrong: line(start), right: get() }),
  allowed: refusedOnly("rfc9112#2.2", ...others),
});
/** Split at whitespace, and forwarded in the proper form. */
const normalised = permitted(forwarded({ target: "^{path}$", version: "HTTP/1.1" }), "rfc9112#3");
/** A redirect to the target in its proper form; or the target corrected and forwarded, which is discouraged. */
const corrected = (target: string): Outcome[] => [
  permitted(all(answer({ status: [301] }), notForwarded), "rfc9112#3.2"),
  permitted(forwarded({ target }), "rfc9112#3.2", "warn"),
];
const asHttp10: Outcome = permitted(all(unambiguous, requests(1), { see: "connection closed" }), "rfc9112#C.3", "warn");

/** Host decides where a request goes: 400, whether or not the connection persists. */
const badHost = ({ text, ...entry }: Pick<Case, "id" | "title" | "covers"> & { readonly text: Text }): Case => ({
  ...entry,
  spec: "rfc9112#3.2",
  level: "MUST",
  ...texts({ wrong: text, right: get() }),
  allowed: [
    { see: all(answer({ status: [400] }), notForwarded) },
    permitted(all(answer({ status: ["4xx"] }), notForwarded), "rfc9110#15.5", "warn"),
    permitted(all({ see: "closed after", responses: 0 }, notForwarded), "rfc9112#9.5", "warn"),
  ],
});

export const cases: readonly Case[] = [
  wrong({
    id: "http1/proxy-line-spaces",
    title: "The proxy rejects a request line with several spaces, or forwards it with single ones.",
    covers: ["rfc9112#3/request-line"],
    level: "SHOULD",
    start: "GET  {path}   HTTP/1.1",
    others: [normalised],
  }),
  wrong({
    id: "http1/proxy-line-tabs",
    title: "The proxy rejects a request line with tabs, or forwards it with spaces.",
    covers: ["rfc9112#3/request-line"],
    level: "SHOULD",
    start: "GET\t{path}\tHTTP/1.1",
    others: [normalised],
  }),
  wrong({
    id: "http1/proxy-line-space-before",
    title: "The proxy rejects a request line with a leading space, or forwards it without.",
    covers: ["rfc9112#3/request-line"],
    level: "SHOULD",
    start: " GET {path} HTTP/1.1",
    others: [normalised],
  }),
  wrong({
    id: "http1/proxy-line-space-behind",
    title: "The proxy rejects a request line with a trailing space, or forwards it without.",
    covers: ["rfc9112#3/request-line"],
    level: "SHOULD",
    start: "GET {path} HTTP/1.1 ",
    others: [normalised],
  }),
  wrong({
    id: "http1/proxy-line-bare-cr",
    title: "The proxy rejects a bare CR in a request line, or reads it as whitespace.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-cr", "rfc9112#3/request-line"],
    start: "GET {path}\rHTTP/1.1",
    others: [normalised],
  }),
  wrong({
    id: "http1/proxy-target-space",
    title: "The proxy does not forward a target that contains a space unchanged.",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/no-autocorrect", "rfc9112#3.2/invalid-line"],
    level: "SHOULD",
    start: "GET {path}/a b HTTP/1.1",
    others: corrected("^{path}/a(%20|\\+)b$"),
  }),
  wrong({
    id: "http1/proxy-target-nul",
    title: "The proxy does not forward a target that contains NUL unchanged.",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/invalid-line"],
    level: "SHOULD",
    start: "GET {path}/a\0b HTTP/1.1",
    others: corrected("^{path}/a%00b$"),
  }),
  wrong({
    id: "http1/proxy-target-control",
    title: "The proxy does not forward a target that contains a control character unchanged.",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/invalid-line"],
    level: "SHOULD",
    start: "GET {path}/a\x01b HTTP/1.1",
    others: corrected("^{path}/a%01b$"),
  }),
  wrong({
    id: "http1/proxy-target-not-a-form",
    title: "The proxy rejects a target in none of the four forms.",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/invalid-line"],
    level: "SHOULD",
    start: "GET touchstone HTTP/1.1",
    others: [permitted(forwarded({ target: "^/touchstone$" }), "rfc9112#3.2", "warn")],
  }),
  wrong({
    id: "http1/proxy-target-authority-of-get",
    title: "The proxy rejects GET with the authority form, which belongs to CONNECT.",
    spec: "rfc9112#3.2.3",
    covers: ["rfc9112#3.2.3/connect-only"],
    level: "SHOULD",
    start: "GET {authority} HTTP/1.1",
  }),
  wrong({
    id: "http1/proxy-target-asterisk-of-get",
    title: "The proxy rejects GET with the asterisk form, which belongs to OPTIONS.",
    spec: "rfc9112#3.2.4",
    covers: ["rfc9112#3.2.4/options-only"],
    level: "SHOULD",
    start: "GET * HTTP/1.1",
  }),
  wrong({
    id: "http1/proxy-method-no-token",
    title: "The proxy rejects a method that is not a token.",
    spec: "rfc9112#3.1",
    covers: ["rfc9112#3/request-line"],
    level: "SHOULD",
    start: "GE(T) {path} HTTP/1.1",
  }),
  wrong({
    id: "http1/proxy-version-in-lower-case",
    title: "The proxy rejects a version in lower case.",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/version-case"],
    level: "SHOULD",
    start: "GET {path} http/1.1",
    others: [permitted(forwarded({ version: "HTTP/1.1" }), "rfc9112#2.3", "warn")],
  }),
  wrong({
    id: "http1/proxy-version-two-digits",
    title: "The proxy rejects a version with a two-digit minor number.",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/version-case"],
    level: "SHOULD",
    start: "GET {path} HTTP/1.10",
    others: [permitted(forwarded({ version: "HTTP/1.1" }), "rfc9112#2.3", "warn")],
  }),
  wrong({
    id: "http1/proxy-version-major-9",
    title: "The proxy rejects an unsupported major version.",
    spec: "rfc9110#6.2",
    covers: ["rfc9110#6.2/505", "rfc9112#2.3/version-sent"],
    level: "SHOULD",
    start: "GET {path} HTTP/9.9",
    others: [permitted(forwarded({ version: "HTTP/1.1" }), "rfc9110#6.2", "warn")],
  }),
  {
    id: "http1/proxy-version-missing",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/request-line", "rfc9112#2.1/format"],
    level: "SHOULD",
    title: "The proxy rejects a request line without a version, or at least adds one.",
    ...texts({ wrong: "GET {path}\r\n\r\n", right: get() }),
    allowed: refusedOnly("rfc9112#2.2", asHttp10),
  },
  {
    id: "http1/proxy-version-higher-minor",
    spec: "rfc9110#6.2",
    covers: ["rfc9110#6.2/higher-minor", "rfc9112#2.3/own-version"],
    level: "SHOULD",
    title: "The proxy reads HTTP/1.2 as HTTP/1.1 and forwards HTTP/1.1.",
    ...texts({ wrong: line("GET {path} HTTP/1.2"), right: get() }),
    allowed: [{ see: forwarded({ version: "HTTP/1.1" }) }],
  },
  {
    id: "http1/proxy-version-of-its-own",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/own-version"],
    level: "MUST",
    title: "The proxy forwards an HTTP/1.0 request in its own version.",
    needs: ["http/1.1 to the origin"],
    ...texts({ wrong: head("GET {path} HTTP/1.0", "Host: {authority}"), right: get() }),
    allowed: [{ see: forwarded({ version: "HTTP/1.1" }) }, permitted(forwarded({ version: "HTTP/1.0" }), "rfc9112#2.3", "warn")],
  },
  {
    id: "http1/proxy-method-in-lower-case",
    spec: "rfc9110#9.1",
    covers: ["rfc9110#9.1/case-sensitive", "rfc9112#3.1/case-sensitive"],
    level: "MUST",
    title: "The proxy rejects a method in lower case as unknown, or forwards it unchanged.",
    ...texts({ wrong: request("get"), right: get() }),
    allowed: [
      { see: all(ok, requests(1), atOrigin({ method: "get" })) },
      permitted(all(answer({ status: ["4xx", 501] }), notForwarded), "rfc9110#9.1"),
    ],
  },
  {
    id: "http1/proxy-method-unknown",
    spec: "rfc9110#7.6",
    covers: ["rfc9110#7.6/unknown-elements"],
    level: "SHOULD",
    title: "The proxy forwards an unknown method with its content.",
    ...texts({ wrong: `${request("TOUCHSTONE", "Content-Length: 5")}hello`, right: get() }),
    allowed: [{ see: all(ok, requests(1), atOrigin({ method: "TOUCHSTONE", body: "hello" })) }],
  },
  {
    id: "http1/proxy-target-kept",
    spec: "rfc9110#7.7",
    covers: ["rfc9110#7.7/path-kept"],
    level: "MUST NOT",
    title: "The proxy forwards path and query unchanged, with their percent-encodings.",
    ...exchange(send(line("GET {path}/a%2Fb/%7Ec;d=e?f=%41&g=/h?i HTTP/1.1"))),
    allowed: [
      { see: all(ok, { see: "origin octets", pattern: "GET (http://[^/ ]+)?{path}/a%2Fb/%7Ec;d=e\\?f=%41&g=/h\\?i HTTP/1\\.1\\r\\n" }) },
    ],
  },
  {
    id: "http1/proxy-target-too-long",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/long-target", "rfc9110#17.5/limits"],
    level: "MUST",
    title: "The proxy answers 414 to a target of 200,000 octets, or forwards it unchanged.",
    role: "proxy",
    steps: [
      send("GET {path}?"),
      { do: "repeat", text: "abcdefghij".repeat(20), times: 1000 },
      send(" HTTP/1.1\r\nHost: {authority}\r\n\r\n"),
    ],
    control: [
      send("GET {path}?"),
      { do: "repeat", text: "abcdefghij".repeat(20), times: 5 },
      send(" HTTP/1.1\r\nHost: {authority}\r\n\r\n"),
    ],
    allowed: [
      { see: all(answer({ status: [414] }), notForwarded) },
      permitted(forwarded({ target: "^{path}\\?(abcdefghij){20000}$" }), "rfc9112#3"),
      permitted(all(answer({ status: ["4xx"] }), notForwarded), "rfc9110#15.5", "warn"),
      permitted(all({ see: "closed after", responses: 0 }, notForwarded), "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/proxy-fields-too-large",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large", "rfc9110#17.5/limits"],
    level: "MUST",
    title: "The proxy answers 4xx to a header section of 400,000 octets, or forwards it.",
    role: "proxy",
    steps: [
      send("GET {path} HTTP/1.1\r\nHost: {authority}\r\n"),
      { do: "repeat", text: `X-Large: ${"a".repeat(3989)}\r\n`, times: 100 },
      send("\r\n"),
    ],
    control: [send("GET {path} HTTP/1.1\r\nHost: {authority}\r\n"), { do: "repeat", text: "X-Large: a\r\n", times: 10 }, send("\r\n")],
    allowed: [
      { see: all(answer({ status: ["4xx"] }), notForwarded) },
      permitted(forwarded(), "rfc9110#5.4"),
      permitted(all({ see: "closed after", responses: 0 }, notForwarded), "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/proxy-absolute-form-over-host",
    spec: "rfc9112#3.2.2",
    covers: ["rfc9112#3.2.2/proxy-ignores-host", "rfc9112#3.2.2/proxy-generates-host", "rfc9112#3.2.2/origin-ignores-host"],
    level: "MUST",
    title: "The proxy replaces Host by the host of an absolute target.",
    ...texts({
      wrong: head("GET http://{authority}{path} HTTP/1.1", "Host: other.touchstone.example"),
      right: head("GET http://{authority}{path} HTTP/1.1", "Host: {authority}"),
    }),
    allowed: [
      {
        see: forwarded(
          { target: "{path}$" },
          { see: "not", of: atOrigin({ fields: [{ name: "Host", pattern: "touchstone\\.example" }] }) },
        ),
      },
      permitted(all(answer({ status: ["4xx"] }), notForwarded), "rfc9110#7.4", "warn"),
    ],
  },
  badHost({
    id: "http1/proxy-host-missing",
    title: "The proxy rejects an HTTP/1.1 request without Host.",
    covers: ["rfc9112#3.2/host-missing"],
    text: head("GET {path} HTTP/1.1", "X-A: b"),
  }),
  badHost({
    id: "http1/proxy-host-twice",
    title: "The proxy rejects a request with two different Host fields.",
    covers: ["rfc9112#3.2/host-twice"],
    text: get("Host: other.touchstone.example"),
  }),
  badHost({
    id: "http1/proxy-host-twice-equal",
    title: "The proxy rejects a request with two equal Host fields.",
    covers: ["rfc9112#3.2/host-twice"],
    text: get("Host: {authority}"),
  }),
  badHost({
    id: "http1/proxy-host-with-space",
    title: "The proxy rejects a Host that contains a space.",
    covers: ["rfc9112#3.2/host-invalid"],
    text: head("GET {path} HTTP/1.1", "Host: touchstone example"),
  }),
  badHost({
    id: "http1/proxy-host-with-path",
    title: "The proxy rejects a Host followed by a path.",
    covers: ["rfc9112#3.2/host-invalid"],
    text: head("GET {path} HTTP/1.1", "Host: {authority}/path"),
  }),
  badHost({
    id: "http1/proxy-host-list",
    title: "The proxy rejects a Host that is a list.",
    covers: ["rfc9112#3.2/host-invalid"],
    text: head("GET {path} HTTP/1.1", "Host: {authority}, other.touchstone.example"),
  }),
  {
    id: "http1/proxy-connect-answered",
    spec: "rfc9110#9.3.6",
    covers: ["rfc9110#9.3.6/safe-targets"],
    level: "SHOULD",
    title: "The proxy refuses CONNECT to a host that is not its origin, or opens a tunnel; it does not treat it as another request.",
    ...texts({ wrong: head("CONNECT touchstone.example:443 HTTP/1.1", "Host: touchstone.example:443"), right: get() }),
    fence: "new",
    allowed: [
      { see: all(answer({ status: ["4xx", 501, 502, 503, 504] }), notForwarded) },
      permitted({ see: "response", status: ["2xx"] }, "rfc9110#9.3.6"),
      permitted(all({ see: "closed after", responses: 0 }, notForwarded), "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/proxy-connect-refused",
    spec: "rfc9110#9.3.6",
    covers: ["rfc9110#9.3.6/invalid-port"],
    level: "MUST",
    title: "The proxy rejects CONNECT without a port.",
    ...texts({ wrong: head("CONNECT touchstone.example: HTTP/1.1", "Host: touchstone.example"), right: get() }),
    allowed: [
      { see: all(answer({ status: ["4xx", 501] }), notForwarded) },
      permitted(all(answer({ status: ["5xx"] }), notForwarded), "rfc9110#15.6", "warn"),
      permitted(all({ see: "closed after", responses: 0 }, notForwarded), "rfc9112#9.5", "warn"),
    ],
  },
];
