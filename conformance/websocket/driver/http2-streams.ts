import type { Duplex } from "node:stream";
import type { Recorder } from "../../harness/connection/recorder.ts";
import { Waiting } from "../../harness/connection/waiting.ts";
import { Http2End } from "../../wire/http2/end.ts";
import { DEFAULTS, MAGIC } from "../../wire/http2/numbers.ts";
import type { ReadField, ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import type { RequestField } from "../../wire/request-fields.ts";

/** Windows that no case fills: these cases are not about flow control. */
const WINDOW = 2 ** 30;
const REPLENISH_AFTER = 2 ** 24;

/** What one stream reports. */
export type StreamListener = {
  readonly head: (fields: readonly ReadField[], last: boolean) => void;
  readonly data: (octets: Uint8Array, last: boolean) => void;
  readonly ended: (how: "fin" | "reset", words: string) => void;
  /** Its window, or that of the connection, has opened. */
  readonly opened: () => void;
};

/** An HTTP/2 connection whose streams carry WebSockets: it passes received octets to their stream. */
export class Http2Streams {
  readonly wire: Http2End;
  /** No further stream can be opened. */
  over = false;
  readonly waiting = new Waiting();
  readonly #streams = new Map<number, StreamListener>();
  #next = 1;

  constructor(socket: Duplex, recorder: Recorder, fields: readonly RequestField[] = []) {
    this.wire = new Http2End(socket, {
      we: "client",
      transcript: recorder,
      fields,
      // The WebSocket connection records the frames inside DATA itself.
      writesDown: ({ type }) => type !== "DATA",
      replenishAfter: REPLENISH_AFTER,
      on: {
        frame: (frame, section) => this.#frame(frame, section),
        garbage: () => this.#end("reset", "the subject does not speak HTTP/2"),
        ended: (how) => this.#end(how, how === "fin" ? "the HTTP/2 connection closed" : "the HTTP/2 connection was reset"),
      },
    });
    void this.wire.preface(MAGIC, { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", WINDOW]] });
    void this.wire.send([{ type: "WINDOW_UPDATE", increment: WINDOW - DEFAULTS.window }]);
  }

  /** Opens the next stream; nothing is sent on it yet. */
  open(listener: StreamListener): number {
    const stream = this.#next;
    this.#next += 2;
    this.#streams.set(stream, listener);
    return stream;
  }

  drop(): void {
    this.over = true;
    this.wire.drop();
  }

  #frame(frame: ReadFrame, section: Section | undefined): void {
    const { type, stream } = frame;
    if (section?.of === "HEADERS") this.#streams.get(section.stream)?.head(section.fields, section.endStream);
    if (type === "DATA") this.#streams.get(stream)?.data(frame.data ?? new Uint8Array(), frame.endStream === true);
    if (type === "SETTINGS" || type === "WINDOW_UPDATE") for (const { opened } of this.#streams.values()) opened();
    if (type === "RST_STREAM") {
      const listener = this.#streams.get(stream);
      this.#streams.delete(stream);
      listener?.ended("reset", `the stream was reset with ${frame.code ?? "no code"}`);
    }
    if (type === "GOAWAY") {
      this.over = true;
      for (const [one, listener] of this.#streams) if (one > (frame.last ?? 0)) listener.ended("reset", "GOAWAY excluded the stream");
    }
    this.waiting.poke();
  }

  #end(how: "fin" | "reset", words: string): void {
    if (this.over && this.#streams.size === 0) return;
    this.over = true;
    for (const listener of this.#streams.values()) listener.ended(how, words);
    this.#streams.clear();
    this.waiting.poke();
  }
}
