import type { Http2End } from "../../wire/http2/end.ts";
import { UNREAD_MS } from "../../wire/writes.ts";

type Waiting = { octets: Uint8Array; readonly done: () => void };

/** Writes the content of one HTTP/2 stream, as its windows allow. */
export class StreamWriter {
  readonly #wire: Http2End;
  readonly #stream: number;
  readonly #queue: Waiting[] = [];
  #begun = false;
  #ending = false;
  #sentEnd = false;

  constructor(wire: Http2End, stream: number) {
    this.#wire = wire;
    this.#stream = stream;
  }

  /** The stream's HEADERS as they are; content follows them. */
  async begin(octets: Uint8Array): Promise<void> {
    this.#begun = true;
    this.#wire.octets(octets);
    await this.#wire.flushed();
  }

  /** Resolves when the octets have left, or when the peer does not read them. */
  write(octets: Uint8Array): Promise<void> {
    if (octets.length === 0 || this.#sentEnd) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, UNREAD_MS);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#queue.push({ octets, done });
      this.flush();
    });
  }

  /** Sends END_STREAM after everything that waits. */
  end(): void {
    this.#ending = true;
    this.flush();
  }

  /** Sends RST_STREAM instead of what waits: the reset of a TCP connection (rfc8441#5). */
  reset(): void {
    this.#queue.length = 0;
    if (this.#begun) void this.#wire.send([{ type: "RST_STREAM", stream: this.#stream, code: "CANCEL" }]);
    this.#sentEnd = true;
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#queue.length = 0;
    this.#sentEnd = true;
  }

  /** Writes what the windows allow now. */
  flush(): void {
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      const went = this.#wire.data(this.#stream, first.octets);
      if (went < first.octets.length) {
        if (went === 0) return;
        first.octets = first.octets.subarray(went);
        continue;
      }
      this.#queue.shift();
      void this.#wire.flushed().then(first.done);
    }
    if (!this.#ending || this.#sentEnd || !this.#begun) return;
    this.#sentEnd = true;
    this.#wire.data(this.#stream, new Uint8Array(), true);
  }
}
