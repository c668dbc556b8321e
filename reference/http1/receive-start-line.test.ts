import { describe, expect, test } from "vitest";
import type { Event } from "./contract.ts";
import { client, get, head, ok, play, playResponse, refusal, server } from "./testing.ts";

const refused = (name: string, status = 400): string[] => [`closed ${name}`, refusal(status)];

describe("request lines (rfc9112#3)", () => {
  test.each([
    ["GET / HTTP/1.1", ["request 1 GET / end"]],
    ["get / HTTP/1.1", ["request 1 get / end"]],
    ["M-SEARCH /a?b=c&d HTTP/1.1", ["request 1 M-SEARCH /a?b=c&d end"]],
    ["POST //a//b HTTP/1.1", ["request 1 POST //a//b end"]],
    ["GET /%00 HTTP/1.1", ["request 1 GET /%00 end"]],
    ["GET / HTTP/1.7", ["request 1 GET / end"]],
    ["OPTIONS * HTTP/1.1", ["request 1 OPTIONS * end"]],
    ["GET http://b/c HTTP/1.1", ["request 1 GET http://b/c end"]],
    ["CONNECT b:80 HTTP/1.1", ["request 1 CONNECT b:80 end"]],
    [`GET /${"a".repeat(8_191)} HTTP/1.1`, [`request 1 GET /${"a".repeat(8_191)} end`]],
    [`${"A".repeat(32)} / HTTP/1.1`, [`request 1 ${"A".repeat(32)} / end`]],
  ])("%.40s", (line, events) => {
    expect(play(head(line, "Host: a"))).toEqual(events);
  });

  test.each([
    ["GET  / HTTP/1.1", refused("targetInvalid")],
    ["GET /  HTTP/1.1", refused("targetInvalid")],
    ["GET / a HTTP/1.1", refused("targetInvalid")],
    ["GET\t/ HTTP/1.1", refused("methodInvalid")],
    ["GET /\tHTTP/1.1", refused("requestLineInvalid")],
    [" GET / HTTP/1.1", refused("methodInvalid")],
    ["GET / HTTP/1.1 ", refused("versionInvalid")],
    ["GET", refused("requestLineInvalid")],
    ["GET ", refused("requestLineInvalid")],
    ["GET / ", refused("versionInvalid")],
    ["G(T / HTTP/1.1", refused("methodInvalid")],
    ["\x16\x03\x01", refused("methodInvalid")],
    ["GET /\x7f HTTP/1.1", refused("targetInvalid")],
    ["GET /a#b HTTP/1.1", refused("targetInvalid")],
    ["GET /<a> HTTP/1.1", refused("targetInvalid")],
    ["GET /%zz HTTP/1.1", refused("targetInvalid")],
    ["GET /%4 HTTP/1.1", refused("targetInvalid")],
    ["GET /\xe9 HTTP/1.1", refused("targetInvalid")],
    ["GET / http/1.1", refused("versionInvalid")],
    ["GET / HTTP/11", refused("versionInvalid")],
    ["GET / HTTP/1.10", refused("versionInvalid")],
    ["GET / HTTP/01.1", refused("versionInvalid")],
    ["GET / HTTP /1.1", refused("versionInvalid")],
    ["GET / HTTP/0.9", refused("versionUnsupported", 505)],
    ["GET / HTTP/3.0", refused("versionUnsupported", 505)],
    ["PRI * HTTP/2.0", refused("versionUnsupported", 505)],
    ["OPTIONS /a* HTTP/1.1", ["request 1 OPTIONS /a* end"]],
    ["GET * HTTP/1.1", refused("targetInvalid")],
    ["GET a HTTP/1.1", refused("targetInvalid")],
    ["GET ?a HTTP/1.1", refused("targetInvalid")],
    ["GET b:80 HTTP/1.1", refused("targetInvalid")],
    ["GET http:///c HTTP/1.1", refused("targetInvalid")],
    ["GET http://u@b/c HTTP/1.1", refused("targetInvalid")],
    ["GET http://:80/ HTTP/1.1", refused("targetInvalid")],
    ["CONNECT / HTTP/1.1", refused("targetInvalid")],
    ["CONNECT b HTTP/1.1", refused("targetInvalid")],
    ["CONNECT b: HTTP/1.1", refused("targetInvalid")],
    ["CONNECT http://b:80 HTTP/1.1", refused("targetInvalid")],
    ["CONNECT u@b:80 HTTP/1.1", refused("targetInvalid")],
    [`GET /${"a".repeat(8_192)} HTTP/1.1`, refused("targetTooLong", 414)],
    [`GET /${"a".repeat(20_000)}`, refused("targetTooLong", 414)],
    [`${"A".repeat(33)} / HTTP/1.1`, refused("methodTooLong", 501)],
    [`${"A".repeat(20_000)}`, refused("methodTooLong", 501)],
  ])("%.40s", (line, events) => {
    expect(play(head(line, "Host: a"))).toEqual(events);
  });

  test("a first octet that no method begins with is refused at once", () => {
    expect(play("\x16\x03\x01\x02")).toEqual(refused("methodInvalid"));
  });
  test("empty lines before and between requests are skipped (rfc9112#2.2)", () => {
    expect(play(`\r\n\r\n${get()}\r\n${get()}`)).toEqual(["request 1 GET / end", "request 2 GET / end"]);
    expect(play(`\r\r\n${get()}`)).toEqual(refused("bareCr"));
    expect(play(`\n${get()}`)).toEqual(refused("bareLf"));
  });
  test.each([
    ["GET / HTTP/1.1\n", "bareLf"],
    ["GET / HTTP/1.1\r\r\n", "bareCr"],
    ["GET /\r HTTP/1.1\r\n", "bareCr"],
  ])("line ends: %j", (start, name) => {
    expect(play(`${start}Host: a\r\n\r\n`)).toEqual(refused(name));
  });
});

