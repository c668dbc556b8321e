import type { FrameSpec } from "../../http2/vocabulary.ts";
import type { Case, Outcome, Sight } from "../vocabulary.ts";
import { data, FRONT, get, headers, http2, malformed, post, pseudo } from "./http2-phrases.ts";
import { all, atOrigin, HIDDEN, holds, not, ok, oneReading, passedOn, permitted, requests } from "./phrases.ts";

/** RFC 9113, sections 8 and 10.3: what only HTTP/2 can say must not become lines of HTTP/1.1. The smuggling families H2.CL and H2.TE. */

const wrong = (
  id: Case["id"],
  title: string,
  spec: Case["spec"],
  covers: Case["covers"],
  frames: readonly FrameSpec[],
  right: readonly FrameSpec[],
  ...others: readonly Outcome[]
): Case => ({
  id,
  spec,
  covers,
  level: "MUST NOT",
  title,
  ...FRONT,
  steps: [http2(...frames)],
  control: [http2(...right)],
  allowed: malformed(...others),
});
/** A field of a GET that must not come through. */
const field = (
  id: Case["id"],
  title: string,
  name: string,
  value: string,
  covers: Case["covers"],
  spec: Case["spec"] = "rfc9113#8.2.1",
): Case => wrong(id, title, spec, [...covers, "rfc9113#8.2.1/no-forward"], [get([name, value])], [get(["x-field", "a"])]);
const NAME = ["rfc9113#8.2.1/name-controls"] as const;
const VALUE = ["rfc9113#8.2.1/value-delimiters"] as const;
/** A pseudo-field that must not come through as it is: a space or a line end there makes another request line. */
const control = (id: Case["id"], title: string, name: string, value: string, ...others: readonly Outcome[]): Case =>
  wrong(
    id,
    title,
    "rfc9113#8.3.1",
    ["rfc9113#8.3.1/mandatory", "rfc9113#10.3/validate-before-translating"],
    [headers(pseudo("GET").map((one) => (one[0] === name ? [name, value] : one)))],
    [get()],
    ...others,
  );
const connectionField = (id: Case["id"], title: string, name: string, value: string): Case =>
  wrong(
    id,
    title,
    "rfc9113#8.2.2",
    ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    [post([name, value]), data(HIDDEN)],
    [post(), data(HIDDEN)],
  );

/** What was passed on before the content could be seen to be wrong: all of it one request, and none hidden in it. */
const headOnly: Outcome = permitted(all({ see: "stream reset", stream: 1 }, requests(1), oneReading), "rfc9113#8.1.1", "warn");
/** Put right and passed on, in one reading. */
const corrected = (target: string): Outcome => permitted(passedOn({ target }), "rfc9113#8.3.1", "warn");
const LENGTHS: Case["covers"] = ["rfc9113#8.1.1/content-length", "rfc9113#8.1.1/no-forward"];
/** A hidden line in a name or a value. */
const INJECTED = "a\r\nX-Injected: b";
const notMade: Sight = not({ see: "origin octets", pattern: "x-injected: b" });

