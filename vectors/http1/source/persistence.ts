import { get, head, post, refused, request, tolerated, valid, type Draft, type Crafted, type Source } from "./craft.ts";

const P = "rfc9112#9.3";
const stays = (note: string, ...options: readonly string[]): Draft =>
  valid({ note, spec: P, given: [get(options.map((option) => `Connection: ${option}`)), get()], flags: ["Stays"] });
/** The request says that it is the last: what follows is none. */
const closing = (...options: readonly string[]): Crafted => get(options.map((option) => `Connection: ${option}`), { persists: false });
const closes = (note: string, ...options: readonly string[]): Draft => valid({ note, spec: P, given: closing(...options), flags: ["Closes"],  rest: get().octets });
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
    stays("no Connection field"),
    stays("keep-alive", "keep-alive"),
    stays("an unregistered option", "x"),
    stays("an option that begins like close", "closed"),
    stays("an option that ends like close", "x-close"),
    stays("an empty list", ""),
    stays("a list of empty members", ",,"),
    stays("an option that names a field", "te"),
    closes("close", "close"),
    closes("close in capitals", "CLOSE"),
    closes("close in mixed case", "ClOsE"),
    closes("close in a list", "x, close"),
    closes("close before another option", "close,x"),
    closes("close among empty members", ", close ,"),
    closes("close and keep-alive", "close, keep-alive"),
    closes("keep-alive and close", "keep-alive, close"),
    closes("close in a second line", "x", "close"),
    closes("close in the first of two lines", "close", "keep-alive"),
    valid({ note: "close with content", spec: P, given: post(["Connection: close", "Content-Length: 3"], { body: "abc", persists: false }), flags: ["Closes"],  rest: get().octets }),
    valid({ note: "close with chunks", spec: P, given: post(["Connection: close", "Transfer-Encoding: chunked"], { body: "3\r\nabc\r\n0\r\n\r\n", framing: "chunked", content: "abc", persists: false }), flags: ["Closes"], 
      rest: get().octets }),
    valid({ note: "close in a field of another name", spec: P, given: [get(["Proxy-Connection: close", "Close: close"]), get()], flags: ["Stays"] }),
    tolerated({ note: "close in quotes, which is not an option", spec: "rfc9110#7.6.1", given: get(['Connection: "close"']), fault: "connectionInvalid", flags: ["Stays"] }),
    valid({ note: "HTTP/1.0", spec: P, given: old([], false), flags: ["OldVersion"],  rest: old([], false).octets }),
    valid({ note: "HTTP/1.0 with keep-alive", spec: P, given: [old(["Connection: keep-alive"], true), old([], false)], flags: ["OldVersion"] }),
    valid({ note: "HTTP/1.0 with keep-alive in capitals", spec: P, given: [old(["Connection: Keep-Alive"], true), old([], false)], flags: ["OldVersion"] }),
    valid({ note: "HTTP/1.0 with keep-alive in a list", spec: P, given: [old(["Connection: x, keep-alive"], true), old([], false)], flags: ["OldVersion"] }),
    valid({ note: "HTTP/1.0 with keep-alive and close", spec: P, given: old(["Connection: keep-alive, close"], false), flags: ["OldVersion"],  rest: get().octets }),
    valid({ note: "HTTP/1.0 with another option", spec: P, given: old(["Connection: x"], false), flags: ["OldVersion"],  rest: get().octets }),
    valid({ note: "HTTP/1.0 with Proxy-Connection", spec: "rfc9112#9.3", given: old(["Proxy-Connection: keep-alive"], false), flags: ["OldVersion"],  rest: get().octets }),
    valid({ note: "HTTP/1.0 with the field Keep-Alive alone", spec: "rfc9112#9.3", given: old(["Keep-Alive: timeout=5"], false), flags: ["OldVersion"],  rest: get().octets }),
    valid({ note: "HTTP/1.0 with keep-alive, then HTTP/1.1", spec: P, given: [old(["Connection: keep-alive"], true), get()], flags: ["OldVersion"] }),
    valid({ note: "three requests", spec: "rfc9112#9.3.2", given: [get(), get(["X: b"]), request("HEAD /c HTTP/1.1", ["Host: a"])], flags: ["Pipeline"] }),
    valid({ note: "ten requests", spec: "rfc9112#9.3.2", given: Array.from({ length: 10 }, (_, i) => request(`GET /${i} HTTP/1.1`, ["Host: a"])), flags: ["Pipeline"] }),
    valid({ note: "content of each kind, in sequence", spec: "rfc9112#9.3.2", given: [
      post(["Content-Length: 3"], { body: "abc" }),
      get(),
      post(["Transfer-Encoding: chunked"], { body: "3\r\nabc\r\n0\r\nX: b\r\n\r\n", framing: "chunked", content: "abc", trailers: [["x", "b"]] }),
      post(["Content-Length: 0"]),
      get(),
    ], flags: ["Pipeline"] }),
    valid({ note: "an empty line between two requests", spec: "rfc9112#2.2", given: [get(), { ...get(), octets: `\r\n${get().octets}` }], flags: ["Pipeline"] }),
    valid({ note: "an empty line after content, as old clients send", spec: "rfc9112#2.2", given: [post(["Content-Length: 3"], { body: "abc" }), { ...get(), octets: `\r\n${get().octets}` }], flags: ["Pipeline"] }),
    valid({ note: "different hosts on one connection", spec: "rfc9112#9.3.2", given: [get(), request("GET / HTTP/1.1", ["Host: b"])], flags: ["Pipeline"] }),
    valid({ note: "a field of the first request does not apply to the second", spec: "rfc9112#9.3.2", given: [get(["X: b"]), get(["Y: c"])], flags: ["Pipeline"] }),
    refused({ note: "a request after one without Host", spec: "rfc9112#2.2", octets: head("GET / HTTP/1.1") + get().octets, fault: "hostMissing", flags: ["AfterError"],  before: [get()] }),
    refused({ note: "a request after a broken line", spec: "rfc9112#2.2", octets: head("GET /", "Host: a") + get().octets, fault: "requestLineInvalid", flags: ["AfterError"],  before: [get()] }),
    refused({ note: "a request after a broken length", spec: "rfc9112#6.3", octets: `${head("POST / HTTP/1.1", "Host: a", "Content-Length: x")}${get().octets}`, fault: "contentLengthInvalid", flags: ["AfterError"],  before: [get()] }),
    refused({ note: "octets after content that are not a request", spec: "rfc9112#9.3", octets: "abc\r\n\r\n", fault: "requestLineInvalid", flags: ["AfterError"],  before: [post(["Content-Length: 3"], { body: "abc" })] }),
    refused({ note: "content without Content-Length or Transfer-Encoding", spec: "rfc9112#6.3", octets: "abc\r\n\r\n", fault: "requestLineInvalid", flags: ["AfterError"],  before: [post([])] }),
  ],
};
