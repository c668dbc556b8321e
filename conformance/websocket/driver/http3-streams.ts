import type { Recorder } from "../../harness/connection/recorder.ts";
import { Waiting } from "../../harness/connection/waiting.ts";
import type { Target } from "../../harness/subject/transport.ts";
import { dialHttp3 } from "../../http3/driver/dial.ts";
import type { Http3End, Observed } from "../../wire/http3/end.ts";
import type { ReadField } from "../../wire/http3/read.ts";
import type { RequestField } from "../../wire/request-fields.ts";

/** What one stream reports. */
export type StreamListener = {
  readonly head: (fields: readonly ReadField[]) => void;
  readonly data: (octets: Uint8Array) => void;
  readonly ended: (how: "fin" | "reset", words: string) => void;
};

type Dialling = { readonly target: Target; readonly recorder: Recorder; readonly timeout: number; readonly attempts?: number };

/** An HTTP/3 connection whose streams carry WebSockets: it passes received octets to their stream. */
export class Http3Streams {
  /** No further stream can be opened. */
  over = false;
  readonly waiting = new Waiting();
  /** The fields that every request has. */
  readonly fields: readonly RequestField[];
  #wire: Http3End | undefined;
  readonly #streams = new Map<number, StreamListener>();

  private constructor(fields: readonly RequestField[]) {
    this.fields = fields;
  }
  /** Connects, and opens our control stream. */
  static async dial({ target, recorder, timeout, attempts }: Dialling): Promise<Http3Streams> {
    const streams = new Http3Streams(target.fields);
    const { waiting } = streams;
    const wire = await dialHttp3({
      target,
      timeout,
      ...(attempts !== undefined && { attempts }),
      recorder,
      carries: true,
      text: (value) => value,
      saw: (observed) => streams.#saw(observed),
      forget: () => {},
      poke: () => waiting.poke(),
      until: (test, ms) => waiting.until(test, ms),
    });
    streams.#wire = wire;
    const control = wire.open("unidirectional");
    if (control !== undefined) {
      wire.begin(control, "control");
      wire.send(control, [{ type: "SETTINGS" }]);
    }
    return streams;
  }

  get wire(): Http3End {
    if (this.#wire === undefined) throw new Error("no connection yet");
    return this.#wire;
  }

  /** Opens the next stream, as soon as the server permits it; nothing is sent on it yet. */
  async open(timeout: number): Promise<number | undefined> {
    let id: number | undefined;
    await this.waiting.until(() => this.over || (id = this.wire.open("bidirectional")) !== undefined, timeout);
    return id;
  }
  listen(stream: number, listener: StreamListener): void {
    this.#streams.set(stream, listener);
  }

  async drop(): Promise<void> {
    this.over = true;
    await this.wire.drop();
  }

  #saw(observed: Observed): void {
    if (observed.is === "closed") this.#end(observed.words);
    else if ("stream" in observed) this.#onStream(observed.stream, observed);
    this.waiting.poke();
  }
  #onStream(stream: number, observed: Observed): void {
    const listener = this.#streams.get(stream);
    if (observed.is === "frame" && observed.frame.type === "HEADERS") listener?.head(observed.fields ?? []);
    if (observed.is === "frame" && observed.frame.type === "DATA") listener?.data(observed.frame.payload);
    if (observed.is === "end") listener?.ended("fin", "the stream was ended");
    if (observed.is === "reset") listener?.ended("reset", `the stream was reset with ${observed.code}`);
  }
  #end(words: string): void {
    this.over = true;
    for (const listener of this.#streams.values()) listener.ended("reset", words);
    this.#streams.clear();
  }
}
