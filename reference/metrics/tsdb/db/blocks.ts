import { Damage, type Files, PageCache, type Report } from "../files/index.ts";
import { Block, compactBlocks, inOrderOfTime, openBlocks, planCompaction, removeBlock } from "../block/index.ts";
import { beyondRetention, type Retention } from "./retention.ts";

/** The blocks of a data directory that is open, by time. */
export class Blocks {
  readonly #files: Files;
  readonly #directory: string;
  readonly #pages: PageCache;
  readonly #report: Report;
  #blocks: readonly Block[];
  /** Blocks on disk that are not among ours, since opening or removing them failed: they go before anything else is done. */
  readonly #strays = new Set<string>();

  /** A block that cannot be read is reported; the others are there. */
  constructor(files: Files, directory: string, report: Report, pageOctets?: number) {
    this.#files = files;
    this.#directory = directory;
    this.#pages = new PageCache(pageOctets);
    this.#report = report;
    this.#blocks = openBlocks(files, directory, this.#pages, report);
  }

  get all(): readonly Block[] {
    return this.#blocks;
  }

  get octets(): number {
    return this.#blocks.reduce((sum, block) => sum + block.octets, 0);
  }

  /** What came in order and is before this time is in blocks. */
  get endTime(): number {
    return this.#blocks.reduce((most, { meta }) => Math.max(most, meta.maxTime), -Infinity);
  }

  /** Those with samples from `start` to `end`. */
  between(start: number, end: number): Block[] {
    return this.#blocks.filter(({ meta }) => meta.maxTime > start && meta.minTime <= end);
  }

  /** To be called before blocks are changed: what happened to ours must not come back from a stray one. Throws where that cannot be. */
  tidy(): void {
    for (const ulid of this.#strays) {
      if (this.#files.exists(`${this.#directory}/${ulid}`)) removeBlock(this.#files, this.#directory, ulid);
      this.#strays.delete(ulid);
    }
  }

  /** A block of this name is about to be written. */
  expect(ulid: string): void {
    this.#strays.add(ulid);
  }

  /** Opens a block that was expected and is written. */
  add(ulid: string): void {
    const block = new Block(this.#files, `${this.#directory}/${ulid}`, this.#pages, this.#report);
    this.#blocks = inOrderOfTime([...this.#blocks, block]);
    this.#strays.delete(ulid);
  }

  /** Removes blocks; who reads them goes on to read them. */
  remove(gone: readonly Block[]): void {
    for (const block of gone) {
      this.#blocks = this.#blocks.filter((other) => other !== block);
      block.close();
      this.#strays.add(block.meta.ulid);
    }
    this.tidy();
  }

  /** Makes one block of those that the plan names next; says whether there was one to make. A block that turns out to be damaged is left as it is. */
  compactOnce(newName: () => string): boolean {
    const names = planCompaction(this.#blocks.map(({ meta }) => meta));
    if (names === undefined) return false;
    this.rewrite(
      this.#blocks.filter(({ meta }) => names.includes(meta.ulid)),
      newName(),
    );
    return true;
  }

  /** Writes one block in place of these. */
  rewrite(old: readonly Block[], ulid: string): void {
    this.expect(ulid);
    try {
      const meta = compactBlocks(this.#files, this.#directory, old, ulid);
      if (meta !== undefined) this.add(ulid);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.#report(error);
      // The others may be compacted without it.
      const damaged = old.filter(({ directory }) => error.path.startsWith(`${directory}/`));
      for (const block of damaged.length > 0 ? damaged : old) block.markFailed();
      return;
    }
    this.remove(old);
  }

  /** Removes what is beyond retention; `others`: octets of the directory that are in no block. */
  retain(retention: Retention, others: number): void {
    const known = this.#blocks.map(({ meta, octets }) => ({ ulid: meta.ulid, minTime: meta.minTime, maxTime: meta.maxTime, octets }));
    const gone = beyondRetention(known, retention, others);
    this.remove(this.#blocks.filter(({ meta }) => gone.includes(meta.ulid)));
  }

  close(): void {
    for (const block of this.#blocks) block.close();
    this.#blocks = [];
  }
}
