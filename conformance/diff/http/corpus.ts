import { type Field, type RequestEntry, requestOf } from "./request.ts";

/**
 * The requests that are sent in every version. The classes are those of the suites for messages: control data, names and values of fields, framing
 * and connection-specific fields, content and its length, trailers, cookies, sizes, and the rules of single methods. Framing as such, which every
 * version has of its own, is compared by `diff http1`, and judged by the suites.
 */

const entry = (id: string, about: string, request: RequestEntry["request"]): RequestEntry => ({ id, about, request });
const get = (id: string, about: string, ...more: Field[]): RequestEntry => entry(id, about, { fields: requestOf("GET", ...more) });
const post = (id: string, about: string, more: readonly Field[], content?: string): RequestEntry =>
  entry(id, about, { fields: requestOf("POST", ...more), ...(content !== undefined && { content }) });
const method = (id: string, about: string, name: string): RequestEntry => entry(id, about, { fields: requestOf(name) });
/** A GET whose control data has other values; undefined leaves one out. */
const control = (id: string, about: string, changes: Readonly<Record<string, string | undefined>>, ...more: Field[]): RequestEntry => {
  const fields = requestOf("GET", ...more).flatMap(([name, value]): Field[] => {
    const changed = name in changes ? changes[name] : value;
    return changed === undefined ? [] : [[name, changed]];
  });
  return entry(id, about, { fields });
};
const path = (id: string, about: string, value: string): RequestEntry => control(id, about, { ":path": value });
const authority = (id: string, about: string, value: string | undefined, ...more: Field[]): RequestEntry =>
  control(id, about, { ":authority": value }, ...more);
const value = (id: string, about: string, octets: string): RequestEntry => get(id, about, ["x-a", octets]);
const name = (id: string, about: string, octets: string): RequestEntry => get(id, about, [octets, "b"]);
const trailing = (id: string, about: string, ...trailers: Field[]): RequestEntry =>
  entry(id, about, { fields: requestOf("POST"), content: "hello", trailers });
const sized = (id: string, about: string, octets: string): RequestEntry => post(id, about, [["content-length", octets]], "hello");

const METHODS: readonly RequestEntry[] = [
  method("get", "A plain GET.", "GET"),
  method("head", "A HEAD.", "HEAD"),
  method("options", "An OPTIONS.", "OPTIONS"),
  method("delete", "A DELETE.", "DELETE"),
  method("trace", "A TRACE.", "TRACE"),
  method("method-lower-case", "A method in lower case.", "get"),
  method("method-unknown", "An unknown method.", "BREW"),
  method("method-not-token", "A method that is not a token.", "GE(T"),
  method("method-empty", "An empty method.", ""),
  method("method-with-space", "A method that holds a whole request line.", "GET /other HTTP/1.1\r\nx-a:"),
  method("method-high-octet", "An octet above ASCII in the method.", "G\u00c9T"),
  method("method-pri", "The method of the HTTP/2 preface.", "PRI"),
  control("method-missing", "No :method.", { ":method": undefined }),
];

const PATHS: readonly RequestEntry[] = [
  path("path-query", "A query.", "{path}?a=b"),
  path("path-empty", "An empty :path.", ""),
  path("path-asterisk", "An asterisk as the path of a GET.", "*"),
  path("path-without-slash", "A path without a slash.", "index.html"),
  path("path-absolute", "A whole URL as the path.", "http://{authority}{path}"),
  path("path-absolute-other-host", "A whole URL of another host as the path.", "http://other.example{path}"),
  path("path-two-slashes", "A path that begins with two slashes.", "//other.example/"),
  path("path-fragment", "A fragment.", "{path}#part"),
  path("path-space", "A space.", "{path}?a b"),
  path("path-nul", "A NUL.", "{path}?\0"),
  path("path-cr-lf", "A line end, after which a field follows.", "{path} HTTP/1.1\r\nx-a: b\r\nx-b:"),
  path("path-lf", "A bare LF.", "{path}?a\nb"),
  path("path-tab", "A tab.", "{path}?a\tb"),
  path("path-high-octet", "An octet above ASCII.", "{path}?\u00e9"),
  path("path-escaped-nul", "An escaped NUL.", "{path}?%00"),
  path("path-bad-escape", "A percent sign without digits.", "{path}?%zz"),
  path("path-dots", "Segments of dots.", "/a/../../{path}"),
  path("path-escaped-dots", "Escaped segments of dots.", "/%2e%2e{path}"),
  path("path-backslash", "A backslash.", "\\{path}"),
  path("path-brackets", "Characters that a path must escape.", '{path}?<>"^`|'),
  path("path-8k", "Eight kilobytes of query.", `{path}?${"a".repeat(8_192)}`),
  control("path-missing", "No :path.", { ":path": undefined }),
];

