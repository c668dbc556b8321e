import type { TextEntry } from "./text-entry.ts";

/**
 * The messages sent to every implementation: valid ones, malformed ones, and those that two readers may split in different places.
 *
 * `text` is written as in the cases of `conformance/http1`: each character is an octet; `{path}` and `{authority}` are the subject's own,
 * `{inner}` is a whole request for them, `{innerOctets}` its length, `{hiddenOctets}` that plus the five octets of a last chunk before it.
 */

type Parts = {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly host?: string;
  readonly fields?: string;
};

/** A request with `rest` after its head. */
const request = (
  { method = "POST", target = "{path}", version = "HTTP/1.1", host = "Host: {authority}\r\n", fields = "" }: Parts,
  rest = "",
): string => `${method} ${target} ${version}\r\n${host}${fields}\r\n${rest}`;

const entry = (id: string, about: string, parts: Parts, rest = ""): TextEntry => ({ id, about, text: request(parts, rest) });
/** An entry with raw text. */
const raw = (id: string, about: string, text: string): TextEntry => ({ id, about, text });

const CHUNKED = "Transfer-Encoding: chunked\r\n";
const HELLO = "5\r\nhello\r\n0\r\n\r\n";
/** A second request, after the first or inside what may be its content: a server that sees it sends another response. */
const INNER = "{inner}";
const length = (octets: number | string): string => `Content-Length: ${octets}\r\n`;

const get = (id: string, about: string, parts: Parts): TextEntry => entry(id, about, { method: "GET", ...parts });
const coded = (id: string, about: string, coding: string, rest = HELLO): TextEntry => entry(id, about, { fields: coding }, rest);
const chunks = (id: string, about: string, rest: string): TextEntry => entry(id, about, { fields: CHUNKED }, rest);
const sized = (id: string, about: string, value: string): TextEntry => entry(id, about, { fields: value }, "hello");
/** Content with both framings, which ends in two places. */
const both = (id: string, about: string, coding: string, octets: number | string = "{hiddenOctets}"): TextEntry =>
  entry(id, about, { fields: length(octets) + coding }, `0\r\n\r\n${INNER}`);

const PLAIN: readonly TextEntry[] = [
  get("get", "A plain GET.", {}),
  entry("post-length", "Five octets of content by Content-Length.", { fields: length(5) }, "hello"),
  coded("post-chunked", "Five octets of content in one chunk.", CHUNKED),
  entry("post-empty", "A POST without any content.", { fields: length(0) }),
  entry("post-nothing", "A POST without framing fields.", {}),
  raw("pipelined", "Two requests in one write.", INNER + INNER),
  raw("leading-empty-line", "An empty line before the request.", `\r\n${INNER}`),
  raw("leading-empty-lines", "Five empty lines before the request.", `\r\n\r\n\r\n\r\n\r\n${INNER}`),
  raw("leading-space", "A space before the request line.", ` ${INNER}`),
];

const START_LINES: readonly TextEntry[] = [
  get("method-lower-case", "A method in lower case.", { method: "get" }),
  get("method-unknown", "An unknown method.", { method: "BREW" }),
  get("method-not-token", "A method that is not a token.", { method: "GE(T" }),
  get("two-spaces", "Two spaces between method and target.", { method: "GET " }),
  get("tab-for-space", "A tab between method and target.", { method: "GET\t", target: "{path}" }),
  get("space-in-target", "A space inside the target.", { target: "{path}?a b" }),
  get("trailing-space", "A space after the version.", { version: "HTTP/1.1 " }),
  get("target-absolute", "An absolute target.", { target: "http://{authority}{path}" }),
  get("target-absolute-other-host", "An absolute target whose host differs from Host.", { target: "http://other.example{path}" }),
  get("target-without-slash", "A target without a slash.", { target: "index.html" }),
  get("target-fragment", "A target with a fragment.", { target: "{path}#part" }),
  get("target-nul", "A NUL in the target.", { target: "{path}?\0" }),
  get("target-high-octet", "An octet above ASCII in the target.", { target: "{path}?\u00e9" }),
  get("target-asterisk", "An asterisk as the target of a GET.", { target: "*" }),
  get("version-1.0", "HTTP/1.0.", { version: "HTTP/1.0" }),
  get("version-1.2", "HTTP/1.2.", { version: "HTTP/1.2" }),
  get("version-2.0", "HTTP/2.0.", { version: "HTTP/2.0" }),
  get("version-0.9", "The version HTTP/0.9.", { version: "HTTP/0.9" }),
  get("version-lower-case", "http/1.1 in lower case.", { version: "http/1.1" }),
  get("version-two-digits", "HTTP/1.10.", { version: "HTTP/1.10" }),
  get("version-comma", "HTTP/1,1.", { version: "HTTP/1,1" }),
  raw("version-missing", "A request line without a version.", "GET {path}\r\nHost: {authority}\r\n\r\n"),
];

