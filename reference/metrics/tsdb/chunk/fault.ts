/** Why a chunk cannot be read. */
export type ChunkFault = "chunkShort" | "chunkWindow" | "chunkTime" | "chunkEncoding" | "chunkHistogram";

/** The faults in words. */
export const CHUNK_FAULTS: Readonly<Record<ChunkFault, string>> = {
  chunkShort: "a chunk ends in the middle of a sample, or has a number beyond 2^53",
  chunkWindow: "a value of a chunk has more than 64 bits",
  chunkTime: "the times of a chunk do not rise, or are beyond 2^53",
  chunkEncoding: "the encoding of a chunk is unknown",
  chunkHistogram: "a chunk has an invalid histogram",
};
