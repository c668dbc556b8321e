import { Columns } from "../../model/index.ts";
import { type AppendTarget, Batch, type Head, HISTOGRAM_KINDS, kindOf, SampleColumns } from "../head/index.ts";
import { checkpointsIn, logPaths, writeCheckpoint } from "./checkpoint.ts";
import { type Files, syncFile } from "../files/index.ts";
import { RECORD, RecordBuffer } from "./record.ts";
import { segmentPaths } from "./replay.ts";
import type { LogFiles } from "./scan.ts";
import { SegmentWriter, segmentsIn, type SyncPolicy } from "./segment.ts";

/** Samples of one record: what a reader has to hold at once. */
const MOST_SAMPLES = 65_536;
/** Of the segments that may go, so many thirds are made a checkpoint; the rest is young, and would only be copied again soon. */
const THIRDS = 2;

/** How safe what was taken is from a loss of power, and how many octets a segment has. */
export type LogOptions = {
  readonly sync: SyncPolicy;
  readonly segmentOctets: number;
};

/**
 * The log of a data directory: `wal` has the series and what came in order, `wbl` what came late (Prometheus docs, storage.md). What is handed to `log` is with the
 * kernel when it returns.
 */
export class Log implements AppendTarget {
  readonly head: Head;
  readonly #log: LogFiles;
  readonly #files: Files;
  readonly #wal: string;
  readonly #wbl: string;
  readonly #options: LogOptions;
  readonly #writer: SegmentWriter;
  /** Made when the first late sample comes. */
  #lateWriter: SegmentWriter | undefined;
  readonly #records = new RecordBuffer();
  readonly #lateRecords = new RecordBuffer();
  #spare: Batch | undefined;
  /** Segments of the process before that may not be on the disk. */
  readonly #inherited: string[] = [];

  /** Goes on behind what there is in `directory`: with a new segment, as the end of the last one may be of another's making. */
  constructor(log: LogFiles, directory: string, head: Head, options: LogOptions) {
    this.head = head;
    this.#log = log;
    this.#files = log.files;
    this.#wal = `${directory}/wal`;
    this.#wbl = `${directory}/wbl`;
    this.#options = options;
    this.#writer = this.#begin(this.#wal);
  }

