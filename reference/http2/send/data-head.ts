import { Writer } from "../../core/index.ts";
import { FrameType, HEAD_LENGTH, writeHead } from "../frame/head.ts";
import type { StreamId } from "../stream/id.ts";

/**
 * The head of a DATA frame without END_STREAM whose content is sent as a separate view (rfc9113#4.1). A download consists of many such
 * frames with the same stream and length, which can all share one head.
 */
export class DataHead {
  readonly #length: number;
  readonly #stream: StreamId;
  /** Must never be written to. A Buffer, because Node's streams convert any other view on each write. */
  readonly octets: Uint8Array;

  constructor(length: number, stream: StreamId) {
    this.#length = length;
    this.#stream = stream;
    const writer = new Writer(HEAD_LENGTH);
    writeHead(writer, { length, type: FrameType.DATA, flags: 0, stream });
    this.octets = Buffer.from(writer.take().buffer);
  }

  fits(length: number, stream: StreamId): boolean {
    return this.#length === length && this.#stream === stream;
  }
}
