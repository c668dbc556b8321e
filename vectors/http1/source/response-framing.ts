import { head, ok, refusedByClient as refused, response, tolerated, valid, type Draft, type Crafted, type Source } from "./craft.ts";

const L = "rfc9112#6.3";
const CHUNKS = "3\r\nabc\r\n0\r\n\r\n";
const NEXT = response("HTTP/1.1 404 Not Found", ["Content-Length: 0"]);
const sized = (length: string, body: string): Crafted => ok([[`Content-Length: ${length}`, "content-length", length.trim()]], { body, framing: "length" });
const chunked = (lines: readonly string[], version = "HTTP/1.1"): Crafted => response(`${version} 200 OK`, lines, { body: CHUNKS, framing: "chunked", content: "abc" });
const untilClose = (lines: readonly string[], body: string, start = "HTTP/1.1 200 OK"): Crafted => response(start, lines, { body, framing: "close", persists: false });
const TWO = { to: ["GET", "GET"] };
const END = { ended: true } as const;
const badLength = (note: string, value: string, fault = "contentLengthInvalid"): Draft =>
  refused({ note, spec: L, octets: `${head("HTTP/1.1 200 OK", `Content-Length: ${value}`)}abc`, fault, flags: ["LengthInvalid"], ...END });
const without = ({ note, spec, line, lines, to, ...more }: { readonly note: string; readonly spec: string; readonly line: string; readonly lines: readonly string[]; readonly to: string } & object): Draft =>
  valid({ note, spec, given: [response(line, lines, { framing: "none", ...more }), NEXT], flags: ["NoContent"],  to: [to, "GET"] });
const early = (line: string, ...lines: readonly string[]): Crafted => response(line, lines, { framing: "none" });
const closing = (lines: readonly string[], persists: boolean, version = "HTTP/1.1"): Crafted => response(`${version} 200 OK`, ["Content-Length: 0", ...lines], { persists });
const cut = (note: string, octets: string): Draft => refused({ note, spec: "rfc9112#8", octets, fault: "endedEarly", flags: ["Truncated"], ...END });