export const cases: readonly Case[] = [
  wrong(
    "http1/proxy-h2-cl-shorter",
    "Content longer than its content-length does not go on: the rest would be a request (H2.CL).",
    "rfc9113#8.1.1",
    LENGTHS,
    [post(["content-length", "5"]), data(`hello${HIDDEN}`)],
    [post(["content-length", "261"]), data(`hello${HIDDEN}`)],
    headOnly,
  ),
  wrong(
    "http1/proxy-h2-cl-zero",
    "Content with content-length: 0 does not go on as a request of its own (H2.CL).",
    "rfc9113#8.1.1",
    LENGTHS,
    [post(["content-length", "0"]), data(HIDDEN)],
    [post(["content-length", "256"]), data(HIDDEN)],
    headOnly,
  ),
  wrong(
    "http1/proxy-h2-cl-longer",
    "Content shorter than its content-length does not go on: the next request would be the rest (H2.CL).",
    "rfc9113#8.1.1",
    LENGTHS,
    [post(["content-length", "300"]), data(HIDDEN)],
    [post(["content-length", "256"]), data(HIDDEN)],
  ),
  wrong(
    "http1/proxy-h2-cl-without-content",
    "A content-length without content does not go on: the next request would be the content (H2.CL).",
    "rfc9113#8.1.1",
    LENGTHS,
    [headers([...pseudo("POST"), ["content-length", "300"]])],
    [headers([...pseudo("POST"), ["content-length", "0"]])],
  ),
  wrong(
    "http1/proxy-h2-cl-cl",
    "Two content-lengths that differ do not go on (H2.CL).",
    "rfc9113#8.1.1",
    LENGTHS,
    [post(["content-length", "5"], ["content-length", "261"]), data(`hello${HIDDEN}`)],
    [post(["content-length", "261"]), data(`hello${HIDDEN}`)],
  ),
  wrong(
    "http1/proxy-h2-cl-no-number",
    "A content-length that is no number does not go on (H2.CL).",
    "rfc9113#8.1.1",
    LENGTHS,
    [post(["content-length", "+256"]), data(HIDDEN)],
    [post(["content-length", "256"]), data(HIDDEN)],
  ),
  wrong(
    "http1/proxy-h2-te",
    "A transfer-encoding does not go on: content would be read by its chunks (H2.TE).",
    "rfc9113#8.2.2",
    ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    [post(["transfer-encoding", "chunked"]), data(`0\r\n\r\n${HIDDEN}`)],
    [post(), data(`0\r\n\r\n${HIDDEN}`)],
  ),
  wrong(
    "http1/proxy-h2-te-with-length",
    "A transfer-encoding beside a content-length does not go on (H2.TE).",
    "rfc9113#8.2.2",
    ["rfc9113#8.2.2/malformed", "rfc9113#8.1.1/no-forward"],
    [post(["content-length", "261"], ["transfer-encoding", "chunked"]), data(`0\r\n\r\n${HIDDEN}`)],
    [post(["content-length", "261"]), data(`0\r\n\r\n${HIDDEN}`)],
  ),
  connectionField("http1/proxy-h2-connection", "A connection field does not come out of HTTP/2.", "connection", "close"),
  connectionField("http1/proxy-h2-keep-alive", "A keep-alive field does not come out of HTTP/2.", "keep-alive", "timeout=5"),
  connectionField(
    "http1/proxy-h2-proxy-connection",
    "A proxy-connection field does not come out of HTTP/2.",
    "proxy-connection",
    "keep-alive",
  ),
  connectionField("http1/proxy-h2-upgrade", "An upgrade field does not come out of HTTP/2.", "upgrade", "touchstone/1"),
  connectionField("http1/proxy-h2-te-gzip", "A te field other than trailers does not come out of HTTP/2.", "te", "gzip"),
  field("http1/proxy-h2-value-crlf", "CR and LF in a value make no line of HTTP/1.1.", "x-field", INJECTED, VALUE),
  field("http1/proxy-h2-value-lf", "LF in a value makes no line of HTTP/1.1.", "x-field", "a\nX-Injected: b", VALUE),
  field("http1/proxy-h2-value-cr", "CR in a value makes no line of HTTP/1.1.", "x-field", "a\rX-Injected: b", VALUE),
  field("http1/proxy-h2-value-nul", "NUL in a value does not go on.", "x-field", "a\0b", VALUE),
  field("http1/proxy-h2-value-request", "CR and LF in a value make no request of HTTP/1.1.", "x-field", `a\r\n\r\n${HIDDEN}`, VALUE),
  field("http1/proxy-h2-name-crlf", "CR and LF in a name make no line of HTTP/1.1.", "x-field: a\r\nx-injected", "b", NAME),
  field("http1/proxy-h2-name-lf", "LF in a name makes no line of HTTP/1.1.", "x-field: a\nx-injected", "b", NAME),
  field("http1/proxy-h2-name-nul", "NUL in a name does not go on.", "x-fi\0eld", "a", NAME),
  field("http1/proxy-h2-name-space", "A space in a name does not go on.", "x field", "a", NAME),
  field("http1/proxy-h2-name-colon", "A colon in a name makes no field of another name.", "transfer-encoding: chunked", "x", [
    "rfc9113#8.2.1/name-colon",
  ]),
  field("http1/proxy-h2-name-upper-case", "A name in upper case does not go on.", "X-Field", "a", ["rfc9113#8.2.1/name-uppercase"]),
  field("http1/proxy-h2-name-empty", "An empty name does not go on.", "", "a", ["rfc9113#8.2.1/http-definitions"]),
  control(
    "http1/proxy-h2-path-space",
    "A space in :path makes no other version of the request line.",
    ":path",
    "{path} HTTP/1.1",
    corrected("^{path}%20HTTP/1\\.1$"),
  ),
  control(
    "http1/proxy-h2-path-crlf",
    "CR and LF in :path make no line of HTTP/1.1.",
    ":path",
    "{path} HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
  ),
  control("http1/proxy-h2-path-lf", "LF in :path makes no line of HTTP/1.1.", ":path", "{path}\nX-Injected: b"),
  control("http1/proxy-h2-path-empty", "An empty :path makes no request line.", ":path", "", corrected("^/$")),
  control(
    "http1/proxy-h2-path-relative",
    "A :path that does not begin with a slash makes no other host.",
    ":path",
    "@touchstone.example/",
    corrected("^/@touchstone.example/$"),
  ),
  control(
    "http1/proxy-h2-authority-crlf",
    "CR and LF in :authority make no line of HTTP/1.1.",
    ":authority",
    "{authority}\r\nX-Injected: b",
  ),
  control("http1/proxy-h2-authority-space", "A space in :authority makes no Host of two words.", ":authority", "{authority} touchstone"),
  control("http1/proxy-h2-method-space", "A space in :method makes no other target.", ":method", "GET /touchstone"),
  control(
    "http1/proxy-h2-method-crlf",
    "CR and LF in :method make no line of HTTP/1.1.",
    ":method",
    "GET {path} HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
  ),
  control("http1/proxy-h2-method-empty", "An empty :method makes no request line.", ":method", ""),
  control(
    "http1/proxy-h2-scheme-crlf",
    "CR and LF in :scheme make no line of HTTP/1.1.",
    ":scheme",
    "http://a/ HTTP/1.1\r\nX-Injected: b\r\nX-Rest: ",
    permitted(all(passedOn(), notMade), "rfc9113#8.3.1", "warn"),
  ),
  wrong(
    "http1/proxy-h2-path-missing",
    "A request without :path does not go on.",
    "rfc9113#8.3.1",
    ["rfc9113#8.3.1/missing", "rfc9113#8.1.1/no-forward"],
    [headers(pseudo("GET").slice(0, 3))],
    [get()],
  ),
  wrong(
    "http1/proxy-h2-path-twice",
    "A request with two :path fields does not go on.",
    "rfc9113#8.3",
    ["rfc9113#8.3/repeated", "rfc9113#8.1.1/no-forward"],
    [headers([...pseudo("GET"), [":path", "{path}/other"]])],
    [get()],
  ),
  wrong(
    "http1/proxy-h2-method-twice",
    "A request with two :method fields does not go on.",
    "rfc9113#8.3",
    ["rfc9113#8.3/repeated", "rfc9113#8.1.1/no-forward"],
    [headers([[":method", "POST"], ...pseudo("GET")])],
    [get()],
  ),
  wrong(
    "http1/proxy-h2-pseudo-behind",
    "A pseudo-field behind a field does not go on.",
    "rfc9113#8.3",
    ["rfc9113#8.3/before-regular", "rfc9113#8.1.1/no-forward"],
    [headers([...pseudo("GET").slice(0, 3), ["x-field", "a"], [":path", "{path}"]])],
    [get()],
  ),
  wrong(
    "http1/proxy-h2-pseudo-unknown",
    "An unknown pseudo-field does not go on.",
    "rfc9113#8.3",
    ["rfc9113#8.3/undefined", "rfc9113#8.1.1/no-forward"],
    [headers([...pseudo("GET"), [":touchstone", "a"]])],
    [get()],
  ),
  wrong(
    "http1/proxy-h2-pseudo-in-trailers",
    "A pseudo-field among trailers does not go on.",
    "rfc9113#8.1",
    ["rfc9113#8.1/trailers-pseudo-malformed", "rfc9113#8.1.1/no-forward"],
    [post(), data("hello", false), headers([[":path", "{path}/other"]])],
    [post(), data("hello")],
  ),
  wrong(
    "http1/proxy-h2-trailer-crlf",
    "CR and LF in a trailer make no line of HTTP/1.1.",
    "rfc9113#8.2.1",
    [...VALUE, "rfc9113#8.2.1/no-forward"],
    [post(), data("hello", false), headers([["x-trailer", INJECTED]])],
    [post(), data("hello")],
    permitted(all(ok, requests(1), atOrigin({ body: "hello" }), oneReading, notMade), "rfc9110#6.5", "warn"),
  ),
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
        all(passedOn(), holds("one Host at the origin"), not(atOrigin({ fields: [{ name: "Host", pattern: "touchstone\\.example" }] }))),
        "rfc9113#8.3.1",
      ),
    ),
  },
];
