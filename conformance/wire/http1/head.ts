import { type Chunk, type Framing, membersOf, type Oddity, type OddityKind, type RawField, valuesOf } from "./message.ts";
import { printable } from "../octets.ts";

/** Reads the heads of messages leniently, and notes oddities. Lines are Latin-1 text without their line ends. */

/** Notes an oddity of a message. */
export type Note = (kind: OddityKind, words: string) => void;

export const noteInto =
  (oddities: Oddity[]): Note =>
  (kind, words) =>
    void oddities.push({ kind, words });

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
const VERSION = /^HTTP\/\d\.\d$/;

export type StatusLine = { readonly version: string; readonly status: number; readonly reason: string };

/** `HTTP/1.1 200 OK`; undefined if the line is not a status line at all. */
export function readStatusLine(line: string, note: Note): StatusLine | undefined {
  const strict = /^(HTTP\/\d\.\d) (\d{3}) ([\t\x20-\x7e\x80-\xff]*)$/.exec(line);
  const loose = strict ?? /^(HTTP\/[\d.]*)[ \t]+(\d+)[ \t]*(.*)$/s.exec(line);
  if (loose === null) return undefined;
  const [, version = "", status = "", reason = ""] = loose;
  if (strict === null) note("start line", `the status line is "${printable(line)}"`);
  const code = Number(status);
  if (status.length !== 3 || code < 100 || code > 599) note("status", `the status is ${printable(status)}`);
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") note("version", `the version is ${printable(version)}`);
  return { version, status: code, reason };
}

export type RequestLine = { readonly method: string; readonly target: string; readonly version: string };

/** `GET / HTTP/1.1`; everything between the first space and the version is the target. */
export function readRequestLine(line: string, note: Note): RequestLine {
  const [, method = "", target = "", version = ""] = /^([^ ]*) ?(.*?) ?(HTTP\/[\d.]*)?$/is.exec(line) ?? [];
  const wellFormed =
    TOKEN.test(method) && /^[\x21-\x7e]+$/.test(target) && VERSION.test(version) && line === `${method} ${target} ${version}`;
  if (!wellFormed) note("start line", `the request line is "${printable(line)}"`);
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") note("version", `the version is "${printable(version)}"`);
  return { method, target, version };
}

/** Reads field lines; a line that begins with white space continues the one before it. */
export function readFields(lines: readonly string[], note: Note): RawField[] {
  const fields: RawField[] = [];
  for (const line of lines) {
    const before = fields.at(-1);
    if (/^[ \t]/.test(line) && before !== undefined) {
      note("fold", `the field ${printable(before.name)} continues on the next line`);
      fields[fields.length - 1] = { ...before, value: `${before.value} ${line.trim()}`.trim(), line: `${before.line}\r\n${line}` };
    } else fields.push(readField(line, note));
  }
  return fields;
}

function readField(line: string, note: Note): RawField {
  const colon = line.indexOf(":");
  if (colon < 0) {
    note("field line", `the field line "${printable(line)}" has no colon`);
    return { name: line, value: "", line };
  }
  const before = line.slice(0, colon);
  const name = before.trimEnd();
  if (name !== before) note("space before colon", `there is white space between "${printable(name)}" and its colon`);
  if (!TOKEN.test(name)) note("field name", `the field name "${printable(name)}" is not a token`);
  const value = line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "");
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    note("field value", `the value of ${printable(name)} has a control character: "${printable(value)}"`);
  return { name, value, line };
}

/** How the end of the content is determined, and its length where that is declared. */
export type Measure = { readonly framing: Framing; readonly length: number };

const none: Measure = { framing: "none", length: 0 };

/** What the fields of a message declare about its content (rfc9112#6.3), for a reader that refuses nothing. */
function announced(fields: readonly RawField[], version: string, otherwise: Measure, note: Note): Measure {
  const codings = membersOf(fields, "transfer-encoding");
  const lengths = membersOf(fields, "content-length");
  if (codings.length > 0) {
    if (lengths.length > 0) note("length", "it has both Transfer-Encoding and Content-Length");
    if (version === "HTTP/1.0") note("coding", "Transfer-Encoding in an HTTP/1.0 message");
    if (codings.indexOf("chunked") < codings.lastIndexOf("chunked")) note("coding", "chunked is applied twice");
    if (codings.at(-1) === "chunked") return { framing: "chunked", length: 0 };
    note("coding", `the last transfer coding is ${printable(codings.at(-1) ?? "")}`);
    return otherwise;
  }
  const [first] = lengths;
  if (first === undefined) return otherwise;
  if (lengths.length > 1) note("length", `it has Content-Length ${lengths.length} times: ${printable(lengths.join(", "))}`);
  if (!/^\d+$/.test(first) || !Number.isSafeInteger(Number(first))) {
    note("length", `its Content-Length is "${printable(first)}"`);
    return otherwise;
  }
  return { framing: "length", length: Number(first) };
}

export const measureRequest = (fields: readonly RawField[], version: string, note: Note): Measure => announced(fields, version, none, note);

export function measureResponse(fields: readonly RawField[], { version, status }: StatusLine, method: string, note: Note): Measure {
  const tunnel = status === 101 || (method === "CONNECT" && status >= 200 && status < 300);
  if (tunnel || status < 200 || status === 204) {
    if (valuesOf(fields, "content-length").length > 0)
      note("length", `Content-Length in a response with status ${status}${tunnel ? " that opens a tunnel" : ""}`);
    if (valuesOf(fields, "transfer-encoding").length > 0)
      note("coding", `Transfer-Encoding in a response with status ${status}${tunnel ? " that opens a tunnel" : ""}`);
    return tunnel ? { framing: "tunnel", length: 0 } : none;
  }
  const measure = announced(fields, version, { framing: "close", length: 0 }, note);
  return status === 304 || method === "HEAD" ? none : measure;
}

const CHUNK =
  /^[0-9a-f]+(?:[ \t]*;[ \t]*[!#$%&'*+\-.^_`|~\w]+(?:[ \t]*=[ \t]*(?:[!#$%&'*+\-.^_`|~\w]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/i;

/** The line before a chunk; undefined if its size cannot be read. */
export function readChunkLine(line: string, note: Note): Chunk | undefined {
  const [, digits = "", extension = ""] = /^([0-9a-f]+)(.*)$/is.exec(line.trim()) ?? [];
  const size = Number.parseInt(digits, 16);
  if (!CHUNK.test(line)) note("chunk", `the chunk line is "${printable(line)}"`);
  return Number.isSafeInteger(size) ? { size, extension, line } : undefined;
}
