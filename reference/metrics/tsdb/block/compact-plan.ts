import type { BlockMeta } from "./meta.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The most milliseconds that a block of each level spans. A span need not be a multiple of the one before. */
export const BLOCK_SPANS: readonly number[] = [2 * HOUR, 16 * HOUR, 5 * DAY, 14 * DAY];
/** A block with deletions in more than this share of its series is rewritten. */
const TOMBSTONE_SHARE = 0.05;

/**
 * The names of the blocks to compact next; undefined if none. First, blocks that overlap. Then, from the narrowest level up, as many neighbours as fit
 * the level, if the group is complete: it fills the level, or the next block exists and does not fit. (Otherwise each new block would rewrite all
 * blocks before it.) Last, a block with many deletions. A block whose compaction failed stays as it is and separates its neighbours.
 */
export function planCompaction(blocks: readonly BlockMeta[], spans: readonly number[] = BLOCK_SPANS): string[] | undefined {
  const sorted = [...blocks].sort((a, b) => a.minTime - b.minTime || (a.ulid < b.ulid ? -1 : 1));
  return (overlapping(sorted) ?? complete(sorted, spans) ?? muchDeleted(sorted))?.map((meta) => meta.ulid);
}

function overlapping(sorted: readonly BlockMeta[]): BlockMeta[] | undefined {
  let group: BlockMeta[] = [];
  let end = -Infinity;
  for (const meta of sorted) {
    if (meta.compaction.failed === true) continue;
    if (meta.minTime >= end) {
      if (group.length > 1) return group;
      group = [];
    }
    group.push(meta);
    end = Math.max(end, meta.maxTime);
  }
  return group.length > 1 ? group : undefined;
}

function complete(sorted: readonly BlockMeta[], spans: readonly number[]): BlockMeta[] | undefined {
  for (const span of spans) {
    let rest = sorted;
    for (let [first] = rest; first !== undefined; [first] = rest) {
      const begin = first;
      const end = rest.findIndex((next) => !fits(begin, next, span));
      const group = end < 0 ? rest : rest.slice(0, end);
      const isFull = (group.at(-1)?.maxTime ?? 0) - begin.minTime === span;
      if (group.length > 1 && (end >= 0 || isFull)) return [...group];
      rest = rest.slice(Math.max(1, group.length));
    }
  }
  return undefined;
}

const fits = (first: BlockMeta, next: BlockMeta, span: number): boolean =>
  next.maxTime - first.minTime <= span && first.compaction.failed !== true && next.compaction.failed !== true;

/** Skips the newest block: it is compacted soon anyway. */
function muchDeleted(sorted: readonly BlockMeta[]): BlockMeta[] | undefined {
  const found = sorted
    .slice(0, -1)
    .find(({ stats, compaction }) => compaction.failed !== true && (stats.numTombstones ?? 0) > TOMBSTONE_SHARE * (stats.numSeries + 1));
  return found === undefined ? undefined : [found];
}
