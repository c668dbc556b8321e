/** A chunk: samples of one series, compressed (`../FORMAT.md`). */
export { ChunkBatch, type EncodedChunk, Encoding, type TimedChunk } from "./batch.ts";
export { ChunkDecoder } from "./decode.ts";
export { ChunkEncoder, encodeRows } from "./encode.ts";
export { CHUNK_FAULTS } from "./fault.ts";
export { appendEven, appendFloat, beginFloatChunk, FloatChunkStates, MOST_EVEN_OCTETS } from "./float.ts";
export { HistogramChunk } from "./histogram.ts";
