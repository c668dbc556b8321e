import type { Draw } from "./http1-draw.ts";
import {
  METHODS,
  TARGETS,
  BAD_TARGETS,
  AUTHORITIES,
  BAD_AUTHORITIES,
  BAD_VERSIONS,
  HOSTS,
  BAD_HOSTS,
  VALUES,
  NAMES,
  BAD_LINES,
  FOLDS,
  ENDS,
  LENGTHS,
  CODINGS,
  OPTIONS,
  BAD_OPTIONS,
  EXTENSIONS,
  BAD_EXTENSIONS,
  BAD_SIZES,
  TRAILERS,
  PHRASES,
  BAD_STATUS_LINES,
} from "./http1-words.ts";

/** Messages as text, one character for each octet: most of them valid, some with one mistake. */
export type Message = { readonly method: string; readonly line: string; readonly fields: readonly string[]; readonly body: string };

const letters = (d: Draw, most: number): string => "abc\r\n0\r\n\r\ndefghijklmnopqrstuvwxyz".slice(d.below(12)).slice(0, d.below(most + 1));

/** A chunk size: mostly as short as possible. */
const sizeOf = (d: Draw, size: number): string => {
  const digits = size.toString(16);
  const wide = d.often<number>([
    [8, 0],
    [1, 2],
    [1, 7],
    [1, 8],
    [1, 9],
    [1, 16],
  ]);
  return (d.once(4) ? digits.toUpperCase() : digits).padStart(wide, "0");
};
/** Content in chunks, with at most one mistake. */
export function chunks(d: Draw, isWrong = d.once(8)): string {
  const parts: string[] = [];
  const put = (content: string): void => {
    parts.push(sizeOf(d, content.length), d.once(6) ? d.of(EXTENSIONS) : "", "\r\n", content, "\r\n");
  };
  for (let more = d.below(4); more > 0; more--) put(d.once(4) ? "x".repeat(d.between(15, 17)) : letters(d, 20) || "x");
  parts.push(
    "0".repeat(
      d.often<number>([
        [8, 1],
        [1, 3],
        [1, 8],
        [1, 9],
        [1, 16],
        [1, 17],
      ]),
    ),
    d.once(8) ? d.of(EXTENSIONS) : "",
    "\r\n",
  );
  if (d.once(4))
    for (const line of d.list(3, () => (d.once(8) ? d.of(BAD_LINES) : d.once(12) ? d.of(FOLDS) : d.of(TRAILERS)))) parts.push(line, "\r\n");
  parts.push("\r\n");
  if (isWrong) {
    const at = d.below(parts.length);
    if (d.once(3)) parts[at] = parts[at] === "\r\n" ? d.of(ENDS) : damaged(d, parts[at]!);
    else if (d.once(2)) parts.unshift(`${d.of(BAD_SIZES)}${d.once(3) ? d.of(EXTENSIONS) : ""}\r\na\r\n`);
    else parts.unshift(`1${d.of(BAD_EXTENSIONS)}\r\na\r\n`);
  }
  return parts.join("");
}

