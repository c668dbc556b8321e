import { Misuse } from "../../../core/index.ts";
import type { Matcher } from "../../model/index.ts";
import type { Appendable, Appender, ExemplarStore, Querier, Queryable } from "../../storage/index.ts";
import { type Cut, Head, HeadAppender, headContent, HeadQuerier } from "../head/index.ts";
import { Damage, type FileLock, type Files } from "../files/index.ts";
import { merged, ulid, writeBlock } from "../block/index.ts";
import { Blocks } from "./blocks.ts";
import { type LogEvents, LogFollower } from "./follow.ts";
import { openLog, type LogReport } from "./open.ts";
import { DEFAULT_DATABASE_OPTIONS, type DatabaseOptions } from "./options.ts";
import { snapshotBlocks } from "./snapshot.ts";
import { storageStats, type StorageStats } from "./stats.ts";
import { Log, type LogPosition, scanInTurn } from "../wal/index.ts";

/** The most reports of damage: a broken disk must not fill memory and logs. */
const MOST_DAMAGE = 1_000;

/**
 * An open data directory (Prometheus docs, storage.md, "On-disk layout"): the newest samples in memory with their log, older ones in blocks, and one
 * view of both. It has no timers and no clock: the owner calls `compact` regularly, and `sync` as often as samples should reach the disk.
 */
export class Database implements Queryable, Appendable {
  readonly directory: string;
  readonly options: DatabaseOptions;
  readonly head: Head;
  readonly blocks: Blocks;
  /** The result of reading the log at opening. */
  readonly log: LogReport;
  /** Damage found in blocks, each reported once. */
  readonly damage: Damage[] = [];
  readonly #damageKnown = new Set<string>();
  readonly #files: Files;
  readonly #lock: FileLock;
  readonly #writer: Log;
  /** Samples before this time are in blocks, and the log has still to be truncated. */
  #flushed: number | undefined;
  #isClosed = false;

  /** Throws `FileFault`: `locked` while another process has the directory. Reports damage and reads the rest. */
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
      const { walSync: sync, walSegmentOctets: segmentOctets, walHeldOctets: heldOctets } = this.options;
      this.#writer = new Log(log, directory, this.head, { sync, segmentOctets, heldOctets });
      blocks.beforeEndFalls = () => this.#writer.forget(this.head.floor);
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

  /** The newest exemplars of all series, in memory. */
  get exemplars(): ExemplarStore {
    return this.head.exemplars;
  }

  /** A consistent view of memory and blocks. The caller closes it. */
  querier(start: number, end: number): Querier {
    this.#check();
    const queriers = this.blocks.between(start, end).map((block) => block.querier());
    const { head } = this;
    if (head.maxTime >= start && head.minTime <= end) queriers.push(new HeadQuerier(head));
    return merged(queriers);
  }

