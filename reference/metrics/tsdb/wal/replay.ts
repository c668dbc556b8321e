import type { Histogram } from "../../model/index.ts";
import { ChunksHead } from "./chunks-head.ts";
import type { Files } from "../files/index.ts";
import { type Head, MOST_REF } from "../head/index.ts";
import { Cursor, i32At } from "../codec/index.ts";
import { SegmentAccount, type SegmentDamage, type SegmentReading } from "./read.ts";
import { readRecord, type RecordSink } from "./record-read.ts";
import type { LogFiles } from "./scan.ts";
import { segmentsIn } from "./segment.ts";

/** A segment in which not everything could be read. */
export type DamagedSegment = {
  readonly path: string;
  readonly damage: readonly SegmentDamage[];
  /** Only its end is missing: it was cut off, or is where the next record goes. */
  readonly isTorn: boolean;
  readonly goodEnd: number;
  readonly size: number;
};

/** What a replay has met so far: the counts rise from segment to segment. */
export type ReplayReport = {
  segments: number;
  records: number;
  samples: number;
  /** Samples, histograms and deletions of series that no record names; after a checkpoint some of what is in blocks is among them. */
  unknown: number;
  readonly damaged: DamagedSegment[];
};

/** Reads the records of segments into the head, in the order given; what the files in `chunksHead` have of their samples is not encoded again. */
export function replaySegments(log: LogFiles, paths: readonly string[], head: Head, report: ReplayReport, chunksHead: string): void {
  const written = new ChunksHead(head.chunks);
  replay(log, paths, head, report, new HeadSink(head, report, written), () => written.read(log.files, chunksHead, head.floor));
  head.table.reserveRefs(Math.min(written.mostRef, MOST_REF));
  written.release();
}

/** Reads the log of samples that came late. */
export function replayLate(log: LogFiles, paths: readonly string[], head: Head, report: ReplayReport): void {
  replay(log, paths, head, report, new LateSink(head, report, new ChunksHead(head.chunks)));
}

/** `prepare` is done while the segments may be being read already. */
function replay(
  { scan }: LogFiles,
  paths: readonly string[],
  head: Head,
  report: ReplayReport,
  sink: RecordSink,
  prepare: () => void = () => {},
): void {
  const tell = scan(paths, head.options.limits.recordOctets);
  prepare();
  const accounts = new Map<string, SegmentAccount>();
  tell((path) => {
    const account = new SegmentAccount((bytes, from, to) => readRecord(bytes, from, to, sink));
    accounts.set(path, account);
    return account;
  });
  for (const [path, { reading }] of accounts) note(path, reading, report);
  head.logged = head.table.count;
}

function note(path: string, reading: SegmentReading, report: ReplayReport): void {
  report.segments++;
  report.records += reading.records;
  if (reading.damage.length === 0) return;
  const { damage, isTorn, goodEnd, size } = reading;
  report.damaged.push({ path, damage, isTorn, goodEnd, size });
}

/** The segments of a log directory as paths, those from `first` on. */
export const segmentPaths = (files: Files, directory: string, first = 0): string[] =>
  segmentsIn(files, directory)
    .filter(({ number }) => number >= first)
    .map(({ name }) => `${directory}/${name}`);

const labels = new Cursor(new Uint8Array(0));

/** Takes what the log says as it was taken when it was written; what is in blocks already is left out. */
class HeadSink implements RecordSink {
  readonly head: Head;
  readonly report: ReplayReport;
  readonly #written: ChunksHead;
  /** By place, the name that the last series has there: series beside each other have most labels in common. */
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
      // Still the symbol that the series before has in this place.
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
    // Also where all before its end is in blocks: what came late may still be in memory.
    const head = this.head;
    const row = head.table.rowOf(ref);
    if (row < 0) this.unknown(ref);
    else head.deletions.add(head.table.refOf(row), start, end);
  }

  /** The record of its series is lost: the reference must not become another's, whose sample this would be at the next opening. */
  unknown(ref: number): void {
    this.report.unknown++;
    if (ref <= MOST_REF) this.head.table.reserveRefs(ref);
  }

  other(): void {
    // Exemplars and metadata are not kept; markers speak of chunks in other files, whose samples the log has too.
  }
}

/** What came late comes late again, whatever its time. */
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
