import type { Rng } from "../lib/mutate.ts";

/** A line, a chunk or other content of a sequence of requests: octets as characters U+0000 to U+00FF, and a description. */
export type Piece = { readonly words: string; readonly text: string; /** The number of its request. */ readonly of: number };
/** The requests that this peer answers without an error, found by probing it. */
export type Scope = {
  readonly authority: string;
  readonly target: string;
  readonly methods: readonly [string, ...string[]];
  readonly takesContent: boolean;
};
type Request = { line: string; fields: string[]; body: string[] };

const pick = (rng: Rng, below: number): number => Math.floor(rng() * below);
const oneOf = <Item>(rng: Rng, items: readonly [Item, ...Item[]]): Item => items[pick(rng, items.length)] ?? items[0];
const chance = (rng: Rng, one: number): boolean => pick(rng, one) === 0;
const letters = (rng: Rng, most: number): string => "abcdefghij\r\n01 ".repeat(8).slice(pick(rng, 16)).slice(0, pick(rng, most));

const PLAIN = [
  "Accept: */*\r\n",
  "X-Touch: stone\r\n",
  "x-empty:\r\n",
  "X-Wide: \t a  b \t\r\n",
  "X-High: \u00e9\u00ff\r\n",
  "Cookie: a=b\r\n",
] as const;
const OPTIONS = ["Connection: keep-alive\r\n", "Connection: x-touch\r\n", "Connection: ,\r\n"] as const;
const SIZES = [(n: number) => n.toString(16), (n: number) => n.toString(16).toUpperCase(), (n: number) => `00${n.toString(16)}`] as const;
const EXTENSIONS = ["", "", "", ";a", ";a=b", ';a="b;c"', " ; a = b"] as const;
const TRAILERS = ["", "", "X-Sum: 1\r\n", "X-Sum: 1\r\nX-More: 2\r\n"] as const;

/** A request that every server must understand. */
function legal(rng: Rng, { authority, target, methods, takesContent }: Scope): Request {
  const method = oneOf(rng, methods);
  const where = chance(rng, 8) ? `http://${authority}${target}` : target;
  const request: Request = { line: `${method} ${where} HTTP/1.1\r\n`, fields: [`Host: ${authority}\r\n`], body: [] };
  for (let more = pick(rng, 4); more > 0; more--) request.fields.splice(pick(rng, request.fields.length + 1), 0, oneOf(rng, PLAIN));
  if (chance(rng, 6)) request.fields.push(oneOf(rng, OPTIONS));
  if (chance(rng, 12)) request.line = `\r\n${request.line}`;
  if (!takesContent || chance(rng, 2)) return request;
  if (chance(rng, 2)) {
    const content = letters(rng, 40);
    request.fields.push(`Content-Length: ${chance(rng, 4) ? "00" : ""}${content.length}\r\n`);
    if (content !== "") request.body.push(content);
    return request;
  }
  request.fields.push(oneOf(rng, ["Transfer-Encoding: chunked\r\n", "transfer-encoding:\tCHUNKED\r\n"]));
  for (let chunks = pick(rng, 4); chunks > 0; chunks--) {
    const content = letters(rng, 30) || "x";
    request.body.push(`${oneOf(rng, SIZES)(content.length)}${oneOf(rng, EXTENSIONS)}\r\n${content}\r\n`);
  }
  request.body.push(`0${oneOf(rng, EXTENSIONS)}\r\n${oneOf(rng, TRAILERS)}\r\n`);
  return request;
}

