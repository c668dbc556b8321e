import type { Entry } from "../../diff/diff.ts";

/**
 * The messages that every implementation is sent: legal ones, malformed ones, and those that two readers may cut in different places.
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

const entry = (id: string, about: string, parts: Parts, rest = ""): Entry => ({ id, about, text: request(parts, rest) });
/** The same with the text as it stands. */
const raw = (id: string, about: string, text: string): Entry => ({ id, about, text });

const CHUNKED = "Transfer-Encoding: chunked\r\n";
const HELLO = "5\r\nhello\r\n0\r\n\r\n";
/** A second request, behind the first or inside what may be its content: whoever sees it answers once more. */
const INNER = "{inner}";
const length = (octets: number | string): string => `Content-Length: ${octets}\r\n`;

const get = (id: string, about: string, parts: Parts): Entry => entry(id, about, { method: "GET", ...parts });
const coded = (id: string, about: string, coding: string, rest = HELLO): Entry => entry(id, about, { fields: coding }, rest);
const chunks = (id: string, about: string, rest: string): Entry => entry(id, about, { fields: CHUNKED }, rest);
const sized = (id: string, about: string, value: string): Entry => entry(id, about, { fields: value }, "hello");
/** Both ways of telling the length: content that ends in two places. */
const both = (id: string, about: string, coding: string, octets: number | string = "{hiddenOctets}"): Entry =>
  entry(id, about, { fields: length(octets) + coding }, `0\r\n\r\n${INNER}`);

const PLAIN: readonly Entry[] = [
  get("get", "A plain GET.", {}),
  entry("post-length", "Five octets of content by Content-Length.", { fields: length(5) }, "hello"),
  coded("post-chunked", "Five octets of content in one chunk.", CHUNKED),
  entry("post-empty", "A POST without any content.", { fields: length(0) }),
  entry("post-nothing", "A POST that says nothing about content.", {}),
  raw("pipelined", "Two requests in one write.", INNER + INNER),
  raw("leading-empty-line", "An empty line before the request.", `\r\n${INNER}`),
  raw("leading-empty-lines", "Five empty lines before the request.", `\r\n\r\n\r\n\r\n\r\n${INNER}`),
  raw("leading-space", "A space before the request line.", ` ${INNER}`),
];

const START_LINES: readonly Entry[] = [
  get("method-lower-case", "A method in lower case.", { method: "get" }),
  get("method-unknown", "A method that nobody knows.", { method: "BREW" }),
  get("method-not-token", "A method that is no token.", { method: "GE(T" }),
  get("two-spaces", "Two spaces between method and target.", { method: "GET " }),
  get("tab-for-space", "A tab between method and target.", { method: "GET\t", target: "{path}" }),
  get("space-in-target", "A space inside the target.", { target: "{path}?a b" }),
  get("trailing-space", "A space behind the version.", { version: "HTTP/1.1 " }),
  get("target-absolute", "An absolute target.", { target: "http://{authority}{path}" }),
  get("target-absolute-other-host", "An absolute target whose host is not that of Host.", { target: "http://other.example{path}" }),
  get("target-without-slash", "A target without a slash.", { target: "index.html" }),
  get("target-fragment", "A target with a fragment.", { target: "{path}#part" }),
  get("target-nul", "A NUL in the target.", { target: "{path}?\0" }),
  get("target-high-octet", "An octet above ASCII in the target.", { target: "{path}?\u00e9" }),
  get("target-asterisk", "An asterisk as the target of a GET.", { target: "*" }),
  get("version-1.0", "HTTP/1.0.", { version: "HTTP/1.0" }),
  get("version-1.2", "HTTP/1.2.", { version: "HTTP/1.2" }),
  get("version-2.0", "HTTP/2.0.", { version: "HTTP/2.0" }),
  get("version-0.9", "HTTP/0.9 by number.", { version: "HTTP/0.9" }),
  get("version-lower-case", "http/1.1 in lower case.", { version: "http/1.1" }),
  get("version-two-digits", "HTTP/1.10.", { version: "HTTP/1.10" }),
  get("version-comma", "HTTP/1,1.", { version: "HTTP/1,1" }),
  raw("version-missing", "A request line without a version.", "GET {path}\r\nHost: {authority}\r\n\r\n"),
];

