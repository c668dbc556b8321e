import type { RawField, ReadResponse } from "../../wire/http1/read.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { join } from "../../wire/octets.ts";

type Draft = { -readonly [Member in keyof ReadResponse]: ReadResponse[Member] };

/** Responses that came over HTTP/2, one a stream, in the shape that sights look at. */
export class Http2Responses {
  readonly #final = new Map<number, Draft>();
  readonly #interim = new Map<number, ReadResponse[]>();
  readonly #methodOf: (stream: number) => string;

  constructor(methodOf: (stream: number) => string) {
    this.#methodOf = methodOf;
  }

  /** Final responses by stream. */
  get final(): ReadonlyMap<number, ReadResponse> {
    return this.#final;
  }
  /** Interim responses on streams without a final one. */
  get interim(): ReadonlyMap<number, readonly ReadResponse[]> {
    return this.#interim;
  }

  take(frame: ReadFrame, section: Section | undefined): void {
    if (section?.of === "HEADERS") this.#section(section);
    const response = this.#final.get(frame.stream);
    if (response === undefined) return;
    if (frame.data !== undefined) response.content = join([response.content, frame.data]);
    response.complete ||= frame.endStream === true || section?.endStream === true;
  }

  #section({ stream, fields: section }: Section): void {
    const fields = section.map(([name, value]): RawField => ({ name, value, line: `${name}: ${value}` }));
    const status = Number(section.find(([name]) => name === ":status")?.[1] ?? Number.NaN);
    const there = this.#final.get(stream);
    if (there !== undefined) there.trailers = fields;
    else if (status < 200) this.#interim.set(stream, [...(this.#interim.get(stream) ?? []), this.#message(stream, status, fields)]);
    else {
      this.#final.set(stream, { ...this.#message(stream, status, fields), interim: this.#interim.get(stream) ?? [] });
      this.#interim.delete(stream);
    }
  }

  #message(stream: number, status: number, fields: readonly RawField[]): ReadResponse {
    const method = this.#methodOf(stream);
    const framing = method === "HEAD" || status === 204 || status === 304 || status < 200 ? "none" : "length";
    return {
      start: "",
      version: "HTTP/2",
      status,
      reason: "",
      method,
      fields,
      framing,
      interim: [],
      content: new Uint8Array(),
      chunks: [],
      trailers: [],
      complete: status < 200,
      oddities: [],
      from: 0,
      headEnd: 0,
      to: 0,
    };
  }
}