const AUTHORITIES: readonly RequestEntry[] = [
  authority("authority-missing", "Neither :authority nor Host.", undefined),
  authority("authority-empty", "An empty :authority.", ""),
  authority("authority-in-host", "Host instead of :authority.", undefined, ["host", "{authority}"]),
  authority("authority-and-host", ":authority and an equal Host.", "{authority}", ["host", "{authority}"]),
  authority("authority-and-other-host", ":authority and another Host.", "{authority}", ["host", "other.example"]),
  authority("authority-and-empty-host", ":authority and an empty Host.", "{authority}", ["host", ""]),
  authority(
    "hosts-differing",
    "No :authority, and two different Host fields.",
    undefined,
    ["host", "{authority}"],
    ["host", "other.example"],
  ),
  authority("authority-userinfo", "Userinfo.", "user@{authority}"),
  authority("authority-space", "A space.", "a b"),
  authority("authority-path", "A path in the authority.", "{authority}/a"),
  authority("authority-port-empty", "A colon without a port.", "other.example:"),
  authority("authority-port-words", "A port that is no number.", "other.example:http"),
  authority("authority-port-large", "A port beyond 65,535.", "other.example:65536"),
  authority("authority-list", "Two hosts in a list.", "{authority}, other.example"),
  authority("authority-nul", "A NUL.", "{authority}\0"),
  authority("authority-high-octet", "An octet above ASCII.", "\u00e9.example"),
  authority("authority-upper-case", "A host in upper case.", "OTHER.EXAMPLE"),
  authority("authority-bracket", "A bracket that is not closed.", "[::1"),
];

const SCHEMES: readonly RequestEntry[] = [
  control("scheme-missing", "No :scheme.", { ":scheme": undefined }),
  control("scheme-http", "The scheme http, whatever the connection is.", { ":scheme": "http" }),
  control("scheme-https", "The scheme https, whatever the connection is.", { ":scheme": "https" }),
  control("scheme-upper-case", "A scheme in upper case.", { ":scheme": "HTTPS" }),
  control("scheme-other", "The scheme ftp.", { ":scheme": "ftp" }),
  control("scheme-empty", "An empty scheme.", { ":scheme": "" }),
  control("scheme-with-host", "A scheme with host and path.", { ":scheme": "http://other.example/?" }),
  entry("pseudo-unknown", "An unknown pseudo-header field.", { fields: [...requestOf("GET").slice(0, 4), [":a", "b"]] }),
  entry("pseudo-of-response", "The pseudo-header field of a response.", { fields: [...requestOf("GET"), [":status", "200"]] }),
  entry("pseudo-late", "A pseudo-header field after another field.", {
    fields: [...requestOf("GET").slice(0, 3), ["x-a", "b"], [":path", "{path}"]],
  }),
  entry("path-twice", "Two paths.", { fields: [...requestOf("GET"), [":path", "/other"]] }),
  entry("method-twice", "Two methods.", { fields: [[":method", "POST"], ...requestOf("GET")] }),
  entry("connect", "CONNECT to the subject itself.", {
    fields: [
      [":method", "CONNECT"],
      [":authority", "{authority}"],
    ],
  }),
  entry("connect-with-path", "CONNECT with scheme and path.", { fields: requestOf("CONNECT") }),
  entry("connect-extended-unknown", "Extended CONNECT for an unknown protocol.", {
    fields: [...requestOf("CONNECT"), [":protocol", "teapot"]],
  }),
  entry("protocol-of-get", "A GET with :protocol.", { fields: [...requestOf("GET"), [":protocol", "websocket"]] }),
];

