import { Damage, type Files, PageCache, type Report } from "../files/index.ts";
import { Block, compactBlocks, inOrderOfTime, openBlocks, planCompaction, removeBlock } from "../block/index.ts";
import { beyondRetention, type Retention } from "./retention.ts";

/** The blocks of an open data directory, by time. */
export class Blocks {
  readonly #files: Files;
  readonly #directory: string;
  readonly #pages: PageCache;
  readonly #report: Report;
  #blocks: readonly Block[];
  /** Blocks on disk that are not in use, because opening or removing them failed. They are removed before blocks change. */
  readonly #strays = new Set<string>();

  /** Called before the newest blocks are removed and none takes their place, so that the end of all blocks falls. */
  beforeEndFalls: () => void = () => {};

  /** Reports and skips blocks that cannot be read. */
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

  /** Samples in order before this time are in blocks. */
  get endTime(): number {
    return endOf(this.#blocks);
  }

  /** The blocks with samples from `start` to `end`. */
  between(start: number, end: number): Block[] {
    return this.#blocks.filter(({ meta }) => meta.maxTime > start && meta.minTime <= end);
  }

  /** Removes stray blocks, or throws. To be called before blocks change: a stray one must not bring back old content. */
  tidy(): void {
    for (const ulid of this.#strays) {
      if (this.#files.exists(`${this.#directory}/${ulid}`)) removeBlock(this.#files, this.#directory, ulid);
      this.#strays.delete(ulid);
    }
  }

  /** Announces a block that is about to be written. */
  expect(ulid: string): void {
    this.#strays.add(ulid);
  }

  /** Opens an announced block once it is written. */
  add(ulid: string): void {
    const block = new Block(this.#files, `${this.#directory}/${ulid}`, this.#pages, this.#report);
    this.#blocks = inOrderOfTime([...this.#blocks, block]);
    this.#strays.delete(ulid);
  }

  /** Removes blocks. Running queries keep reading them. */
  remove(gone: readonly Block[]): void {
    if (endOf(this.#blocks.filter((block) => !gone.includes(block))) < this.endTime) this.beforeEndFalls();
    for (const block of gone) {
      this.#blocks = this.#blocks.filter((other) => other !== block);
      block.close();
      this.#strays.add(block.meta.ulid);
    }
    this.tidy();
  }

  /** Compacts the next blocks of the plan. Returns false if there is nothing to compact. Leaves damaged blocks as they are. */
  compactOnce(newName: () => string): boolean {
    const names = planCompaction(this.#blocks.map(({ meta }) => meta));
    if (names === undefined) return false;
    this.rewrite(
      this.#blocks.filter(({ meta }) => names.includes(meta.ulid)),
      newName(),
    );
    return true;
  }

  /** Replaces blocks by one. */
  rewrite(old: readonly Block[], ulid: string): void {
    this.expect(ulid);
    try {
      const meta = compactBlocks(this.#files, this.#directory, old, { ulid });
      if (meta !== undefined) this.add(ulid);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.#report(error);
      // Others may be compacted without the damaged one.
      const damaged = old.filter(({ directory }) => error.path.startsWith(`${directory}/`));
      for (const block of damaged.length > 0 ? damaged : old) block.markFailed();
      return;
    }
    this.remove(old);
  }

  /** Removes blocks beyond retention; `others`: size of the directory without blocks. */
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

const endOf = (blocks: readonly Block[]): number => blocks.reduce((most, { meta }) => Math.max(most, meta.maxTime), -Infinity);