  /** Segments of the log, the one that is written to among them. */
  get segments(): number {
    return segmentsIn(this.#files, this.#wal).length;
  }

  /** Octets of the log on disk. */
  get octets(): number {
    let sum = 0;
    for (const path of [...logPaths(this.#files, this.#wal), ...segmentPaths(this.#files, this.#wbl)]) {
      const file = this.#files.open(path, "read");
      sum += file.size();
      file.close();
    }
    return sum;
  }

  borrow(): Batch {
    const batch = this.#spare ?? new Batch();
    this.#spare = undefined;
    return batch;
  }

  giveBack(batch: Batch): void {
    batch.clear();
    this.#spare = batch;
  }

  log(batch: Batch): void {
    const { head } = this;
    const records = this.#records;
    records.clear();
    this.#series(records);
    for (const { from, to, histograms } of batch.parts()) {
      samples(records, batch.inOrder, from, to);
      for (const kind of HISTOGRAM_KINDS) {
        if (histograms.length === 0) break;
        records.histograms(
          kind,
          histograms.filter(({ histogram }) => kindOf(histogram) === kind),
        );
      }
    }
    this.#writer.write(records);
    if (batch.late.length > 0) {
      try {
        this.#late(batch.late);
      } catch (error) {
        this.#writer.takeBack();
        throw error;
      }
    }
    head.logged = head.table.count;
  }

  /** Notes what is deleted. */
  logDeletions(rows: readonly { readonly ref: number; readonly start: number; readonly end: number }[]): void {
    if (rows.length === 0) return;
    this.#records.clear();
    this.#series(this.#records);
    this.#records.tombstones(rows);
    this.#writer.write(this.#records);
    this.head.logged = this.head.table.count;
  }

  /**
   * Samples before `time` are in blocks: two thirds of the segments that are not written to any more become a checkpoint, which has of them what is still
   * in memory.
   */
  truncate(time: number): void {
    const segments = segmentsIn(this.#files, this.#wal);
    if (this.#writer.size > 0) this.#writer.cut();
    const first = segments[0]?.number ?? this.#writer.number;
    const last = first + Math.floor(((this.#writer.number - 1 - first) * THIRDS) / 3);
    if (last <= first) return;
    writeCheckpoint(this.#log, this.#wal, last, time, this.head, this.#options.segmentOctets);
    for (const { number, name } of segments) if (number <= last) this.#files.remove(`${this.#wal}/${name}`);
  }

  /** What came late and is still in memory is logged anew, and the log of what came late before goes: the rest of it is in blocks. */
  truncateLate(): void {
    const old = segmentsIn(this.#files, this.#wbl);
    const { head } = this;
    if (old.length === 0) return;
    if (this.#lateWriter === undefined) this.#lateWriter = this.#begin(this.#wbl);
    else if (this.#lateWriter.size > 0) this.#lateWriter.cut();
    const left = new SampleColumns();
    for (const row of head.late.rows()) {
      const ref = head.table.refOf(row);
      LEFT.clear();
      head.late.read(row, LEFT, -Infinity, Infinity, Infinity);
      for (let at = 0; at < LEFT.length; at++) left.push(ref, LEFT.times[at] ?? 0, LEFT.bits[at * 2 + 1] ?? 0, LEFT.bits[at * 2] ?? 0);
    }
    if (left.length > 0) this.#late(left);
    this.#lateWriter.sync();
    const { number: kept } = this.#lateWriter;
    for (const { number, name } of old) if (number < kept) this.#files.remove(`${this.#wbl}/${name}`);
  }

  /** Pushes to the disk what is only with the kernel. */
  sync(): void {
    this.#syncInherited();
    this.#writer.sync();
    this.#lateWriter?.sync();
  }

  close(): void {
    try {
      this.#syncInherited();
    } finally {
      try {
        this.#lateWriter?.close();
      } finally {
        this.#writer.close();
      }
    }
  }

  #syncInherited(): void {
    for (const path of this.#inherited) if (this.#files.exists(path)) syncFile(this.#files, path);
    this.#inherited.length = 0;
  }

  #late(late: SampleColumns): void {
    this.#lateRecords.clear();
    samples(this.#lateRecords, late, 0, late.length);
    this.#lateWriter ??= this.#begin(this.#wbl);
    this.#lateWriter.write(this.#lateRecords);
  }

  #begin(directory: string): SegmentWriter {
    this.#files.makeDirectory(directory);
    const last = segmentsIn(this.#files, directory).at(-1);
    // The process that wrote it may have died before it was on the disk: what comes behind relies on its series.
    if (last !== undefined) this.#inherited.push(`${directory}/${last.name}`);
    if (this.#options.sync === "commit") this.#syncInherited();
    const number = Math.max(
      last === undefined ? 0 : last.number + 1,
      directory === this.#wal ? afterCheckpoint(this.#files, directory) : 0,
    );
    return new SegmentWriter(this.#files, directory, number, this.#options.sync, this.#options.segmentOctets);
  }

  /** A record of the series that have none yet, whoever made them. */
  #series(records: RecordBuffer): void {
    const { table, logged } = this.head;
    if (logged >= table.count) return;
    records.begin(RECORD.series);
    for (let row = logged; row < table.count; row++) records.seriesOf(table, row);
    records.end();
  }
}

function samples(records: RecordBuffer, columns: SampleColumns, begin: number, end: number): void {
  for (let from = begin; from < end; from += MOST_SAMPLES) records.samples(columns, from, Math.min(end, from + MOST_SAMPLES));
}

const LEFT = new Columns();

/** A checkpoint has everything up to the segment in its name: the next segment comes behind it. */
function afterCheckpoint(files: Files, directory: string): number {
  return checkpointsIn(files, directory).reduce((most, { number }) => Math.max(most, number + 1), 0);
}