describe("the target URI of a request (rfc9112#3.3)", () => {
  const of = (...lines: readonly string[]): unknown => {
    const [event] = server({ scheme: "https" }).events(head(...lines)) as Extract<Event, { is: "request" }>[];
    return [event!.scheme, event!.authority, event!.path];
  };
  test("origin-form: the authority is Host, the scheme is the connection's", () => {
    expect(of("GET /a?b HTTP/1.1", "Host: c:8")).toEqual(["https", "c:8", "/a?b"]);
    expect(of("GET /a HTTP/1.1", "Host:")).toEqual(["https", "", "/a"]);
    expect(of("GET /a HTTP/1.0")).toEqual(["https", "", "/a"]);
  });
  test("absolute-form: its own authority, whatever Host (rfc9112#3.2.2)", () => {
    expect(of("GET http://b:9/a?c HTTP/1.1", "Host: x")).toEqual(["http", "b:9", "/a?c"]);
    expect(of("GET http://b HTTP/1.1", "Host: x")).toEqual(["http", "b", "/"]);
    expect(of("GET HTTP://b?c HTTP/1.1", "Host: x")).toEqual(["http", "b", "/?c"]);
    expect(of("OPTIONS http://b:9 HTTP/1.1", "Host: x")).toEqual(["http", "b:9", "*"]);
    expect(of("GET ftp://b/c HTTP/1.1", "Host: x")).toEqual(["ftp", "b", "/c"]);
  });
  test("authority-form has no path, asterisk-form is a path", () => {
    expect(of("CONNECT b:80 HTTP/1.1", "Host: x")).toEqual(["https", "b:80", ""]);
    expect(of("OPTIONS * HTTP/1.1", "Host: x")).toEqual(["https", "x", "*"]);
  });
});

describe("status lines (rfc9112#4)", () => {
  const withLength = (line: string): string => head(line, "Content-Length: 0");
  test.each([
    ["HTTP/1.1 200 OK", "response 1 200 end"],
    ["HTTP/1.1 200 ", "response 1 200 end"],
    ["HTTP/1.1 599 Two  words\xe9\t", "response 1 599 end"],
    ["HTTP/1.4 999 x", "response 1 999 end"],
  ])("%j", (line, event) => {
    expect(playResponse(withLength(line))).toEqual([event, "done 1"]);
  });
  test.each([
    ["HTTP/1.1 200", "statusLineInvalid"],
    ["HTTP/1.1  200 OK", "statusLineInvalid"],
    ["HTTP/1.1 2000 OK", "statusLineInvalid"],
    ["HTTP/1.1 20 OK", "statusLineInvalid"],
    ["HTTP/1.1 099 OK", "statusLineInvalid"],
    ["HTTP/1.1 +20 OK", "statusLineInvalid"],
    ["HTTP/1.1 200\tOK", "statusLineInvalid"],
    ["HTTP/1.1 200 O\0K", "statusLineInvalid"],
    ["HTTP/1.1", "statusLineInvalid"],
    ["HTTP/1.10 200 OK", "versionInvalid"],
    ["HTTP/2 200 OK", "versionInvalid"],
    ["HTTP/2.0 200 OK", "versionUnsupported"],
    ["ICY 200 OK", "statusLineInvalid"],
    ["HTTP/1.1 200 O\rK", "bareCr"],
    [`HTTP/1.1 200 ${"a".repeat(8_192)}`, "statusLineInvalid"],
  ])("%.40s is refused", (line, name) => {
    expect(playResponse(withLength(line))).toEqual(["failed 1 " + name, `closed ${name}`]);
  });
  test("reason and version are reported as received", () => {
    const rig = client();
    rig.ask();
    expect(rig.events(head("HTTP/1.0 404 Not  here", "Content-Length: 0"))[0]).toMatchObject({ reason: "Not  here", version: "HTTP/1.0" });
  });
  test("empty lines before a response are skipped", () => {
    expect(playResponse(`\r\n${ok("Content-Length: 0")}\r\n`)).toEqual(["response 1 200 end", "done 1"]);
  });
});
