/** The head: the newest samples, in memory. */
export { type AppendTarget, HeadAppender } from "./append.ts";
export { Batch, type ExemplarRow, HISTOGRAM_KINDS, type HistogramKind, kindOf, SampleColumns } from "./batch.ts";
export { HeadChunks } from "./chunks.ts";
export { type Cut, headContent } from "./content.ts";
export { BLOCK_RANGE, Head } from "./head.ts";
export { DEFAULT_STORAGE_LIMITS, type StorageLimits } from "./limits.ts";
export { HeadQuerier } from "./querier.ts";
export { MOST_REF, SeriesTable } from "./series-table.ts";
