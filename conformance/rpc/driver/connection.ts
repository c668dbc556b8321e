import type { Http2End, Http2Events } from "../../wire/http2/end.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import { Answer } from "./answers.ts";

type Place = { readonly address: string; readonly port: number };
/** What both ends of a connection over TLS have agreed on: the name of the cipher suite in its standard, and the certificates in DER. */
export type Secured = { readonly cipher: string; readonly ours: Uint8Array | undefined; readonly theirs: Uint8Array | undefined };
/** Both ends of a connection, as our system names them. */
export type Ends = { readonly ours: Place; readonly theirs: Place; readonly tls?: Secured };

/** One connection to the subject, with the answers of its calls. */
export class RpcConnection {
  readonly wire: Http2End;
  readonly answers = new Map<number, Answer>();
  readonly frames: ReadFrame[] = [];
  /** Streams that we have ended. */
  readonly finished = new Set<number>();
  garbage: string | undefined;
  readonly ends: Ends | undefined;

  constructor(wire: (on: Http2Events) => Http2End, poke: () => void, ends?: Ends) {
    this.ends = ends;
    this.wire = wire({
      frame: (frame, section) => {
        this.frames.push(frame);
        if (frame.stream > 0 && frame.type !== "WINDOW_UPDATE") this.answer(frame.stream).take(frame, section);
        poke();
      },
      garbage: (words) => {
        this.garbage = words;
        poke();
      },
      ended: poke,
    });
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