const FIELDS: readonly TextEntry[] = [
  get("host-missing", "No Host.", { host: "" }),
  get("host-twice", "Two equal Host fields.", { fields: "Host: {authority}\r\n" }),
  get("host-twice-differing", "Two different Host fields.", { fields: "Host: other.example\r\n" }),
  get("host-empty", "An empty Host.", { host: "Host:\r\n" }),
  get("host-invalid", "A Host with a space.", { host: "Host: a b\r\n" }),
  get("host-userinfo", "A Host with userinfo.", { host: "Host: user@{authority}\r\n" }),
  get("host-missing-1.0", "No Host in HTTP/1.0.", { host: "", version: "HTTP/1.0" }),
  get("space-before-colon", "Whitespace before the colon.", { fields: "X-A : b\r\n" }),
  get("no-colon", "A field line without a colon.", { fields: "X-A\r\n" }),
  get("empty-name", "A field without a name.", { fields: ": b\r\n" }),
  get("name-with-space", "A space inside a field name.", { fields: "X A: b\r\n" }),
  get("name-high-octet", "An octet above ASCII in a field name.", { fields: "X-\u00e9: b\r\n" }),
  get("value-nul", "A NUL in a field value.", { fields: "X-A: a\0b\r\n" }),
  get("value-bare-cr", "A bare CR in a field value.", { fields: "X-A: a\rb\r\n" }),
  get("value-control", "A control in a field value.", { fields: "X-A: a\x01b\r\n" }),
  get("value-high-octet", "An octet above ASCII in a field value.", { fields: "X-A: \u00e9\r\n" }),
  get("fold", "A folded field line.", { fields: "X-A: a\r\n b\r\n" }),
  raw("fold-first", "Whitespace before the first field line.", "GET {path} HTTP/1.1\r\n Host: {authority}\r\n\r\n"),
  raw("bare-lf", "Lines that end in a bare LF.", "GET {path} HTTP/1.1\nHost: {authority}\n\n"),
  raw("bare-lf-one", "One line that ends in a bare LF.", "GET {path} HTTP/1.1\r\nX-A: b\nHost: {authority}\r\n\r\n"),
  raw("bare-cr-lines", "Lines that end in a bare CR.", "GET {path} HTTP/1.1\rHost: {authority}\r\r"),
  get("fields-40k", "Forty kilobytes of fields.", { fields: `X-A: ${"a".repeat(1000)}\r\n`.repeat(40) }),
  get("expect-unknown", "An unknown expectation.", { fields: "Expect: a-miracle\r\n" }),
];

const LENGTHS: readonly TextEntry[] = [
  sized("length-twice-same", "Two equal Content-Length fields.", length(5) + length(5)),
  sized("length-list-same", "Content-Length: 5, 5.", length("5, 5")),
  sized("length-twice-differing", "Two different Content-Length fields.", length(5) + length(0)),
  sized("length-twice-differing-last", "Two different Content-Length fields, the longer last.", length(0) + length(5)),
  sized("length-list-differing", "Content-Length: 5, 0.", length("5, 0")),
  sized("length-plus", "Content-Length: +5.", length("+5")),
  sized("length-minus", "Content-Length: -5.", length("-5")),
  sized("length-hex", "Content-Length: 0x5.", length("0x5")),
  sized("length-leading-zeros", "Content-Length: 005.", length("005")),
  sized("length-fraction", "Content-Length: 5.0.", length("5.0")),
  sized("length-empty", "An empty Content-Length.", length("")),
  sized("length-words", "Content-Length: five.", length("five")),
  sized("length-space-inside", "Content-Length: 5 0.", length("5 0")),
  sized("length-trailing-comma", "Content-Length: 5,.", length("5,")),
  sized("length-overflow", "A Content-Length of 2^64 + 5.", length("18446744073709551621")),
  sized("length-space-before-colon", "Whitespace before the colon of Content-Length.", "Content-Length : 5\r\n"),
  sized("length-folded", "Content-Length on a folded line.", "Content-Length:\r\n 5\r\n"),
  sized("length-underscore", "Content_Length instead of Content-Length.", "Content_Length: 5\r\n"),
  entry("get-with-content", "A GET with content that holds a request.", { method: "GET", fields: length("{innerOctets}") }, INNER),
  entry("head-with-content", "A HEAD with content that holds a request.", { method: "HEAD", fields: length("{innerOctets}") }, INNER),
  entry(
    "options-with-content",
    "An OPTIONS with content that holds a request.",
    { method: "OPTIONS", fields: length("{innerOctets}") },
    INNER,
  ),
];

