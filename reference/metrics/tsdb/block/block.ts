import type { Matcher } from "../../model/index.ts";
import type { Querier } from "../../storage/index.ts";
import { ChunkDecoder } from "../chunk/index.ts";
import { Damage, FileFault, type Files, type PageCache, type PagedFile, readFile, replaceFile, type Report } from "../files/index.ts";
import { ChunkReader } from "./chunks-read.ts";
import { IndexReader } from "../index/index.ts";
import { type BlockMeta, parseMeta, printMeta } from "./meta.ts";
import { BlockQuerier, type BlockSource } from "./querier.ts";
import { type Intervals, NO_TOMBSTONES, parseTombstones, printTombstones, type Tombstones, withInterval } from "./tombstones.ts";

/**
 * A block on disk: the samples of a time range, immutable except for deletions. Its files stay open until it is closed and the last query on it has
 * ended, even if its directory is removed.
 */
export class Block implements BlockSource {
  readonly directory: string;
  readonly index: IndexReader;
  readonly chunks: ChunkReader;
  readonly decoder: ChunkDecoder = new ChunkDecoder();
  readonly report: Report;
  /** Total size of its files. */
  readonly octets: number;
  readonly #files: Files;
  readonly #indexFile: PagedFile;
  #meta: BlockMeta;
  #tombstones: Tombstones;
  #readers = 0;
  #isClosed = false;

  /** Throws `Damage` if the block cannot be opened, and `FileFault`. Damage found later is reported. */
  constructor(files: Files, directory: string, pages: PageCache, report: Report) {
    this.#files = files;
    this.directory = directory;
    this.report = report;
    const metaBytes = contentOf(files, `${directory}/meta.json`);
    this.#meta = parseMeta(`${directory}/meta.json`, metaBytes);
    if (!directory.endsWith(`/${this.#meta.ulid}`)) throw new Damage(`${directory}/meta.json`, 0, "it names another block");
    this.#tombstones = tombstonesOf(files, `${directory}/tombstones`);
    this.#indexFile = pages.open(opened(files, `${directory}/index`));
    try {
      this.index = new IndexReader(this.#indexFile);
      this.chunks = missingIsDamage(`${directory}/chunks`, () => new ChunkReader(files, `${directory}/chunks`, pages));
    } catch (error) {
      this.#indexFile.close();
      throw error;
    }
    this.octets = metaBytes.length + this.#indexFile.size + this.chunks.octets;
  }

  get meta(): BlockMeta {
    return this.#meta;
  }

  /** The current deletions; a later deletion creates a new map. */
  get tombstones(): Tombstones {
    return this.#tombstones;
  }

  querier(): Querier {
    this.retain();
    return new BlockQuerier(this);
  }

  /**
   * Deletes the samples from `start` to `end` of the series that match, by adding tombstones; they are on disk when this returns. Returns the number of
   * series. A damaged series is reported and skipped: queries skip it too. Throws `Damage` if the index cannot select the series.
   */
  delete(matchers: readonly Matcher[], start: number, end: number): number {
    const next = new Map(this.#tombstones);
    const chunks: number[] = [];
    let count = 0;
    for (const series of this.index.select(matchers)) {
      chunks.length = 0;
      try {
        this.index.series(series, chunks, start, end);
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        this.report(error);
        continue;
      }
      if (chunks.length === 0) continue;
      // Clamp to the samples: the format cannot store infinite times.
      const first = Math.max(start, chunks[0]!);
      next.set(series, withInterval(next.get(series) ?? [], first, Math.min(end, chunks.at(-2)!)));
      count += 1;
    }
    if (count === 0) return 0;
    replaceFile(this.#files, `${this.directory}/tombstones`, printTombstones(next));
    this.#tombstones = next;
    const numTombstones = [...next.values()].reduce((sum, intervals: Intervals) => sum + intervals.length / 2, 0);
    this.#setMeta({ ...this.#meta, stats: { ...this.#meta.stats, numTombstones } });
    return count;
  }

  /** Records that a compaction failed: no other is tried. */
  markFailed(): void {
    this.#setMeta({ ...this.#meta, compaction: { ...this.#meta.compaction, failed: true } });
  }

  retain(): void {
    this.#readers += 1;
  }

  release(): void {
    this.#readers -= 1;
    this.#closeWhenIdle();
  }

  close(): void {
    this.#isClosed = true;
    this.#closeWhenIdle();
  }

  #setMeta(meta: BlockMeta): void {
    replaceFile(this.#files, `${this.directory}/meta.json`, printMeta(meta));
    this.#meta = meta;
  }

  #closeWhenIdle(): void {
    if (!this.#isClosed || this.#readers > 0) return;
    this.#readers = Infinity;
    this.#indexFile.close();
    this.chunks.close();
  }
}

function contentOf(files: Files, path: string): Uint8Array {
  return missingIsDamage(path, () => readFile(files, path));
}

const tombstonesOf = (files: Files, path: string): Tombstones =>
  files.exists(path) ? parseTombstones(path, readFile(files, path)) : NO_TOMBSTONES;

const opened = (files: Files, path: string) => missingIsDamage(path, () => files.open(path, "read"));

function missingIsDamage<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault && error.trouble === "not found") throw new Damage(path, 0, "it is missing");
    throw error;
  }
}
