import { Misuse, type Field, type Writer } from "../core/index.ts";
import { isFieldValue, isToken, parseTokens, reasonPhrase } from "../http/index.ts";
import type { Fault } from "./faults.ts";
import { Kind, kindOf } from "./field-names.ts";
import { readLength } from "./framing.ts";
import { textOctets, writeText } from "./text.ts";

/** How heads of ours are written. The lines of fields are kept as octets: the same ones are sent again and again. */

/** What the fields of a message of ours ask; the one object speaks of the fields written last. */
export const asked = {
  /** -1 where there is none. */
  contentLength: -1,
  hosts: 0,
  close: false,
  /** Connection options besides `close` and `keep-alive`, as one list. */
  options: "",
  /** The value of Upgrade. */
  upgrade: "",
};

class Line {
  readonly name: string;
  readonly value: string;
  readonly kind: Kind;
  readonly octets: Uint8Array;

  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
    this.kind = kindOf(name.toLowerCase());
    this.octets = textOctets(`${name}: ${value}\r\n`);
  }
}
/** Names whose values are a person's: their lines are not remembered. */
const SECRET: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info"]);
/** Lines remembered, a power of two; and the longest value among them. */
const PLACES = 512;
const LONGEST = 256;
const LINES: (Line | undefined)[] = Array.from({ length: PLACES });

function lineOf({ name, value, sensitive }: Field): Line {
  const { length } = value;
  const place = (name.length * 31 + length * 7 + (length > 0 ? value.charCodeAt(length - 1) : 0) + name.charCodeAt(0)) & (PLACES - 1);
  const found = LINES[place];
  if (found !== undefined && found.value === value && found.name === name) return found;
  if (!isToken(name)) throw new Misuse(`${JSON.stringify(name)} is no field name (rfc9110#5.1)`);
  if (!isFieldValue(value)) throw new Misuse(`the value of ${name} must not be sent: it has controls, or spaces around it (rfc9110#5.5)`);
  const made = new Line(name, value);
  if (length <= LONGEST && !sensitive && !SECRET.has(name.toLowerCase())) LINES[place] = made;
  return made;
}

/**
 * Writes the field lines, and tells in `asked` what they ask; Connection is left to the caller. `dropLength`: the message must not have a
 * content-length (rfc9110#8.6). What must not be sent throws; the caller takes back what is written by then.
 */
export function writeFields(w: Writer, fields: readonly Field[], dropLength: boolean): void {
  asked.contentLength = -1;
  asked.hosts = 0;
  asked.close = false;
  asked.options = "";
  asked.upgrade = "";
  for (let i = 0; i < fields.length; i++) {
    const line = lineOf(fields[i]!);
    if (line.kind >= Kind.host && !heed(line, dropLength)) continue;
    const { octets } = line;
    const { length } = octets;
    const at = w.claim(length);
    const to = w.octets;
    for (let j = 0; j < length; j++) to[at + j] = octets[j]!;
  }
}

/** Takes note of a field that matters here; false where it is not to be written. */
function heed({ kind, value }: Line, dropLength: boolean): boolean {
  switch (kind) {
    case Kind.host:
      asked.hosts++;
      return true;
    case Kind.contentLength: {
      const length = readLength(value);
      if (length < 0 || length === Number.POSITIVE_INFINITY) throw new Misuse(`content-length: ${value} is no length`);
      if (asked.contentLength >= 0) throw new Misuse("content-length must be given once (rfc9110#8.6)");
      if (dropLength) return false;
      asked.contentLength = length;
      return true;
    }
    case Kind.transferEncoding:
      throw new Misuse("transfer-encoding is the connection's own: give content-length, or nothing");
    case Kind.connection: {
      const options = parseTokens(value);
      if (options === undefined) throw new Misuse(`connection: ${value} is no list of options`);
      for (const option of options) {
        if (option === "close") asked.close = true;
        else if (option !== "keep-alive") asked.options += `, ${option}`;
      }
      return false;
    }
    case Kind.upgrade:
      asked.upgrade = asked.upgrade === "" ? value : `${asked.upgrade}, ${value}`;
      return true;
    default:
      return true;
  }
}

const STATUS_LINES: (Uint8Array | undefined)[] = [];
/** HTTP-version SP status-code SP reason-phrase (rfc9112#4). */
export function writeStatusLine(w: Writer, status: number): void {
  w.bytes((STATUS_LINES[status] ??= textOctets(`HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n`)));
}

const CONNECTION_CLOSE = textOctets("Connection: close\r\n");
const KEEP_ALIVE = textOctets("Connection: keep-alive\r\n");
/** The Connection field, where one is needed. `option` is what this end says of the connection; `options` begins with its separator. */
export function writeConnection(w: Writer, option: "" | "close" | "keep-alive", options: string): void {
  if (options === "") {
    if (option !== "") w.bytes(option === "close" ? CONNECTION_CLOSE : KEEP_ALIVE);
  } else writeText(w, `Connection: ${option === "" ? options.slice(2) : option + options}\r\n`);
}

const CHUNKED = textOctets("Transfer-Encoding: chunked\r\n");
const NO_CONTENT = textOctets("Content-Length: 0\r\n");
export const writeChunked = (w: Writer): void => void w.bytes(CHUNKED);
export const writeZeroLength = (w: Writer): void => void w.bytes(NO_CONTENT);
export const writeLineEnd = (w: Writer): void => void w.u16(0x0d0a);

/** The answer to a peer that was wrong: the fault's name is its content. The connection closes behind it (rfc9112#9.6). */
export function writeRefusal(w: Writer, { name, status, spec }: Fault, isHead: boolean, fields: readonly Field[]): void {
  const words = `${name} (${spec})\n`;
  writeStatusLine(w, status);
  writeFields(w, fields, true);
  writeText(w, `Content-Type: text/plain\r\nContent-Length: ${words.length}\r\nConnection: close\r\n\r\n${isHead ? "" : words}`);
}
