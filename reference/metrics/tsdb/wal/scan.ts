import { crc32c, i32At, roomFor, Unpacker, widerU8 } from "../codec/index.ts";
import type { Files } from "../files/index.ts";
import { FRAGMENT, FRAGMENT_HEAD, PAGE, SNAPPY_FLAG, ZSTD_FLAG } from "./segment.ts";

/** Why a segment cannot be read further, found in its pages. */
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

/** An unpacked record in `bytes`, `from` to `to`, valid during the call. In the file its last fragment begins at `at` and ends at `end`. */
export type ScannedRecord = {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly end: number;
};

/** The content of one segment, in order. */
export interface SegmentEvents {
  record(record: ScannedRecord): void;
  /** `at`: octets from the start of the segment. */
  fault(at: number, fault: ScanFault): void;
  /** The segment has ended, after `size` octets. */
  end(size: number): void;
}

/** Prepares to read the segments of a log; reading ahead may begin at once. The returned function reads them in order, each into its own events. */
export type LogScan = (paths: readonly string[], mostOctets: number) => (eventsOf: (path: string) => SegmentEvents) => void;

/** The files of a log and how its segments are read. */
export type LogFiles = { readonly files: Files; readonly scan: LogScan };

/** Reads each segment when it is needed, without reading ahead. */
export const scanInTurn =
  (files: Files): LogScan =>
  (paths, mostOctets) =>
  (eventsOf) => {
    for (const path of paths) scanSegment(files, path, mostOctets, eventsOf(path));
  };

/** Pages per read. */
const PAGES = 32;

/**
 * Reads a segment (Prometheus TSDB docs, format/wal.md, "Segment encoding"). A page begins with a whole fragment, so after damage reading resumes at the
 * next page.
 */
export function scanSegment(files: Files, path: string, mostOctets: number, events: SegmentEvents): void {
  const file = files.open(path, "read");
  try {
    const size = file.size();
    const scan = new PageScan(mostOctets, events);
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

/** Reads the pages of one segment in order; the first may begin within a page, between two records. */
export class PageScan {
  readonly #mostOctets: number;
  readonly #events: SegmentEvents;
  readonly #unpacker = new Unpacker();
  /** The fragments so far of a record that has several. */
  #gathered = new Uint8Array(PAGE);
  #gatheredLength = 0;
  #isInside = false;
  #flags = 0;
  /** After damage, until the next record begins: fragments of the damaged record are skipped. */
  #isLost = false;

  constructor(mostOctets: number, events: SegmentEvents) {
    this.#mostOctets = mostOctets;
    this.#events = events;
  }

  /** Reads the page in `bytes` from `from` to `to`; the last page may be short. */
  page(bytes: Uint8Array, from: number, to: number, base: number): void {
    let at = from;
    while (at < to) {
      const head = bytes[at]!;
      if (head === FRAGMENT.rest) {
        for (let rest = at; rest < to; rest++) if (bytes[rest] !== 0) return this.#fail(base + at, "pageRest");
        return;
      }
      const type = head & 7;
      if (type === 0 || type > FRAGMENT.last || head >= 32) return this.#fail(base + at, "fragmentType");
      if (at + FRAGMENT_HEAD > to) return this.#fail(base + at, "torn");
      const length = (bytes[at + 1]! << 8) | bytes[at + 2]!;
      const begin = at + FRAGMENT_HEAD;
      const end = begin + length;
      if (end > to) return this.#fail(base + at, to - from < PAGE ? "torn" : "fragmentLength");
      const sum = i32At(bytes, at + 3) >>> 0;
      if (crc32c(bytes, 0, begin, end) !== sum) return this.#fail(base + at, "fragmentChecksum");
      this.#fragment({ bytes, from: begin, to: end, at: base + at, end: base + end }, head);
      at = end;
    }
  }

  finish(size: number): void {
    if (this.#isInside) this.#fail(size, "torn");
    this.#events.end(size);
  }

  #fragment(fragment: ScannedRecord, head: number): void {
    const { bytes, from, to, at, end } = fragment;
    const type = head & 7;
    const isBeginning = type === FRAGMENT.full || type === FRAGMENT.first;
    if (isBeginning === this.#isInside) {
      if (!isBeginning && this.#isLost) return;
      this.#fail(at, "fragmentOrder");
      if (!isBeginning) return;
    }
    this.#isLost = false;
    if (type === FRAGMENT.full) return this.#record(fragment, head);
    if (isBeginning) {
      this.#gatheredLength = 0;
      this.#flags = head;
    }
    this.#isInside = type !== FRAGMENT.last;
    const length = this.#gatheredLength + to - from;
    if (length > this.#mostOctets) return this.#fail(at, "recordLarge");
    if (length > this.#gathered.length) this.#gathered = widerU8(this.#gathered, roomFor(length));
    this.#gathered.set(bytes.subarray(from, to), this.#gatheredLength);
    this.#gatheredLength = length;
    if (type === FRAGMENT.last) this.#record({ bytes: this.#gathered, from: 0, to: length, at, end }, this.#flags);
  }

  #record(record: ScannedRecord, flags: number): void {
    const { bytes, from, to, at, end } = record;
    const unpacker = this.#unpacker;
    if ((flags & ZSTD_FLAG) !== 0) this.#fail(at, "recordZstd");
    else if ((flags & SNAPPY_FLAG) === 0) this.#events.record(record);
    else if (unpacker.unpack(bytes, from, to, this.#mostOctets))
      this.#events.record({ bytes: unpacker.bytes, from: 0, to: unpacker.length, at, end });
    else this.#fail(at, "recordInflation");
  }

  #fail(at: number, fault: ScanFault): void {
    this.#isInside = false;
    this.#isLost = true;
    this.#events.fault(at, fault);
  }
}
