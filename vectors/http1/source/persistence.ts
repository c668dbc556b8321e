import { get, head, post, refused, request, tolerated, valid, type Draft, type Crafted, type Source } from "./craft.ts";

const P = "rfc9112#9.3";
const stays = (note: string, ...options: readonly string[]): Draft =>
  valid(note, P, [get(options.map((option) => `Connection: ${option}`)), get()], ["Stays"]);
/** The request says that it is the last: what follows is none. */
const closing = (...options: readonly string[]): Crafted => get(options.map((option) => `Connection: ${option}`), { persists: false });
const closes = (note: string, ...options: readonly string[]): Draft => valid(note, P, closing(...options), ["Closes"], { rest: get().octets });
const old = (lines: readonly string[], persists: boolean): Crafted => request("GET / HTTP/1.0", lines, { persists });

export const source: Source = {
  about: "Whether a connection continues after a request, and pipelined requests",
  spec: "rfc9112#9.3",
  flags: {
    Stays: { why: "the connection continues", bug: "WRONG_PERSISTENCE" },
    Closes: { why: "the request is the last, and later octets are ignored", bug: "WRONG_PERSISTENCE" },
    OldVersion: { why: "HTTP/1.0 closes the connection without keep-alive", bug: "WRONG_PERSISTENCE" },
    Pipeline: { why: "pipelined requests", bug: "WRONG_END" },
    AfterError: { why: "no request follows an invalid request", bug: "SMUGGLING" },
  },
  vectors: [
    stays("nothing said"),
    stays("keep-alive", "keep-alive"),
    stays("an option that nobody knows", "x"),
    stays("an option that begins like close", "closed"),
    stays("an option that ends like close", "x-close"),
    stays("an empty list", ""),
    stays("a list of empty members", ",,"),
    stays("an option that names a field", "te"),
    closes("close", "close"),
    closes("close in capitals", "CLOSE"),
    closes("close in mixed case", "ClOsE"),
    closes("close in a list", "x, close"),
    closes("close in front of another option", "close,x"),
    closes("close among empty members", ", close ,"),
    closes("close and keep-alive", "close, keep-alive"),
    closes("keep-alive and close", "keep-alive, close"),
    closes("close in a second line", "x", "close"),
    closes("close in the first of two lines", "close", "keep-alive"),
    valid("close with content", P, post(["Connection: close", "Content-Length: 3"], { body: "abc", persists: false }), ["Closes"], { rest: get().octets }),
    valid("close with chunks", P, post(["Connection: close", "Transfer-Encoding: chunked"], { body: "3\r\nabc\r\n0\r\n\r\n", framing: "chunked", content: "abc", persists: false }), ["Closes"], {
      rest: get().octets,
    }),
    valid("close in a field of another name", P, [get(["Proxy-Connection: close", "Close: close"]), get()], ["Stays"]),
    tolerated("close in quotes, which is no option", "rfc9110#7.6.1", get(['Connection: "close"']), "connectionInvalid", ["Stays"]),
    valid("HTTP/1.0", P, old([], false), ["OldVersion"], { rest: old([], false).octets }),
    valid("HTTP/1.0 with keep-alive", P, [old(["Connection: keep-alive"], true), old([], false)], ["OldVersion"]),
    valid("HTTP/1.0 with keep-alive in capitals", P, [old(["Connection: Keep-Alive"], true), old([], false)], ["OldVersion"]),
    valid("HTTP/1.0 with keep-alive in a list", P, [old(["Connection: x, keep-alive"], true), old([], false)], ["OldVersion"]),
    valid("HTTP/1.0 with keep-alive and close", P, old(["Connection: keep-alive, close"], false), ["OldVersion"], { rest: get().octets }),
    valid("HTTP/1.0 with another option", P, old(["Connection: x"], false), ["OldVersion"], { rest: get().octets }),
    valid("HTTP/1.0 with Proxy-Connection", "rfc9112#9.3", old(["Proxy-Connection: keep-alive"], false), ["OldVersion"], { rest: get().octets }),
    valid("HTTP/1.0 with the field Keep-Alive alone", "rfc9112#9.3", old(["Keep-Alive: timeout=5"], false), ["OldVersion"], { rest: get().octets }),
    valid("HTTP/1.0 with keep-alive, then HTTP/1.1", P, [old(["Connection: keep-alive"], true), get()], ["OldVersion"]),
    valid("three requests", "rfc9112#9.3.2", [get(), get(["X: b"]), request("HEAD /c HTTP/1.1", ["Host: a"])], ["Pipeline"]),
    valid("ten requests", "rfc9112#9.3.2", Array.from({ length: 10 }, (_, i) => request(`GET /${i} HTTP/1.1`, ["Host: a"])), ["Pipeline"]),
    valid("content of each kind, one behind the other", "rfc9112#9.3.2", [
      post(["Content-Length: 3"], { body: "abc" }),
      get(),
      post(["Transfer-Encoding: chunked"], { body: "3\r\nabc\r\n0\r\nX: b\r\n\r\n", framing: "chunked", content: "abc", trailers: [["x", "b"]] }),
      post(["Content-Length: 0"]),
      get(),
    ], ["Pipeline"]),
    valid("an empty line between two requests", "rfc9112#2.2", [get(), { ...get(), octets: `\r\n${get().octets}` }], ["Pipeline"]),
    valid("an empty line behind content, as old clients send it", "rfc9112#2.2", [post(["Content-Length: 3"], { body: "abc" }), { ...get(), octets: `\r\n${get().octets}` }], ["Pipeline"]),
    valid("different hosts on one connection", "rfc9112#9.3.2", [get(), request("GET / HTTP/1.1", ["Host: b"])], ["Pipeline"]),
    valid("a field of the first request is not the second's", "rfc9112#9.3.2", [get(["X: b"]), get(["Y: c"])], ["Pipeline"]),
    refused("a request behind one without Host", "rfc9112#2.2", head("GET / HTTP/1.1") + get().octets, "hostMissing", ["AfterError"], { before: [get()] }),
    refused("a request behind a broken line", "rfc9112#2.2", head("GET /", "Host: a") + get().octets, "requestLineInvalid", ["AfterError"], { before: [get()] }),
    refused("a request behind a broken length", "rfc9112#6.3", `${head("POST / HTTP/1.1", "Host: a", "Content-Length: x")}${get().octets}`, "contentLengthInvalid", ["AfterError"], { before: [get()] }),
    refused("octets behind content that are no request", "rfc9112#9.3", "abc\r\n\r\n", "requestLineInvalid", ["AfterError"], { before: [post(["Content-Length: 3"], { body: "abc" })] }),
    refused("content without a field that announces it", "rfc9112#6.3", "abc\r\n\r\n", "requestLineInvalid", ["AfterError"], { before: [post([])] }),
  ],
};
