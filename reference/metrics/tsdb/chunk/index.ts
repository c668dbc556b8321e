/** A chunk: samples of one series, compressed (`../FORMAT.md`). */
export { ChunkBatch, Encoding } from "./batch.ts";
export { CHUNK_FAULTS, readChunk } from "./decode.ts";
export { encodeRows } from "./encode.ts";
export { appendEven, appendFloat, beginFloatChunk, FloatChunkStates, MOST_EVEN_OCTETS } from "./float.ts";
export { HistogramChunk } from "./histogram.ts";
