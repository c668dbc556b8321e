import type { BlockDecoder } from "../hpack/field-block.ts";
import type { ReadField, ReadFrame } from "./read.ts";
import { join } from "../octets.ts";

/** A complete field section, however its block was split into frames. */
export type Section = {
  readonly of: "HEADERS" | "PUSH_PROMISE";
  readonly stream: number;
  readonly promised?: number;
  readonly fields: readonly ReadField[];
  readonly endStream: boolean;
  readonly block: Uint8Array;
  /** Why the block does not decode; `fields` is empty then. */
  readonly problem?: string;
};

/** Joins HEADERS or PUSH_PROMISE and the CONTINUATION frames after it into field sections. */
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

  /** The section that this frame completes, if it completes one. */
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
