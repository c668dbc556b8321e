import { octets, valueIn, type Framing, type HeadUnit, type Unit } from "./unit.ts";

const NOTHING = Buffer.alloc(0);
const CRLF = "\r\n";
const END_OF_HEAD = "\r\n\r\n";

type State =
  /** A head, a line with the size of a chunk, the end of a chunk, or the trailer section is awaited. */
  | "head"
  | "size"
  | "chunk-end"
  | "trailers"
  /** `#left` octets of content follow, or of a chunk; all octets until the transport ends; those of another protocol. */
  | "content"
  | "chunk"
  | "rest"
  | "foreign";

/** Parses the output of our own machine into messages: it is well-formed. */
export class Units {
  readonly #side: "server" | "client";
  /** The methods of the requests whose responses are still to come. */
  readonly #methods: string[] = [];
  #state: State = "head";
  #held: Buffer = NOTHING;
  #left = 0;
  /** The number of the current message, which interim responses share with the final one. */
  #message = 1;

  constructor(side: "server" | "client") {
    this.#side = side;
  }

  /** A request has arrived: the length of its response depends on its method (rfc9112#6.3). */
  awaits(method: string): void {
    this.#methods.push(method);
  }

  /** The units in the next output of the machine. */
  *read(bytes: Uint8Array): Generator<Unit> {
    this.#held = this.#held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes]);
    for (;;) {
      const before = this.#held.length;
      const state = this.#state;
      yield* this.#step();
      if (this.#held.length === before && this.#state === state) return;
    }
  }
  /** The transport ends: so does content that lasts until then. */
  *finish(): Generator<Unit> {
    if (this.#state === "rest") yield this.#end(false);
  }

  *#step(): Generator<Unit> {
    const stream = this.#message;
    switch (this.#state) {
      case "head": {
        const text = this.#line(END_OF_HEAD);
        if (text !== undefined) yield* this.#head(text);
        return;
      }
      case "content":
      case "chunk": {
        const isChunk = this.#state === "chunk";
        const piece = this.#held.subarray(0, this.#left);
        this.#held = this.#held.subarray(piece.length);
        this.#left -= piece.length;
        if (piece.length > 0) yield { is: "content", stream, bytes: piece, isChunk };
        if (this.#left > 0) return;
        if (isChunk) this.#state = "chunk-end";
        else yield this.#end(false);
        return;
      }
      case "chunk-end":
        if (this.#line(CRLF) !== undefined) this.#state = "size";
        return;
      case "size": {
        const line = this.#line(CRLF);
        if (line === undefined) return;
        this.#left = Number.parseInt(line, 16);
        this.#state = this.#left === 0 ? "trailers" : "chunk";
        return;
      }
      case "trailers": {
        // The empty line that ends it can come first.
        if (this.#held.subarray(0, 2).toString("latin1") === CRLF) this.#held = this.#held.subarray(2);
        else {
          const text = this.#line(END_OF_HEAD);
          if (text === undefined) return;
          yield this.#end(true, text.split(CRLF));
          return;
        }
        yield this.#end(true);
        return;
      }
      case "rest":
      case "foreign": {
        const bytes = this.#held;
        this.#held = NOTHING;
        if (bytes.length === 0) return;
        yield this.#state === "rest" ? { is: "content", stream, bytes, isChunk: false } : octets(0, bytes);
      }
    }
  }
  #line(end: string): string | undefined {
    const at = this.#held.indexOf(end);
    if (at < 0) return undefined;
    const text = this.#held.toString("latin1", 0, at);
    this.#held = this.#held.subarray(at + end.length);
    return text;
  }
  *#head(text: string): Generator<Unit> {
    const [start = "", ...lines] = text.split(CRLF);
    const status = this.#side === "server" ? Number(start.split(" ")[1]) : 0;
    const isInterim = status >= 100 && status < 200 && status !== 101;
    const head: HeadUnit = { is: "head", stream: this.#message, start, lines, isInterim, framing: "none" };
    if (isInterim) {
      yield head;
      return;
    }
    const method = this.#side === "server" ? this.#methods.shift() : undefined;
    const isTunnel = method === "CONNECT" && status >= 200 && status < 300;
    const framing = isTunnel || method === "HEAD" || status === 101 || status === 204 || status === 304 ? "none" : this.#framing(lines);
    const unit: HeadUnit = { ...head, framing };
    yield unit;
    if (framing === "none") yield this.#end(false);
    else if (framing === "chunked") this.#state = "size";
    else if (framing === "close") this.#state = "rest";
    else {
      this.#left = Number(valueIn(lines, "content-length"));
      this.#state = "content";
    }
    if (isTunnel || status === 101) this.#state = "foreign";
  }
  #framing(lines: readonly string[]): Framing {
    if (valueIn(lines, "transfer-encoding") !== undefined) return "chunked";
    if (valueIn(lines, "content-length") !== undefined) return "length";
    return this.#side === "server" ? "close" : "none";
  }
  #end(isChunked: boolean, lines: readonly string[] = []): Unit {
    const stream = this.#message++;
    this.#state = "head";
    return { is: "end", stream, isChunked, lines };
  }
}
