import { Connections } from "../../../reference/serve/server/connections.ts";
import type { Draw } from "./http1-draw.ts";
import { randomHandler } from "./http1-handler.ts";
import { request, textOf } from "./http1-messages.ts";
import { leniencies, limitsFor } from "./http1-setup.ts";
import { Gates, Wire } from "./http1-wire.ts";

const TIMES = ["headMs", "contentMs", "contentRate", "idleMs"];

const HEADS = [
  "GET / HTTP/1.1",
  "GET /a?b HTTP/1.1",
  "GET http://b/c HTTP/1.1",
  "HEAD / HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "GET / HTTP/1.0",
  "GET / HTTP/1.0\r\nConnection: keep-alive",
  "GET / HTTP/1.1\r\nConnection: close",
  "GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x, y",
  "GET / HTTP/1.1\r\nConnection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAQAAP__",
  "GET / HTTP/1.1\r\nConnection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAQAAP",
  "CONNECT b:1 HTTP/1.1",
] as const;
const CONTENTS: readonly (readonly string[])[] = [
  ["Content-Length: 5\r\n\r\n", "ab", "cde"],
  ["Content-Length: 5\r\nExpect: 100-continue\r\n\r\n", "abcde"],
  ["Transfer-Encoding: chunked\r\n\r\n", "3\r\nabc\r\n", "2\r\nde\r\n", "0\r\nX-Sum: 1\r\n\r\n"],
  ["Transfer-Encoding: chunked\r\n\r\n", "3\r\nabc\r\n", "0\r\n\r\n"],
  [`Content-Length: 6000\r\n\r\n${"x".repeat(1_000)}`, "y".repeat(3_000), "z".repeat(2_000)],
  ["Content-Length: 300000\r\n\r\n", "x".repeat(140_000), "y".repeat(160_000)],
  ["Content-Length: 5\r\n\r\n", "ab"],
];
/** More than is read after a response before the client is asked to stop. */
const LONG: readonly string[] = ["Content-Length: 1300000\r\n\r\n", "x".repeat(200_000), "y".repeat(1_000_000), "z".repeat(100_000)];
/** The pieces in which a request arrives. */
function piecesOf(d: Draw): string[] {
  if (d.once(6)) return [textOf(request(d))];
  if (d.once(2)) return [`${d.of(HEADS)}\r\nHost: a\r\n\r\n`];
  const [head = "", ...content] = d.once(30) ? LONG : d.of(CONTENTS);
  return [
    `${d.of(["POST", "PUT", "GET"])} /post HTTP/1.1\r\nHost: a\r\n${d.once(8) ? "Connection: upgrade\r\nUpgrade: x\r\n" : ""}${head}`,
    ...content,
  ];
}

/** A server over the machine, with a handler that answers in all ways, and a client that sends text, reads or does not, and leaves. */
export async function servingLife(d: Draw): Promise<string> {
  const lines: string[] = [];
  const gates = new Gates();
  const wire = new Wire(lines);
  const say = (line: string): void => wire.say(line);
  const pieces = Array.from({ length: d.between(1, 4) }, () => piecesOf(d)).flat();
  const limits = Object.fromEntries(Object.entries(d.once(3) ? limitsFor(d, request(d)) : {}).filter(([name]) => !TIMES.includes(name)));
  const connections = new Connections(randomHandler(d, gates, say), {
    date: false,
    onError: (error, asked) => say(`reported ${String(error)} ${asked?.path}`),
    ...(d.once(3) ? {} : { alpn: ["http/1.1"] }),
    http1: { limits, lenient: d.once(2) ? {} : leniencies(d), halfClose: d.of(["abort", "ignore"]) },
  });
  connections.accept(wire.near);
  if (d.once(6)) wire.far.pause();
  for (const piece of d.once(4) ? [pieces.join("")] : pieces) {
    wire.write(piece);
    if (!d.once(4)) await wire.settle();
    if (d.once(2)) gates.open();
    if (d.once(12)) wire.far.resume();
    if (d.once(30)) wire.far.destroy(d.once(2) ? undefined : new Error("left"));
  }
  await wire.settle();
  if (d.once(3) && !wire.far.destroyed) wire.far.end(d.once(2) ? "" : "rest");
  wire.far.resume();
  for (let turns = 0; turns < 12 && !gates.isOpen; turns++) {
    gates.open();
    await wire.settle();
  }
  say(`${connections.size} open`);
  if (d.once(2)) {
    wire.write("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    await wire.settle();
    while (!gates.isOpen) {
      gates.open();
      await wire.settle();
    }
  }
  await wire.end();
  while (!gates.isOpen) {
    gates.open();
    await wire.settle();
  }
  say(`${connections.size} open`);
  return lines.join("\n");
}
