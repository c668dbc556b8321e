import type { Http2End, Http2Events } from "../../wire/http2/end.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import { Answer } from "./answers.ts";

type Place = { readonly address: string; readonly port: number };
/** What both ends of a connection over TLS have agreed on: the name of the cipher suite in its standard, and the certificates in DER. */
export type Secured = { readonly cipher: string; readonly ours: Uint8Array | undefined; readonly theirs: Uint8Array | undefined };
/** Both ends of a connection, as our system names them. */
export type Ends = { readonly ours: Place; readonly theirs: Place; readonly tls?: Secured };

/** What happens on a connection. `finished`: a stream ended after its last frame, where the version says so apart from it. */
export type RpcEvents = Http2Events & { readonly finished?: (stream: number) => void };
/** What the steps need of a connection, in HTTP/2 or HTTP/3. */
export type RpcWire = Pick<
  Http2End,
  "preface" | "send" | "data" | "holdWindows" | "end" | "drop" | "ended" | "hasTheirSettings" | "highestStream" | "hasRoom"
> & {
  readonly theirSettings: ReadonlyMap<string, number>;
  readonly theirWindows: { readonly connection: number; readonly stream: (stream: number) => number };
};

/** One connection to the subject, with the answers of its calls. */
export class RpcConnection<Wire extends RpcWire = RpcWire> {
  #wire: Wire | undefined;
  readonly answers = new Map<number, Answer>();
  readonly frames: ReadFrame[] = [];
  /** Streams that we have ended. */
  readonly finished = new Set<number>();
  garbage: string | undefined;
  readonly ends: Ends | undefined;

  /** What its wire reports to. */
  readonly events: RpcEvents;

  constructor(poke: () => void, ends?: Ends) {
    this.ends = ends;
    this.events = {
      frame: (frame, section) => {
        this.frames.push(frame);
        if (frame.stream > 0 && frame.type !== "WINDOW_UPDATE") this.answer(frame.stream).take(frame, section);
        poke();
      },
      garbage: (words) => {
        this.garbage = words;
        poke();
      },
      finished: (stream) => {
        this.answer(stream).finish();
        poke();
      },
      ended: poke,
    };
  }

  get wire(): Wire {
    if (this.#wire === undefined) throw new Error("no connection yet");
    return this.#wire;
  }
  on(wire: Wire): this {
    this.#wire = wire;
    return this;
  }

  answer(stream: number): Answer {
    const known = this.answers.get(stream);
    if (known !== undefined) return known;
    const made = new Answer();
    this.answers.set(stream, made);
    return made;
  }
  get ended(): "fin" | undefined {
    return this.wire.ended || this.garbage !== undefined ? "fin" : undefined;
  }
  get goaway(): string | undefined {
    return this.frames.find(({ type, code }) => type === "GOAWAY" && code !== "NO_ERROR")?.code;
  }
  /** The stream of the next call. */
  get next(): number {
    return this.wire.highestStream + 1 + (this.wire.highestStream % 2);
  }
  drop(): void {
    this.wire.drop();
  }
}

/** A connection for what HTTP/2 alone has. */
export class Http2Connection extends RpcConnection<Http2End> {}
