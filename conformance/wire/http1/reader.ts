import { type Measure, noteInto, readChunkLine, readFields } from "./head.ts";
import type { Chunk, Oddity, RawField, ReadMessage } from "./message.ts";
import { Growing } from "../growing.ts";
import { join, printable, toLatin1 } from "../octets.ts";

export type Draft<Message> = { -readonly [Member in keyof Message]: Message[Member] };
type State = "head" | "length" | "chunk size" | "chunk" | "chunk end" | "trailers" | "close" | "tunnel" | "lost";

const LF = 10;
const CR = 13;
const NOTHING = new Uint8Array();

/** The common part of reading requests and responses: everything but the head. */
export abstract class Reader<Message extends ReadMessage> {
  readonly #octets = new Growing();
  readonly #garbage: Draft<{ readonly from: number; readonly octets: Uint8Array; readonly after: number }>[] = [];
  #state: State = "head";
  /** Everything before it has been read. */
  #at = 0;
  /** There is no line end between `#at` and here. */
  #sought = 0;
  #lines: string[] = [];
  #lineOddities: Oddity[] = [];
  #from = 0;
  #left = 0;
  #current: Draft<Message> | undefined;
  #parts: Uint8Array[] = [];
  /** The chunks of the current message: there may be very many. */
  #chunks: Chunk[] = [];
  #ended: "fin" | "reset" | undefined;

  /** The number of messages so far, after which garbage came. */
  protected abstract get count(): number;
  /** Makes a message of its lines; undefined if they are not one. */
  protected abstract begin(
    lines: readonly string[],
    oddities: Oddity[],
  ): { readonly message: Draft<Message>; readonly measure: Measure } | undefined;
  /** The earliest position of a message; octets before it are garbage. */
  protected abstract startOf(octets: Uint8Array): number;

  /** Octets that are not part of any message; `after` is the number of the message before them. */
  get garbage(): readonly { readonly from: number; readonly octets: Uint8Array; readonly after: number }[] {
    return this.#garbage;
  }
  /** The octets of an incomplete head. */
  get pending(): Uint8Array {
    return this.#state === "head" ? this.#octets.view(this.#from) : NOTHING;
  }
  /** The octets after a message that switched to another protocol. */
  get tunnel(): Uint8Array {
    return this.#state === "tunnel" ? this.#octets.view(this.#at) : NOTHING;
  }
  get length(): number {
    return this.#octets.length;
  }
  /** All octets that came. */
  get octets(): Uint8Array {
    return this.#octets.view(0);
  }