export const source: Source = {
  about: "Where a response ends, which request it answers, and whether the connection continues",
  spec: "rfc9112#6.3",
  flags: {
    Length: { why: "a length in decimal digits", bug: "WRONG_END" },
    LengthInvalid: { why: "an invalid length", bug: "SPLITTING" },
    LengthRepeated: { why: "more than one length", bug: "SPLITTING" },
    Chunked: { why: "chunked is the last coding", bug: "WRONG_END" },
    Both: { why: "Content-Length and Transfer-Encoding together", bug: "SPLITTING" },
    UntilClose: { why: "the end of the connection ends the content", bug: "WRONG_END" },
    NoContent: { why: "no content by method or status, whatever the fields", bug: "WRONG_END" },
    Interim: { why: "responses of 1xx before the final one", bug: "WRONG_ORDER" },
    Tunnel: { why: "a 2xx to CONNECT, after which the connection is a tunnel", bug: "WRONG_END" },
    Persistence: { why: "whether the connection continues", bug: "WRONG_PERSISTENCE" },
    Surplus: { why: "octets after the last response are not a response", bug: "SPLITTING" },
    Truncated: { why: "the connection ends within the message", bug: "WRONG_END" },
  },
  vectors: [
    valid({ note: "a length of 3", spec: L, given: sized("3", "abc"), flags: ["Length"] }),
    valid({ note: "a length of 0", spec: L, given: ok(["Content-Length: 0"]), flags: ["Length"] }),
    valid({ note: "a leading zero", spec: "rfc9110#8.6", given: sized("03", "abc"), flags: ["Length"] }),
    valid({ note: "two responses", spec: "rfc9112#9.2", given: [sized("3", "abc"), NEXT], flags: ["Length"], ...TWO }),
    valid({ note: "content that looks like a response", spec: L, given: [sized(String(NEXT.octets.length), NEXT.octets), NEXT], flags: ["Length"], ...TWO }),
    valid({ note: "content with an error", spec: L, given: response("HTTP/1.1 500 Internal Server Error", ["Content-Length: 3"], { body: "abc" }), flags: ["Length"] }),
    valid({ note: "content with a redirection", spec: L, given: response("HTTP/1.1 302 Found", ["Location: /b", "Content-Length: 3"], { body: "abc" }), flags: ["Length"] }),
    badLength("a plus sign", "+3"),
    badLength("a minus sign", "-3"),
    badLength("hexadecimal digits", "0x3"),
    badLength("no digits", ""),
    badLength("letters", "abc"),
    badLength("a decimal point", "3.0"),
    badLength("two numbers", "3 3"),
    badLength("2^64 + 3, which wraps round to 3", "18446744073709551619", "contentTooLarge"),
    badLength("two lengths in a list", "3, 4", "contentLengthRepeated"),
    refused({ note: "two lengths in two lines", spec: L, octets: `${head("HTTP/1.1 200 OK", "Content-Length: 3", "Content-Length: 4")}abcd`, fault: "contentLengthRepeated", flags: ["LengthRepeated"] }),
    tolerated({ note: "the same length in two lines", spec: L, given: ok(["Content-Length: 3", "Content-Length: 3"], { body: "abc" }), fault: "contentLengthRepeated", flags: ["LengthRepeated"],  lenient: "repeatedLength" }),
    tolerated({ note: "the same length twice in a list", spec: L, given: sized("3, 3", "abc"), fault: "contentLengthRepeated", flags: ["LengthRepeated"],  lenient: "repeatedLength" }),
    valid({ note: "chunked", spec: L, given: chunked(["Transfer-Encoding: chunked"]), flags: ["Chunked"] }),
    valid({ note: "chunked in capitals", spec: "rfc9112#7", given: chunked(["Transfer-Encoding: CHUNKED"]), flags: ["Chunked"] }),
    valid({ note: "chunked, then a response", spec: L, given: [chunked(["Transfer-Encoding: chunked"]), NEXT], flags: ["Chunked"], ...TWO }),
    valid({ note: "chunked with trailers and extensions", spec: "rfc9112#7.1.2", given: ok(["Transfer-Encoding: chunked"], { body: "3;a=b\r\nabc\r\n0\r\nX: b\r\n\r\n", framing: "chunked", content: "abc", trailers: [["x", "b"]] }), flags: ["Chunked"] }),
    valid({ note: "an error in chunks", spec: L, given: response("HTTP/1.1 500 Internal Server Error", ["Transfer-Encoding: chunked"], { body: CHUNKS, framing: "chunked", content: "abc" }), flags: ["Chunked"] }),
    tolerated({ note: "gzip and chunked", spec: L, given: chunked(["Transfer-Encoding: gzip, chunked"]),  flags: ["Chunked"] }),
    tolerated({ note: "chunked with a parameter", spec: "rfc9112#7.1", given: chunked(["Transfer-Encoding: chunked;a=b"]), fault: "codingInvalid", flags: ["Chunked"] }),
    refused({ note: "chunked twice", spec: "rfc9112#6.1", octets: head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked, chunked") + CHUNKS, fault: "codingInvalid", flags: ["Chunked"], ...END }),
    refused({ note: "an invalid chunk size", spec: "rfc9112#7.1", octets: `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}x\r\nabc\r\n0\r\n\r\n`, fault: "chunkSizeInvalid", flags: ["Chunked"], ...END }),
    refused({ note: "a minus sign before a chunk size", spec: "rfc9112#7.1", octets: `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}-3\r\nabc\r\n0\r\n\r\n`, fault: "chunkSizeInvalid", flags: ["Chunked"], ...END }),
    refused({ note: "data longer than its chunk", spec: "rfc9112#7.1", octets: `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nabcd\r\n0\r\n\r\n`, fault: "chunkNotEnded", flags: ["Chunked"], ...END }),
    tolerated({ note: "a length and chunked", spec: L, given: persistsNot(chunked(["Content-Length: 3", "Transfer-Encoding: chunked"])), fault: "lengthAndCoding", flags: ["Both"],  lenient: "lengthAndCoding" }),
    tolerated({ note: "chunked and a length", spec: L, given: persistsNot(chunked(["Transfer-Encoding: chunked", "Content-Length: 30"])), fault: "lengthAndCoding", flags: ["Both"],  lenient: "lengthAndCoding" }),
    tolerated({ note: "chunked from a server of HTTP/1.0", spec: "rfc9112#6.1", given: persistsNot(chunked(["Transfer-Encoding: chunked"], "HTTP/1.0")), fault: "codingFromHttp10", flags: ["Both"] }),
    valid({ note: "neither field", spec: L, given: untilClose([], "abc"), flags: ["UntilClose"], ...END }),
    valid({ note: "neither field, and no octets", spec: L, given: untilClose([], ""), flags: ["UntilClose"], ...END }),
    valid({ note: "neither field, from a server of HTTP/1.0", spec: L, given: untilClose([], "abc", "HTTP/1.0 200 OK"), flags: ["UntilClose"], ...END }),
    valid({ note: "content until close that looks like a response", spec: L, given: untilClose([], NEXT.octets), flags: ["UntilClose"],  ...END, ...TWO }),
    valid({ note: "content until close that looks like chunks", spec: L, given: untilClose([], CHUNKS), flags: ["UntilClose"], ...END }),
    valid({ note: "another coding alone", spec: L, given: untilClose(["Transfer-Encoding: gzip"], "abc"), flags: ["UntilClose"], ...END }),
    valid({ note: "chunked before another coding", spec: L, given: untilClose(["Transfer-Encoding: chunked, gzip"], CHUNKS), flags: ["UntilClose"], ...END }),
    valid({ note: "an underscore in the name of Transfer-Encoding", spec: L, given: untilClose(["Transfer_Encoding: chunked"], CHUNKS), flags: ["UntilClose"], ...END }),
    without({ note: "HEAD with a length", spec: L, line: "HTTP/1.1 200 OK", lines: ["Content-Length: 3"], to: "HEAD" }),
    without({ note: "HEAD with chunked", spec: L, line: "HTTP/1.1 200 OK", lines: ["Transfer-Encoding: chunked"], to: "HEAD" }),
    without({ note: "HEAD with neither", spec: L, line: "HTTP/1.1 200 OK", lines: [], to: "HEAD" }),
    without({ note: "HEAD with an error", spec: L, line: "HTTP/1.1 500 Oh", lines: ["Content-Length: 3"], to: "HEAD" }),
    without({ note: "204", spec: L, line: "HTTP/1.1 204 No Content", lines: [], to: "GET" }),
    without({ note: "204 with a length", spec: L, line: "HTTP/1.1 204 No Content", lines: ["Content-Length: 3"], to: "GET" }),
    without({ note: "204 with chunked", spec: L, line: "HTTP/1.1 204 No Content", lines: ["Transfer-Encoding: chunked"], to: "GET" }),
    without({ note: "304", spec: L, line: "HTTP/1.1 304 Not Modified", lines: ['ETag: "b"'], to: "GET" }),
    without({ note: "304 with a length", spec: L, line: "HTTP/1.1 304 Not Modified", lines: ["Content-Length: 3"], to: "GET" }),
    without({ note: "304 with chunked", spec: L, line: "HTTP/1.1 304 Not Modified", lines: ["Transfer-Encoding: chunked"], to: "GET" }),
    valid({ note: "205 with a length of 0", spec: "rfc9110#15.3.6", given: response("HTTP/1.1 205 Reset Content", ["Content-Length: 0"]), flags: ["Length"] }),
    valid({ note: "100 before the final response", spec: "rfc9110#15.2", given: [early("HTTP/1.1 100 Continue"), sized("3", "abc")], flags: ["Interim"] }),
    valid({ note: "103 before the final response", spec: "rfc8297#2", given: [early("HTTP/1.1 103 Early Hints", "Link: </b>; rel=preload"), sized("3", "abc")], flags: ["Interim"] }),
    valid({ note: "102 before the final response", spec: "rfc9110#15.2", given: [early("HTTP/1.1 102 Processing"), sized("3", "abc")], flags: ["Interim"] }),
    valid({ note: "an unregistered 1xx", spec: "rfc9110#15.2", given: [early("HTTP/1.1 199 Own"), sized("3", "abc")], flags: ["Interim"] }),
    valid({ note: "a chain of 1xx", spec: "rfc9110#15.2", given: [early("HTTP/1.1 100 Continue"), early("HTTP/1.1 103 Early Hints", "Link: </b>"), early("HTTP/1.1 103 Early Hints", "Link: </c>"), sized("3", "abc")], flags: ["Interim"] }),
    valid({ note: "a 1xx with a length, which it cannot have", spec: L, given: [early("HTTP/1.1 103 Early Hints", "Content-Length: 3"), sized("3", "abc")], flags: ["Interim"] }),
    valid({ note: "a 1xx with chunked, which it cannot have", spec: L, given: [early("HTTP/1.1 100 Continue", "Transfer-Encoding: chunked"), sized("3", "abc")], flags: ["Interim"] }),
    valid({ note: "1xx before each of two responses", spec: "rfc9112#9.2", given: [early("HTTP/1.1 103 Early Hints"), sized("3", "abc"), early("HTTP/1.1 103 Early Hints"), NEXT], flags: ["Interim"], ...TWO }),
    refused({ note: "an unsolicited 101", spec: "rfc9110#7.8", octets: head("HTTP/1.1 101 Switching Protocols", "Connection: upgrade", "Upgrade: x"), fault: "switchUnasked", flags: ["Interim"] }),
    refused({ note: "1xx and then the end", spec: "rfc9112#8", octets: "", fault: "endedEarly", flags: ["Truncated"],  ...END, before: [early("HTTP/1.1 103 Early Hints")] }),
    valid({ note: "200 to CONNECT", spec: L, given: response("HTTP/1.1 200 OK", [], { framing: "tunnel" }), flags: ["Tunnel"],  to: ["CONNECT"], rest: "abc" }),
    valid({ note: "200 to CONNECT with a length", spec: L, given: response("HTTP/1.1 200 OK", ["Content-Length: 3"], { framing: "tunnel" }), flags: ["Tunnel"],  to: ["CONNECT"], rest: "abcd" }),
    valid({ note: "204 to CONNECT", spec: L, given: response("HTTP/1.1 204 No Content", [], { framing: "tunnel" }), flags: ["Tunnel"],  to: ["CONNECT"], rest: "abc" }),
    valid({ note: "299 to CONNECT with chunked", spec: L, given: response("HTTP/1.1 299 Own", ["Transfer-Encoding: chunked"], { framing: "tunnel" }), flags: ["Tunnel"],  to: ["CONNECT"], rest: CHUNKS }),
    valid({ note: "407 to CONNECT, which opens no tunnel", spec: L, given: response("HTTP/1.1 407 Proxy Authentication Required", ["Content-Length: 3"], { body: "abc" }), flags: ["Tunnel"],  to: ["CONNECT"] }),
    valid({ note: "close", spec: "rfc9112#9.3", given: closing(["Connection: close"], false), flags: ["Persistence"] }),
    valid({ note: "close in a list, in capitals", spec: "rfc9112#9.3", given: closing(["Connection: x, CLOSE"], false), flags: ["Persistence"] }),
    valid({ note: "keep-alive", spec: "rfc9112#9.3", given: closing(["Connection: keep-alive"], true), flags: ["Persistence"] }),
    valid({ note: "HTTP/1.0", spec: "rfc9112#9.3", given: closing([], false, "HTTP/1.0"), flags: ["Persistence"] }),
    valid({ note: "HTTP/1.0 with keep-alive", spec: "rfc9112#9.3", given: closing(["Connection: keep-alive"], true, "HTTP/1.0"), flags: ["Persistence"] }),
    valid({ note: "a response after one with close", spec: "rfc9112#9.6", given: closing(["Connection: close"], false), flags: ["Persistence"],  rest: NEXT.octets }),
    valid({ note: "an unsolicited response", spec: L, given: sized("3", "abc"), flags: ["Surplus"],  rest: NEXT.octets }),
    valid({ note: "octets after the length", spec: L, given: sized("3", "abc"), flags: ["Surplus"],  rest: "def" }),
    valid({ note: "octets after the last chunk", spec: L, given: chunked(["Transfer-Encoding: chunked"]), flags: ["Surplus"],  rest: "def" }),
    valid({ note: "content with HEAD", spec: L, given: response("HTTP/1.1 200 OK", ["Content-Length: 3"], { framing: "none" }), flags: ["Surplus"],  to: ["HEAD"], rest: "abc" }),
    valid({ note: "content with 204", spec: L, given: response("HTTP/1.1 204 No Content", [], { framing: "none" }), flags: ["Surplus"],  rest: "abc" }),
    valid({ note: "content with 304", spec: L, given: response("HTTP/1.1 304 Not Modified", ["Content-Length: 3"], { framing: "none" }), flags: ["Surplus"],  rest: "abc" }),
    cut("within the status line", "HTTP/1.1 20"),
    cut("within a field line", "HTTP/1.1 200 OK\r\nContent-Le"),
    cut("before the empty line", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"),
    cut("before the content", head("HTTP/1.1 200 OK", "Content-Length: 3")),
    cut("within the content", `${head("HTTP/1.1 200 OK", "Content-Length: 3")}ab`),
    cut("before the first chunk", head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")),
    cut("within a chunk", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nab`),
    cut("before the last chunk", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nabc\r\n`),
    cut("within the trailers", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\nX: b\r\n`),
    tolerated({ note: "close in quotes, which is not an option", spec: "rfc9110#7.6.1", given: withoutPersistence(closing(['Connection: "close"'], true)),  flags: ["Persistence"],  rest: "abc" }),
  ],
};

function withoutPersistence({ octets, message: { persists: _persists, ...message } }: Crafted): Crafted {
  return { octets, message };
}
function persistsNot({ octets, message }: Crafted): Crafted {
  return { octets, message: { ...message, persists: false } };
}
