import { Misuse, type Field, type Writer } from "../core/index.ts";
import { parseTokens, reasonPhrase } from "../http/index.ts";
import type { Fault } from "./faults.ts";
import { Kind } from "./field-names.ts";
import { readLength } from "./framing.ts";
import type { HeadMemory, SentLine } from "./head-memory.ts";
import { textOctets, writeText } from "./text.ts";

/** Writes the field lines of one message. Its getters then report what the lines mean for the connection. */
export class HeadWriter {
  readonly #memory: HeadMemory;
  #contentLength = -1;
  #hosts = 0;
  #closes = false;
  #options = "";
  #upgrade = "";

  constructor(memory: HeadMemory) {
    this.#memory = memory;
  }

  /** -1 without content-length. */
  get contentLength(): number {
    return this.#contentLength;
  }
  get hosts(): number {
    return this.#hosts;
  }
  /** Connection names `close`. */
  get closes(): boolean {
    return this.#closes;
  }
  /** Connection options other than `close` and `keep-alive`, each with a comma and a space before it. */
  get options(): string {
    return this.#options;
  }
  /** The value of Upgrade. */
  get upgrade(): string {
    return this.#upgrade;
  }

  /** Writes the lines except Connection, which `writeConnection` writes. An invalid field throws; the caller then rewinds. */
  write(w: Writer, fields: readonly Field[]): void {
    this.#write(w, fields, true);
  }
  /** As `write`, but drops content-length, for messages that must not have one (rfc9110#8.6). */
  writeWithoutLength(w: Writer, fields: readonly Field[]): void {
    this.#write(w, fields, false);
  }

  #write(w: Writer, fields: readonly Field[], keepsLength: boolean): void {
    for (let i = 0; i < fields.length; i++) {
      const line = this.#memory.line(fields[i]!);
      if (line.kind >= Kind.host && !this.#heed(line, keepsLength)) continue;
      const { octets } = line;
      const { length } = octets;
      const at = w.claim(length);
      const to = w.octets;
      for (let j = 0; j < length; j++) to[at + j] = octets[j]!;
    }
  }

  /** Notes a field that concerns the connection; false if the line is not to be written. */
  #heed({ kind, value }: SentLine, keepsLength: boolean): boolean {
    switch (kind) {
      case Kind.host:
        this.#hosts++;
        return true;
      case Kind.contentLength: {
        const length = readLength(value);
        if (length < 0 || length === Number.POSITIVE_INFINITY) throw new Misuse(`content-length: ${value} is not a length`);
        if (this.#contentLength >= 0) throw new Misuse("content-length must be given once (rfc9110#8.6)");
        if (!keepsLength) return false;
        this.#contentLength = length;
        return true;
      }
      case Kind.transferEncoding:
        throw new Misuse("the connection sets transfer-encoding itself: give content-length, or neither");
      case Kind.connection: {
        const options = parseTokens(value);
        if (options === undefined) throw new Misuse(`connection: ${value} is not a list of options`);
        for (const option of options) {
          if (option === "close") this.#closes = true;
          else if (option !== "keep-alive") this.#options += `, ${option}`;
        }
        return false;
      }
      case Kind.upgrade:
        this.#upgrade = this.#upgrade === "" ? value : `${this.#upgrade}, ${value}`;
        return true;
      default:
        return true;
    }
  }

  /** The response to a faulty request, with the fault's name as its content. The connection closes after it (rfc9112#9.6). */
  writeRefusal(w: Writer, { name, status, spec }: Fault, isHead: boolean, fields: readonly Field[]): void {
    const content = `${name} (${spec})\n`;
    writeStatusLine(w, status);
    this.writeWithoutLength(w, fields);
    writeText(w, `Content-Type: text/plain\r\nContent-Length: ${content.length}\r\nConnection: close\r\n\r\n${isHead ? "" : content}`);
  }
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n`;
const LAST_COMMON = 599;
/** The lines of registered status codes. */
const STATUS_LINES: readonly (Uint8Array | undefined)[] = Array.from({ length: LAST_COMMON + 1 }, (_, status) =>
  reasonPhrase(status) === "" ? undefined : textOctets(statusLine(status)),
);
/** HTTP-version SP status-code SP reason-phrase (rfc9112#4). */
export function writeStatusLine(w: Writer, status: number): void {
  const known = STATUS_LINES[status];
  if (known === undefined) writeText(w, statusLine(status));
  else w.bytes(known);
}

const CONNECTION_CLOSE = "Connection: close\r\n";
const KEEP_ALIVE = "Connection: keep-alive\r\n";
/** The Connection field, if there is anything to say. `option` is this end's own; `options` is `HeadWriter.options`. */
export function writeConnection(w: Writer, option: "" | "close" | "keep-alive", options: string): void {
  if (options === "") {
    if (option !== "") writeText(w, option === "close" ? CONNECTION_CLOSE : KEEP_ALIVE);
  } else writeText(w, `Connection: ${option === "" ? options.slice(2) : option + options}\r\n`);
}

const CHUNKED = "Transfer-Encoding: chunked\r\n";
const NO_CONTENT = "Content-Length: 0\r\n";
export const writeChunked = (w: Writer): void => writeText(w, CHUNKED);
export const writeZeroLength = (w: Writer): void => writeText(w, NO_CONTENT);
export const writeLineEnd = (w: Writer): void => void w.u16(0x0d0a);
