import type { Files } from "../files/index.ts";
import type { RecordFault } from "./record-read.ts";
import { scanSegment, type ScanFault, type ScannedRecord, type SegmentEvents } from "./scan.ts";

/** Why a segment of the log cannot be read on. */
export type SegmentFault = RecordFault | ScanFault;

/** `at`: octets from the beginning of the segment. */
export type SegmentDamage = { readonly at: number; readonly fault: SegmentFault };

/** The result of reading one segment. */
export type SegmentReading = {
  readonly records: number;
  /** The end of the last good record; damage or zeros follow. */
  readonly goodEnd: number;
  /** In the order of the file. */
  readonly damage: readonly SegmentDamage[];
  /** All damage is after the last good record: an interrupted write. */
  readonly isTorn: boolean;
  readonly size: number;
};

/** Receives a record and returns its fault, if any. */
export type OnRecord = (bytes: Uint8Array, from: number, to: number) => RecordFault | undefined;

/** Reads every record of a segment. */
export function readSegment(files: Files, path: string, mostOctets: number, onRecord: OnRecord): SegmentReading {
  const account = new SegmentAccount(onRecord);
  scanSegment(files, path, mostOctets, account);
  return account.reading;
}

/** Passes on the records of one segment and collects the result. */
export class SegmentAccount implements SegmentEvents {
  readonly #onRecord: OnRecord;
  readonly #damage: SegmentDamage[] = [];
  #records = 0;
  #goodEnd = 0;
  #isTorn = true;
  #size = 0;

  constructor(onRecord: OnRecord) {
    this.#onRecord = onRecord;
  }

  record({ bytes, from, to, at, end }: ScannedRecord): void {
    const fault = this.#onRecord(bytes, from, to);
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

  /** The result, once the segment has ended. */
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
    // The checksum is right: the write was complete.
    if (fault.startsWith("record")) this.#isTorn = false;
  }
}