const NAMES: readonly RequestEntry[] = [
  name("name-upper-case", "A name in upper case.", "X-A"),
  name("name-empty", "A field without a name.", ""),
  name("name-space", "A space in a name.", "x a"),
  name("name-space-after", "A space after a name.", "x-a "),
  name("name-colon", "A colon in a name.", "x:a"),
  name("name-high-octet", "An octet above ASCII in a name.", "x-\u00e9"),
  name("name-nul", "A NUL in a name.", "x-\0"),
  name("name-cr-lf", "A line end in a name.", "x-a: b\r\nx-b"),
  name("name-underscore", "An underscore in a name.", "x_a"),
  name("name-parenthesis", "A parenthesis in a name.", "x(a)"),
];

const VALUES: readonly RequestEntry[] = [
  value("value-empty", "An empty value.", ""),
  value("value-space-before", "Whitespace before a value.", " b"),
  value("value-space-after", "Whitespace after a value.", "b "),
  value("value-tab-inside", "A tab inside a value.", "a\tb"),
  value("value-nul", "A NUL in a value.", "a\0b"),
  value("value-cr", "A bare CR in a value.", "a\rb"),
  value("value-lf", "A bare LF in a value.", "a\nb"),
  value("value-cr-lf", "A line end in a value, after which a field follows.", "a\r\nx-b: c"),
  value("value-request", "A whole request in a value.", "a\r\n\r\nGET {path} HTTP/1.1\r\nHost: {authority}\r\nx-b: c"),
  value("value-coding", "Transfer-Encoding after a line end in a value.", "a\r\ntransfer-encoding: chunked"),
  value("value-control", "A control in a value.", "a\x01b"),
  value("value-delete", "A DEL in a value.", "a\x7fb"),
  value("value-high-octet", "An octet above ASCII in a value.", "\u00e9"),
  value("value-fold", "A folded value.", "a\r\n b"),
];

const CONNECTION_FIELDS: readonly RequestEntry[] = [
  get("connection-close", "Connection: close.", ["connection", "close"]),
  get("connection-keep-alive", "Connection: keep-alive.", ["connection", "keep-alive"]),
  get("connection-names-a-field", "Connection that names another field.", ["connection", "x-a"], ["x-a", "b"]),
  get("connection-names-host", "Connection that names Host.", ["connection", "host"]),
  get("keep-alive", "Keep-Alive.", ["keep-alive", "timeout=5"]),
  get("proxy-connection", "Proxy-Connection.", ["proxy-connection", "keep-alive"]),
  get("upgrade", "Upgrade to an unknown protocol.", ["connection", "upgrade"], ["upgrade", "teapot/1"]),
  get(
    "upgrade-h2c",
    "Upgrade to h2c.",
    ["connection", "upgrade, http2-settings"],
    ["upgrade", "h2c"],
    ["http2-settings", "AAMAAABkAAQAAP__"],
  ),
  get("te-trailers", "TE: trailers.", ["te", "trailers"]),
  get("te-gzip", "TE: gzip.", ["te", "gzip"]),
  post("te-chunked", "Transfer-Encoding: chunked.", [["transfer-encoding", "chunked"]], "hello"),
  post("te-chunked-upper-case", "Transfer-Encoding: CHUNKED.", [["transfer-encoding", "CHUNKED"]], "hello"),
  post("te-identity", "Transfer-Encoding: identity.", [["transfer-encoding", "identity"]], "hello"),
  post(
    "te-and-length",
    "Transfer-Encoding: chunked and Content-Length.",
    [
      ["transfer-encoding", "chunked"],
      ["content-length", "5"],
    ],
    "hello",
  ),
];

