import { Encoding } from "../chunk/index.ts";
import { crc32c, Cursor, roomFor } from "../codec/index.ts";
import { type Files, readFile } from "../files/index.ts";
import type { HeadChunks } from "../head/index.ts";

const MAGIC = 0x0130_bc91;
const VERSION = 1;
const FILE_HEAD = 8;
/** The last file is made longer than it is filled. */
const NO_REF = 0;
const MOST_NOTED = 1 << 24;
const ENCODINGS: readonly number[] = [Encoding.xor, Encoding.histogram, Encoding.floatHistogram];

/**
 * The chunks that a Prometheus writes beside its log while their samples are in memory (Prometheus TSDB docs, format/head_chunks.md). The log has the samples too: what
 * these files save is encoding them again. A chunk is taken where the log comes to its first sample, and nowhere else: whatever is missing here, or
 * damaged, is taken from the log as if there were no such files.
 */
export class ChunksHead {
  readonly #chunks: HeadChunks;
  /** By reference, the oldest chunk that the log has not come to. They lie where those of the head do, each linked to the next one of its series. */
  readonly #oldest = new Map<number, number>();
  /** By reference, the time of the last sample in a chunk that was taken. */
  #until = new Float64Array(0);
  /** References up to this one have been given away. */
  mostRef = 0;

  constructor(chunks: HeadChunks) {
    this.#chunks = chunks;
  }

  /** Reads the files of a directory, if there is one; chunks that end before `floor` are passed over. */
  read(files: Files, directory: string, floor: number): void {
    if (!files.exists(directory)) return;
    const newest = new Map<number, number>();
    for (const name of files.list(directory)) if (/^\d{6,}$/.test(name)) this.#read(readFile(files, `${directory}/${name}`), floor, newest);
  }

  /** Up to the first chunk that is cut off or damaged: where the next one begins is not known. */
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
      // Samples that came late have a bit set in `encoding`, and a log of their own.
      if (maxTime < floor || !ENCODINGS.includes(encoding)) continue;
      const slot = this.#chunks.lay(encoding, view, from, to, minTime, maxTime);
      if (slot === 0) continue;
      const before = newest.get(ref);
      if (before === undefined) this.#oldest.set(ref, slot);
      else this.#chunks.pool.setPrevious(before, slot);
      newest.set(ref, slot);
    }
  }

  /** The chunk that begins with a sample of this time; 0 where there is none. It is the caller's from then on. */
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
      // The log has no sample at its beginning, but has later ones.
      pool.release(slot);
    }
  }

  /** Whether a chunk that was taken has this sample, or a later one of its series: most samples of a log are in one, and are passed by at once. */
  covers(ref: number, time: number): boolean {
    return time <= (this.#until[ref] as number);
  }

  #note(ref: number, time: number): void {
    // For others `covers` says no, which is slower and right.
    if (ref >= MOST_NOTED) return;
    if (ref >= this.#until.length) {
      const before = this.#until;
      this.#until = new Float64Array(roomFor(ref + 1)).fill(-Infinity, before.length);
      this.#until.set(before);
    }
    this.#until[ref] = time;
  }

  /** Gives back what the log never came to. */
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
