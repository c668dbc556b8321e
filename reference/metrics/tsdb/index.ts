/** The time-series storage (storage.md, tsdb-format/): what is in memory, what is on disk, and one view of both. */
export { FileFault, type FileLock, type Files, type FileTrouble, type OpenFile, type OpenMode } from "./files.ts";
export { appendFloat, beginFloatChunk, FloatChunkStates, MOST_SAMPLE_OCTETS, readFloatChunk, sampleCount } from "./chunk-float.ts";
export { Damage, type Report } from "./block-damage.ts";
export { PageCache } from "./block-pages.ts";
export { Block } from "./block.ts";
export { openBlocks, removeBlock } from "./block-directory.ts";
export { type BlockAbout, type BlockContent, type SeriesContent, writeBlock } from "./block-write.ts";
export { ChunkBatch, Encoding } from "./chunk-batch.ts";
export { CHUNK_FAULTS, readChunk } from "./chunk-decode.ts";
export { encodeRows } from "./chunk-encode.ts";
export { type ChunkEnd, HistogramChunk } from "./chunk-histogram.ts";
export { BLOCK_SPANS, planCompaction } from "./compact-plan.ts";
export { compactBlocks } from "./compact.ts";
export { crc32c } from "./crc32c.ts";
export { merged } from "./merge.ts";
export { type BlockMeta, isUlid, parseMeta, ulid } from "./meta.ts";
export { beyondRetention, DEFAULT_RETENTION, type Retained, type Retention } from "./retention.ts";