/** One octet changed, doubled, removed, added, or everything after it removed. */
export function damaged(d: Draw, text: string): string {
  const at = d.below(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const odd = d.once(2)
    ? String.fromCharCode(d.below(256))
    : d.of(["\0", "\r", "\n", "\r\n", "\t", " ", ":", ",", "\x7f", "\u0080", "%", "/", "0", "{"]);
  switch (d.below(5)) {
    case 0:
      return before + odd + after.slice(1);
    case 1:
      return before + after.slice(0, 1) + after;
    case 2:
      return before + after.slice(1);
    case 3:
      return before + odd + after;
    default:
      return before;
  }
}

/** A field line, with its line end. */
function plainLine(d: Draw): string {
  const [before, after] = d.once(5) ? [d.of(["", "  ", " \t", "\t"]), d.of(["", " ", "\t", " \t "])] : [" ", ""];
  return `${d.of(NAMES)}:${before}${d.of(VALUES)}${after}\r\n`;
}
function mistakenLines(d: Draw, lines: string[]): void {
  const at = d.below(lines.length + 1);
  const line = lines[at];
  const choice = d.below(7);
  if (choice === 0) lines.splice(at, 0, `${d.of(BAD_LINES)}\r\n`);
  else if (choice === 1) lines.splice(at, 0, `${d.of(FOLDS)}\r\n`);
  else if (choice === 2 && line !== undefined) lines[at] = line.replace("\r\n", d.of(ENDS));
  else if (choice === 3 && line !== undefined) lines.splice(at, 0, line);
  else if (choice === 4 && line !== undefined) lines.splice(at, 1);
  else if (choice === 5 && line !== undefined) lines[at] = line.replace(/^([^:]*)/, (name) => `${name}${d.of([" ", "\t", " \t"])}`);
  else if (line !== undefined) lines[at] = damaged(d, line);
}

/** The fields that frame content, and the content. */
function framed(d: Draw, fields: string[]): string {
  if (d.once(10)) fields.push(`Transfer-Encoding: ${d.of(CODINGS)}\r\n`);
  if (d.once(16)) fields.push(`Content-Length: ${d.of(LENGTHS)}\r\n`);
  if (d.once(2)) {
    const content = d.once(10) ? "x".repeat(d.between(60, 70)) : letters(d, 20);
    fields.push(`${d.once(3) ? "content-length" : "Content-Length"}: ${d.once(5) ? "00" : ""}${content.length}\r\n`);
    if (d.once(12)) fields.push(`Content-Length: ${d.once(2) ? content.length : 3}\r\n`);
    return d.once(10) ? content.slice(1) : content;
  }
  fields.push(d.of(["Transfer-Encoding: chunked\r\n", "transfer-encoding:\tCHUNKED\r\n"]));
  if (d.once(12)) fields.push(`Content-Length: 3\r\n`);
  return chunks(d);
}

function connected(d: Draw, fields: string[]): void {
  if (d.once(4)) fields.push(`Connection: ${d.once(12) ? d.of(BAD_OPTIONS) : d.of(OPTIONS)}\r\n`);
  if (d.once(16)) fields.push(`connection: ${d.of(OPTIONS)}\r\n`);
  if (d.once(8)) fields.push(`Upgrade: ${d.of(["x", "x, y", "h2c", "websocket", "", ",", " x ,, Y"])}\r\n`);
  if (d.once(20)) fields.push(`upgrade: y\r\n`);
}

export function request(d: Draw): Message {
  const method = d.of(METHODS);
  const isConnect = method === "CONNECT";
  const isWrong = d.once(4);
  const target = isConnect
    ? d.of(isWrong && d.once(4) ? BAD_AUTHORITIES : AUTHORITIES)
    : isWrong && d.once(3)
      ? d.of(BAD_TARGETS)
      : d.often(TARGETS.map(([one, weight]) => [weight, one]));
  const version =
    isWrong && d.once(4)
      ? d.of(BAD_VERSIONS)
      : d.often<string>([
          [8, "HTTP/1.1"],
          [2, "HTTP/1.0"],
          [1, "HTTP/1.2"],
          [1, "HTTP/1.9"],
        ]);
  let line = `${method} ${target} ${version}\r\n`;
  const fields = [`${d.once(4) ? "host" : "Host"}: ${isWrong && d.once(4) ? d.of(BAD_HOSTS) : d.of(HOSTS)}\r\n`];
  for (
    let more = d.often<number>([
      [4, 0],
      [4, 1],
      [2, 2],
      [1, 5],
    ]);
    more > 0;
    more--
  )
    fields.splice(d.below(fields.length + 1), 0, plainLine(d));
  connected(d, fields);
  if (d.once(8)) fields.push(`Expect: ${d.of(["100-continue", "100-Continue", "100-continue", "x", "100-continue, x"])}\r\n`);
  const body = d.once(isConnect ? 12 : 2) ? framed(d, fields) : "";
  if (isWrong && d.once(2)) mistakenLines(d, fields);
  if (d.once(8)) line = d.of(["\r\n", "\r\n\r\n", "\r\n\r\n\r\n", "\n", "\r", "\r\n\n"]) + line;
  if (isWrong && d.once(6)) line = d.once(3) ? line.replace("\r\n", d.of(ENDS)) : damaged(d, line);
  return { method, line, fields, body };
}

/** A response, final or not, that suits the request most of the time. */
export function response(d: Draw, { method, isSwitch }: { readonly method: string; readonly isSwitch: boolean }): Message {
  const isWrong = d.once(5);
  const status =
    isSwitch && d.once(2)
      ? 101
      : d.often<number>([
          [8, 200],
          [1, 100],
          [1, 103],
          [1, 101],
          [2, 204],
          [2, 304],
          [2, 404],
          [1, 205],
          [1, 299],
          [1, 199],
          [1, 999],
        ]);
  const version = d.often<string>([
    [8, "HTTP/1.1"],
    [2, "HTTP/1.0"],
    [1, "HTTP/1.7"],
  ]);
  let line = isWrong && d.once(3) ? `${d.of(BAD_STATUS_LINES)}\r\n` : `${version} ${status}${d.once(10) ? "" : ` ${d.of(PHRASES)}`}\r\n`;
  const fields: string[] = d.list(2, () => plainLine(d));
  if (status === 101 && !d.once(5)) fields.push("Connection: upgrade\r\n", `Upgrade: ${d.of(["x", "X", "y", "x, y", "z", ""])}\r\n`);
  else connected(d, fields);
  const isInterim = status < 200;
  const isUntilClose = d.once(6);
  const content = isInterim || isUntilClose ? (isUntilClose && !isInterim ? letters(d, 20) : "") : framed(d, fields);
  const hasNone = method === "HEAD" || status === 204 || status === 304 || (method === "CONNECT" && status < 300);
  if (isWrong && d.once(2)) mistakenLines(d, fields);
  if (isWrong && d.once(4)) line = damaged(d, line);
  if (d.once(12)) line = `\r\n${line}`;
  return { method, line, fields, body: hasNone && !d.once(8) ? "" : content };
}

export const textOf = ({ line, fields, body }: Message): string => `${line}${fields.join("")}\r\n${body}`;