const CODINGS: readonly TextEntry[] = [
  both("te-and-length", "Chunked and Content-Length: what follows the last chunk is content or a request.", CHUNKED),
  both("length-short-and-te", "Content-Length 5 and chunked: the request begins where both end.", CHUNKED, 5),
  both("te-identity-and-length", "Identity and Content-Length.", "Transfer-Encoding: identity\r\n"),
  both("te-unknown-and-length", "An unknown coding and Content-Length.", "Transfer-Encoding: xchunked\r\n"),
  both("te-space-before-colon-and-length", "Whitespace before the colon of Transfer-Encoding.", "Transfer-Encoding : chunked\r\n"),
  both("te-tab-and-length", "A tab before chunked.", "Transfer-Encoding:\tchunked\r\n"),
  both("te-vertical-tab-and-length", "A vertical tab before chunked.", "Transfer-Encoding: \x0bchunked\r\n"),
  both("te-folded-and-length", "Chunked on a folded line.", "Transfer-Encoding:\r\n chunked\r\n"),
  both("te-quoted-and-length", "Chunked in quotes.", 'Transfer-Encoding: "chunked"\r\n'),
  both("te-twice-and-length", "Chunked and identity on two lines.", `${CHUNKED}Transfer-Encoding: identity\r\n`),
  both("te-cr-and-length", "A bare CR after chunked.", "Transfer-Encoding: chunked\rX\r\n"),
  both("te-lf-and-length", "Transfer-Encoding hidden after a bare LF.", "X-A: b\nTransfer-Encoding: chunked\r\n"),
  both("te-nul-and-length", "A NUL after chunked.", "Transfer-Encoding: chunked\0\r\n"),
  both("te-underscore-and-length", "Transfer_Encoding instead of Transfer-Encoding.", "Transfer_Encoding: chunked\r\n"),
  coded("te-upper-case", "CHUNKED in upper case.", "Transfer-Encoding: CHUNKED\r\n"),
  coded("te-empty-member", "A list with an empty member.", "Transfer-Encoding: , chunked\r\n"),
  coded("te-twice", "Chunked twice in one list.", "Transfer-Encoding: chunked, chunked\r\n"),
  coded("te-gzip-chunked", "Gzip, then chunked.", "Transfer-Encoding: gzip, chunked\r\n"),
  coded("te-not-final", "Chunked, then gzip.", "Transfer-Encoding: chunked, gzip\r\n"),
  coded("te-parameter", "Chunked with a parameter.", "Transfer-Encoding: chunked;a=b\r\n"),
  coded("te-empty", "An empty Transfer-Encoding.", "Transfer-Encoding:\r\n"),
  coded("te-identity", "Identity alone.", "Transfer-Encoding: identity\r\n"),
  entry("te-in-1.0", "Chunked in HTTP/1.0.", { version: "HTTP/1.0", fields: `${CHUNKED}Connection: keep-alive\r\n` }, HELLO),
];

