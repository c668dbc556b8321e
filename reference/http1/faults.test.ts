import { expect, test } from "vitest";
import type { Options } from "./connection.ts";
import { fault, FAULTS, type FaultName } from "./faults.ts";
import { chunked, client, firstLine, get, head, ok, post, refusal, server, type Rig } from "./testing.ts";

const names = Object.keys(FAULTS) as FaultName[];

/** A message with the fault, the options it needs, and what happens `after` it. */
type Wrong = {
  readonly sends: string;
  readonly side?: "client";
  readonly options?: Omit<Options, "side">;
  readonly after?: (rig: Rig) => string[];
};
const sends = (text: string, more: Omit<Wrong, "sends"> = {}): Wrong => ({ sends: text, ...more });
const limit = (limits: NonNullable<Options["limits"]>): Omit<Wrong, "sends"> => ({ options: { limits } });
const toClient: Omit<Wrong, "sends"> = { side: "client" };
const twice = (line: string): string => `${line}\r\n${line}`;

/** Total: a fault without a message does not compile. */
const WRONG: Readonly<Record<FaultName, Wrong>> = {
  methodInvalid: sends(head("G@T / HTTP/1.1", "Host: a")),
  methodTooLong: sends(head(`${"A".repeat(33)} / HTTP/1.1`, "Host: a")),
  targetInvalid: sends(head("GET x HTTP/1.1", "Host: a")),
  targetTooLong: sends(head(`GET /${"a".repeat(8_192)} HTTP/1.1`, "Host: a")),
  requestLineInvalid: sends(head("GET /", "Host: a")),
  versionInvalid: sends(head("GET / HTTP/1", "Host: a")),
  versionUnsupported: sends(head("GET / HTTP/2.0", "Host: a")),
  tooManyEmptyLines: sends("\r\n".repeat(9)),
  statusLineInvalid: sends(head("HTTP/1.1 20 OK"), toClient),
  bareCr: sends(get("X: a\rb")),
  bareLf: sends("GET / HTTP/1.1\nHost: a\r\n\r\n"),
  spaceBeforeFields: sends(head("GET / HTTP/1.1", " X: a", "Host: a")),
  lineFolded: sends(get("X: a", " b")),
  spaceBeforeColon: sends(get("X : a")),
  colonMissing: sends(get("X")),
  fieldNameInvalid: sends(get("X[: a")),
  fieldValueInvalid: sends(get("X: a\0b")),
  fieldsTooLarge: sends(get(`X: ${"a".repeat(16_384)}`)),
  tooManyFields: sends(get(...Array.from({ length: 128 }, () => "X: a"))),
  hostMissing: sends(head("GET / HTTP/1.1", "X: a")),
  hostRepeated: sends(get("Host: a")),
  hostInvalid: sends(head("GET / HTTP/1.1", "Host: a/b")),
  connectionInvalid: sends(get("Connection: a b")),
  connectWithContent: sends(`${head("CONNECT a:1 HTTP/1.1", "Host: a:1", "Content-Length: 1")}x`),
  expectationUnknown: sends(post("Expect: gold", "Content-Length: 1")),
  codingFromHttp10: sends(`${head("POST / HTTP/1.0", "Transfer-Encoding: chunked")}0\r\n\r\n`),
  codingInvalid: sends(`${post("Transfer-Encoding: chunked, chunked")}0\r\n\r\n`),
  codingNotFinal: sends(`${post("Transfer-Encoding: chunked, gzip")}0\r\n\r\n`),
  codingUnknown: sends(`${post("Transfer-Encoding: gzip, chunked")}0\r\n\r\n`),
  lengthAndCoding: sends(`${post("Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n`),
  contentLengthInvalid: sends(`${post("Content-Length: +1")}x`),
  contentLengthRepeated: sends(`${post(twice("Content-Length: 1"))}x`),
  contentTooLarge: sends(post("Content-Length: 11"), limit({ contentOctets: 10 })),
  endedEarly: sends("GET / HT", { after: (rig) => rig.ended() }),
  chunkSizeInvalid: sends(chunked("0x1\r\na\r\n0\r\n\r\n")),
  chunkExtensionInvalid: sends(chunked("1;[\r\na\r\n0\r\n\r\n")),
  chunkExtensionsTooLong: sends(chunked("1;a=bcde\r\na\r\n0\r\n\r\n"), limit({ chunkExtensionOctets: 6 })),
  chunkNotEnded: sends(chunked("1\r\nab\r\n0\r\n\r\n")),
  tooManyTinyChunks: sends(chunked("1\r\na\r\n1\r\na\r\n1\r\na\r\n0\r\n\r\n"), limit({ tinyChunks: 2 })),
  trailersTooLarge: sends(chunked("0\r\nX: abcdef\r\n\r\n"), limit({ trailerOctets: 10 })),
  headLate: sends("GET / HT", { after: (rig) => rig.tick(20_000) }),
  contentLate: sends(post("Content-Length: 5"), { after: (rig) => rig.tick(30_000) }),
  responseUnasked: sends(ok("Content-Length: 0") + ok("Content-Length: 0"), toClient),
  switchUnasked: sends(head("HTTP/1.1 101 Switching Protocols", "Upgrade: x", "Connection: upgrade"), toClient),
  tooManyInterims: sends(head("HTTP/1.1 103 Early Hints").repeat(65), toClient),
};

