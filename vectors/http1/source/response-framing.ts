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
  refused(note, L, `${head("HTTP/1.1 200 OK", `Content-Length: ${value}`)}abc`, fault, ["LengthInvalid"], END);
const without = (note: string, spec: string, line: string, lines: readonly string[], to: string, more: object = {}): Draft =>
  valid(note, spec, [response(line, lines, { framing: "none", ...more }), NEXT], ["NoContent"], { to: [to, "GET"] });
const early = (line: string, ...lines: readonly string[]): Crafted => response(line, lines, { framing: "none" });
const closing = (lines: readonly string[], persists: boolean, version = "HTTP/1.1"): Crafted => response(`${version} 200 OK`, ["Content-Length: 0", ...lines], { persists });
const cut = (note: string, octets: string): Draft => refused(note, "rfc9112#8", octets, "endedEarly", ["Truncated"], END);

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
    valid("a length of 3", L, sized("3", "abc"), ["Length"]),
    valid("a length of 0", L, ok(["Content-Length: 0"]), ["Length"]),
    valid("a leading zero", "rfc9110#8.6", sized("03", "abc"), ["Length"]),
    valid("two responses", "rfc9112#9.2", [sized("3", "abc"), NEXT], ["Length"], TWO),
    valid("content that looks like a response", L, [sized(String(NEXT.octets.length), NEXT.octets), NEXT], ["Length"], TWO),
    valid("content with an error", L, response("HTTP/1.1 500 Internal Server Error", ["Content-Length: 3"], { body: "abc" }), ["Length"]),
    valid("content with a redirection", L, response("HTTP/1.1 302 Found", ["Location: /b", "Content-Length: 3"], { body: "abc" }), ["Length"]),
    badLength("a plus sign", "+3"),
    badLength("a minus sign", "-3"),
    badLength("hexadecimal digits", "0x3"),
    badLength("no digits", ""),
    badLength("letters", "abc"),
    badLength("a decimal point", "3.0"),
    badLength("two numbers", "3 3"),
    badLength("2^64 + 3, which wraps round to 3", "18446744073709551619", "contentTooLarge"),
    badLength("two lengths in a list", "3, 4", "contentLengthRepeated"),
    refused("two lengths in two lines", L, `${head("HTTP/1.1 200 OK", "Content-Length: 3", "Content-Length: 4")}abcd`, "contentLengthRepeated", ["LengthRepeated"]),
    tolerated("the same length in two lines", L, ok(["Content-Length: 3", "Content-Length: 3"], { body: "abc" }), "contentLengthRepeated", ["LengthRepeated"], { lenient: "repeatedLength" }),
    tolerated("the same length twice in a list", L, sized("3, 3", "abc"), "contentLengthRepeated", ["LengthRepeated"], { lenient: "repeatedLength" }),
    valid("chunked", L, chunked(["Transfer-Encoding: chunked"]), ["Chunked"]),
    valid("chunked in capitals", "rfc9112#7", chunked(["Transfer-Encoding: CHUNKED"]), ["Chunked"]),
    valid("chunked, and a response behind it", L, [chunked(["Transfer-Encoding: chunked"]), NEXT], ["Chunked"], TWO),
    valid("chunked with trailers and extensions", "rfc9112#7.1.2", ok(["Transfer-Encoding: chunked"], { body: "3;a=b\r\nabc\r\n0\r\nX: b\r\n\r\n", framing: "chunked", content: "abc", trailers: [["x", "b"]] }), ["Chunked"]),
    valid("an error in chunks", L, response("HTTP/1.1 500 Internal Server Error", ["Transfer-Encoding: chunked"], { body: CHUNKS, framing: "chunked", content: "abc" }), ["Chunked"]),
    tolerated("gzip and chunked", L, chunked(["Transfer-Encoding: gzip, chunked"]), undefined, ["Chunked"]),
    tolerated("chunked with a parameter", "rfc9112#7.1", chunked(["Transfer-Encoding: chunked;a=b"]), "codingInvalid", ["Chunked"]),
    refused("chunked twice", "rfc9112#6.1", head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked, chunked") + CHUNKS, "codingInvalid", ["Chunked"], END),
    refused("a chunk size that is none", "rfc9112#7.1", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}x\r\nabc\r\n0\r\n\r\n`, "chunkSizeInvalid", ["Chunked"], END),
    refused("a minus before a chunk size", "rfc9112#7.1", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}-3\r\nabc\r\n0\r\n\r\n`, "chunkSizeInvalid", ["Chunked"], END),
    refused("data longer than its chunk", "rfc9112#7.1", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nabcd\r\n0\r\n\r\n`, "chunkNotEnded", ["Chunked"], END),
    tolerated("a length and chunked", L, persistsNot(chunked(["Content-Length: 3", "Transfer-Encoding: chunked"])), "lengthAndCoding", ["Both"], { lenient: "lengthAndCoding" }),
    tolerated("chunked and a length", L, persistsNot(chunked(["Transfer-Encoding: chunked", "Content-Length: 30"])), "lengthAndCoding", ["Both"], { lenient: "lengthAndCoding" }),
    tolerated("chunked from a server of HTTP/1.0", "rfc9112#6.1", persistsNot(chunked(["Transfer-Encoding: chunked"], "HTTP/1.0")), "codingFromHttp10", ["Both"]),
    valid("neither field", L, untilClose([], "abc"), ["UntilClose"], END),
    valid("neither field, and no octets", L, untilClose([], ""), ["UntilClose"], END),
    valid("neither field, from a server of HTTP/1.0", L, untilClose([], "abc", "HTTP/1.0 200 OK"), ["UntilClose"], END),
    valid("content until close that looks like a response", L, untilClose([], NEXT.octets), ["UntilClose"], { ...END, ...TWO }),
    valid("content until close that looks like chunks", L, untilClose([], CHUNKS), ["UntilClose"], END),
    valid("another coding alone", L, untilClose(["Transfer-Encoding: gzip"], "abc"), ["UntilClose"], END),
    valid("chunked before another coding", L, untilClose(["Transfer-Encoding: chunked, gzip"], CHUNKS), ["UntilClose"], END),
    valid("an underscore in the name of Transfer-Encoding", L, untilClose(["Transfer_Encoding: chunked"], CHUNKS), ["UntilClose"], END),
    without("HEAD with a length", L, "HTTP/1.1 200 OK", ["Content-Length: 3"], "HEAD"),
    without("HEAD with chunked", L, "HTTP/1.1 200 OK", ["Transfer-Encoding: chunked"], "HEAD"),
    without("HEAD with neither", L, "HTTP/1.1 200 OK", [], "HEAD"),
    without("HEAD with an error", L, "HTTP/1.1 500 Oh", ["Content-Length: 3"], "HEAD"),
    without("204", L, "HTTP/1.1 204 No Content", [], "GET"),
    without("204 with a length", L, "HTTP/1.1 204 No Content", ["Content-Length: 3"], "GET"),
    without("204 with chunked", L, "HTTP/1.1 204 No Content", ["Transfer-Encoding: chunked"], "GET"),
    without("304", L, "HTTP/1.1 304 Not Modified", ['ETag: "b"'], "GET"),
    without("304 with a length", L, "HTTP/1.1 304 Not Modified", ["Content-Length: 3"], "GET"),
    without("304 with chunked", L, "HTTP/1.1 304 Not Modified", ["Transfer-Encoding: chunked"], "GET"),
    valid("205 with a length of 0", "rfc9110#15.3.6", response("HTTP/1.1 205 Reset Content", ["Content-Length: 0"]), ["Length"]),
    valid("100 before the final response", "rfc9110#15.2", [early("HTTP/1.1 100 Continue"), sized("3", "abc")], ["Interim"]),
    valid("103 before the final response", "rfc8297#2", [early("HTTP/1.1 103 Early Hints", "Link: </b>; rel=preload"), sized("3", "abc")], ["Interim"]),
    valid("102 before the final response", "rfc9110#15.2", [early("HTTP/1.1 102 Processing"), sized("3", "abc")], ["Interim"]),
    valid("a 1xx that nobody knows", "rfc9110#15.2", [early("HTTP/1.1 199 Own"), sized("3", "abc")], ["Interim"]),
    valid("a chain of 1xx", "rfc9110#15.2", [early("HTTP/1.1 100 Continue"), early("HTTP/1.1 103 Early Hints", "Link: </b>"), early("HTTP/1.1 103 Early Hints", "Link: </c>"), sized("3", "abc")], ["Interim"]),
    valid("a 1xx with a length, which it cannot have", L, [early("HTTP/1.1 103 Early Hints", "Content-Length: 3"), sized("3", "abc")], ["Interim"]),
    valid("a 1xx with chunked, which it cannot have", L, [early("HTTP/1.1 100 Continue", "Transfer-Encoding: chunked"), sized("3", "abc")], ["Interim"]),
    valid("1xx before each of two responses", "rfc9112#9.2", [early("HTTP/1.1 103 Early Hints"), sized("3", "abc"), early("HTTP/1.1 103 Early Hints"), NEXT], ["Interim"], TWO),
    refused("101 that nobody asked for", "rfc9110#7.8", head("HTTP/1.1 101 Switching Protocols", "Connection: upgrade", "Upgrade: x"), "switchUnasked", ["Interim"]),
    refused("1xx and then the end", "rfc9112#8", "", "endedEarly", ["Truncated"], { ...END, before: [early("HTTP/1.1 103 Early Hints")] }),
    valid("200 to CONNECT", L, response("HTTP/1.1 200 OK", [], { framing: "tunnel" }), ["Tunnel"], { to: ["CONNECT"], rest: "abc" }),
    valid("200 to CONNECT with a length", L, response("HTTP/1.1 200 OK", ["Content-Length: 3"], { framing: "tunnel" }), ["Tunnel"], { to: ["CONNECT"], rest: "abcd" }),
    valid("204 to CONNECT", L, response("HTTP/1.1 204 No Content", [], { framing: "tunnel" }), ["Tunnel"], { to: ["CONNECT"], rest: "abc" }),
    valid("299 to CONNECT with chunked", L, response("HTTP/1.1 299 Own", ["Transfer-Encoding: chunked"], { framing: "tunnel" }), ["Tunnel"], { to: ["CONNECT"], rest: CHUNKS }),
    valid("407 to CONNECT, which is no tunnel", L, response("HTTP/1.1 407 Proxy Authentication Required", ["Content-Length: 3"], { body: "abc" }), ["Tunnel"], { to: ["CONNECT"] }),
    valid("close", "rfc9112#9.3", closing(["Connection: close"], false), ["Persistence"]),
    valid("close in a list, in capitals", "rfc9112#9.3", closing(["Connection: x, CLOSE"], false), ["Persistence"]),
    valid("keep-alive", "rfc9112#9.3", closing(["Connection: keep-alive"], true), ["Persistence"]),
    valid("HTTP/1.0", "rfc9112#9.3", closing([], false, "HTTP/1.0"), ["Persistence"]),
    valid("HTTP/1.0 with keep-alive", "rfc9112#9.3", closing(["Connection: keep-alive"], true, "HTTP/1.0"), ["Persistence"]),
    valid("a response behind one with close", "rfc9112#9.6", closing(["Connection: close"], false), ["Persistence"], { rest: NEXT.octets }),
    valid("a response that nobody asked for", L, sized("3", "abc"), ["Surplus"], { rest: NEXT.octets }),
    valid("octets behind the length", L, sized("3", "abc"), ["Surplus"], { rest: "def" }),
    valid("octets behind the last chunk", L, chunked(["Transfer-Encoding: chunked"]), ["Surplus"], { rest: "def" }),
    valid("content with HEAD", L, response("HTTP/1.1 200 OK", ["Content-Length: 3"], { framing: "none" }), ["Surplus"], { to: ["HEAD"], rest: "abc" }),
    valid("content with 204", L, response("HTTP/1.1 204 No Content", [], { framing: "none" }), ["Surplus"], { rest: "abc" }),
    valid("content with 304", L, response("HTTP/1.1 304 Not Modified", ["Content-Length: 3"], { framing: "none" }), ["Surplus"], { rest: "abc" }),
    cut("within the status line", "HTTP/1.1 20"),
    cut("within a field line", "HTTP/1.1 200 OK\r\nContent-Le"),
    cut("before the empty line", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"),
    cut("before the content", head("HTTP/1.1 200 OK", "Content-Length: 3")),
    cut("within the content", `${head("HTTP/1.1 200 OK", "Content-Length: 3")}ab`),
    cut("before the first chunk", head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")),
    cut("within a chunk", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nab`),
    cut("before the last chunk", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nabc\r\n`),
    cut("within the trailers", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\nX: b\r\n`),
    tolerated("close in quotes, which is no option", "rfc9110#7.6.1", withoutPersistence(closing(['Connection: "close"'], true)), undefined, ["Persistence"], { rest: "abc" }),
  ],
};

function withoutPersistence({ octets, message: { persists: _persists, ...message } }: Crafted): Crafted {
  return { octets, message };
}
function persistsNot({ octets, message }: Crafted): Crafted {
  return { octets, message: { ...message, persists: false } };
}
