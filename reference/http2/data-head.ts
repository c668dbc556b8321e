import { Writer } from "../core/index.ts";
import { FrameType, HEAD_LENGTH, writeHead } from "./frame/head.ts";
import type { StreamId } from "./stream-id.ts";

/**
 * Heads of DATA frames that neither end their stream nor hold their content: it leaves beside them as a view. In a download one such frame
 * after the other has the same stream and the same length, so all of them share the octets of one head (rfc9113#4.1).
 */

const NO_HEAD = new Uint8Array(0);
const writer = new Writer(HEAD_LENGTH);
let length = 0;
let stream: StreamId | undefined;
let head: Uint8Array = NO_HEAD;

/** The nine octets, which nobody writes to again. */
export function dataHead(ofLength: number, ofStream: StreamId): Uint8Array {
  if (length !== ofLength || stream !== ofStream) {
    writeHead(writer, ofLength, FrameType.DATA, 0, ofStream);
    length = ofLength;
    stream = ofStream;
    // Node's streams write a Buffer as it is, and make one of every other view, each time that they are given it.
    head = Buffer.from(writer.take().buffer);
  }
  return head;
}
