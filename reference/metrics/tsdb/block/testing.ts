import { Columns, compareLabels, compareText, Labels, Matcher } from "../../model/index.ts";
import type { Querier } from "../../storage/index.ts";
import { Block } from "./block.ts";
import type { Damage } from "../files/damage.ts";
import { PageCache } from "../files/pages.ts";
import { type BlockAbout, writeBlock } from "./write.ts";
import { ChunkBatch } from "../chunk/batch.ts";
import { ChunkEncoder } from "../chunk/encode.ts";
import type { Files } from "../files/files.ts";
import { MemoryFiles } from "../files/testing.ts";

/** The content of a storage: times and values by series, with labels as JSON. */
export type Held = Readonly<Record<string, readonly (readonly [time: number, value: number])[]>>;

export const ULIDS = Array.from({ length: 9 }, (_, at) => `0123456789ABCDEFGHJKMNPQR${at}`);

/** An empty, synced data directory. */
export function emptyFiles(): MemoryFiles {
  const files = new MemoryFiles();
  files.makeDirectory("data");
  files.syncDirectory("");
  files.operations = 0;
  return files;
}

/** Writes a block with this content. */
export function writeHeld(files: Files, held: Held, about: Partial<BlockAbout> & { ulid: string }): void {
  const rows = Object.entries(held)
    .map(([key, samples]) => ({ labels: Labels.of(JSON.parse(key) as Record<string, string>), samples }))
    .sort((a, b) => compareLabels(a.labels, b.labels));
  const times = Object.values(held).flatMap((samples) => samples.map(([time]) => time));
  const batch = new ChunkBatch();
  const encoder = new ChunkEncoder();
  const columns = new Columns();
  const series = function* () {
    for (const { labels, samples } of rows) {
      columns.clear();
      for (const [time, value] of samples) columns.push(time, value);
      batch.clear();
      encoder.encode(columns, 0, batch);
      yield { labels, chunks: batch };
    }
  };
  const symbols = [...new Set(rows.flatMap(({ labels }) => labels.flat))].sort(compareText);
  writeBlock(files, "data", { symbols, series: series() }, { minTime: Math.min(...times), maxTime: Math.max(...times) + 1, ...about });
}

/** Opens a block and collects its reports. */
export function openBlock(files: Files, ulid: string): { block: Block; reports: Damage[] } {
  const reports: Damage[] = [];
  return { block: new Block(files, `data/${ulid}`, new PageCache(65_536), (damage) => reports.push(damage)), reports };
}

export const ALL = new Matcher("none", "=", "");

/** The result of a query. */
export function heldBy(querier: Querier, matchers: readonly Matcher[] = [ALL], start = -Infinity, end = Infinity): Held {
  const held: Record<string, [number, number][]> = {};
  const columns = new Columns();
  for (const series of querier.select(matchers, start, end)) {
    columns.clear();
    series.read(columns, start, end);
    const samples = Array.from({ length: columns.length }, (_, row): [number, number] => [
      columns.times[row] ?? 0,
      columns.values[row] ?? 0,
    ]);
    if (samples.length > 0) held[JSON.stringify(series.labels)] = samples;
  }
  querier.close();
  return held;
}
