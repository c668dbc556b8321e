import type { Matcher } from "../../model/index.ts";
import type { Querier } from "../../storage/index.ts";
import { Damage, FileFault, type Files, type PageCache, type PagedFile, readFile, replaceFile, type Report } from "../files/index.ts";
import { ChunkReader } from "./chunks-read.ts";
import { IndexReader } from "../index/index.ts";
import { type BlockMeta, parseMeta, printMeta } from "./meta.ts";
import { BlockQuerier } from "./querier.ts";
import { type Intervals, NO_TOMBSTONES, parseTombstones, printTombstones, type Tombstones, withInterval } from "./tombstones.ts";

/**
 * A block on disk: samples of a stretch of time that change no more, but for what is deleted. Its files stay open until it is closed and the last query that
 * reads it has ended, also when its directory is gone.
 */
export class Block {
  readonly directory: string;
  readonly index: IndexReader;
  readonly chunks: ChunkReader;
  readonly report: Report;
  /** Octets of all its files. */
  readonly octets: number;
  readonly #files: Files;
  readonly #indexFile: PagedFile;
  #meta: BlockMeta;
  #tombstones: Tombstones;
  #readers = 0;
  #isClosed = false;

  /** Throws `Damage` where a file of the block cannot be read from, and `FileFault`. What turns out damaged while it is read is reported. */
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

  /** What is deleted from it now; a later deletion makes another map. */
  get tombstones(): Tombstones {
    return this.#tombstones;
  }

  querier(): Querier {
    this.retain();
    return new BlockQuerier(this);
  }

  /**
   * Deletes the samples from `start` to `end` of the series that match: notes them in the file of tombstones, which is whole on disk before this returns.
   * Returns how many series that were; one that cannot be read is reported, and not seen anyway. Throws `Damage` where it is not known which they are.
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
      // Not beyond the samples there are: the formats have no room for all of time.
      const first = Math.max(start, chunks[0] as number);
      next.set(series, withInterval(next.get(series) ?? [], first, Math.min(end, chunks.at(-2) as number)));
      count += 1;
    }
    if (count === 0) return 0;
    replaceFile(this.#files, `${this.directory}/tombstones`, printTombstones(next));
    this.#tombstones = next;
    const numTombstones = [...next.values()].reduce((sum, intervals: Intervals) => sum + intervals.length / 2, 0);
    this.#setMeta({ ...this.#meta, stats: { ...this.#meta.stats, numTombstones } });
    return count;
  }

  /** A compaction of it failed: it is left as it is. */
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
    if (error instanceof FileFault && error.trouble === "not found") throw new Damage(path, 0, "it is not there");
    throw error;
  }
}