const CONTENT: readonly RequestEntry[] = [
  post("post", "Five octets of content.", [], "hello"),
  post("post-nothing", "A POST without content.", []),
  post("post-empty", "A POST with empty content.", [], ""),
  entry("get-with-content", "A GET with content.", { fields: requestOf("GET"), content: "hello" }),
  entry("head-with-content", "A HEAD with content.", { fields: requestOf("HEAD"), content: "hello" }),
  sized("length-right", "The right Content-Length.", "5"),
  sized("length-short", "A Content-Length that is shorter than the content.", "3"),
  sized("length-zero", "Content-Length: 0 before content.", "0"),
  sized("length-long", "A Content-Length that is longer than the content.", "50"),
  sized("length-list-same", "Content-Length: 5, 5.", "5, 5"),
  sized("length-list-differing", "Content-Length: 5, 0.", "5, 0"),
  sized("length-plus", "Content-Length: +5.", "+5"),
  sized("length-minus", "Content-Length: -5.", "-5"),
  sized("length-hex", "Content-Length: 0x5.", "0x5"),
  sized("length-leading-zeros", "Content-Length: 005.", "005"),
  sized("length-fraction", "Content-Length: 5.0.", "5.0"),
  sized("length-empty", "An empty Content-Length.", ""),
  sized("length-words", "Content-Length: five.", "five"),
  sized("length-overflow", "A Content-Length of 2^64 + 5.", "18446744073709551621"),
  post(
    "length-twice-same",
    "Two equal Content-Length fields.",
    [
      ["content-length", "5"],
      ["content-length", "5"],
    ],
    "hello",
  ),
  post(
    "length-twice-differing",
    "Two different Content-Length fields.",
    [
      ["content-length", "5"],
      ["content-length", "0"],
    ],
    "hello",
  ),
  get("length-of-get", "A GET with Content-Length: 5 and no content.", ["content-length", "5"]),
  post("expect-continue", "Expect: 100-continue, without waiting for the response.", [["expect", "100-continue"]], "hello"),
  post("expect-unknown", "An unknown expectation.", [["expect", "a-miracle"]], "hello"),
];

const TRAILERS: readonly RequestEntry[] = [
  trailing("trailer", "A trailer field.", ["x-a", "b"]),
  trailing("trailer-empty", "An empty trailer section."),
  trailing("trailer-pseudo", "A pseudo-header field as a trailer field.", [":path", "/"]),
  trailing("trailer-length", "Content-Length as a trailer field.", ["content-length", "50"]),
  trailing("trailer-coding", "Transfer-Encoding as a trailer field.", ["transfer-encoding", "chunked"]),
  trailing("trailer-host", "Host as a trailer field.", ["host", "other.example"]),
  trailing("trailer-connection", "Connection as a trailer field.", ["connection", "close"]),
  trailing("trailer-upper-case", "A trailer field in upper case.", ["X-A", "b"]),
  trailing("trailer-nul", "A NUL in a trailer field.", ["x-a", "a\0b"]),
  trailing("trailer-cr-lf", "A line end in a trailer field.", ["x-a", "a\r\nx-b: c"]),
];

const SIZES: readonly RequestEntry[] = [
  get("cookie-crumbs", "Two Cookie fields.", ["cookie", "a=b"], ["cookie", "c=d"]),
  get("field-4k", "A field of four kilobytes.", ["x-a", "a".repeat(4_096)]),
  get("field-16k", "A field of sixteen kilobytes.", ["x-a", "a".repeat(16_384)]),
  get("field-60k", "A field of sixty kilobytes.", ["x-a", "a".repeat(61_440)]),
  get("name-4k", "A name of four kilobytes.", [`x-${"a".repeat(4_096)}`, "b"]),
  get("fields-100", "A hundred fields.", ...Array.from({ length: 100 }, (_, at): Field => [`x-${at}`, "b"])),
  get("fields-1000", "A thousand fields.", ...Array.from({ length: 1_000 }, (_, at): Field => [`x-${at}`, "b"])),
  get("priority", "Priority.", ["priority", "u=1, i"]),
  get("priority-malformed", "A malformed Priority.", ["priority", "u=,,"]),
  get("range-malformed", "A malformed Range.", ["range", "bytes=5-1"]),
  get("date-malformed", "A malformed If-Modified-Since.", ["if-modified-since", "yesterday"]),
  get("via", "Via of another version.", ["via", "2 gateway"]),
];

export const CORPUS: readonly RequestEntry[] = [
  ...METHODS,
  ...PATHS,
  ...AUTHORITIES,
  ...SCHEMES,
  ...NAMES,
  ...VALUES,
  ...CONNECTION_FIELDS,
  ...CONTENT,
  ...TRAILERS,
  ...SIZES,
];
