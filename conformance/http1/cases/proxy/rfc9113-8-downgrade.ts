import type { FrameSpec } from "../../../http2/vocabulary.ts";
import type { Case, Outcome, Sight } from "../../vocabulary.ts";
import { data, FRONT, get, headers, http2, malformed, partialData, post, pseudo } from "./http2-phrases.ts";
import { all, atOrigin, forwarded, HIDDEN, holds, not, ok, permitted, requests, unambiguous } from "./phrases.ts";

/**
 * RFC 9113, sections 8 and 10.3: what only HTTP/2 can express must not become lines of HTTP/1.1. The smuggling families H2.CL and H2.TE.
 */

type Entry = Pick<Case, "id" | "title">;
type Wrong = Entry &
  Pick<Case, "spec" | "covers"> & {
    readonly frames: readonly FrameSpec[];
    readonly right: readonly FrameSpec[];
    readonly others?: readonly Outcome[];
  };
const wrong = ({ frames, right, others = [], ...entry }: Wrong): Case => ({
  ...entry,
  level: "MUST NOT",
  ...FRONT,
  steps: [http2(...frames)],
  control: [http2(...right)],
  allowed: malformed(...others),
});
/** A field of a GET that the proxy must not forward. */
const field = ({ name, value, covers, ...entry }: Entry & Pick<Case, "covers"> & { readonly name: string; readonly value: string }): Case =>
  wrong({
    ...entry,
    spec: "rfc9113#8.2.1",
    covers: [...covers, "rfc9113#8.2.1/no-forward"],
    frames: [get([name, value])],
    right: [get(["x-field", "a"])],
  });
const NAME = ["rfc9113#8.2.1/name-controls"] as const;
const VALUE = ["rfc9113#8.2.1/value-delimiters"] as const;
/** A pseudo-field that the proxy must not forward unchanged: a space or a line end in it makes another request line. */
const control = ({
  name,
  value,
  others,
  ...entry
}: Entry & { readonly name: string; readonly value: string; readonly others?: readonly Outcome[] }): Case =>
  wrong({
    ...entry,
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/mandatory", "rfc9113#10.3/validate-before-translating"],
    frames: [headers(pseudo("GET").map((one) => (one[0] === name ? [name, value] : one)))],
    right: [get()],
    ...(others === undefined ? {} : { others }),
  });
const connectionField = ({ name, value, ...entry }: Entry & { readonly name: string; readonly value: string }): Case =>
  wrong({
    ...entry,
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    frames: [post([name, value]), data(HIDDEN)],
    right: [post(), data(HIDDEN)],
  });

/** Forwarded before the proxy could see that the content is wrong: all of it as one request, without the hidden one. */
const headOnly: Outcome = permitted(all({ see: "stream reset", stream: 1 }, requests(1), unambiguous), "rfc9113#8.1.1", "warn");
/** Corrected and forwarded, with only one reading. */
const corrected = (target: string): Outcome => permitted(forwarded({ target }), "rfc9113#8.3.1", "warn");
const LENGTHS: Case["covers"] = ["rfc9113#8.1.1/content-length", "rfc9113#8.1.1/no-forward"];
/** A line hidden in a name or a value. */
const INJECTED = "a\r\nX-Injected: b";
const notMade: Sight = not({ see: "origin octets", pattern: "x-injected: b" });

