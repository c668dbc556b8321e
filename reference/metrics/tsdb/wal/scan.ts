import { crc32c, i32At, roomFor, Unpacker, widerU8 } from "../codec/index.ts";
import type { Files } from "../files/index.ts";
import { FRAGMENT, FRAGMENT_HEAD, PAGE, SNAPPY_FLAG, ZSTD_FLAG } from "./segment.ts";

/** Why a segment of the log cannot be read on, as its pages tell. */
export type ScanFault =
  | "fragmentType"
  | "fragmentLength"
  | "fragmentChecksum"
  | "fragmentOrder"
  | "pageRest"
  | "recordInflation"
  | "recordZstd"
  | "recordLarge"
  | "torn";

/** What the pages of one segment hold, in their order. */
export interface SegmentEvents {
  /** A record, unpacked, lies in `bytes` from `from` to `to`, for now; in the file it ends at `end`, and its last fragment begins at `at`. */
  record(bytes: Uint8Array, from: number, to: number, at: number, end: number): void;
  /** `at`: octets from the beginning of the segment. */
  fault(at: number, fault: ScanFault): void;
  /** That was all of it, so many octets. */
  end(size: number): void;
}

/**
 * Gets ready to read the segments of a log, which may begin at once. What is returned tells what they hold, one after the other; each has somebody of its
 * own who is told.
 */
export type LogScan = (paths: readonly string[], mostOctets: number) => (told: (path: string) => SegmentEvents) => void;

/** The files of a log, and how its segments are read. */
export type LogFiles = { readonly files: Files; readonly scan: LogScan };

/** Reads each segment when it is told of. */
export const scanInTurn =
  (files: Files): LogScan =>
  (paths, mostOctets) =>
  (told) => {
    for (const path of paths) scanSegment(files, path, mostOctets, told(path));
  };

/** Pages that are read at once. */
const PAGES = 32;

/**
 * Tells what a segment holds (Prometheus TSDB docs, format/wal.md, "Segment encoding"). A page begins with a whole fragment, so that behind damage the
 * next page is tried: records that begin there are good again.
 */
export function scanSegment(files: Files, path: string, mostOctets: number, events: SegmentEvents): void {
  const file = files.open(path, "read");
  try {
    const size = file.size();
    const scan = new Scan(mostOctets, events);
    const block = new Uint8Array(Math.min(PAGES, Math.max(1, Math.ceil(size / PAGE))) * PAGE);
    for (let base = 0; base < size; base += block.length) {
      const length = file.read(block, base);
      for (let page = 0; page < length; page += PAGE) scan.page(block, page, Math.min(length, page + PAGE), base);
      if (length < block.length) break;
    }
    scan.finish(size);
  } finally {
    file.close();
  }
}

class Scan {
  readonly #mostOctets: number;
  readonly #events: SegmentEvents;
  readonly #unpacker = new Unpacker();
  /** The fragments so far of a record in several. */
  #gathered = new Uint8Array(PAGE);
  #gatheredLength = 0;
  #isInside = false;
  #flags = 0;
  /** Damage was met, and no record has begun since: what belongs to the damaged one is passed over. */
  #isLost = false;

  constructor(mostOctets: number, events: SegmentEvents) {
    this.#mostOctets = mostOctets;
    this.#events = events;
  }

  /** A page lies in `bytes` from `from` to `to`; the last one may be short. */
  page(bytes: Uint8Array, from: number, to: number, base: number): void {
    let at = from;
    while (at < to) {
      const head = bytes[at] as number;
      if (head === FRAGMENT.rest) {
        for (let rest = at; rest < to; rest++) if (bytes[rest] !== 0) return this.#fail(base + at, "pageRest");
        return;
      }
      const type = head & 7;
      if (type === 0 || type > FRAGMENT.last || head >= 32) return this.#fail(base + at, "fragmentType");
      if (at + FRAGMENT_HEAD > to) return this.#fail(base + at, "torn");
      const length = ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
      const begin = at + FRAGMENT_HEAD;
      const end = begin + length;
      if (end > to) return this.#fail(base + at, to - from < PAGE ? "torn" : "fragmentLength");
      const sum = i32At(bytes, at + 3) >>> 0;
      if (crc32c(bytes, 0, begin, end) !== sum) return this.#fail(base + at, "fragmentChecksum");
      this.#fragment(bytes, begin, end, head, base + at, base + end);
      at = end;
    }
  }

  finish(size: number): void {
    if (this.#isInside) this.#fail(size, "torn");
    this.#events.end(size);
  }

  #fragment(bytes: Uint8Array, from: number, to: number, head: number, position: number, end: number): void {
    const type = head & 7;
    const isBeginning = type === FRAGMENT.full || type === FRAGMENT.first;
    if (isBeginning === this.#isInside) {
      if (!isBeginning && this.#isLost) return;
      this.#fail(position, "fragmentOrder");
      if (!isBeginning) return;
    }
    this.#isLost = false;
    if (type === FRAGMENT.full) return this.#record(bytes, from, to, head, position, end);
    if (isBeginning) {
      this.#gatheredLength = 0;
      this.#flags = head;
    }
    this.#isInside = type !== FRAGMENT.last;
    const length = this.#gatheredLength + to - from;
    if (length > this.#mostOctets) return this.#fail(position, "recordLarge");
    if (length > this.#gathered.length) this.#gathered = widerU8(this.#gathered, roomFor(length));
    this.#gathered.set(bytes.subarray(from, to), this.#gatheredLength);
    this.#gatheredLength = length;
    if (type === FRAGMENT.last) this.#record(this.#gathered, 0, length, this.#flags, position, end);
  }

  #record(bytes: Uint8Array, from: number, to: number, flags: number, position: number, end: number): void {
    const unpacker = this.#unpacker;
    if ((flags & ZSTD_FLAG) !== 0) this.#fail(position, "recordZstd");
    else if ((flags & SNAPPY_FLAG) === 0) this.#events.record(bytes, from, to, position, end);
    else if (unpacker.unpack(bytes, from, to, this.#mostOctets)) this.#events.record(unpacker.bytes, 0, unpacker.length, position, end);
    else this.#fail(position, "recordInflation");
  }

  #fail(at: number, fault: ScanFault): void {
    this.#isInside = false;
    this.#isLost = true;
    this.#events.fault(at, fault);
  }
}
