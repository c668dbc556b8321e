import { vectorFile, writeFiles, type VectorSource } from "../write.ts";
import { damaged, floats, histograms, starts } from "./source/chunks.ts";
import { indices, records, tombstones } from "./source/files.ts";
import { lives } from "./source/lives.ts";
import { snappyBlocks } from "./source/snappy.ts";
import type { LifeVector } from "./source/life-kinds.ts";
import type { TsdbVector } from "./source/kinds.ts";

/** `node vectors/tsdb/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

type Source = VectorSource<TsdbVector | LifeVector> & { readonly kind: string };

const FLAGS: Source["flags"] = {
  Float: { why: "a chunk of floats", bug: "MISREAD_CHUNK" },
  Histogram: { why: "a chunk of histograms", bug: "MISREAD_CHUNK" },
  Start: { why: "a chunk with optional start timestamps", bug: "MISREAD_CHUNK" },
  Stale: { why: "a staleness marker keeps its bits", bug: "LOST_MARK" },
  Index: { why: "an index: symbols, series, postings", bug: "MISREAD_INDEX" },
  Tombstones: { why: "deleted time ranges", bug: "MISREAD_TOMBSTONES" },
  Record: { why: "a record of the log", bug: "MISREAD_RECORD" },
  Cut: { why: "octets are missing at the end", bug: "READ_PAST_END" },
  Length: { why: "a length beyond the end", bug: "READ_PAST_END" },
  Magic: { why: "another kind of file, or another version", bug: "MISSING_CHECK" },
  Checksum: { why: "a flipped bit, which a checksum shows", bug: "MISSING_CHECK" },
  Snappy: { why: "a compressed block", bug: "MISREAD_BLOCK" },
  Damage: { why: "octets that no writer produces", bug: "MISSING_CHECK" },
  Type: { why: "a record of no known type", bug: "MISSING_CHECK" },
  Life: { why: "what is appended is shown, after restarts and kills too", bug: "LOST_SAMPLE" },
  Refused: { why: "samples that a storage does not take", bug: "MISSING_CHECK" },
  Late: { why: "samples that are late, within the window", bug: "LOST_SAMPLE" },
  Block: { why: "blocks are written and compacted", bug: "LOST_SAMPLE" },
  Deletion: { why: "what is deleted is not shown", bug: "KEPT_SAMPLE" },
  Retention: { why: "what is too old is removed", bug: "KEPT_SAMPLE" },
  Snapshot: { why: "a copy of the storage", bug: "LOST_SAMPLE" },
};

const source = (kind: string, about: string, spec: string, vectors: Source["vectors"]): Source => {
  const used = new Set(vectors.flatMap(({ flags }) => flags));
  return { kind, about, spec, flags: Object.fromEntries(Object.entries(FLAGS).filter(([flag]) => used.has(flag))), vectors };
};

export const SOURCES: Readonly<Record<string, Source>> = {
  "chunks-float": source("tsdb-chunk", "Chunks of floats, and the samples in them", "prometheus-chunks#xor-chunk-data", floats),
  "chunks-histogram": source("tsdb-chunk", "Chunks of integer and float histograms", "prometheus-chunks#histogram-chunk-data", histograms),
  "chunks-start": source(
    "tsdb-chunk",
    "Chunks with start timestamps; the samples are without them",
    "prometheus-chunks#xor2-chunk-data",
    starts,
  ),
  "chunks-damaged": source("tsdb-chunk", "Invalid chunks", "prometheus-chunks#chunk", damaged),
  index: source("tsdb-index", "Whole index files, valid and damaged", "prometheus-index#index-disk-format", indices),
  tombstones: source(
    "tsdb-tombstones",
    "Whole tombstone files, valid and damaged",
    "prometheus-tombstones#tombstones-disk-format",
    tombstones,
  ),
  lives: source("tsdb-life", "Lives of a storage: what it takes, and what it shows", "prometheus-storage#on-disk-layout", lives),
  records: source("tsdb-record", "Records of the write-ahead log, without their frames", "prometheus-wal#record-encoding", records),
  snappy: source("tsdb-snappy", "Snappy blocks, as records of the log are compressed", "prometheus-wal#segment-encoding", snappyBlocks),
};

/** The content of the file of a source. */
export function fileOf(made: Source): string {
  const isByHand = ["tsdb-life", "tsdb-snappy"].includes(made.kind) || made.vectors.every(({ result }) => result === "invalid");
  return vectorFile(
    made.kind,
    made,
    isByHand ? undefined : { name: "github.com/prometheus/prometheus/tsdb, and by hand", version: "0.316.0" },
  );
}

if (import.meta.main) writeFiles(import.meta.dirname, SOURCES, (_, made) => fileOf(made));