const LENGTHS = ["+3", "-1", "3x", "0x3", "3, 3", "3, 4", "3,", "", "3 3", "18446744073709551619", "1e1", "\u00b3"] as const;
const CODINGS = [
  "chunked, identity",
  "identity",
  "gzip",
  "xchunked",
  "chunked, chunked",
  "gzip, chunked",
  '"chunked"',
  "chunked;q=1",
  "",
  ",chunked",
  "\vchunked",
  "chunked\0",
] as const;
const SIZE_FAULTS = ["0x3", "+3", "-3", " 3", "3 ", "g", "", "3\n", "10000000000000003", "3;\n", "3;a=", '3;a="', "3;a\rb"] as const;
const VERSIONS = ["HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "http/1.1", "HTTP/1.10", "HTTP/1", "HTTP/01.1", "HTTP/1.1 ", "ICY/1.1"] as const;
const HOSTS = ["a b", "a/b", "u@a", "a:b", "[::1", "a, b", "", "\u00e9", "a\0"] as const;
const ODD = ["\0", "\r", "\n", "\t", " ", "\v", "\u007f", "\u00ff", ":", ",", ";", '"', "(", "#"] as const;

type Twist = (rng: Rng, r: Request) => void;
const anyField = (rng: Rng, r: Request): number => pick(rng, r.fields.length);
const changed = (rng: Rng, r: Request, change: (line: string) => string): void => {
  const at = pick(rng, r.fields.length + 1) - 1;
  const line = r.fields[at];
  if (line === undefined) r.line = change(r.line);
  else r.fields[at] = change(line);
};
const inserted = (rng: Rng, line: string, what: string): string => {
  const at = pick(rng, Math.max(line.length - 1, 1));
  return line.slice(0, at) + what + line.slice(at);
};
const value = (line: string, other: string): string => `${line.slice(0, line.indexOf(":"))}: ${other}\r\n`;
const isNamed = (name: string) => (line: string) => line.toLowerCase().startsWith(`${name}:`);
function setField(r: Request, name: string, line: string): void {
  const at = r.fields.findIndex(isNamed(name));
  if (at < 0) r.fields.push(line);
  else r.fields[at] = line;
}

/** Each makes one change. The request may still be legal: the oracle decides. */
const TWISTS: readonly [Twist, ...Twist[]] = [
  (rng, r) => changed(rng, r, (line) => line.replace("\r\n", "\n")),
  (rng, r) => changed(rng, r, (line) => line.replace("\r\n", "\r")),
  (rng, r) => changed(rng, r, (line) => inserted(rng, line, oneOf(rng, ODD))),
  (rng, r) => changed(rng, r, (line) => line.replace(/^([^:]*):/, "$1 :")),
  (rng, r) => changed(rng, r, (line) => line.replace(":", "")),
  (rng, r) => void r.fields.splice(anyField(rng, r) + 1, 0, oneOf(rng, [" folded\r\n", "\tfolded: yes\r\n", " \r\n"])),
  (_, r) => void r.fields.unshift(" X-First: b\r\n"),
  (_, r) => void (r.fields = r.fields.filter((line) => !isNamed("host")(line))),
  (rng, r) => void r.fields.push(oneOf(rng, ["Host: other\r\n", r.fields.find(isNamed("host")) ?? "Host: other\r\n"])),
  (rng, r) => setField(r, "host", `Host: ${oneOf(rng, HOSTS)}\r\n`),
  (rng, r) => setField(r, "content-length", `Content-Length: ${oneOf(rng, LENGTHS)}\r\n`),
  (rng, r) => void r.fields.push(`Content-Length: ${oneOf(rng, ["0", "3", "5"])}\r\n`),
  (rng, r) => setField(r, "transfer-encoding", `Transfer-Encoding: ${oneOf(rng, CODINGS)}\r\n`),
  (rng, r) => void r.fields.push(`Transfer-Encoding: ${oneOf(rng, ["chunked", "identity", "gzip"])}\r\n`),
  (rng, r) => void r.body.splice(pick(rng, r.body.length), 1, `${oneOf(rng, SIZE_FAULTS)}\r\nabc\r\n`),
  (rng, r) =>
    void (r.body = r.body.map((part) => (chance(rng, 2) ? part : part.replace(/\r\n$/, oneOf(rng, ["\n", "", "x\r\n", "\r\n\r\n"]))))),
  (rng, r) =>
    void (r.body[Math.max(r.body.length - 1, 0)] =
      `0\r\n${oneOf(rng, ["X\r\n", "X : b\r\n", " X: b\r\n", "X(: b\r\n", "Content-Length: 9\r\n"])}\r\n`),
  (rng, r) => void (r.line = r.line.replace("HTTP/1.1", oneOf(rng, VERSIONS))),
  (rng, r) => void (r.line = r.line.replace(/\S+/, oneOf(rng, ["G(T", "get", "X".repeat(60), "G\0T", ""]))),
  (rng, r) => void (r.line = r.line.replace(/ \S+ /, oneOf(rng, ["  ", " a ", " * ", " /a b ", " /#a ", " http:///a ", " /\u00e9 "]))),
  (_, r) => void (r.line = r.line.replace(" ", "\t")),
  (rng, r) => changed(rng, r, (line) => (line.includes(":") ? value(line, "v".repeat(pick(rng, 2) * 20_000)) : line)),
  (rng, r) => setField(r, "connection", `Connection: ${oneOf(rng, ["close", "CLOSE, x", '"close"', "keep-alive, close"])}\r\n`),
];

const show = (text: string): string =>
  text.length > 70 ? `${JSON.stringify(text.slice(0, 60))}… (${text.length} octets)` : JSON.stringify(text);
const piece = (of: number, text: string, note = ""): Piece => ({ words: show(text) + note, text, of });

/** A sequence of requests. In half of the sequences one request is twisted; the others are legal. */
export function sequence(rng: Rng, scope: Scope): Piece[] {
  const requests = Array.from({ length: 1 + pick(rng, 4) }, () => legal(rng, scope));
  const wrong = rng() < 0.5 ? pick(rng, requests.length) : -1;
  return requests.flatMap((request, i) => {
    const before = new Set([request.line, ...request.fields, ...request.body]);
    if (i === wrong) oneOf(rng, TWISTS)(rng, request);
    const all = [request.line, ...request.fields, "\r\n", ...request.body];
    return all.map((text) => piece(i, text, i !== wrong || before.has(text) || text === "\r\n" ? "" : " (twisted)"));
  });
}

/** The plain request at the end of every connection: a peer that has understood everything answers it last and closes. */
export const fence = ({ authority, target }: Pick<Scope, "authority" | "target">): Piece =>
  piece(-1, `GET ${target} HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n\r\n`, " (the fence)");

export const PLAIN_SCOPE: Scope = { authority: "a", target: "/", methods: ["GET", "HEAD", "POST", "PUT", "OPTIONS"], takesContent: true };
export const octetsOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");
