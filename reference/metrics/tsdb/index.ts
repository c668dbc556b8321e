/** The time-series storage: the head in memory, blocks and log on disk (Prometheus docs, storage.md; Prometheus TSDB docs, format/). */
export {
  Damage,
  FileFault,
  type FileLock,
  type Files,
  type FileTrouble,
  keptIn,
  type OpenFile,
  type OpenMode,
  PageCache,
  QUARANTINE,
  readFile,
  replaceFile,
  type Report,
} from "./files/index.ts";
export {
  Block,
  BLOCK_SPANS,
  type BlockAbout,
  type BlockContent,
  type BlockMeta,
  compactBlocks,
  type Compaction,
  isUlid,
  merged,
  openBlocks,
  parseMeta,
  planCompaction,
  removeBlock,
  type SeriesContent,
  ulid,
  writeBlock,
} from "./block/index.ts";
export { crc32c, pack, Packer } from "./codec/index.ts";
export { ChunkBatch, encodeRows, Encoding } from "./chunk/index.ts";
export {
  beyondRetention,
  type Counted,
  Database,
  type DatabaseOptions,
  DEFAULT_DATABASE_OPTIONS,
  DEFAULT_RETENTION,
  type LogEvents,
  type LogFollower,
  type LoggedSample,
  type LogReport,
  type Retained,
  type Retention,
  type StorageStats,
} from "./db/index.ts";
export { DEFAULT_STORAGE_LIMITS, type StorageLimits } from "./head/index.ts";
export {
  type LogPosition,
  type LogScan,
  type ScanFault,
  type ScannedRecord,
  scanInTurn,
  scanSegment,
  type SegmentEvents,
  type SyncPolicy,
} from "./wal/index.ts";
