import type { FrameSpec } from "../../http2/vocabulary.ts";
import type { Case, Outcome, Sight } from "../vocabulary.ts";
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
    title: "Content longer than its content-length does not go on: the rest would be a request (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "5"]), data(`hello${HIDDEN}`)],
    right: [post(["content-length", "261"]), data(`hello${HIDDEN}`)],
    others: [headOnly],
  }),
  wrong({
    id: "http1/proxy-h2-cl-zero",
    title: "Content with content-length: 0 does not go on as a request of its own (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "0"]), data(HIDDEN)],
    right: [post(["content-length", "256"]), data(HIDDEN)],
    others: [headOnly],
  }),
  wrong({
    id: "http1/proxy-h2-cl-longer",
    title: "Content shorter than its content-length does not go on: the next request would be the rest (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "300"]), data(HIDDEN)],
    right: [post(["content-length", "256"]), data(HIDDEN)],
  }),
  wrong({
    id: "http1/proxy-h2-cl-without-content",
    title: "A content-length without content does not go on: the next request would be the content (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [headers([...pseudo("POST"), ["content-length", "300"]])],
    right: [headers([...pseudo("POST"), ["content-length", "0"]])],
  }),
  wrong({
    id: "http1/proxy-h2-cl-cl",
    title: "Two content-lengths that differ do not go on (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "5"], ["content-length", "261"]), data(`hello${HIDDEN}`)],
    right: [post(["content-length", "261"]), data(`hello${HIDDEN}`)],
  }),
  wrong({
    id: "http1/proxy-h2-cl-no-number",
    title: "A content-length that is no number does not go on (H2.CL).",
    spec: "rfc9113#8.1.1",
    covers: LENGTHS,
    frames: [post(["content-length", "+256"]), data(HIDDEN)],
    right: [post(["content-length", "256"]), data(HIDDEN)],
  }),
  wrong({
    id: "http1/proxy-h2-te",
    title: "A transfer-encoding does not go on: content would be read by its chunks (H2.TE).",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    frames: [post(["transfer-encoding", "chunked"]), data(`0\r\n\r\n${HIDDEN}`)],
    right: [post(), data(`0\r\n\r\n${HIDDEN}`)],
  }),
  wrong({
    id: "http1/proxy-h2-te-with-length",
    title: "A transfer-encoding beside a content-length does not go on (H2.TE).",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    frames: [post(["content-length", "261"], ["transfer-encoding", "chunked"]), data(`0\r\n\r\n${HIDDEN}`)],
    right: [post(["content-length", "261"]), data(`0\r\n\r\n${HIDDEN}`)],
  }),
  connectionField({
    id: "http1/proxy-h2-connection",
    title: "A connection field does not come out of HTTP/2.",
    name: "connection",
    value: "close",
  }),
  connectionField({
    id: "http1/proxy-h2-keep-alive",
    title: "A keep-alive field does not come out of HTTP/2.",
    name: "keep-alive",
    value: "timeout=5",
  }),
  connectionField({
    id: "http1/proxy-h2-proxy-connection",
    title: "A proxy-connection field does not come out of HTTP/2.",
    name: "proxy-connection",
    value: "keep-alive",
  }),
  connectionField({
    id: "http1/proxy-h2-upgrade",
    title: "An upgrade field does not come out of HTTP/2.",
    name: "upgrade",
    value: "touchstone/1",
  }),
  connectionField({
    id: "http1/proxy-h2-te-gzip",
    title: "A te field other than trailers does not come out of HTTP/2.",
    name: "te",
    value: "gzip",
  }),
  field({
    id: "http1/proxy-h2-value-crlf",
    title: "CR and LF in a value make no line of HTTP/1.1.",
    name: "x-field",
    value: INJECTED,
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-value-lf",
    title: "LF in a value makes no line of HTTP/1.1.",
    name: "x-field",
    value: "a\nX-Injected: b",
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-value-cr",
    title: "CR in a value makes no line of HTTP/1.1.",
    name: "x-field",
    value: "a\rX-Injected: b",
    covers: VALUE,
  }),
  field({ id: "http1/proxy-h2-value-nul", title: "NUL in a value does not go on.", name: "x-field", value: "a\0b", covers: VALUE }),
  field({
    id: "http1/proxy-h2-value-request",
    title: "CR and LF in a value make no request of HTTP/1.1.",
    name: "x-field",
    value: `a\r\n\r\n${HIDDEN}`,
    covers: VALUE,
  }),
  field({
    id: "http1/proxy-h2-name-crlf",
    title: "CR and LF in a name make no line of HTTP/1.1.",
    name: "x-field: a\r\nx-injected",
    value: "b",
    covers: NAME,
  }),
  field({
    id: "http1/proxy-h2-name-lf",
    title: "LF in a name makes no line of HTTP/1.1.",
    name: "x-field: a\nx-injected",
    value: "b",
    covers: NAME,
  }),
  field({ id: "http1/proxy-h2-name-nul", title: "NUL in a name does not go on.", name: "x-fi\0eld", value: "a", covers: NAME }),
  field({ id: "http1/proxy-h2-name-space", title: "A space in a name does not go on.", name: "x field", value: "a", covers: NAME }),
  field({
    id: "http1/proxy-h2-name-colon",
    title: "A colon in a name makes no field of another name.",
    name: "transfer-encoding: chunked",
    value: "x",
    covers: ["rfc9113#8.2.1/name-colon"],
  }),
  field({
    id: "http1/proxy-h2-name-upper-case",
    title: "A name in upper case does not go on.",
    name: "X-Field",
    value: "a",
    covers: ["rfc9113#8.2.1/name-uppercase"],
  }),
  field({
    id: "http1/proxy-h2-name-empty",
    title: "An empty name does not go on.",
    name: "",
    value: "a",
    covers: ["rfc9113#8.2.1/http-definitions"],
  }),
  control({
    id: "http1/proxy-h2-path-space",
    title: "A space in :path makes no other version of the request line.",
    name: ":path",
    value: "{path} HTTP/1.1",
    others: [corrected("^{path}%20HTTP/1\\.1$")],
  }),
  control({
    id: "http1/proxy-h2-path-crlf",
    title: "CR and LF in :path make no line of HTTP/1.1.",
    name: ":path",
    value: "{path} HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
  }),
  control({ id: "http1/proxy-h2-path-lf", title: "LF in :path makes no line of HTTP/1.1.", name: ":path", value: "{path}\nX-Injected: b" }),
  control({
    id: "http1/proxy-h2-path-empty",
    title: "An empty :path makes no request line.",
    name: ":path",
    value: "",
    others: [corrected("^/$")],
  }),
  control({
    id: "http1/proxy-h2-path-relative",
    title: "A :path that does not begin with a slash makes no other host.",
    name: ":path",
    value: "@touchstone.example/",
    others: [corrected("^/@touchstone.example/$")],
  }),
  control({
    id: "http1/proxy-h2-authority-crlf",
    title: "CR and LF in :authority make no line of HTTP/1.1.",
    name: ":authority",
    value: "{authority}\r\nX-Injected: b",
  }),
  control({
    id: "http1/proxy-h2-authority-space",
    title: "A space in :authority makes no Host of two words.",
    name: ":authority",
    value: "{authority} touchstone",
  }),
  control({
    id: "http1/proxy-h2-method-space",
    title: "A space in :method makes no other target.",
    name: ":method",
    value: "GET /touchstone",
  }),
  control({
    id: "http1/proxy-h2-method-crlf",
    title: "CR and LF in :method make no line of HTTP/1.1.",
    name: ":method",
    value: "GET {path} HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
  }),
  control({ id: "http1/proxy-h2-method-empty", title: "An empty :method makes no request line.", name: ":method", value: "" }),
  control({
    id: "http1/proxy-h2-scheme-crlf",
    title: "CR and LF in :scheme make no line of HTTP/1.1.",
    name: ":scheme",
    value: "http://a/ HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
    others: [permitted(all(forwarded(), notMade), "rfc9113#8.3.1", "warn")],
  }),
  wrong({
    id: "http1/proxy-h2-path-missing",
    title: "A request without :path does not go on.",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/missing", "rfc9113#8.1.1/no-forward"],
    frames: [headers(pseudo("GET").slice(0, 3))],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-path-twice",
    title: "A request with two :path fields does not go on.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/repeated", "rfc9113#8.1.1/no-forward"],
    frames: [headers([...pseudo("GET"), [":path", "{path}/other"]])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-method-twice",
    title: "A request with two :method fields does not go on.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/repeated", "rfc9113#8.1.1/no-forward"],
    frames: [headers([[":method", "POST"], ...pseudo("GET")])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-pseudo-behind",
    title: "A pseudo-field behind a field does not go on.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/before-regular", "rfc9113#8.1.1/no-forward"],
    frames: [headers([...pseudo("GET").slice(0, 3), ["x-field", "a"], [":path", "{path}"]])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-pseudo-unknown",
    title: "An unknown pseudo-field does not go on.",
    spec: "rfc9113#8.3",
    covers: ["rfc9113#8.3/undefined", "rfc9113#8.1.1/no-forward"],
    frames: [headers([...pseudo("GET"), [":touchstone", "a"]])],
    right: [get()],
  }),
  wrong({
    id: "http1/proxy-h2-pseudo-in-trailers",
    title: "A pseudo-field among trailers does not go on.",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/trailers-pseudo-malformed", "rfc9113#8.1.1/no-forward"],
    frames: [post(), partialData("hello"), headers([[":path", "{path}/other"]])],
    right: [post(), data("hello")],
  }),
  wrong({
    id: "http1/proxy-h2-trailer-crlf",
    title: "CR and LF in a trailer make no line of HTTP/1.1.",
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
    title: "Where host differs from :authority, the request is malformed, or the Host at the origin is that of :authority.",
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
