import type { BlockDecoder } from "../../wire/field-block.ts";
import type { ReadFrame } from "../../wire/http2-read.ts";
import { join } from "../../wire/octets.ts";
import type { Section } from "./log.ts";

/** Puts field sections together from HEADERS or PUSH_PROMISE and the CONTINUATIONs that follow, however they were cut. */
export class Sections {
  readonly #decoder: BlockDecoder;
  #open: { readonly first: ReadFrame; readonly parts: Uint8Array[] } | undefined;

  constructor(decoder: BlockDecoder) {
    this.#decoder = decoder;
  }

  /** A block has begun and not ended: only CONTINUATION may follow (rfc9113#4.3). */
  get open(): boolean {
    return this.#open !== undefined;
  }

  limit(tableSize: number): void {
    this.#decoder.limit(tableSize);
  }

  take(frame: ReadFrame): Section | undefined {
    if (frame.fragment === undefined) return undefined;
    if (frame.type === "CONTINUATION") this.#open?.parts.push(frame.fragment);
    else this.#open = { first: frame, parts: [frame.fragment] };
    if (this.#open === undefined || frame.endHeaders !== true) return undefined;
    const { first, parts } = this.#open;
    this.#open = undefined;
    const block = join(parts);
    const decoded = this.#decoder.decode(block);
    return {
      of: first.type === "PUSH_PROMISE" ? "PUSH_PROMISE" : "HEADERS",
      stream: first.stream,
      ...(first.promised === undefined ? {} : { promised: first.promised }),
      endStream: first.endStream === true,
      block,
      ...("problem" in decoded ? { fields: [], problem: decoded.problem } : { fields: decoded.fields }),
    };
  }
}
