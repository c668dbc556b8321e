import type { Files, OpenFile } from "../files/index.ts";
import type { RecordFault } from "./record-read.ts";
import { PageScan, type ScanFault } from "./scan.ts";
import { PAGE, segmentsIn } from "./segment.ts";

/** A place in the log between two records. */
export type LogPosition = { readonly segment: number; readonly octets: number };

/** Receives what a tail reads. The octets of a record are valid during the call. */
export interface TailEvents {
  record(bytes: Uint8Array, from: number, to: number, end: LogPosition): RecordFault | undefined;
  /** Records after `position` cannot be read: they are damaged, or their segments were removed before they were read. */
  lost(position: LogPosition, why: ScanFault | RecordFault | "removed"): void;
}

/** Reads a log that is being written, from a position on, a page at a time. Each step reads only what its caller says is written. */
export class LogTail {
  readonly #files: Files;
  readonly #directory: string;
  readonly #mostOctets: number;
  readonly #events: TailEvents;
  readonly #page = new Uint8Array(PAGE);
  #segment: number;
  /** What of the segment was read; a record may have begun before. */
  #at: number;
  #file: OpenFile | undefined;
  #scan: PageScan;

  constructor(
    files: Files,
    directory: string,
    { from, mostOctets, events }: { readonly from: LogPosition; readonly mostOctets: number; readonly events: TailEvents },
  ) {
    this.#files = files;
    this.#directory = directory;
    this.#mostOctets = mostOctets;
    this.#events = events;
    this.#segment = from.segment;
    this.#at = from.octets;
    this.#scan = this.#newScan();
  }

  /** Where the next step reads on. */
  get position(): LogPosition {
    return { segment: this.#segment, octets: this.#at };
  }

  /** Reads at most to the end of a page, and not beyond `end`. False if there is nothing more. */
  step(end: LogPosition): boolean {
    if (this.#segment > end.segment || (this.#segment === end.segment && this.#at >= end.octets)) return false;
    const file = this.#opened(end);
    if (file === undefined) return true;
    const size = this.#segment === end.segment ? end.octets : file.size();
    if (this.#at >= size) {
      this.#scan.finish(size);
      this.#go(this.#segment + 1, 0);
      return true;
    }
    const start = this.#at - (this.#at % PAGE);
    const to = Math.min(start + PAGE, size) - start;
    const length = file.read(this.#page.subarray(this.#at - start, to), this.#at);
    if (length === 0) {
      // The segment is shorter than it was.
      this.#go(this.#segment + 1, 0);
      return true;
    }
    const from = this.#at - start;
    this.#at += length;
    this.#scan.page(this.#page, from, from + length, start);
    return true;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** The present segment, or the first one after it that still exists. */
  #opened(end: LogPosition): OpenFile | undefined {
    if (this.#file !== undefined) return this.#file;
    const found = segmentsIn(this.#files, this.#directory).find(({ number }) => number >= this.#segment);
    if (found === undefined) {
      this.#go(end.segment + 1, 0);
      return undefined;
    }
    if (found.number > this.#segment) {
      // A number that never was a segment loses nothing.
      this.#events.lost(this.position, "removed");
      this.#go(found.number, 0);
    }
    this.#file = this.#files.open(`${this.#directory}/${found.name}`, "read");
    return this.#file;
  }

  #go(segment: number, octets: number): void {
    this.close();
    this.#segment = segment;
    this.#at = octets;
    this.#scan = this.#newScan();
  }

  #newScan(): PageScan {
    const segment = this.#segment;
    return new PageScan(this.#mostOctets, {
      record: ({ bytes, from, to, end }) => {
        const fault = this.#events.record(bytes, from, to, { segment, octets: end });
        if (fault !== undefined) this.#events.lost({ segment, octets: end }, fault);
      },
      fault: (at, why) => this.#events.lost({ segment, octets: at }, why),
      end: () => {},
    });
  }
}
