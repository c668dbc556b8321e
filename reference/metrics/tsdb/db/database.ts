import { Misuse } from "../../../core/index.ts";
import type { Matcher } from "../../model/index.ts";
import type { Appendable, Appender, Querier, Queryable } from "../../storage/index.ts";
import { Head, HeadAppender, headContent, HeadQuerier, type Part } from "../head/index.ts";
import { Damage, type FileLock, type Files } from "../files/index.ts";
import { merged, ulid, writeBlock } from "../block/index.ts";
import { Blocks } from "./blocks.ts";
import { openLog, type LogReport } from "./open.ts";
import { DEFAULT_DATABASE_OPTIONS, type DatabaseOptions } from "./options.ts";
import { snapshotBlocks } from "./snapshot.ts";
import { storageStats, type StorageStats } from "./stats.ts";
import { Log, scanInTurn } from "../wal/index.ts";

/** So much damage is told: a disk that has more would fill memory and the operator's screen with it. */
const MOST_DAMAGE = 1_000;

/**
 * A data directory that is open (Prometheus docs, storage.md, "On-disk layout"): the newest samples in memory with their log, the others in blocks, and one view of both.
 * Nothing here waits or reads a clock: the owner calls `compact` now and then, and `sync` as often as he likes samples to reach the disk.
 */
export class Database implements Queryable, Appendable {
  readonly directory: string;
  readonly options: DatabaseOptions;
  readonly head: Head;
  readonly blocks: Blocks;
  /** What was found in the log when it was opened. */
  readonly log: LogReport;
  /** What of the blocks cannot be read, as it was found, each once however often it is come upon. */
  readonly damage: Damage[] = [];
  readonly #damageKnown = new Set<string>();
  readonly #files: Files;
  readonly #lock: FileLock;
  readonly #writer: Log;
  /** Samples before this time are in blocks, and their log is to be made shorter. */
  #flushed: number | undefined;
  #isClosed = false;

