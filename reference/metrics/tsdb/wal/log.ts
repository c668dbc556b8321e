import { Columns, type Labels } from "../../model/index.ts";
import { type AppendTarget, Batch, type Head, HISTOGRAM_KINDS, kindOf, SampleColumns } from "../head/index.ts";
import { checkpointsIn, logPaths, writeCheckpoint } from "./checkpoint.ts";
import { type Files, syncFile } from "../files/index.ts";
import { RECORD, RecordBuffer } from "./record.ts";
import { segmentPaths } from "./replay.ts";
import type { LogFiles } from "./scan.ts";
import { type SegmentName, SegmentWriter, segmentsIn, type SyncPolicy } from "./segment.ts";
import type { LogPosition } from "./tail.ts";

/** The most samples in one record, because a reader holds a record in memory. */
const MOST_SAMPLES = 65_536;
/** Two thirds of the full segments become a checkpoint; the rest is young and would soon be copied again. */
const THIRDS = 2;

/** When the log is synced, the size of its segments, and how much of it is kept for readers. */
export type LogOptions = {
  readonly sync: SyncPolicy;
  readonly segmentOctets: number;
  readonly heldOctets: number;
};

/**
 * The log of a data directory: `wal` has all that is stored, in the order of its arrival, `wbl` once more the late samples (Prometheus docs, storage.md).
 * After `log` returns, a crash of the process loses nothing.
 */
export class Log implements AppendTarget {
  readonly head: Head;
  readonly #log: LogFiles;
  readonly #files: Files;
  readonly #wal: string;
  readonly #wbl: string;
  readonly #options: LogOptions;
  readonly #writer: SegmentWriter;
  /** Created for the first late sample. */
  #lateWriter: SegmentWriter | undefined;
  readonly #records = new RecordBuffer();
  readonly #lateRecords = new RecordBuffer();
  #spare: Batch | undefined;
  /** Series that memory has dropped and that a reader of the log may still meet, with the segment until which. */
  readonly #remembered = new Map<number, { readonly labels: Labels; readonly segment: number }>();
  /** Where the readers are that must not miss anything; undefined if there are none. */
  heldFrom: () => LogPosition | undefined = () => undefined;
  /** Segments of the previous process that may not be synced. */
  readonly #inherited: string[] = [];

  /** Continues the log in `directory` with a new segment: another program may have written the last one. */
  constructor(log: LogFiles, directory: string, head: Head, options: LogOptions) {
    this.head = head;
    this.#log = log;
    this.#files = log.files;
    this.#wal = `${directory}/wal`;
    this.#wbl = `${directory}/wbl`;
    this.#options = options;
    this.#inherit(this.#wbl);
    this.#writer = this.#begin(this.#wal);
    head.onDropped = (row) => this.#remember(row);
  }

