/** The time-series storage (storage.md, tsdb-format/): what is in memory, what is on disk, and one view of both. */
export { FileFault, type FileLock, type Files, type FileTrouble, type OpenFile, type OpenMode } from "./files.ts";
export { appendFloat, beginFloatChunk, FloatChunkStates, MOST_SAMPLE_OCTETS, readFloatChunk, sampleCount } from "./chunk-float.ts";
