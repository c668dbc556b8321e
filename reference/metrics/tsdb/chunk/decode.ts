import type { Columns } from "../../model/index.ts";
import { Encoding } from "./batch.ts";
import { type ChunkFault, readFloatChunk } from "./float.ts";
import { readHistogramChunk } from "./histogram.ts";
import { readFloatStartChunk } from "./start.ts";

/** Appends the samples with `start <= time <= end` of a chunk of any encoding, or nothing where it cannot be read: then it says why. */
export function readChunk(
  encoding: number,
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Columns,
  start: number,
  end: number,
): ChunkFault | undefined {
  if (encoding === Encoding.xor) return readFloatChunk(bytes, from, to, into, start, end);
  if (encoding === Encoding.xor2) return readFloatStartChunk(bytes, from, to, into, start, end);
  if (encoding >= Encoding.histogram && encoding <= Encoding.floatHistogramStart)
    return readHistogramChunk(encoding, bytes, from, to, into, start, end);
  return "chunkEncoding";
}

/** What is wrong with a chunk, in words. */
export const CHUNK_FAULTS: Readonly<Record<ChunkFault, string>> = {
  chunkShort: "a chunk ends in the middle of a sample, or has a number beyond 2^53",
  chunkWindow: "a value of a chunk has more than 64 bits",
  chunkTime: "the times of a chunk do not rise, or are beyond 2^53",
  chunkEncoding: "the encoding of a chunk is not known",
  chunkHistogram: "a histogram of a chunk is none",
};
