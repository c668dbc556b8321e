import { measureRequest, measureResponse, noteInto, readFields, readRequestLine, readStatusLine } from "./head.ts";
import type { Oddity, ReadRequest, ReadResponse } from "./message.ts";
import { Reader } from "./reader.ts";
import { toLatin1 } from "../octets.ts";

/**
 * Incremental readers of one direction of a connection: octets in, messages out, as far as they have arrived. They refuse nothing and
 * never throw: oddities are noted in the message, and octets that are not part of one go into `garbage`. Independent of `reference/`, which
 * they judge.
 */

export type { Oddity, OddityKind, RawField, ReadMessage, ReadRequest, ReadResponse } from "./message.ts";
export { membersOf, valueOf, valuesOf } from "./message.ts";

const LF = 10;
const CR = 13;
const STATUS_LINE = "HTTP/";

const blank = { content: new Uint8Array(), chunks: [], trailers: [], complete: false, from: 0, headEnd: 0, to: 0 } as const;

/** Reads what a server sends. `methodOf` returns the method of the n-th request, from 1: a response to HEAD has no content. */
export class ResponseReader extends Reader<ReadResponse> {
  readonly #methodOf: (nth: number) => string | undefined;
  /** Final responses with a complete head. */
  readonly responses: ReadResponse[] = [];
  /** Interim and final responses in order. */
  readonly all: ReadResponse[] = [];
  /** Interim responses whose final response has not arrived. */
  interim: ReadResponse[] = [];

  constructor(methodOf: (nth: number) => string | undefined) {
    super();
    this.#methodOf = methodOf;
  }

  protected get count(): number {
    return this.responses.length;
  }

  protected startOf(octets: Uint8Array): number {
    if (STATUS_LINE.startsWith(toLatin1(octets.subarray(0, STATUS_LINE.length)))) return 0;
    const text = toLatin1(octets);
    const found = text.indexOf(STATUS_LINE);
    if (found >= 0) return found;
    // Perhaps only the beginning of a status line has arrived.
    const tail = [4, 3, 2, 1].find((length) => text.endsWith(STATUS_LINE.slice(0, length))) ?? 0;
    return text.length - tail;
  }

  protected begin(lines: readonly string[], oddities: Oddity[]) {
    const note = noteInto(oddities);
    const [start = "", ...rest] = lines;
    const line = readStatusLine(start, note);
    if (line === undefined) return undefined;
    const method = this.#methodOf(this.responses.length + 1) ?? "GET";
    const fields = readFields(rest, note);
    const measure = measureResponse(fields, line, method, note);
    const isInterim = line.status < 200;
    const message: ReadResponse = {
      start,
      ...line,
      method,
      fields,
      framing: measure.framing,
      oddities,
      interim: isInterim ? [] : this.interim,
      ...blank,
    };
    this.all.push(message);
    if (isInterim) this.interim = [...this.interim, message];
    else {
      this.responses.push(message);
      this.interim = [];
    }
    return { message, measure };
  }
}

/** Reads what a client sends. */
export class RequestReader extends Reader<ReadRequest> {
  readonly requests: ReadRequest[] = [];

  protected get count(): number {
    return this.requests.length;
  }

  /** Empty lines before a request are not part of it (rfc9112#2.2). */
  protected startOf(octets: Uint8Array): number {
    let at = 0;
    while (octets[at] === LF || (octets[at] === CR && octets[at + 1] === LF)) at += octets[at] === LF ? 1 : 2;
    return at;
  }

  protected begin(lines: readonly string[], oddities: Oddity[]) {
    const note = noteInto(oddities);
    const [start = "", ...rest] = lines;
    const line = readRequestLine(start, note);
    const fields = readFields(rest, note);
    const measure = measureRequest(fields, line.version, note);
    const message: ReadRequest = { start, ...line, fields, framing: measure.framing, oddities, ...blank };
    this.requests.push(message);
    return { message, measure };
  }
}

/** Reads at once all that a server sent in response to requests with these methods. `ended`: the connection ended cleanly. */
export function readResponses(octets: Uint8Array, methods: readonly string[], ended: boolean): ResponseReader {
  const reader = new ResponseReader((nth) => methods[nth - 1]);
  reader.push(octets);
  if (ended) reader.end("fin");
  return reader;
}

/** Reads at once all that a client sent. */
export function readRequests(octets: Uint8Array, ended: boolean): RequestReader {
  const reader = new RequestReader();
  reader.push(octets);
  if (ended) reader.end("fin");
  return reader;
}
