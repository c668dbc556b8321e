import { compareText, type Labels } from "../../model/index.ts";
import type { Block } from "./block.ts";
import { type BlockAbout, type BlockContent, type SeriesContent, writeBlock } from "./write.ts";
import { ChunkBatch } from "../chunk/index.ts";
import { SeriesCompactor, type SeriesPart } from "./compact-series.ts";
import type { Files } from "../files/index.ts";
import { inOrder } from "./merge.ts";
import type { BlockMeta } from "./meta.ts";

/** The name of the new block, and the most octets in a segment of its chunks. */
export type Compaction = Pick<BlockAbout, "ulid" | "segmentLimit">;

/**
 * Writes one block that replaces several, or one with deletions. The caller then removes the old ones; if that is interrupted, the new block names them
 * as its parents and the next opening removes them. Returns undefined, and writes no block, if no samples are left. Throws `Damage` and changes nothing.
 */
export function compactBlocks(files: Files, data: string, blocks: readonly Block[], about: Compaction): BlockMeta | undefined {
  const inTime = inOrderOfTime(blocks);
  const metas = inTime.map((block) => block.meta);
  return writeBlock(files, data, contentOf(inTime), {
    ...about,
    minTime: Math.min(...metas.map((meta) => meta.minTime)),
    maxTime: Math.max(...metas.map((meta) => meta.maxTime)),
    level: Math.max(...metas.map((meta) => meta.compaction.level)) + 1,
    sources: [...new Set(metas.flatMap((meta) => meta.compaction.sources))].sort(),
    parents: metas.map(({ ulid: name, minTime, maxTime }) => ({ ulid: name, minTime, maxTime })),
  });
}

/** The order in which blocks are read and merged. */
export function inOrderOfTime(blocks: readonly Block[]): Block[] {
  return [...blocks].sort((a, b) => a.meta.minTime - b.meta.minTime || (a.meta.ulid < b.meta.ulid ? -1 : 1));
}

function contentOf(blocks: readonly Block[]): BlockContent {
  return { symbols: symbolsOf(blocks), series: seriesOf(blocks) };
}

function symbolsOf(blocks: readonly Block[]): string[] {
  const [only, second] = blocks;
  if (only !== undefined && second === undefined) return [...only.index.symbols.all()];
  const all = new Set<string>();
  for (const block of blocks) for (const symbol of block.index.symbols.all()) all.add(symbol);
  return [...all].sort(compareText);
}

type Row = { readonly labels: Labels; readonly part: SeriesPart };

function* rowsOf(block: Block): Generator<Row> {
  const { index, tombstones } = block;
  for (const number of index.all()) {
    const chunks: number[] = [];
    const labels = index.series(number, chunks);
    yield { labels, part: { block, chunks, deleted: tombstones.get(number) } };
  }
}

function* seriesOf(blocks: readonly Block[]): Generator<SeriesContent> {
  const batch = new ChunkBatch();
  const compactor = new SeriesCompactor();
  const rows = blocks.map((block) => rowsOf(block));
  for (const parts of inOrder(rows, (row) => row.labels)) {
    compactor.compact(
      parts.map((row) => row.part),
      batch,
    );
    yield { labels: parts[0].labels, chunks: batch };
  }
}
