import type { Histogram } from "../../model/index.ts";
import type { Exemplar } from "../../storage/index.ts";
import { ChunksHead } from "./chunks-head.ts";
import type { Files } from "../files/index.ts";
import { type Head, MOST_REF } from "../head/index.ts";
import { Cursor, i32At } from "../codec/index.ts";
import { SegmentAccount, type SegmentDamage, type SegmentReading } from "./read.ts";
import { RecordReader, type RecordSink } from "./record-read.ts";
import type { LogFiles } from "./scan.ts";
import { segmentsIn } from "./segment.ts";

/** A segment with damage. */
export type DamagedSegment = {
  readonly path: string;
  readonly damage: readonly SegmentDamage[];
  /** Only its end is damaged: an interrupted write. */
  readonly isTorn: boolean;
  readonly goodEnd: number;
  readonly size: number;
};

/** The counts and damage of a replay so far. */
export type ReplayReport = {
  segments: number;
  records: number;
  samples: number;
  /** Samples, histograms and deletions of unknown series. After a checkpoint this includes some samples that are in blocks. */
  unknown: number;
  readonly damaged: DamagedSegment[];
};

/** Reads the log of a data directory into a head. */
export class Replay {
  readonly #log: LogFiles;
  readonly #head: Head;
  readonly report: ReplayReport = { segments: 0, records: 0, samples: 0, unknown: 0, damaged: [] };

  constructor(log: LogFiles, head: Head) {
    this.#log = log;
    this.#head = head;
  }

  /** Reads segments in order. Samples that have a chunk in the directory `chunksHead` are not encoded again. */
  segments(paths: readonly string[], chunksHead: string): void {
    const head = this.#head;
    const written = new ChunksHead(head.chunks);
    this.#read(paths, new HeadSink(head, this.report, written), () => written.read(this.#log.files, chunksHead, head.floor));
    head.table.reserveRefs(Math.min(written.mostRef, MOST_REF));
    written.release();
  }

  /** Reads the log of late samples. */
  late(paths: readonly string[]): void {
    this.#read(paths, new LateSink(this.#head, this.report, new ChunksHead(this.#head.chunks)));
  }

  /** `prepare` runs while the segments may already be read ahead. */
  #read(paths: readonly string[], sink: RecordSink, prepare: () => void = () => {}): void {
    const scan = this.#log.scan(paths, this.#head.options.limits.recordOctets);
    prepare();
    const reader = new RecordReader();
    const accounts = new Map<string, SegmentAccount>();
    scan((path) => {
      const account = new SegmentAccount((bytes, from, to) => reader.read(bytes, from, to, sink));
      accounts.set(path, account);
      return account;
    });
    for (const [path, { reading }] of accounts) this.#note(path, reading);
    this.#head.logged = this.#head.table.count;
  }

  #note(path: string, { records, damage, isTorn, goodEnd, size }: SegmentReading): void {
    this.report.segments++;
    this.report.records += records;
    if (damage.length > 0) this.report.damaged.push({ path, damage, isTorn, goodEnd, size });
  }
}

/** The segments of a log directory from number `first` on, as paths. */
export const segmentPaths = (files: Files, directory: string, first = 0): string[] =>
  segmentsIn(files, directory)
    .filter(({ number }) => number >= first)
    .map(({ name }) => `${directory}/${name}`);

/** Applies the log to the head as when it was written, without samples that are in blocks. */
class HeadSink implements RecordSink {
  readonly head: Head;
  readonly report: ReplayReport;
  readonly #written: ChunksHead;
  readonly #labels = new Cursor(new Uint8Array(0));
  /** By position, the label name of the last series: neighbouring series share most labels. */
  readonly #names: number[] = [];

  constructor(head: Head, report: ReplayReport, written: ChunksHead) {
    this.head = head;
    this.report = report;
    this.#written = written;
  }

  series(ref: number, bytes: Uint8Array, from: number, to: number): void {
    const { table } = this.head;
    if (ref > MOST_REF || ref === 0) return;
    const { symbols } = table;
    const labels = this.#labels;
    labels.bytes = bytes;
    labels.at = from;
    labels.end = to;
    const size = labels.uvarint();
    const scratch = table.scratch(size);
    for (let at = 0; at < size; at++) {
      const nameLength = labels.uvarint();
      const name = symbols.ofBytes(0, bytes, labels.at, labels.at + nameLength, this.#names[at]);
      labels.at += nameLength;
      const valueLength = labels.uvarint();
      // The scratch still has the symbol of the series before.
      scratch[at] = symbols.ofBytes(name, bytes, labels.at, labels.at + valueLength, scratch[at]);
      labels.at += valueLength;
      this.#names[at] = name;
    }
    const row = table.ensureScratch(size, ref);
    if (table.refOf(row) !== ref) table.alias(ref, row);
  }

  sample(ref: number, time: number, bytes: Uint8Array, at: number): void {
    if (this.#written.covers(ref, time)) return;
    const head = this.head;
    const row = head.table.rowOf(ref);
    if (row < 0) this.unknown(ref);
    else if (time > head.table.lastTime(row) && time >= head.floor) {
      const chunk = this.#written.take(ref, time);
      if (chunk === 0) head.takeNext(row, time, i32At(bytes, at), i32At(bytes, at + 4));
      this.report.samples += chunk === 0 ? 1 : head.takeChunk(row, chunk);
    }
  }

  histogram(ref: number, time: number, histogram: Histogram): void {
    const head = this.head;
    const row = head.table.rowOf(ref);
    if (row < 0) this.unknown(ref);
    else if (time > head.table.lastTime(row) && time >= head.floor) {
      const chunk = this.#written.take(ref, time);
      if (chunk === 0) head.takeHistogram(row, time, histogram, head.floor);
      this.report.samples += chunk === 0 ? 1 : head.takeChunk(row, chunk);
    }
  }

  tombstone(ref: number, start: number, end: number): void {
    // Even if its end is before the floor: late samples may still be in memory.
    const head = this.head;
    const row = head.table.rowOf(ref);
    if (row < 0) this.unknown(ref);
    else head.deletions.add(head.table.refOf(row), start, end);
  }

  /** The record of the series is lost. Its reference must not be reused: the next opening would take this sample for the new series. */
  unknown(ref: number): void {
    this.report.unknown++;
    if (ref <= MOST_REF) this.head.table.reserveRefs(ref);
  }

  exemplar(ref: number, exemplar: Exemplar): void {
    this.head.takeExemplar(ref, exemplar);
  }

  other(): void {
    // Metadata is not stored; markers refer to chunks whose samples are also in the log.
  }
}

/** Late samples stay late samples, whatever their time. */
class LateSink extends HeadSink {
  override sample(ref: number, time: number, bytes: Uint8Array, at: number): void {
    const { head, report } = this;
    const row = head.table.rowOf(ref);
    const [high, low] = [i32At(bytes, at), i32At(bytes, at + 4)];
    if (row < 0) this.unknown(ref);
    else if (head.late.compare(row, time, high, low) === "none") {
      head.takeLate(row, time, high, low);
      report.samples++;
    }
  }
}