export const cases: readonly Case[] = [
  wrong({
    id: "http1/proxy-h2-cl-shorter",
    title: "The proxy does not forward content longer than its content-length, whose rest would be a request (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "5"]), data(`hello${HIDDEN}`)],
    right: [post(["content-length", "261"]), data(`hello${HIDDEN}`)],
    others: [headOnly],
  }),
  wrong({
    id: "http1/proxy-h2-cl-zero",
    title: "The proxy does not forward content with content-length: 0 as another request (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "0"]), data(HIDDEN)],
    right: [post(["content-length", "256"]), data(HIDDEN)],
    others: [headOnly],
  }),
  wrong({
    id: "http1/proxy-h2-cl-longer",
    title: "The proxy does not forward content shorter than its content-length, which would absorb the next request (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "300"]), data(HIDDEN)],
    right: [post(["content-length", "256"]), data(HIDDEN)],
  }),
  wrong({
    id: "http1/proxy-h2-cl-without-content",
    title: "The proxy does not forward a content-length without content, which would absorb the next request (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [headers([...pseudo("POST"), ["content-length", "300"]])],
    right: [headers([...pseudo("POST"), ["content-length", "0"]])],
  }),
  wrong({
    id: "http1/proxy-h2-cl-cl",
    title: "The proxy does not forward two different content-length fields (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "5"], ["content-length", "261"]), data(`hello${HIDDEN}`)],
    right: [post(["content-length", "261"]), data(`hello${HIDDEN}`)],
  }),
  wrong({
    id: "http1/proxy-h2-cl-no-number",
    title: "The proxy does not forward an invalid content-length (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "+256"]), data(HIDDEN)],
    right: [post(["content-length", "256"]), data(HIDDEN)],
  }),
  wrong({
    id: "http1/proxy-h2-te",
    title: "The proxy does not forward a transfer-encoding field, which would delimit the content by chunks (H2.TE).",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    frames: [post(["transfer-encoding", "chunked"]), data(`0\r\n\r\n${HIDDEN}`)],
    right: [post(), data(`0\r\n\r\n${HIDDEN}`)],
  }),
  wrong({
    id: "http1/proxy-h2-te-with-length",
    title: "The proxy does not forward transfer-encoding next to content-length (H2.TE).",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    frames: [post(["content-length", "261"], ["transfer-encoding", "chunked"]), data(`0\r\n\r\n${HIDDEN}`)],
    right: [post(["content-length", "261"]), data(`0\r\n\r\n${HIDDEN}`)],
  }),
  connectionField({
    id: "http1/proxy-h2-connection",
    title: "The proxy does not forward a connection field from HTTP/2.",
    name: "connection",
    value: "close",
  }),
  connectionField({
    id: "http1/proxy-h2-keep-alive",
    title: "The proxy does not forward a keep-alive field from HTTP/2.",
    name: "keep-alive",
    value: "timeout=5",
  }),
  connectionField({
    id: "http1/proxy-h2-proxy-connection",
    title: "The proxy does not forward a proxy-connection field from HTTP/2.",
    name: "proxy-connection",
    value: "keep-alive",
  }),
  connectionField({
    id: "http1/proxy-h2-upgrade",
    title: "The proxy does not forward an upgrade field from HTTP/2.",
    name: "upgrade",
    value: "touchstone/1",
  }),
  connectionField({
    id: "http1/proxy-h2-te-gzip",
    title: "The proxy does not forward a te field other than trailers from HTTP/2.",
    name: "te",
    value: "gzip",
  }),
  field({
    id: "http1/proxy-h2-value-crlf",
    title: "The proxy does not turn CRLF in a value into an HTTP/1.1 line.",
    name: "x-field",
    value: INJECTED,
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-value-lf",
    title: "The proxy does not turn LF in a value into an HTTP/1.1 line.",
    name: "x-field",
    value: "a\nX-Injected: b",
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-value-cr",
    title: "The proxy does not turn CR in a value into an HTTP/1.1 line.",
    name: "x-field",
    value: "a\rX-Injected: b",
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-value-nul",
    title: "The proxy does not forward NUL in a value.",
    name: "x-field",
    value: "a\0b",
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-value-request",
    title: "The proxy does not turn CRLF in a value into an HTTP/1.1 request.",
    name: "x-field",
    value: `a\r\n\r\n${HIDDEN}`,
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-name-crlf",
    title: "The proxy does not turn CRLF in a name into an HTTP/1.1 line.",
    name: "x-field: a\r\nx-injected",
    value: "b",
    covers: NAME,
  }),
  field({
    id: "http1/proxy-h2-name-lf",
    title: "The proxy does not turn LF in a name into an HTTP/1.1 line.",
    name: "x-field: a\nx-injected",
    value: "b",
    covers: NAME,
  }),
  field({ id: "http1/proxy-h2-name-nul", title: "The proxy does not forward NUL in a name.", name: "x-fi\0eld", value: "a", covers: NAME }),
  field({
    id: "http1/proxy-h2-name-space",
    title: "The proxy does not forward a space in a name.",
    name: "x field",
    value: "a",
    covers: NAME,
  }),
  field({
    id: "http1/proxy-h2-name-colon",
    title: "The proxy does not turn a colon in a name into another field.",
    name: "transfer-encoding: chunked",
    value: "x",
    covers: ["rfc9113#8.2.1/name-colon"],
  }),
  field({
    id: "http1/proxy-h2-name-upper-case",
    title: "The proxy does not forward a name in upper case.",
    name: "X-Field",
    value: "a",
    covers: ["rfc9113#8.2.1/name-uppercase"],
  }),
  field({
    id: "http1/proxy-h2-name-empty",
    title: "The proxy does not forward an empty name.",
    name: "",
    value: "a",
    covers: ["rfc9113#8.2.1/http-definitions"],
  }),
  control({
    id: "http1/proxy-h2-path-space",
    title: "The proxy does not turn a space in :path into another version.",
    name: ":path",
    value: "{path} HTTP/1.1",
    others: [corrected("^{path}%20HTTP/1\\.1$")],
  }),
  control({
    id: "http1/proxy-h2-path-crlf",
    title: "The proxy does not turn CRLF in :path into an HTTP/1.1 line.",
    name: ":path",
    value: "{path} HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
  }),
  control({
    id: "http1/proxy-h2-path-lf",
    title: "The proxy does not turn LF in :path into an HTTP/1.1 line.",
    name: ":path",
    value: "{path}\nX-Injected: b",
  }),
  control({
    id: "http1/proxy-h2-path-empty",
    title: "The proxy does not forward an empty :path.",
    name: ":path",
    value: "",
    others: [corrected("^/$")],
  }),
  control({
    id: "http1/proxy-h2-path-relative",
    title: "The proxy does not turn a :path without a leading slash into another host.",
    name: ":path",
    value: "@touchstone.example/",
    others: [corrected("^/@touchstone.example/$")],
  }),
  control({
    id: "http1/proxy-h2-authority-crlf",
    title: "The proxy does not turn CRLF in :authority into an HTTP/1.1 line.",
    name: ":authority",
    value: "{authority}\r\nX-Injected: b",
  }),
  control({
    id: "http1/proxy-h2-authority-space",
    title: "The proxy does not forward a space in :authority in Host.",
    name: ":authority",
    value: "{authority} touchstone",
  }),
  control({
    id: "http1/proxy-h2-method-space",
    title: "The proxy does not turn a space in :method into another target.",
    name: ":method",
    value: "GET /touchstone",
  }),
  control({
    id: "http1/proxy-h2-method-crlf",
    title: "The proxy does not turn CRLF in :method into an HTTP/1.1 line.",
    name: ":method",
    value: "GET {path} HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
  }),
  control({ id: "http1/proxy-h2-method-empty", title: "The proxy does not forward an empty :method.", name: ":method", value: "" }),
  control({
    id: "http1/proxy-h2-scheme-crlf",
    title: "The proxy does not turn CRLF in :scheme into an HTTP/1.1 line.",
    name: ":scheme",
    value: "http://a/ HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
    others: [permitted(all(forwarded(), notMade), "rfc9113#8.3.1", "warn")],
  }),
  wrong({
    id: "http1/proxy-h2-path-missing",
    title: "The proxy does not forward a request without :path.",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/missing", "rfc9113#8.1.1/no-forward"],
    frames: [headers(pseudo("GET").slice(0, 3))],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-path-twice",
    title: "The proxy does not forward a request with two :path fields.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/repeated", "rfc9113#8.1.1/no-forward"],
    frames: [headers([...pseudo("GET"), [":path", "{path}/other"]])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-method-twice",
    title: "The proxy does not forward a request with two :method fields.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/repeated", "rfc9113#8.1.1/no-forward"],
    frames: [headers([[":method", "POST"], ...pseudo("GET")])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-pseudo-behind",
    title: "The proxy does not forward a pseudo-header field after a regular field.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/before-regular", "rfc9113#8.1.1/no-forward"],
    frames: [headers([...pseudo("GET").slice(0, 3), ["x-field", "a"], [":path", "{path}"]])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-pseudo-unknown",
    title: "The proxy does not forward an unknown pseudo-header field.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/undefined", "rfc9113#8.1.1/no-forward"],
    frames: [headers([...pseudo("GET"), [":touchstone", "a"]])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-pseudo-in-trailers",
    title: "The proxy does not forward a pseudo-header field in trailers.",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/trailers-pseudo-malformed", "rfc9113#8.1.1/no-forward"],
    frames: [post(), partialData("hello"), headers([[":path", "{path}/other"]])],
    right: [post(), data("hello")],
  }),
  wrong({
    id: "http1/proxy-h2-trailer-crlf",
    title: "The proxy does not turn CRLF in a trailer into an HTTP/1.1 line.",
    spec: "rfc9113#8.2.1",
    covers: [...VALUE, "rfc9113#8.2.1/no-forward"],
    frames: [post(), partialData("hello"), headers([["x-trailer", INJECTED]])],
    right: [post(), data("hello")],
    others: [permitted(all(ok, requests(1), atOrigin({ body: "hello" }), unambiguous, notMade), "rfc9110#6.5", "warn")],
  }),
  {
    id: "http1/proxy-h2-host-against-authority",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/host-conflict", "rfc9113#8.3.1/forward-host"],
    level: "MUST",
    title: "The proxy rejects a host field that differs from :authority, or sends Host with :authority to the origin.",
    ...FRONT,
    steps: [http2(get(["host", "other.touchstone.example"]))],
    control: [http2(get())],
    allowed: malformed(
      permitted(
        all(forwarded(), holds("one Host at the origin"), not(atOrigin({ fields: [{ name: "Host", pattern: "touchstone\\.example" }] }))),
        "rfc9113#8.3.1",
      ),
    ),
  },
];
