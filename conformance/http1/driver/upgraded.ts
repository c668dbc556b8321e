import type { Recorder } from "../../harness/connection/recorder.ts";
import { blockDecoder } from "../../wire/hpack/field-block.ts";
import type { ReadResponse } from "../../wire/http1/read.ts";
import { FrameCutter, readFrame, type ReadFrame } from "../../wire/http2/read.ts";
import { Sections } from "../../wire/http2/sections.ts";
import { inWords } from "../../wire/http2/words.ts";
import { Http2Responses } from "./http2-responses.ts";

/** What a server sends after it switched to HTTP/2: the response to the request that asked is on stream 1 (rfc7540#3.2). */
export class Upgraded {
  readonly frames: ReadFrame[] = [];
  readonly #cutter = new FrameCutter();
  readonly #sections = new Sections(blockDecoder());
  readonly #responses = new Http2Responses(() => "GET");
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** The final response on stream 1; it grows until it is complete. */
  get response(): ReadResponse | undefined {
    return this.#responses.final.get(1);
  }

  push(octets: Uint8Array): void {
    for (const whole of this.#cutter.push(octets)) {
      const frame = readFrame(whole);
      this.frames.push(frame);
      const section = this.#sections.take(frame);
      this.#recorder.wire("<-", inWords(frame, section?.fields), whole);
      this.#responses.take(frame, section);
    }
  }
}
