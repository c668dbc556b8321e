import { describe, expect, test } from "vitest";
import { readRequests, readResponses } from "../../wire/http1/read.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import { monitor, monitorNames, type Watched } from "./monitors.ts";

const NOW = new Date().toUTCString();
const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const HEAD = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
const OLD = "GET / HTTP/1.0\r\n\r\n";
const head = (status: string, ...fields: string[]): string => [`HTTP/1.1 ${status}`, ...fields, "", ""].join("\r\n");
const ok = (...fields: string[]): string => `${head("200 OK", `Date: ${NOW}`, "Content-Length: 2", ...fields)}ok`;

const part = (range: string, content: string): string =>
  `${head("206 Partial Content", `Content-Range: bytes ${range}`, `Content-Length: ${content.length}`)}${content}`;

function watched(sent: string, came: string, more: Partial<Watched> = {}): Watched {
  const requests = readRequests(fromLatin1(sent), false).requests;
  const reader = readResponses(
    fromLatin1(came),
    requests.map(({ method }) => method),
    more.ended !== undefined,
  );
  return {
    responses: reader.responses,
    interim: reader.interim,
    garbage: reader.garbage,
    sent: requests,
    ended: undefined,
    endedByUs: false,
    upgraded: undefined,
    ...more,
  };
}

/** What breaks each property, and the words for it. */
const BROKEN: [name: string, sent: string, came: string, words: RegExp, more: Partial<Watched>][] = [
  ["valid status line", GET, "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", /the status line is/, {}],
  ["valid field lines", GET, head("200 OK", "A : b"), /white space/, {}],
  ["lines end in CRLF", GET, ok().replace("\r\n", "\n"), /LF alone/, {}],
  ["unambiguous framing", GET, ok("Content-Length: 2"), /2 times/, {}],
  ["chunked syntax", GET, `${head("200 OK", "Transfer-Encoding: chunked")}0x\r\n`, /the chunk line is/, {}],
  ["complete messages", GET, ok().slice(0, -1), /inside it/, { ended: "fin" }],
  ["no octets between responses", GET, `${ok()}more`, /4 octets after response 1/, { ended: "fin" }],
  ["no Content-Length with Transfer-Encoding", GET, ok("Transfer-Encoding: chunked"), /both/, {}],
  ["no framing fields without content", GET, head("204 No Content", "Content-Length: 0"), /has content-length/, {}],
  ["no Transfer-Encoding to HTTP/1.0", OLD, head("200 OK", "Transfer-Encoding: chunked"), /HTTP\/1\.0/, {}],
  ["no 1xx to HTTP/1.0", OLD, `${head("103 Early Hints")}${ok()}`, /interim/, {}],
  ["Date present", GET, head("404 Not Found", "Content-Length: 0"), /no Date/, {}],
  ["dates in IMF-fixdate", GET, head("200 OK", "Last-Modified: 2026-01-01", "Content-Length: 0"), /last-modified: 2026/, {}],
  ["singleton fields once", GET, ok('ETag: "a"', 'ETag: "b"'), /etag 2 times/, {}],
  ["valid entity tags", GET, ok("ETag: a"), /etag: a/, {}],
  ["Last-Modified not after Date", GET, ok("Last-Modified: Fri, 01 Jan 2100 00:00:00 GMT"), /later/, {}],
  ["fields required by the status", GET, head("405 Method Not Allowed", "Content-Length: 0"), /no allow/, {}],
  ["Upgrade listed in Connection", GET, ok("Upgrade: h2c"), /does not list Upgrade/, {}],
  ["nothing after close", GET + GET, `${ok("Connection: close")}${ok()}`, /response 2 follows/, {}],
  ["close announced", GET, ok(), /no Connection: close/, { ended: "fin" }],
  [
    "permitted trailer fields",
    GET,
    `${head("200 OK", "Transfer-Encoding: chunked")}0\r\nContent-Length: 1\r\n\r\n`,
    /Content-Length in the trailers/,
    {},
  ],
  ["lengths of HEAD and GET agree", GET + HEAD, `${ok()}${head("200 OK", "Content-Length: 3")}`, /where GET has 2/, {}],
  ["fields of HEAD and GET agree", GET + HEAD, `${ok('ETag: "a"')}${head("200 OK", "Content-Length: 2")}`, /ETag, which GET has/, {}],
  ["ranges are parts of the whole", GET + GET, `${ok()}${part("1-1/2", "o")}`, /not that part of the page/, {}],
  ["ranges are the whole", GET + GET, `${ok()}${part("0-0/2", "o")}`, /1 octets of content, where all 2/, {}],
  ["no transfer coding but chunked", GET, head("200 OK", "Transfer-Encoding: gzip, chunked"), /gzip/, {}],
  ["accurate Date", GET, ok().replace(NOW, "Thu, 01 Jan 2026 00:00:00 GMT"), /seconds off/, {}],
  ["version HTTP/1.1 in responses", GET, ok().replace("1.1", "1.0"), /HTTP\/1\.0/, {}],
];

describe("each property", () => {
  test("has a test", () => expect(BROKEN.map(([name]) => name).toSorted()).toEqual(monitorNames.toSorted()));

  test.each(BROKEN)("%s: broken by a message that violates it", (name, sent, came, words, more) => {
    expect(monitor(name, [watched(sent, came, more)])).toMatch(words);
  });

  test.each(monitorNames)("%s: holds for good responses", (name) => {
    const good = `${head("103 Early Hints", "Link: </a>")}${ok('ETag: "a"')}${head("200 OK", `Date: ${NOW}`, "Content-Length: 2", 'ETag: "a"')}${ok("Connection: close")}`;
    expect(monitor(name, [watched(GET + HEAD + GET, good, { ended: "fin" })])).toBeUndefined();
  });

  test.each([
    ["another number of octets", part("0-1/2", "o"), /1 octets of content, where Content-Range is bytes 0-1/],
    ["another length of the page", part("0-1/3", "ok"), /the page has 2 octets/],
    ["no range of octets", part("x/2", "ok"), /Content-Range: bytes x/],
  ])("a 206 with %s is not a part of the page", (_, came, words) => {
    expect(monitor("ranges are parts of the whole", [watched(GET + GET, `${ok()}${came}`)])).toMatch(words);
    expect(monitor("ranges are parts of the whole", [watched(GET + GET, `${ok()}${part("1-1/2", "k")}`)])).toBeUndefined();
  });

  test("is checked on every connection", () => {
    expect(monitor("Date present", [watched(GET, ok()), watched(GET, head("200 OK", "Content-Length: 0"))])).toMatch(/no Date/);
  });

  test("that does not exist is an error", () => expect(() => monitor("nothing", [])).toThrow(/no monitor/));
});