  push(octets: Uint8Array): void {
    this.#octets.push(octets);
    while (this.#advance());
  }

  /** The octets from here on are another protocol: the other side has opened a tunnel. */
  halt(): void {
    this.#state = "tunnel";
  }

  /** The connection ended: this completes a message without a declared length, and truncates any other. */
  end(how: "fin" | "reset"): void {
    if (this.#ended !== undefined) return;
    this.#ended = how;
    const message = this.#current;
    if (this.#state === "close" && how === "fin" && message !== undefined) this.#finish();
    else if (message !== undefined && this.#state !== "tunnel")
      message.oddities = [
        ...message.oddities,
        { kind: "truncated", words: `the connection ${how === "fin" ? "ended" : "was reset"} inside it` },
      ];
    else if (this.#state === "head" && this.#octets.length > this.#from) this.#discard(this.#octets.length);
  }

  /** Makes one step; false if it needs more octets. */
  #advance(): boolean {
    switch (this.#state) {
      case "head":
        return this.#head();
      case "length":
        return this.#counted();
      case "chunk size":
        return this.#chunkSize();
      case "chunk":
        return this.#chunk();
      case "chunk end":
        return this.#chunkEnd();
      case "trailers":
        return this.#trailers();
      case "close":
        this.#grow(this.#octets.view(this.#current?.headEnd ?? 0));
        this.#at = this.#octets.length;
        return false;
      case "lost":
        this.#discard(this.#octets.length);
        return false;
      case "tunnel":
        return false;
    }
  }

  /** The next line without its end; undefined while it is incomplete. */
  #line(): string | undefined {
    const view = this.#octets.view(Math.max(this.#at, this.#sought));
    const found = view.indexOf(LF);
    if (found < 0) {
      this.#sought = this.#octets.length;
      return undefined;
    }
    const end = Math.max(this.#at, this.#sought) + found;
    const octets = this.#octets.view(this.#at, end);
    this.#at = end + 1;
    this.#sought = this.#at;
    const withCr = octets.at(-1) === CR;
    const line = toLatin1(withCr ? octets.subarray(0, -1) : octets);
    const note = noteInto(this.#lineOddities);
    if (!withCr) note("line end", `a line ends in LF alone: "${printable(line, 40)}"`);
    if (line.includes("\r")) note("bare cr", `a line has a CR inside: "${printable(line, 40)}"`);
    return line;
  }

  #head(): boolean {
    if (this.#lines.length === 0) {
      const start = this.startOf(this.#octets.view(this.#from));
      if (start > 0) this.#discard(this.#from + start);
      if (this.#octets.length === this.#from) return false;
    }
    const line = this.#line();
    if (line === undefined) return false;
    if (line !== "") {
      this.#lines.push(line);
      return true;
    }
    const oddities = this.#lineOddities;
    const begun = this.begin(this.#lines, oddities);
    this.#lines = [];
    this.#lineOddities = [];
    if (begun === undefined) {
      this.#discard(this.#at);
      return true;
    }
    const { message, measure } = begun;
    message.from = this.#from;
    message.headEnd = this.#at;
    message.to = this.#at;
    this.#current = message;
    this.#parts = [];
    this.#chunks = [];
    message.chunks = this.#chunks;
    this.#left = measure.length;
    const next = { length: "length", chunked: "chunk size", close: "close", tunnel: "tunnel" } as const;
    if (measure.framing === "none" || (measure.framing === "length" && measure.length === 0)) this.#finish();
    else this.#state = next[measure.framing];
    // A message that opens a tunnel consists of its head.
    if (measure.framing === "tunnel") message.complete = true;
    return true;
  }

  /** Treats the octets from the end of the last message up to here as garbage. */
  #discard(to: number): void {
    const last = this.#garbage.at(-1);
    const octets = this.#octets.view(this.#from, to);
    if (octets.length > 0) {
      if (last !== undefined && last.from + last.octets.length === this.#from) last.octets = this.#octets.view(last.from, to);
      else this.#garbage.push({ from: this.#from, octets, after: this.count });
    }
    this.#from = to;
    this.#at = to;
    this.#sought = Math.max(this.#sought, to);
  }

  #counted(): boolean {
    const from = this.#current?.headEnd ?? 0;
    const content = this.#octets.view(from, from + this.#left);
    this.#grow(content);
    this.#at = from + content.length;
    if (content.length < this.#left) return false;
    this.#finish();
    return true;
  }

  #chunkSize(): boolean {
    const line = this.#line();
    const message = this.#current;
    if (line === undefined || message === undefined) return false;
    const chunk = readChunkLine(line, noteInto(this.#lineOddities));
    this.#takeOddities();
    if (chunk === undefined) return this.#lose();
    this.#chunks.push(chunk);
    this.#left = chunk.size;
    this.#state = chunk.size === 0 ? "trailers" : "chunk";
    return true;
  }

  #chunk(): boolean {
    const octets = this.#octets.view(this.#at, this.#at + this.#left);
    if (octets.length < this.#left) {
      this.#grow(join([this.#joined(), octets]));
      return false;
    }
    this.#parts.push(octets.slice());
    this.#at += this.#left;
    this.#state = "chunk end";
    return true;
  }

  #chunkEnd(): boolean {
    const view = this.#octets.view(this.#at);
    const lone = view[0] === LF;
    if (!lone && (view.length < 2 || view[1] !== LF || view[0] !== CR)) {
      if (view.length === 0 || (view.length === 1 && view[0] === CR)) {
        this.#grow(this.#joined());
        return false;
      }
      this.#lineOddities.push({ kind: "chunk", words: "a chunk is longer than its size" });
      this.#takeOddities();
      return this.#lose();
    }
    if (lone) this.#lineOddities.push({ kind: "line end", words: "a chunk ends in LF alone" });
    this.#takeOddities();
    this.#at += lone ? 1 : 2;
    this.#sought = this.#at;
    this.#state = "chunk size";
    return true;
  }

  #trailers(): boolean {
    const line = this.#line();
    const message = this.#current;
    if (line === undefined || message === undefined) {
      this.#grow(this.#joined());
      return false;
    }
    if (line !== "") {
      this.#lines.push(line);
      return true;
    }
    const oddities: Oddity[] = [];
    message.trailers = readFields(this.#lines, noteInto(oddities)) satisfies RawField[];
    for (const { words } of oddities) this.#lineOddities.push({ kind: "trailer", words: `in the trailers: ${words}` });
    this.#takeOddities();
    this.#grow(this.#joined());
    this.#lines = [];
    this.#finish();
    return true;
  }

  #joined(): Uint8Array {
    const whole = join(this.#parts);
    this.#parts = [whole];
    return whole;
  }

  #grow(content: Uint8Array): void {
    if (this.#current === undefined) return;
    this.#current.content = content;
    this.#current.to = this.#octets.length;
  }

  #takeOddities(): void {
    if (this.#current !== undefined) this.#current.oddities = [...this.#current.oddities, ...this.#lineOddities];
    this.#lineOddities = [];
  }

  /** Gives up: the start of the next message cannot be found. */
  #lose(): boolean {
    this.#grow(this.#joined());
    this.#from = this.#at;
    this.#state = "lost";
    return true;
  }

  #finish(): void {
    const message = this.#current;
    if (message === undefined) return;
    message.complete = true;
    message.to = this.#at;
    this.#current = undefined;
    this.#from = this.#at;
    this.#sought = this.#at;
    this.#state = "head";
  }
}