const CHUNKS: readonly TextEntry[] = [
  chunks("chunk-extension", "A chunk with an extension.", "5;a=b\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-extension-quoted", "A quoted extension that contains a semicolon.", '5;a="b;c"\r\nhello\r\n0\r\n\r\n'),
  chunks("chunk-extension-lf", "A bare LF in an extension.", `5;a\nhello\r\n0\r\n\r\n`),
  chunks("chunk-extension-cr", "A bare CR in an extension.", "5;a\rb\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-extension-nul", "A NUL in an extension.", "5;a\0\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-extension-8k", "Eight kilobytes of extension.", `5;a=${"b".repeat(8192)}\r\nhello\r\n0\r\n\r\n`),
  chunks("chunk-size-upper-case", "A size in upper-case hex.", `A\r\nhellohello\r\n0\r\n\r\n`),
  chunks("chunk-size-leading-zeros", "A size with leading zeros.", "0000000005\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-many-zeros", "A size with forty leading zeros.", `${"0".repeat(40)}5\r\nhello\r\n0\r\n\r\n`),
  chunks("chunk-size-0x", "A size with 0x.", "0x5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-plus", "A size with a plus.", "+5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-minus", "A negative size.", "-5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-empty", "No size.", "\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-not-hex", "A size that is not a number.", "g\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-overflow", "A size of 2^64 + 5.", "10000000000000005\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-space-before", "A space before the size.", " 5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-space-after", "A space after the size.", "5 \r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-tab-after", "A tab after the size.", "5\t\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-lf", "A size line that ends in a bare LF.", "5\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-cr", "A size line that ends in a bare CR.", "5\rhello\r\n0\r\n\r\n"),
  chunks("chunk-data-lf", "A chunk that ends in a bare LF.", "5\r\nhello\n0\r\n\r\n"),
  chunks("chunk-data-no-end", "A chunk without a line end.", "5\r\nhello0\r\n\r\n"),
  chunks("chunk-data-longer", "A chunk longer than its size.", "5\r\nhello!\r\n0\r\n\r\n"),
  chunks("chunk-last-lf", "A last chunk with a bare LF.", "5\r\nhello\r\n0\n\n"),
  chunks("chunk-last-many-zeros", "A last chunk of three zeros.", "5\r\nhello\r\n000\r\n\r\n"),
  chunks("chunk-last-extension", "A last chunk with an extension.", "5\r\nhello\r\n0;a=b\r\n\r\n"),
  chunks("trailer", "A trailer field.", "5\r\nhello\r\n0\r\nX-A: b\r\n\r\n"),
  chunks("trailer-length", "Content-Length as a trailer field.", "5\r\nhello\r\n0\r\nContent-Length: 50\r\n\r\n"),
  chunks("trailer-coding", "Transfer-Encoding as a trailer field.", "5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"),
  chunks("trailer-no-colon", "A trailer line without a colon.", "5\r\nhello\r\n0\r\nX-A\r\n\r\n"),
  chunks("trailer-fold", "A folded trailer line.", "5\r\nhello\r\n0\r\nX-A: b\r\n c\r\n\r\n"),
  chunks("trailer-bare-lf", "A trailer line that ends in a bare LF.", "5\r\nhello\r\n0\r\nX-A: b\n\r\n"),
];

const CONNECTIONS: readonly TextEntry[] = [
  raw(
    "close-then-more",
    "A request after one with Connection: close.",
    request({ method: "GET", fields: "Connection: close\r\n" }) + INNER,
  ),
  raw(
    "close-upper-case",
    "A request after one with Connection: CLOSE.",
    request({ method: "GET", fields: "Connection: CLOSE\r\n" }) + INNER,
  ),
  raw("1.0-then-more", "A request after an HTTP/1.0 request.", request({ method: "GET", version: "HTTP/1.0" }) + INNER),
  raw(
    "1.0-keep-alive",
    "A request after an HTTP/1.0 request with keep-alive.",
    request({ method: "GET", version: "HTTP/1.0", fields: "Connection: keep-alive\r\n" }) + INNER,
  ),
  get("connection-host", "Connection lists Host.", { fields: "Connection: host\r\n" }),
  entry("connection-length", "Connection lists Content-Length.", { fields: `Connection: content-length\r\n${length(5)}` }, "hello"),
  get("upgrade-unknown", "An upgrade to an unknown protocol.", { fields: "Connection: upgrade\r\nUpgrade: teapot/1\r\n" }),
];

export const CORPUS: readonly TextEntry[] = [...PLAIN, ...START_LINES, ...FIELDS, ...LENGTHS, ...CODINGS, ...CHUNKS, ...CONNECTIONS];