const FIELDS: readonly Entry[] = [
  get("host-missing", "No Host.", { host: "" }),
  get("host-twice", "Host twice, the same.", { fields: "Host: {authority}\r\n" }),
  get("host-twice-differing", "Host twice, differing.", { fields: "Host: other.example\r\n" }),
  get("host-empty", "An empty Host.", { host: "Host:\r\n" }),
  get("host-invalid", "A Host with a space.", { host: "Host: a b\r\n" }),
  get("host-userinfo", "A Host with user information.", { host: "Host: user@{authority}\r\n" }),
  get("host-missing-1.0", "No Host in HTTP/1.0.", { host: "", version: "HTTP/1.0" }),
  get("space-before-colon", "White space before the colon.", { fields: "X-A : b\r\n" }),
  get("no-colon", "A field line without a colon.", { fields: "X-A\r\n" }),
  get("empty-name", "A field without a name.", { fields: ": b\r\n" }),
  get("name-with-space", "A space inside a field name.", { fields: "X A: b\r\n" }),
  get("name-high-octet", "An octet above ASCII in a field name.", { fields: "X-\u00e9: b\r\n" }),
  get("value-nul", "A NUL in a field value.", { fields: "X-A: a\0b\r\n" }),
  get("value-bare-cr", "A CR alone in a field value.", { fields: "X-A: a\rb\r\n" }),
  get("value-control", "A control in a field value.", { fields: "X-A: a\x01b\r\n" }),
  get("value-high-octet", "An octet above ASCII in a field value.", { fields: "X-A: \u00e9\r\n" }),
  get("fold", "A folded field line.", { fields: "X-A: a\r\n b\r\n" }),
  raw("fold-first", "White space before the first field line.", "GET {path} HTTP/1.1\r\n Host: {authority}\r\n\r\n"),
  raw("bare-lf", "Lines that end in LF alone.", "GET {path} HTTP/1.1\nHost: {authority}\n\n"),
  raw("bare-lf-one", "One line that ends in LF alone.", "GET {path} HTTP/1.1\r\nX-A: b\nHost: {authority}\r\n\r\n"),
  raw("bare-cr-lines", "Lines that end in CR alone.", "GET {path} HTTP/1.1\rHost: {authority}\r\r"),
  get("fields-40k", "Forty kilobytes of fields.", { fields: `X-A: ${"a".repeat(1000)}\r\n`.repeat(40) }),
  get("expect-unknown", "An expectation that nobody knows.", { fields: "Expect: a-miracle\r\n" }),
];

const LENGTHS: readonly Entry[] = [
  sized("length-twice-same", "Content-Length twice, the same.", length(5) + length(5)),
  sized("length-list-same", "Content-Length: 5, 5.", length("5, 5")),
  sized("length-twice-differing", "Content-Length twice, differing.", length(5) + length(0)),
  sized("length-twice-differing-last", "Content-Length twice, differing, the longer last.", length(0) + length(5)),
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
  sized("length-space-before-colon", "White space before the colon of Content-Length.", "Content-Length : 5\r\n"),
  sized("length-folded", "Content-Length on a folded line.", "Content-Length:\r\n 5\r\n"),
  sized("length-underscore", "Content_Length in place of Content-Length.", "Content_Length: 5\r\n"),
  entry("get-with-content", "A GET with content that holds a request.", { method: "GET", fields: length("{innerOctets}") }, INNER),
  entry("head-with-content", "A HEAD with content that holds a request.", { method: "HEAD", fields: length("{innerOctets}") }, INNER),
  entry(
    "options-with-content",
    "An OPTIONS with content that holds a request.",
    { method: "OPTIONS", fields: length("{innerOctets}") },
    INNER,
  ),
];