  /** Number of segments, including the current one. */
  get segments(): number {
    return segmentsIn(this.#files, this.#wal).length;
  }

  /** The end of the last record of the log without late samples. */
  get end(): LogPosition {
    return { segment: this.#writer.number, octets: this.#writer.size };
  }
  get segmentOctets(): number {
    return this.#options.segmentOctets;
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
    // Remote write reads this log alone. A replay leaves late samples out: their own log has them.
    samples(records, batch.late, 0, batch.late.length);
    records.exemplars(batch.exemplars);
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

  /** Logs deletions. */
  logDeletions(rows: readonly { readonly ref: number; readonly start: number; readonly end: number }[]): void {
    if (rows.length === 0) return;
    this.#records.clear();
    this.#series(this.#records);
    this.#records.tombstones(rows);
    this.#writer.write(this.#records);
    this.head.logged = this.head.table.count;
  }

  /** Replaces two thirds of the full segments by a checkpoint. Samples before `time` are in blocks and are dropped. */
  truncate(time: number): void {
    const segments = segmentsIn(this.#files, this.#wal);
    if (this.#writer.size > 0) this.#writer.cut();
    const first = segments[0]?.number ?? this.#writer.number;
    const held = this.#held();
    for (const [ref, { segment }] of this.#remembered) if (held === undefined || segment < held) this.#remembered.delete(ref);
    const last = Math.min(first + Math.floor(((this.#writer.number - 1 - first) * THIRDS) / 3), (held ?? Infinity) - 1);
    if (last <= first) return;
    this.#checkpoint(last, time, segments);
  }

  /** The labels of a series that memory has dropped, while a reader may need them. */
  labelsOf(ref: number): Labels | undefined {
    return this.#remembered.get(ref)?.labels;
  }

  /** The first segment that a reader still needs, unless it is too far behind. */
  #held(): number | undefined {
    const segment = this.heldFrom()?.segment;
    const isTooFar = segment !== undefined && (this.#writer.number - segment) * this.#options.segmentOctets > this.#options.heldOctets;
    return isTooFar ? undefined : segment;
  }

  #remember(row: number): void {
    const { end } = this;
    const at = this.heldFrom();
    if (at === undefined || (at.segment === end.segment && at.octets >= end.octets)) return;
    const { table } = this.head;
    this.#remembered.set(table.refOf(row), { labels: table.labels(row), segment: end.segment });
  }

  #checkpoint(last: number, time: number, segments: readonly SegmentName[]): void {
    const { segmentOctets } = this.#options;
    const isRemembered = (ref: number): boolean => this.#remembered.has(ref);
    writeCheckpoint(this.#log, this.#wal, this.head, { last, time, segmentOctets, isRemembered });
    for (const { number, name } of segments) if (number <= last) this.#files.remove(`${this.#wal}/${name}`);
  }

  /** Replaces the whole log by a checkpoint without samples before `time`: their blocks are about to be removed, and the log must not bring them back. */
  forget(time: number): void {
    const segments = segmentsIn(this.#files, this.#wal);
    this.#writer.cut();
    const last = this.#writer.number - 1;
    this.#checkpoint(last, time, segments);
  }

  /** Logs the late samples in memory again and removes the old log of late samples: the others are in blocks. */
  truncateLate(): void {
    const old = segmentsIn(this.#files, this.#wbl);
    const { head } = this;
    if (old.length === 0) return;
    if (this.#lateWriter === undefined) this.#lateWriter = this.#begin(this.#wbl);
    else if (this.#lateWriter.size > 0) this.#lateWriter.cut();
    const left = new SampleColumns();
    const columns = new Columns();
    for (const row of head.late.rows()) {
      const ref = head.table.refOf(row);
      columns.clear();
      head.late.read(row, columns, { start: -Infinity, end: Infinity, below: Infinity });
      const { times, bits } = columns;
      for (let at = 0; at < columns.length; at++) left.push(ref, times[at] ?? 0, bits[at * 2 + 1] ?? 0, bits[at * 2] ?? 0);
    }
    if (left.length > 0) this.#late(left);
    this.#lateWriter.sync();
    const { number: kept } = this.#lateWriter;
    for (const { number, name } of old) if (number < kept) this.#files.remove(`${this.#wbl}/${name}`);
  }

  /** Syncs what is not on disk yet. */
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

  /** The last segment in a directory: the previous process may have died before syncing it, and later segments rely on its series. */
  #inherit(directory: string): SegmentName | undefined {
    const last = segmentsIn(this.#files, directory).at(-1);
    if (last !== undefined) this.#inherited.push(`${directory}/${last.name}`);
    return last;
  }

  #begin(directory: string): SegmentWriter {
    this.#files.makeDirectory(directory);
    const last = this.#inherit(directory);
    if (this.#options.sync === "commit") this.#syncInherited();
    const number = Math.max(
      last === undefined ? 0 : last.number + 1,
      directory === this.#wal ? afterCheckpoint(this.#files, directory) : 0,
    );
    return new SegmentWriter(this.#files, directory, { number, ...this.#options });
  }

  /** Writes a record of the series that are not logged yet. */
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

/** The first segment number after the last checkpoint, which covers all segments up to the number in its name. */
function afterCheckpoint(files: Files, directory: string): number {
  return checkpointsIn(files, directory).reduce((most, { number }) => Math.max(most, number + 1), 0);
}
