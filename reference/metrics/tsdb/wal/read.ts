import type { Files } from "../files/index.ts";
import type { RecordFault } from "./record-read.ts";
import { scanSegment, type ScanFault, type SegmentEvents } from "./scan.ts";

/** Why a segment of the log cannot be read on. */
export type SegmentFault = RecordFault | ScanFault;

/** `at`: octets from the beginning of the segment. */
export type SegmentDamage = { readonly at: number; readonly fault: SegmentFault };

/** How the reading of one segment went; its records were told on the way. */
export type SegmentReading = {
  readonly records: number;
  /** Where the last good record ends; what is behind it is damaged, or zeros. */
  readonly goodEnd: number;
  /** In the order of the file. */
  readonly damage: readonly SegmentDamage[];
  /** All damage is behind the last good record: a write that was cut short. */
  readonly isTorn: boolean;
  readonly size: number;
};

/** Is told a record, and says what is wrong with it. */
export type RecordReader = (bytes: Uint8Array, from: number, to: number) => RecordFault | undefined;

/** Tells every record of a segment. */
export function readSegment(files: Files, path: string, mostOctets: number, tell: RecordReader): SegmentReading {
  const account = new SegmentAccount(tell);
  scanSegment(files, path, mostOctets, account);
  return account.reading;
}

/** Passes the records of one segment on, and keeps account of how it goes. */
export class SegmentAccount implements SegmentEvents {
  readonly #tell: RecordReader;
  readonly #damage: SegmentDamage[] = [];
  #records = 0;
  #goodEnd = 0;
  #isTorn = true;
  #size = 0;

  constructor(tell: RecordReader) {
    this.#tell = tell;
  }

  record(bytes: Uint8Array, from: number, to: number, at: number, end: number): void {
    const fault = this.#tell(bytes, from, to);
    if (fault !== undefined) return this.#fail(at, fault);
    this.#records++;
    this.#goodEnd = end;
    if (this.#damage.length > 0) this.#isTorn = false;
  }

  fault(at: number, fault: ScanFault): void {
    this.#fail(at, fault);
  }

  end(size: number): void {
    this.#size = size;
  }

  /** How it went, at the end. */
  get reading(): SegmentReading {
    return {
      records: this.#records,
      goodEnd: this.#goodEnd,
      damage: this.#damage,
      isTorn: this.#damage.length > 0 && this.#isTorn,
      size: this.#size,
    };
  }

  #fail(at: number, fault: SegmentFault): void {
    this.#damage.push({ at, fault });
    // The checksum was right: nothing was torn off.
    if (fault.startsWith("record")) this.#isTorn = false;
  }
}