const CODINGS: readonly Entry[] = [
  both("te-and-length", "Chunked and Content-Length: what follows the last chunk is content, or a request.", CHUNKED),
  both("length-short-and-te", "Content-Length 5 and chunked: the request begins where both end.", CHUNKED, 5),
  both("te-identity-and-length", "Identity and Content-Length.", "Transfer-Encoding: identity\r\n"),
  both("te-unknown-and-length", "An unknown coding and Content-Length.", "Transfer-Encoding: xchunked\r\n"),
  both("te-space-before-colon-and-length", "White space before the colon of Transfer-Encoding.", "Transfer-Encoding : chunked\r\n"),
  both("te-tab-and-length", "A tab before chunked.", "Transfer-Encoding:\tchunked\r\n"),
  both("te-vertical-tab-and-length", "A vertical tab before chunked.", "Transfer-Encoding: \x0bchunked\r\n"),
  both("te-folded-and-length", "Chunked on a folded line.", "Transfer-Encoding:\r\n chunked\r\n"),
  both("te-quoted-and-length", "Chunked in quotes.", 'Transfer-Encoding: "chunked"\r\n'),
  both("te-twice-and-length", "Chunked and identity on two lines.", `${CHUNKED}Transfer-Encoding: identity\r\n`),
  both("te-cr-and-length", "A CR alone behind chunked.", "Transfer-Encoding: chunked\rX\r\n"),
  both("te-lf-and-length", "Transfer-Encoding hidden behind an LF alone.", "X-A: b\nTransfer-Encoding: chunked\r\n"),
  both("te-nul-and-length", "A NUL behind chunked.", "Transfer-Encoding: chunked\0\r\n"),
  both("te-underscore-and-length", "Transfer_Encoding in place of Transfer-Encoding.", "Transfer_Encoding: chunked\r\n"),
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

const CHUNKS: readonly Entry[] = [
  chunks("chunk-extension", "A chunk with an extension.", "5;a=b\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-extension-quoted", "An extension in quotes that holds a semicolon.", '5;a="b;c"\r\nhello\r\n0\r\n\r\n'),
  chunks("chunk-extension-lf", "An LF alone in an extension.", `5;a\nhello\r\n0\r\n\r\n`),
  chunks("chunk-extension-cr", "A CR alone in an extension.", "5;a\rb\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-extension-nul", "A NUL in an extension.", "5;a\0\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-extension-8k", "Eight kilobytes of extension.", `5;a=${"b".repeat(8192)}\r\nhello\r\n0\r\n\r\n`),
  chunks("chunk-size-upper-case", "A size in upper-case hex.", `A\r\nhellohello\r\n0\r\n\r\n`),
  chunks("chunk-size-leading-zeros", "A size with leading zeros.", "0000000005\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-many-zeros", "A size with forty leading zeros.", `${"0".repeat(40)}5\r\nhello\r\n0\r\n\r\n`),
  chunks("chunk-size-0x", "A size with 0x.", "0x5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-plus", "A size with a plus.", "+5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-minus", "A negative size.", "-5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-empty", "No size.", "\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-not-hex", "A size that is no number.", "g\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-overflow", "A size of 2^64 + 5.", "10000000000000005\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-space-before", "A space before the size.", " 5\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-space-after", "A space behind the size.", "5 \r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-tab-after", "A tab behind the size.", "5\t\r\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-lf", "A size line that ends in LF alone.", "5\nhello\r\n0\r\n\r\n"),
  chunks("chunk-size-cr", "A size line that ends in CR alone.", "5\rhello\r\n0\r\n\r\n"),
  chunks("chunk-data-lf", "A chunk that ends in LF alone.", "5\r\nhello\n0\r\n\r\n"),
  chunks("chunk-data-no-end", "A chunk without a line end.", "5\r\nhello0\r\n\r\n"),
  chunks("chunk-data-longer", "A chunk longer than its size.", "5\r\nhello!\r\n0\r\n\r\n"),
  chunks("chunk-last-lf", "A last chunk with LF alone.", "5\r\nhello\r\n0\n\n"),
  chunks("chunk-last-many-zeros", "A last chunk of three zeros.", "5\r\nhello\r\n000\r\n\r\n"),
  chunks("chunk-last-extension", "A last chunk with an extension.", "5\r\nhello\r\n0;a=b\r\n\r\n"),
  chunks("trailer", "A trailer field.", "5\r\nhello\r\n0\r\nX-A: b\r\n\r\n"),
  chunks("trailer-length", "Content-Length as a trailer field.", "5\r\nhello\r\n0\r\nContent-Length: 50\r\n\r\n"),
  chunks("trailer-coding", "Transfer-Encoding as a trailer field.", "5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"),
  chunks("trailer-no-colon", "A trailer line without a colon.", "5\r\nhello\r\n0\r\nX-A\r\n\r\n"),
  chunks("trailer-fold", "A folded trailer line.", "5\r\nhello\r\n0\r\nX-A: b\r\n c\r\n\r\n"),
  chunks("trailer-bare-lf", "A trailer line that ends in LF alone.", "5\r\nhello\r\n0\r\nX-A: b\n\r\n"),
];

const CONNECTIONS: readonly Entry[] = [
  raw("close-then-more", "A request behind one that asks to close.", request({ method: "GET", fields: "Connection: close\r\n" }) + INNER),
  raw("close-upper-case", "The same with CLOSE.", request({ method: "GET", fields: "Connection: CLOSE\r\n" }) + INNER),
  raw("1.0-then-more", "A request behind one of HTTP/1.0.", request({ method: "GET", version: "HTTP/1.0" }) + INNER),
  raw(
    "1.0-keep-alive",
    "A request behind one of HTTP/1.0 that asks to stay.",
    request({ method: "GET", version: "HTTP/1.0", fields: "Connection: keep-alive\r\n" }) + INNER,
  ),
  get("connection-host", "Connection names Host.", { fields: "Connection: host\r\n" }),
  entry("connection-length", "Connection names Content-Length.", { fields: `Connection: content-length\r\n${length(5)}` }, "hello"),
  get("upgrade-unknown", "An upgrade to something unknown.", { fields: "Connection: upgrade\r\nUpgrade: teapot/1\r\n" }),
];

export const CORPUS: readonly Entry[] = [...PLAIN, ...START_LINES, ...FIELDS, ...LENGTHS, ...CODINGS, ...CHUNKS, ...CONNECTIONS];
