import { Labels } from "../../model/index.ts";
import type { ChunkBatch } from "../chunk/index.ts";
import { ChunkWriter } from "./chunks-write.ts";
import type { Files } from "../files/index.ts";
import { IndexWriter } from "../index/index.ts";
import { type BlockMeta, type Parent, printMeta } from "./meta.ts";
import { NO_TOMBSTONES, printTombstones } from "./tombstones.ts";

/** A directory with this at the end of its name is a block that was not finished, or is being removed: whoever opens the data removes it. */
export const CREATION = ".tmp-for-creation";
export const DELETION = ".tmp-for-deletion";

/** What goes into a block. */
export type BlockContent = {
  /** Every name and value of the series, sorted, each once; others may be among them. */
  readonly symbols: readonly string[];
  /** In the order of their labels, each once. A batch may be the same object again and again: it is read before the next series is asked for. */
  readonly series: Iterable<SeriesContent>;
};
/**
 * One series, with its chunks in the order of time. Who knows where its names and values stand among the symbols names these places in turn, and may do so in
 * the same array for each series.
 */
export type SeriesContent = { readonly labels: Labels | Uint32Array; readonly chunks: ChunkBatch };

/** What the writer cannot tell from the samples; it becomes `meta.json`. Times in milliseconds since 1970, `maxTime` behind the last sample. */
export type BlockAbout = {
  readonly ulid: string;
  readonly minTime: number;
  readonly maxTime: number;
  readonly level?: number;
  readonly sources?: readonly string[];
  readonly parents?: readonly Parent[];
  readonly hints?: readonly string[];
  /** Octets in a segment of chunks. */
  readonly segmentLimit?: number;
};

/**
 * Writes a block into the data directory. It is there under its name when all of it would survive a loss of power, and before that not at all. Returns what
 * it is, or undefined where there was no sample, and no block either.
 */
export function writeBlock(files: Files, data: string, content: BlockContent, about: BlockAbout): BlockMeta | undefined {
  const directory = `${data}/${about.ulid}`;
  const temporary = directory + CREATION;
  files.remove(temporary);
  try {
    files.makeDirectory(`${temporary}/chunks`);
    const stats = writeContent(files, temporary, content, about.segmentLimit);
    if (stats.numSamples === 0) {
      files.remove(temporary);
      return undefined;
    }
    const { ulid, minTime, maxTime, level = 1, sources = [ulid], parents, hints } = about;
    const compaction = { level, sources, ...(parents === undefined ? {} : { parents }), ...(hints === undefined ? {} : { hints }) };
    const meta: BlockMeta = { ulid, minTime, maxTime, stats, compaction, version: 1 };
    writeWhole(files, `${temporary}/meta.json`, printMeta(meta));
    writeWhole(files, `${temporary}/tombstones`, printTombstones(NO_TOMBSTONES));
    files.syncDirectory(`${temporary}/chunks`);
    files.syncDirectory(temporary);
    files.rename(temporary, directory);
    files.syncDirectory(data);
    return meta;
  } catch (error) {
    removeQuietly(files, temporary);
    throw error;
  }
}

function writeContent(files: Files, directory: string, content: BlockContent, segmentLimit: number | undefined): BlockMeta["stats"] {
  const chunkWriter = new ChunkWriter(files, `${directory}/chunks`, segmentLimit);
  const index = new IndexWriter(files.open(`${directory}/index`, "create"), content.symbols);
  const places: number[] = [];
  let [numSamples, numSeries, numChunks] = [0, 0, 0];
  for (const { labels, chunks } of content.series) {
    if (chunks.length === 0) continue;
    chunkWriter.write(chunks, places);
    index.series(labels instanceof Labels ? index.placesOf(labels.flat) : labels, chunks, places);
    for (let chunk = 0; chunk < chunks.length; chunk++) numSamples += chunks.samples(chunk);
    numSeries += 1;
    numChunks += chunks.length;
  }
  chunkWriter.finish();
  index.finish();
  return { numSamples, numSeries, numChunks };
}

function writeWhole(files: Files, path: string, bytes: Uint8Array): void {
  const file = files.open(path, "create");
  try {
    file.write(bytes, 0);
    file.sync();
  } finally {
    file.close();
  }
}

/** What made the writing fail is what is told, not that tidying up failed as well: the next opening tidies up again. */
function removeQuietly(files: Files, directory: string): void {
  try {
    files.remove(directory);
  } catch {
    // Told above.
  }
}
