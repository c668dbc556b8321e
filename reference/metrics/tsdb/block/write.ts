import { Labels } from "../../model/index.ts";
import type { ChunkBatch } from "../chunk/index.ts";
import { ChunkWriter } from "./chunks-write.ts";
import type { Files } from "../files/index.ts";
import { IndexWriter } from "../index/index.ts";
import { type BlockMeta, type Parent, printMeta } from "./meta.ts";
import { NO_TOMBSTONES, printTombstones } from "./tombstones.ts";

/** Suffixes of the directories of unfinished blocks and of blocks being removed. Opening the data directory removes both. */
export const CREATION = ".tmp-for-creation";
export const DELETION = ".tmp-for-deletion";

/** The content of a block. */
export type BlockContent = {
  /** Every name and value of the series, sorted, without duplicates. May contain others. */
  readonly symbols: readonly string[];
  /** In the order of their labels. The batch may be one object for all series: it is consumed before the next series is requested. */
  readonly series: Iterable<SeriesContent>;
};
/**
 * One series with its chunks in time order. Labels may be given as symbol numbers, names and values alternating, in an array that is reused for each
 * series.
 */
export type SeriesContent = { readonly labels: Labels | Uint32Array; readonly chunks: ChunkBatch };

/** What `meta.json` says besides the counts. Times in milliseconds since 1970; `maxTime` is exclusive. */
export type BlockAbout = {
  readonly ulid: string;
  readonly minTime: number;
  readonly maxTime: number;
  readonly level?: number;
  readonly sources?: readonly string[];
  readonly parents?: readonly Parent[];
  readonly hints?: readonly string[];
  /** The most octets in a segment of chunks. */
  readonly segmentLimit?: number | undefined;
};

/**
 * Writes a block into the data directory. It appears under its name only once all of it survives a power loss. Returns its description, or undefined if
 * there is no sample and so no block.
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

/** Keeps the original error if the cleanup fails too: the next opening cleans up again. */
function removeQuietly(files: Files, directory: string): void {
  try {
    files.remove(directory);
  } catch {
    // The caller throws the original error.
  }
}
