import { compareText, type Labels } from "../../model/index.ts";
import { type Block } from "./block.ts";
import { type BlockContent, type SeriesContent, writeBlock } from "./write.ts";
import { ChunkBatch } from "../chunk/index.ts";
import { compactSeries, type SeriesPart } from "./compact-series.ts";
import type { Files } from "../files/index.ts";
import { inOrder } from "./merge.ts";
import type { BlockMeta } from "./meta.ts";

/**
 * Writes one block in place of several, or of one of which something was deleted. They stay as they are: whoever calls takes them away when the new one is
 * there. Should it be interrupted in between, the new block names them as its parents, and the next opening takes them away. Returns undefined where nothing
 * was left, and no block written. Throws `Damage`, and then nothing has changed.
 */
export function compactBlocks(
  files: Files,
  data: string,
  blocks: readonly Block[],
  ulid: string,
  segmentLimit?: number,
): BlockMeta | undefined {
  const inTime = inOrderOfTime(blocks);
  const metas = inTime.map((block) => block.meta);
  return writeBlock(files, data, contentOf(inTime), {
    ulid,
    minTime: Math.min(...metas.map((meta) => meta.minTime)),
    maxTime: Math.max(...metas.map((meta) => meta.maxTime)),
    level: Math.max(...metas.map((meta) => meta.compaction.level)) + 1,
    sources: [...new Set(metas.flatMap((meta) => meta.compaction.sources))].sort(),
    parents: metas.map(({ ulid: name, minTime, maxTime }) => ({ ulid: name, minTime, maxTime })),
    ...(segmentLimit === undefined ? {} : { segmentLimit }),
  });
}

/** The order in which blocks are asked and merged: by their first times. */
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
  const rows = blocks.map((block) => rowsOf(block));
  for (const parts of inOrder(rows, (row) => row.labels)) {
    compactSeries(
      parts.map((row) => row.part),
      batch,
    );
    yield { labels: (parts[0] as Row).labels, chunks: batch };
  }
}
