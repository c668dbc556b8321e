import type { Draw } from "./http1-draw.ts";
import { chunks, damaged, request, response, textOf } from "./http1-messages.ts";

/** What raw clients and raw servers send, as text: valid most of the time. */

const LINES = [
  "A: b",
  "Connection: close",
  "Connection: keep-alive",
  "Connection: x, Y",
  "X: 1",
  "Y: 2",
  "Keep-Alive: timeout=5",
  "Proxy-Connection: close",
  "TE: trailers",
  "TE: gzip, trailers;q=0.5",
  "Connection: TE",
  "Connection: content-length, host",
  "Trailer: t",
  "Upgrade: x",
  "Connection: upgrade",
  "Cookie: c",
  "Authorization: s",
  "Proxy-Authorization: p",
  "Max-Forwards: 0",
  "Max-Forwards: 1",
  "Max-Forwards: 10",
  "Max-Forwards: 999999999",
  "Max-Forwards: 1000000000",
  "Max-Forwards: x",
  "Via: 1.0 other",
  "Date: d",
  "HTTP2-Settings: AAMAAABk",
];
const TRAILERS = [
  "t: 1",
  "A: 2",
  "Host: h",
  "Content-Length: 3",
  "Authorization: x",
  "Content-Type: t",
  "Trailer: u",
  "Content-Encoding: e",
  "X: 3",
  "TE: x",
];

/** Content of a size at which something changes, seldom. */
export const content = (d: Draw): string =>
  d.often<() => string>([
    [4, () => ""],
    [20, () => "abcdefghijklmnopqrstuvwxyz".slice(0, d.between(1, 26))],
    [3, () => "y".repeat(d.between(60, 70))],
    [1, () => "z".repeat(2_048 + d.between(-1, 1))],
    [1, () => "z".repeat(16_384 + d.between(-1, 1))],
  ])();

/** Fields for content, and the content as it is sent. */
function framed(d: Draw, isOld: boolean): readonly [fields: string, body: string] {
  const octets = content(d);
  if (isOld || d.once(2)) return [`Content-Length: ${octets.length}\r\n`, octets];
  if (d.once(3)) return ["Transfer-Encoding: chunked\r\n", chunks(d, d.once(16))];
  const trailers = d.once(2) ? d.list(3, () => `${d.of(TRAILERS)}\r\n`).join("") : "";
  const chunk = octets === "" ? "" : `${octets.length.toString(16)}\r\n${octets}\r\n`;
  return ["Transfer-Encoding: chunked\r\n", `${chunk}0\r\n${trailers}\r\n`];
}
const more = (d: Draw): string => d.list(d.once(2) ? 0 : 4, () => `${d.of(LINES)}\r\n`).join("");

const METHODS = ["GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "OPTIONS", "TRACE", "DELETE"];
const TARGETS = ["/", "/a?b", "http://b/c", "*", "//d"];
const WEBSOCKET =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** A request. */
export function asked(d: Draw): string {
  const version = d.once(6) ? "HTTP/1.0" : "HTTP/1.1";
  switch (d.below(14)) {
    case 0:
      return textOf(request(d));
    case 1:
      return `CONNECT b:1 ${version}\r\nHost: b:1\r\n${more(d)}\r\n${d.once(2) ? "tunnel" : ""}`;
    case 2:
      return `GET /u ${version}\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: ${d.of(["x", "x, y", "websocket", "h2c"])}\r\n${more(d)}\r\n${d.once(3) ? "after" : ""}`;
    case 3:
      return `${d.once(8) ? "POST" : "GET"} /w HTTP/1.1\r\nHost: a\r\n${d.once(8) ? WEBSOCKET.toLowerCase() : WEBSOCKET}${d.once(8) ? "Content-Length: 0\r\n" : ""}${more(d)}\r\n${d.once(3) ? "after" : ""}`;
    default: {
      const method = d.of(METHODS);
      const target = method === "OPTIONS" || d.once(8) ? d.of(TARGETS) : `/${d.below(9)}`;
      const expects = d.once(6) ? `Expect: ${d.of(["100-continue", "100-Continue", "x, 100-continue"])}\r\n` : "";
      const [fields, body] = method === "POST" || method === "PUT" || d.once(8) ? framed(d, version === "HTTP/1.0") : ["", ""];
      const text = `${method} ${target} ${version}\r\nHost: a${d.once(4) ? ":80" : ""}\r\n${more(d)}${expects}${fields}\r\n${body}`;
      return d.once(24) ? damaged(d, text) : text;
    }
  }
}

/** What a server answers to the request whose head is at the end of `sent`. */
export function answer(d: Draw, sent: string): string {
  const method = /([A-Z]+) \S+ HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)*\r\n[^]*$/.exec(sent)?.[1] ?? "GET";
  const isSwitch = /\r\nupgrade:/i.test(sent);
  const interims = d.list(d.once(3) ? 2 : 0, () =>
    d.of(["HTTP/1.1 100 C\r\n\r\n", "HTTP/1.1 103 E\r\nLink: l\r\nConnection: x\r\nX: 1\r\n\r\n", "HTTP/1.1 102 P\r\n\r\n"]),
  );
  const first = interims.join("");
  if (d.once(10)) return first + textOf(response(d, { method, isSwitch }));
  if (isSwitch && !d.once(5)) {
    const accept = d.once(8) ? "wrong" : "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    const protocol = d.once(8) ? "x" : d.of(["websocket", "WebSocket"]);
    return `${first}HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Accept: ${accept}\r\n${more(d)}\r\n${d.once(2) ? "from origin" : ""}`;
  }
  const version = d.once(8) ? "HTTP/1.0" : "HTTP/1.1";
  const status = d.often<number>([
    [12, 200],
    [1, 204],
    [1, 304],
    [1, 404],
    [1, 500],
  ]);
  const line = `${version} ${status} S\r\n`;
  if (status === 204 || status === 304 || method === "HEAD")
    return `${first}${line}${d.once(3) ? "Content-Length: 5\r\n" : ""}${more(d)}\r\n`;
  if (method === "CONNECT" && status === 200) return `${first}${line}${more(d)}\r\n${d.once(2) ? "from origin" : ""}`;
  if (d.once(8)) return `${first}${line}${more(d)}\r\n${content(d)}`;
  const [fields, body] = framed(d, version === "HTTP/1.0");
  const text = `${first}${line}${fields}${more(d)}\r\n${body}`;
  return d.once(24) ? damaged(d, text) : text;
}

/** Pieces as a transport might deliver them. */
export function pieces(d: Draw, text: string): string[] {
  if (text === "" || d.once(2)) return [text];
  if (d.once(12) && text.length < 200) return [...text];
  const list: string[] = [];
  const most = d.of([8, 40, 200]);
  let at = 0;
  while (at < text.length && list.length < 12) {
    const size = d.between(1, most);
    list.push(text.slice(at, at + size));
    at += size;
  }
  if (at < text.length) list.push(text.slice(at));
  return list;
}
