/** Blocks: immutable time ranges on disk; reading, writing, compaction, deletion (`../FORMAT.md`). */
export { Block } from "./block.ts";
export { compactBlocks, type Compaction, inOrderOfTime } from "./compact.ts";
export { BLOCK_SPANS, planCompaction } from "./compact-plan.ts";
export { openBlocks, removeBlock } from "./directory.ts";
export { merged, Weaver, withoutDeleted } from "./merge.ts";
export { type BlockMeta, isUlid, parseMeta, ulid } from "./meta.ts";
export { type Intervals, isCovered, isTouched, withInterval } from "./tombstones.ts";
export { type BlockAbout, type BlockContent, type SeriesContent, writeBlock } from "./write.ts";