test.each(names)("%s: ends the connection, with its status as the last response", (name) => {
  const { sends: message, side, options, after } = WRONG[name];
  for (const cut of [undefined, 1]) {
    const rig = side === "client" ? client(options, cut) : server(options, cut);
    if (side === "client") rig.ask();
    rig.out();
    const events = [...rig.receives(message), ...(after?.(rig) ?? [])];
    expect(events.at(-1)).toBe(`closed ${name}`);
    const out = rig.out();
    const isSilent = side === "client";
    expect(firstLine(out)).toBe(isSilent ? "" : refusal(FAULTS[name].status));
    expect(out.includes("\r\nConnection: close\r\n")).toBe(!isSilent);
    expect(rig.receives(get())).toEqual([]);
    expect(rig.out()).toBe("");
  }
});

/** The messages in `WRONG` are valid apart from their faults. */
test("the same request and response without a fault: accepted", () => {
  const rig = server();
  expect(rig.receives(get("X: a") + chunked("1;a=b\r\na\r\n0\r\nX: a\r\n\r\n"))).toEqual([
    "request 1 GET / end",
    "request 2 POST /",
    "data 2 a",
    "trailers 2 x=a",
  ]);
  const other = client();
  other.ask();
  expect(other.receives(head("HTTP/1.1 103 Early Hints") + ok("Content-Length: 0"))).toEqual([
    "interim 1 103",
    "response 1 200 end",
    "done 1",
  ]);
});

test("a refusal: names the fault and its section, and has the owner's fields", () => {
  const rig = server({ refusalFields: () => [{ name: "Date", value: "today", sensitive: false }] });
  rig.receives(get("X : a"));
  expect(rig.out()).toBe(
    `${head("HTTP/1.1 400 Bad Request", "Date: today", "Content-Type: text/plain", "Content-Length: 31", "Connection: close")}spaceBeforeColon (rfc9112#5.1)\n`,
  );
});

test("a refusal of HEAD: has no content (rfc9110#9.3.2)", () => {
  const rig = server();
  rig.receives(head("HEAD / HTTP/1.1", "Host : a"));
  expect(rig.out().endsWith("\r\n\r\n")).toBe(true);
});

test("a fault: its name, its status and its section", () => {
  expect(fault("bareLf")).toEqual({ name: "bareLf", status: 400, spec: "rfc9112#2.2" });
});
test("every fault: has a section", () => {
  for (const name of names) expect(FAULTS[name].spec).toMatch(/^rfc\d{4}#\d+(\.\d+)*$/);
});

/** One line for each fault: a changed status is a changed line. */
test("the table of faults matches its snapshot", () => {
  expect(names.map((name) => `${name}: ${FAULTS[name].status} ${FAULTS[name].spec}`).join("\n")).toMatchSnapshot();
});
