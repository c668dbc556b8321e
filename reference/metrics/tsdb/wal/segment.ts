import { crc32c, roomFor, widerU8 } from "../codec/index.ts";
import type { Files, OpenFile } from "../files/index.ts";
import type { RecordBuffer } from "./record.ts";

/** Segments consist of pages; a fragment of a record never crosses a page boundary (Prometheus TSDB docs, format/wal.md, "Segment encoding"). */
export const PAGE: number = 32_768;
export const SEGMENT_OCTETS: number = 128 * 1_024 * 1_024;
/** Type, length, checksum. */
export const FRAGMENT_HEAD = 7;
export const FRAGMENT = { rest: 0, full: 1, first: 2, middle: 3, last: 4 } as const;
export const SNAPPY_FLAG = 8;
export const ZSTD_FLAG = 16;

/** A file of the log; its name is its number with leading zeros. */
export type SegmentName = { readonly number: number; readonly name: string };

/** When the log is synced to disk: at each commit, when the owner calls `sync`, or when the system decides. A full segment is always synced. */
export type SyncPolicy = "commit" | "interval" | "never";

/** The segments in a directory by number, ignoring other names; none if the directory is missing. */
export function segmentsIn(files: Files, directory: string): SegmentName[] {
  if (!files.exists(directory)) return [];
  return files
    .list(directory)
    .filter((name) => /^\d{1,15}$/.test(name))
    .map((name) => ({ number: Number(name), name }))
    .sort((a, b) => a.number - b.number);
}

export const segmentName = (number: number): string => String(number).padStart(8, "0");

/** Where a `SegmentWriter` begins, and how it syncs and cuts. */
export type SegmentOptions = { readonly number: number; readonly sync: SyncPolicy; readonly segmentOctets?: number };

/** Writes records in sequence. A batch is one write into one segment: all of it is written, or nothing. */
export class SegmentWriter {
  readonly #files: Files;
  readonly #directory: string;
  readonly #policy: SyncPolicy;
  readonly #segmentOctets: number;
  #file: OpenFile;
  #number: number;
  #at = 0;
  /** The start of the last batch. */
  #before = 0;
  /** A failed write may have left octets after `#at`. */
  #isRagged = false;
  #isUnsynced = false;
  #out = new Uint8Array(65_536);

  /** Begins segment `number`. */
  constructor(files: Files, directory: string, { number, sync, segmentOctets = SEGMENT_OCTETS }: SegmentOptions) {
    this.#files = files;
    this.#directory = directory;
    this.#policy = sync;
    this.#segmentOctets = segmentOctets;
    this.#number = number;
    this.#file = this.#begin(number);
  }

  get number(): number {
    return this.#number;
  }

  /** Octets in the current segment. */
  get size(): number {
    return this.#at;
  }

  /** Writes the records, and syncs them with the policy `commit`. Throws if that fails; then none of them is written. */
  write(records: RecordBuffer): void {
    this.#before = this.#at;
    if (records.ends.length === 0) return;
    if (this.#at > 0 && this.#at + octetsFor(records) > this.#segmentOctets) this.cut();
    this.#mend();
    const length = this.#lay(records);
    try {
      this.#file.write(this.#out.subarray(0, length), this.#at);
      this.#isUnsynced = true;
      if (this.#policy === "commit") this.sync();
    } catch (error) {
      this.#isRagged = true;
      this.#mendQuietly();
      throw error;
    }
    this.#at += length;
    if (this.#out.length > 8 * 1_024 * 1_024) this.#out = new Uint8Array(65_536);
  }

  /** Undoes the last batch. */
  takeBack(): void {
    this.#at = this.#before;
    this.#isRagged = true;
    this.#mendQuietly();
  }

  /** Ends the segment and begins the next. Returns the new number. */
  cut(): number {
    this.#mend();
    const rest = (PAGE - (this.#at % PAGE)) % PAGE;
    if (rest > 0) {
      this.#file.write(new Uint8Array(rest), this.#at);
      this.#at += rest;
    }
    const before = this.#file;
    // With any policy: it cannot be synced later.
    before.sync();
    const next = this.#begin(this.#number + 1);
    before.close();
    this.#file = next;
    this.#number += 1;
    this.#at = 0;
    this.#before = 0;
    this.#isUnsynced = false;
    return this.#number;
  }

  /** Syncs what is not on disk yet. */
  sync(): void {
    if (this.#isUnsynced) this.#file.sync();
    this.#isUnsynced = false;
  }

  close(): void {
    try {
      this.#mend();
      this.sync();
    } finally {
      this.#file.close();
    }
  }

  #begin(number: number): OpenFile {
    const path = `${this.#directory}/${segmentName(number)}`;
    // Left over from a failed cut; it is empty.
    if (this.#files.exists(path)) this.#files.remove(path);
    const file = this.#files.open(path, "create");
    this.#files.syncDirectory(this.#directory);
    return file;
  }

  #mend(): void {
    if (!this.#isRagged) return;
    this.#file.truncate(this.#at);
    this.#isRagged = false;
    // A power loss may bring back what is cut off.
    this.#isUnsynced = true;
  }

  #mendQuietly(): void {
    try {
      this.#mend();
    } catch {
      // The next write tries again and throws if that fails.
    }
  }

  /** Lays the records out as fragments. Returns their size. */
  #lay(records: RecordBuffer): number {
    const room = octetsFor(records);
    if (room > this.#out.length) this.#out = widerU8(this.#out, roomFor(room));
    let to = 0;
    let from = 0;
    for (const end of records.ends) {
      to = this.#layRecord(records.bytes, from, end, to);
      from = end;
    }
    return to;
  }

  #layRecord(bytes: Uint8Array, from: number, end: number, start: number): number {
    const out = this.#out;
    let to = start;
    let at = from;
    do {
      let left = PAGE - ((this.#at + to) % PAGE);
      // No fragment fits: leave the rest of the page empty.
      if (left <= FRAGMENT_HEAD) {
        out.fill(0, to, to + left);
        to += left;
        left = PAGE;
      }
      const length = Math.min(end - at, left - FRAGMENT_HEAD);
      const isFirst = at === from;
      const isLast = at + length === end;
      out[to] = isFirst && isLast ? FRAGMENT.full : isFirst ? FRAGMENT.first : isLast ? FRAGMENT.last : FRAGMENT.middle;
      out[to + 1] = length >>> 8;
      out[to + 2] = length;
      const sum = crc32c(bytes, 0, at, at + length);
      out[to + 3] = sum >>> 24;
      out[to + 4] = sum >>> 16;
      out[to + 5] = sum >>> 8;
      out[to + 6] = sum;
      out.set(bytes.subarray(at, at + length), to + FRAGMENT_HEAD);
      to += FRAGMENT_HEAD + length;
      at += length;
    } while (at < end);
    return to;
  }
}

/** An upper bound of the laid-out size at any position in a page: a header for each record and each page, and an unused end for each page. */
function octetsFor(records: RecordBuffer): number {
  const pages = Math.ceil(records.length / (PAGE - 2 * FRAGMENT_HEAD)) + 2;
  return records.length + records.ends.length * FRAGMENT_HEAD + pages * 2 * FRAGMENT_HEAD;
}
