import { Misuse } from "../../../core/index.ts";
import type { OpenFile } from "./files.ts";

/** Large enough to read neighbouring chunks in one call, small enough that a single chunk wastes little. */
const PAGE = 32_768;
const DEFAULT_BUDGET = 16 * 1_048_576;

type Frame = { readonly bytes: Uint8Array; owner: PagedFile | undefined; page: number; length: number; isUsed: boolean };

/**
 * A page cache with one budget for all files: blocks of any size are read in bounded memory, on top of the kernel's cache. Eviction is by the clock
 * algorithm: the hand frees the first page not used since its last round.
 */
export class PageCache {
  readonly #frames: Frame[] = [];
  readonly #most: number;
  #hand = 0;

  constructor(budget = DEFAULT_BUDGET) {
    if (budget < 2 * PAGE) throw new Misuse(`The page cache needs at least ${2 * PAGE} octets.`);
    this.#most = Math.floor(budget / PAGE);
  }

  /** Closing the returned file closes `file`. */
  open(file: OpenFile): PagedFile {
    return new PagedFile(this, file);
  }

  /** A free frame; the page that it held is evicted. */
  claim(): Frame {
    if (this.#frames.length < this.#most) {
      const fresh: Frame = { bytes: new Uint8Array(PAGE), owner: undefined, page: 0, length: 0, isUsed: true };
      this.#frames.push(fresh);
      return fresh;
    }
    for (;;) {
      this.#hand = (this.#hand + 1) % this.#frames.length;
      const frame = this.#frames[this.#hand]!;
      if (!frame.isUsed) {
        frame.owner?.forget(frame.page);
        return frame;
      }
      frame.isUsed = false;
    }
  }
}

/** A file read through the page cache. */
export class PagedFile {
  readonly path: string;
  readonly size: number;
  readonly #cache: PageCache;
  readonly #file: OpenFile;
  readonly #pages = new Map<number, Frame>();
  #last: Frame | undefined;
  #joint = new Uint8Array(0);

  constructor(cache: PageCache, file: OpenFile) {
    this.#cache = cache;
    this.#file = file;
    this.path = file.path;
    this.size = file.size();
  }

  /** Up to `length` octets from `at`, fewer only at the end of the file. The view is valid until the next read of any file of this cache. */
  read(at: number, length: number): Uint8Array {
    const inPage = at % PAGE;
    if (inPage + length <= PAGE) {
      const frame = this.#frame((at - inPage) / PAGE);
      return frame.bytes.subarray(Math.min(inPage, frame.length), Math.min(inPage + length, frame.length));
    }
    if (length > PAGE) return this.copy(at, length);
    if (this.#joint.length < length) this.#joint = new Uint8Array(PAGE);
    let filled = 0;
    while (filled < length) {
      const from = (at + filled) % PAGE;
      const frame = this.#frame((at + filled - from) / PAGE);
      const part = Math.min(frame.length - from, length - filled);
      if (part <= 0) break;
      this.#joint.set(frame.bytes.subarray(from, from + part), filled);
      filled += part;
    }
    return this.#joint.subarray(0, filled);
  }

  /** Reads past the cache, into memory that belongs to the caller. */
  copy(at: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - at)));
    return bytes.subarray(0, this.#file.read(bytes, at));
  }

  close(): void {
    for (const frame of this.#pages.values()) {
      frame.owner = undefined;
      frame.isUsed = false;
    }
    this.#pages.clear();
    this.#last = undefined;
    this.#file.close();
  }

  forget(page: number): void {
    this.#pages.delete(page);
    if (this.#last?.page === page) this.#last = undefined;
  }

  #frame(page: number): Frame {
    if (this.#last !== undefined && this.#last.page === page) return this.#last;
    const known = this.#pages.get(page);
    if (known !== undefined) {
      known.isUsed = true;
      this.#last = known;
      return known;
    }
    const frame = this.#cache.claim();
    frame.owner = undefined;
    frame.length = this.#file.read(frame.bytes, page * PAGE);
    frame.owner = this;
    frame.page = page;
    frame.isUsed = true;
    this.#pages.set(page, frame);
    this.#last = frame;
    return frame;
  }
}
