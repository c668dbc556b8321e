import type { Recorder } from "../../harness/recorder.ts";
import { blockDecoder } from "../../wire/field-block.ts";
import type { ReadResponse } from "../../wire/http1-read.ts";
import { FrameCutter, readFrame, type ReadFrame } from "../../wire/http2-read.ts";
import { inWords } from "../../wire/http2-words.ts";
import { join } from "../../wire/octets.ts";
import { Sections } from "../../http2/driver/sections.ts";

/** What a server sends in HTTP/2 after it has agreed to go over to it: the response to the request that asked is on stream 1 (rfc7540#3.2). */
export class Upgraded {
  readonly frames: ReadFrame[] = [];
  /** The response on stream 1, read as if it had come in HTTP/1.1; it grows until it is complete. */
  response: ReadResponse | undefined;
  readonly #cutter = new FrameCutter();
  readonly #sections = new Sections(blockDecoder());
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  push(octets: Uint8Array): void {
    for (const whole of this.#cutter.push(octets)) this.#take(readFrame(whole), whole);
  }

  #take(frame: ReadFrame, octets: Uint8Array): void {
    this.frames.push(frame);
    const section = this.#sections.take(frame);
    this.#recorder.wire("<-", inWords(frame, section?.fields), octets);
    if (frame.stream !== 1) return;
    const status = Number(section?.fields.find(([name]) => name === ":status")?.[1] ?? Number.NaN);
    if (section !== undefined && status >= 200)
      this.response = { ...BLANK, status, fields: section.fields.map(([name, value]) => ({ name, value, line: `${name}: ${value}` })) };
    if (this.response === undefined) return;
    const { response } = this;
    this.response = {
      ...response,
      content: frame.data === undefined ? response.content : join([response.content, frame.data]),
      complete: response.complete || frame.endStream === true || section?.endStream === true,
    };
  }
}

const BLANK: ReadResponse = {
  start: "",
  version: "HTTP/2",
  status: 0,
  reason: "",
  method: "GET",
  fields: [],
  framing: "length",
  content: new Uint8Array(),
  chunks: [],
  trailers: [],
  complete: false,
  oddities: [],
  from: 0,
  headEnd: 0,
  to: 0,
  interim: [],
};