  /** Throws `FileFault`: `locked` while another process has the directory. What is damaged is reported, and does not keep the rest from being read. */
  constructor(files: Files, directory: string, options: Partial<DatabaseOptions> & Pick<DatabaseOptions, "random">) {
    this.#files = files;
    this.directory = directory;
    this.options = { ...DEFAULT_DATABASE_OPTIONS, ...options };
    files.makeDirectory(directory);
    this.#lock = files.lock(`${directory}/lock`);
    let blocks: Blocks | undefined;
    try {
      this.blocks = blocks = new Blocks(files, directory, (damage) => this.#note(damage), this.options.pageOctets);
      this.head = new Head(this.options);
      this.head.floor = this.blocks.endTime;
      const log = { files, scan: this.options.scanLog ?? scanInTurn(files) };
      this.log = openLog(log, directory, this.head);
      const { walSync: sync, walSegmentOctets: segmentOctets } = this.options;
      this.#writer = new Log(log, directory, this.head, { sync, segmentOctets });
    } catch (error) {
      blocks?.close();
      this.#lock.release();
      throw error;
    }
  }

  appender(): Appender {
    this.#check();
    return new HeadAppender(this.#writer);
  }

  /** One consistent view of memory and blocks. To be closed. */
  querier(start: number, end: number): Querier {
    this.#check();
    const queriers = this.blocks.between(start, end).map((block) => block.querier());
    const { head } = this;
    if (head.maxTime >= start && head.minTime <= end) queriers.push(new HeadQuerier(head));
    return merged(queriers);
  }

  /** Pushes to the disk what is only with the kernel. */
  sync(): void {
    this.#check();
    this.#writer.sync();
  }

  /**
   * One step of what has to be done now and then; says whether there may be another: memory that spans more than one and a half blocks is written into one,
   * small blocks are made larger ones, old ones removed. `now` names new blocks.
   */
  compact(now: number): boolean {
    this.#check();
    this.#settle();
    const { head, options } = this;
    // While somebody reads, memory stays as it is.
    if (head.maxTime - head.minTime > options.blockRange * 1.5 && head.views.isEmpty) {
      this.#flush(now, (Math.floor(head.minTime / options.blockRange) + 1) * options.blockRange);
      return true;
    }
    if (this.blocks.compactOnce(() => this.#newName(now))) return true;
    this.blocks.retain(options.retention, options.retention.octets > 0 ? this.#writer.octets : 0);
    return false;
  }

  /**
   * Deletes the samples from `start` to `end` of the series that match (Prometheus docs, storage.md): they are not seen any more, and go from the disk when blocks are compacted.
   * Throws `Damage` where a block does not tell which series match; everywhere else they are deleted then.
   */
  delete(matchers: readonly Matcher[], start: number, end: number): void {
    this.#check();
    this.#settle();
    const damage: Damage[] = [];
    for (const block of this.blocks.between(start, end)) {
      try {
        block.delete(matchers, start, end);
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        block.report(error);
        damage.push(error);
      }
    }
    const { head } = this;
    const rows: { ref: number; start: number; end: number }[] = [];
    for (const row of head.select(matchers)) {
      // Not beyond the samples there are: what comes later is not deleted.
      const first = Math.max(start, head.firstTime(row));
      const last = Math.min(end, head.lastTime(row));
      if (first <= last) rows.push({ ref: head.table.refOf(row), start: first, end: last });
    }
    this.#writer.logDeletions(rows);
    for (const { ref, start: first, end: last } of rows) head.deletions.add(ref, first, last);
    for (const one of damage) throw one;
  }

  /** Removes what was deleted from the blocks, at once. */
  cleanTombstones(now: number): void {
    this.#check();
    this.#settle();
    for (const block of this.blocks.all) if (block.tombstones.size > 0) this.blocks.rewrite([block], this.#newName(now));
  }

  /** Makes a copy of all blocks, and with `head` of what is in memory as a block, in a directory that is not there yet. Takes no room for blocks. */
  snapshot(directory: string, head: boolean, now: number): void {
    this.#check();
    if (this.#files.exists(directory)) throw new Misuse(`${directory} is there already: name another directory.`);
    snapshotBlocks(this.#files, this.blocks.all, directory);
    if (head && this.head.maxTime >= this.head.minTime) this.#write(directory, now, this.head.minTime, this.head.maxTime + 1, "all");
  }

  /** Of what is in memory: `limit` rows in each table (Prometheus docs, querying/api.md, "TSDB Stats"). */
  stats(limit = 10): StorageStats {
    this.#check();
    return storageStats(this.head, limit);
  }

  /** Writes all that memory has into blocks, and leaves it empty. */
  flush(now: number): void {
    this.#check();
    this.#settle();
    const { head, options } = this;
    if (!head.views.isEmpty) throw new Misuse("Close the queriers first: memory cannot be let go of while it is read.");
    while (head.maxTime >= head.minTime) this.#flush(now, (Math.floor(head.minTime / options.blockRange) + 1) * options.blockRange);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#writer.close();
    } finally {
      this.blocks.close();
      this.#lock.release();
    }
  }

  /** Writes the samples in memory before `end` into blocks, and lets go of them. */
  #flush(now: number, end: number): void {
    const { head } = this;
    const { blockRange } = this.options;
    const start = Math.max(head.minTime, end - blockRange);
    // First those in order: a block of late samples alone must not tell the next opening that all before its end is in blocks.
    const written = [this.#write(this.directory, now, start, end, "all")];
    for (let from = end - blockRange; head.late.minTime() < start && from + blockRange > head.late.minTime(); from -= blockRange) {
      const to = Math.min(from + blockRange, start);
      if (from < to) written.push(this.#write(this.directory, now, from, to, "late"));
    }
    for (const name of written) if (name !== undefined) this.blocks.add(name);
    head.truncate(end);
    this.#flushed = end;
    this.#settle();
  }

  /** Finishes what failed before: what is deleted or appended now must not meet what should be gone when the directory is opened again. */
  #settle(): void {
    this.blocks.tidy();
    if (this.#flushed === undefined) return;
    // First those that came late: the log beside theirs says what was deleted of them.
    this.#writer.truncateLate();
    this.#writer.truncate(this.#flushed);
    // Another server's, of chunks whose samples the log has as well: it would only grow old.
    this.#files.remove(`${this.directory}/chunks_head`);
    this.#flushed = undefined;
  }

  #write(directory: string, now: number, start: number, end: number, part: Part): string | undefined {
    const about = { ulid: this.#newName(now), minTime: start, maxTime: end };
    if (directory === this.directory) this.blocks.expect(about.ulid);
    return writeBlock(this.#files, directory, headContent(this.head, start, end, part), about)?.ulid;
  }

  /** Every query comes upon the same damage again: it is not kept again. The last that is told says that it is. */
  #note(damage: Damage): void {
    const left = MOST_DAMAGE - this.damage.length;
    if (left === 0 || this.#damageKnown.has(damage.message)) return;
    this.#damageKnown.add(damage.message);
    const { path, at, what } = damage;
    this.damage.push(left > 1 ? damage : new Damage(path, at, what, "What else is damaged is not told any more"));
  }

  #newName(now: number): string {
    return ulid(now, this.options.random(new Uint8Array(16)));
  }

  #check(): void {
    if (this.#isClosed) throw new Misuse("The database is closed.");
  }
}
