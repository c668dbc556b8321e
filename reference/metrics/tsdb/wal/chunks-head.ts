import { Encoding } from "../chunk/index.ts";
import { crc32c, Cursor, roomFor } from "../codec/index.ts";
import { type Files, readFile } from "../files/index.ts";
import type { HeadChunks } from "../head/index.ts";

const MAGIC = 0x0130_bc91;
const VERSION = 1;
const FILE_HEAD = 8;
/** The last file is longer than its content: zeros follow. */
const NO_REF = 0;
const MOST_NOTED = 1 << 24;
const ENCODINGS: readonly number[] = [Encoding.xor, Encoding.histogram, Encoding.floatHistogram];

/**
 * The chunks that Prometheus writes beside its log while their samples are in memory (Prometheus TSDB docs, format/head_chunks.md). The log has the
 * samples too; these files only save encoding them again. A chunk is used when replay reaches its first sample. What is missing or damaged here comes
 * from the log.
 */
export class ChunksHead {
  readonly #chunks: HeadChunks;
  /** By reference, the oldest chunk that replay has not reached. They are in the pool of the head, each linked to the next one of its series. */
  readonly #oldest = new Map<number, number>();
  /** By reference, the last time of the chunks that were used. */
  #until = new Float64Array(0);
  /** The highest reference. */
  mostRef = 0;

  constructor(chunks: HeadChunks) {
    this.#chunks = chunks;
  }

  /** Reads the files of a directory, if it exists. Skips chunks that end before `floor`. */
  read(files: Files, directory: string, floor: number): void {
    if (!files.exists(directory)) return;
    const newest = new Map<number, number>();
    for (const name of files.list(directory)) if (/^\d{6,}$/.test(name)) this.#read(readFile(files, `${directory}/${name}`), floor, newest);
  }

  /** Stops at the first damaged chunk: the start of the next one is unknown. */
  #read(bytes: Uint8Array, floor: number, newest: Map<number, number>): void {
    const cursor = new Cursor(bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (cursor.u32() !== MAGIC || cursor.u8() !== VERSION) return;
    cursor.at = FILE_HEAD;
    for (;;) {
      const begin = cursor.at;
      const ref = cursor.u64();
      const minTime = cursor.i64();
      const maxTime = cursor.i64();
      const encoding = cursor.u8();
      const octets = cursor.uvarint();
      const from = cursor.at;
      cursor.skip(octets);
      const to = cursor.at;
      const sum = cursor.u32();
      if (cursor.short || ref === NO_REF || crc32c(bytes, 0, begin, to) !== sum) return;
      this.mostRef = Math.max(this.mostRef, ref);
      // Chunks of late samples have a bit set in `encoding`; these samples have their own log.
      if (maxTime < floor || !ENCODINGS.includes(encoding)) continue;
      const slot = this.#chunks.lay({ encoding, bytes: view, from, to, minTime, maxTime });
      if (slot === 0) continue;
      const before = newest.get(ref);
      if (before === undefined) this.#oldest.set(ref, slot);
      else this.#chunks.pool.setPrevious(before, slot);
      newest.set(ref, slot);
    }
  }

  /** The chunk whose first sample has this time; 0 if there is none. It then belongs to the caller. */
  take(ref: number, time: number): number {
    if (this.#oldest.size === 0) return 0;
    const { pool } = this.#chunks;
    for (;;) {
      const slot = this.#oldest.get(ref);
      if (slot === undefined || pool.firstTime(slot) > time) return 0;
      const next = pool.previous(slot);
      if (next === 0) this.#oldest.delete(ref);
      else this.#oldest.set(ref, next);
      if (pool.firstTime(slot) === time) {
        this.#note(ref, pool.lastTime(slot));
        return slot;
      }
      // The log lacks its first sample but has later ones.
      pool.release(slot);
    }
  }

  /** Whether a used chunk ends at or after this time, so that replay skips the sample. True for most samples of a log. */
  covers(ref: number, time: number): boolean {
    return time <= this.#until[ref]!;
  }

  #note(ref: number, time: number): void {
    // For higher references `covers` returns false: correct but slower.
    if (ref >= MOST_NOTED) return;
    if (ref >= this.#until.length) {
      const before = this.#until;
      this.#until = new Float64Array(roomFor(ref + 1)).fill(-Infinity, before.length);
      this.#until.set(before);
    }
    this.#until[ref] = time;
  }

  /** Frees the chunks that replay did not reach. */
  release(): void {
    const { pool } = this.#chunks;
    for (const oldest of this.#oldest.values()) {
      for (let slot = oldest; slot !== 0;) {
        const next = pool.previous(slot);
        pool.release(slot);
        slot = next;
      }
    }
    this.#oldest.clear();
  }
}