  /** Reads the samples in the log, now and as they come: from a position on, by default from the present end. The caller closes it. */
  follow(from: LogPosition | undefined, events: LogEvents): LogFollower {
    this.#check();
    return new LogFollower(this.#writer, { files: this.#files, directory: this.directory }, from, events);
  }

  /** From now on the log is kept from the position that this returns, up to `walHeldOctets`: what follows it misses nothing while it is behind. */
  holdLog(from: () => LogPosition | undefined): void {
    this.#writer.heldFrom = from;
  }

  /** Forgets the samples before `time` without writing a block: for servers that only pass samples on. */
  forget(time: number): void {
    this.#check();
    this.#settle();
    const { floor } = this.head;
    this.head.truncate(time);
    // No block has these times: older samples may still come.
    this.head.floor = floor;
    this.#flushed = time;
    this.#settle();
  }

  /** Syncs the log to disk. */
  sync(): void {
    this.#check();
    this.#writer.sync();
  }

  /**
   * One step of maintenance: writes a block when memory spans more than one and a half of them, compacts small blocks, or removes old ones. Returns
   * whether there may be another step. `now` goes into the names of new blocks.
   */
  compact(now: number): boolean {
    this.#check();
    this.#settle();
    const { head, options } = this;
    // Memory does not change while there are readers.
    if (head.maxTime - head.minTime > options.blockRange * 1.5 && head.views.isEmpty) {
      this.#flush(now, (Math.floor(head.minTime / options.blockRange) + 1) * options.blockRange);
      return true;
    }
    if (this.blocks.compactOnce(() => this.#newName(now))) return true;
    this.blocks.retain(options.retention, options.retention.octets > 0 ? this.#writer.octets : 0);
    return false;
  }

  /**
   * Deletes the samples from `start` to `end` of the series that match (Prometheus docs, storage.md). Queries leave them out at once; compaction removes
   * them from disk. Throws `Damage` if the index of a block is damaged, after deleting them everywhere else.
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
      // Clamp to the samples: later samples are not deleted.
      const first = Math.max(start, head.firstTime(row));
      const last = Math.min(end, head.lastTime(row));
      if (first <= last) rows.push({ ref: head.table.refOf(row), start: first, end: last });
    }
    this.#writer.logDeletions(rows);
    for (const { ref, start: first, end: last } of rows) head.deletions.add(ref, first, last);
    for (const one of damage) throw one;
  }

  /** Rewrites the blocks with deletions now. */
  cleanTombstones(now: number): void {
    this.#check();
    this.#settle();
    for (const block of this.blocks.all) if (block.tombstones.size > 0) this.blocks.rewrite([block], this.#newName(now));
  }

  /** Copies all blocks into a new directory, as links that take no space. With `withHead` it also writes memory as a block. */
  snapshot(directory: string, { withHead, now }: { readonly withHead: boolean; readonly now: number }): void {
    this.#check();
    if (this.#files.exists(directory)) throw new Misuse(`${directory} exists already: name another directory.`);
    snapshotBlocks(this.#files, this.blocks.all, directory);
    const { minTime, maxTime } = this.head;
    if (withHead && maxTime >= minTime) this.#write(directory, now, { start: minTime, end: maxTime + 1, part: "all" });
  }

  /** Statistics of the head, with `limit` rows in each table (Prometheus docs, querying/api.md, "TSDB Stats"). */
  stats(limit = 10): StorageStats {
    this.#check();
    return storageStats(this.head, limit);
  }

  /** Writes all of memory into blocks. */
  flush(now: number): void {
    this.#check();
    this.#settle();
    const { head, options } = this;
    if (!head.views.isEmpty) throw new Misuse("Close the queriers first: memory cannot be freed while it is read.");
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

  /** Writes the samples before `end` into blocks and frees their memory. */
  #flush(now: number, end: number): void {
    const { head } = this;
    const { blockRange } = this.options;
    const start = Math.max(head.minTime, end - blockRange);
    // Samples in order first: after a crash the next opening takes all times before the end of a block as written.
    const written = [this.#write(this.directory, now, { start, end, part: "all" })];
    for (let from = end - blockRange; head.late.minTime() < start && from + blockRange > head.late.minTime(); from -= blockRange) {
      const to = Math.min(from + blockRange, start);
      if (from < to) written.push(this.#write(this.directory, now, { start: from, end: to, part: "late" }));
    }
    for (const name of written) if (name !== undefined) this.blocks.add(name);
    head.truncate(end);
    this.#flushed = end;
    this.#settle();
  }

  /** Finishes steps that failed before, so that the next opening does not find stale blocks or logs. */
  #settle(): void {
    this.blocks.tidy();
    if (this.#flushed === undefined) return;
    // Late samples first: the main log has their deletions.
    this.#writer.truncateLate();
    this.#writer.truncate(this.#flushed);
    // Written by Prometheus and now outdated; the log has these samples.
    this.#files.remove(`${this.directory}/chunks_head`);
    this.#flushed = undefined;
  }

  #write(directory: string, now: number, cut: Cut): string | undefined {
    const about = { ulid: this.#newName(now), minTime: cut.start, maxTime: cut.end };
    if (directory === this.directory) this.blocks.expect(about.ulid);
    return writeBlock(this.#files, directory, headContent(this.head, cut), about)?.ulid;
  }

  /** Keeps damage once, although each query finds it again. The last report says that it is the last. */
  #note(damage: Damage): void {
    const left = MOST_DAMAGE - this.damage.length;
    if (left === 0 || this.#damageKnown.has(damage.message)) return;
    this.#damageKnown.add(damage.message);
    const { path, at, what } = damage;
    this.damage.push(left > 1 ? damage : new Damage(path, at, what, "Further damage is not reported"));
  }

  #newName(now: number): string {
    return ulid(now, this.options.random(new Uint8Array(16)));
  }

  #check(): void {
    if (this.#isClosed) throw new Misuse("The database is closed.");
  }
}
