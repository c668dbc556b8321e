import { type Head, kindOf, SampleColumns } from "../head/index.ts";
import type { Histogram } from "../../model/index.ts";
import type { Files } from "../files/index.ts";
import { i32At } from "../codec/index.ts";
import { SegmentAccount } from "./read.ts";
import { hasOldSamplesOnly, hasSuchSamplesOnly, readRecord, type RecordFault, type RecordSink } from "./record-read.ts";
import { RECORD, RecordBuffer } from "./record.ts";
import type { LogFiles } from "./scan.ts";
import { SegmentWriter, segmentsIn } from "./segment.ts";

const PREFIX = "checkpoint.";
const UNFINISHED = ".tmp";
/** So many octets of records are gathered before they are written. */
const GATHERED = 1_048_576;

/** `number` is that of the last segment that it stands for (Prometheus TSDB docs, format/wal.md). */
export type CheckpointName = { readonly number: number; readonly name: string };

/** The checkpoints of a log directory, oldest first; one that was not finished has another name. */
export function checkpointsIn(files: Files, directory: string): CheckpointName[] {
  return files
    .list(directory)
    .filter((name) => /^checkpoint\.\d{1,15}$/.test(name))
    .map((name) => ({ number: Number(name.slice(PREFIX.length)), name }))
    .sort((a, b) => a.number - b.number);
}

/** Removes checkpoints that were not finished. */
export function removeUnfinished(files: Files, directory: string): void {
  for (const name of files.list(directory)) {
    if (name.startsWith(PREFIX) && name.endsWith(UNFINISHED)) files.remove(`${directory}/${name}`);
  }
}

/** The segments that a checkpoint and what comes behind it consist of, as paths, in order. */
export function logPaths(files: Files, directory: string): string[] {
  const checkpoint = checkpointsIn(files, directory).at(-1);
  const within = checkpoint === undefined ? [] : segmentsIn(files, `${directory}/${checkpoint.name}`);
  const behind = segmentsIn(files, directory).filter(({ number }) => number > (checkpoint?.number ?? -1));
  return [
    ...within.map(({ name }) => `${directory}/${checkpoint?.name ?? ""}/${name}`),
    ...behind.map(({ name }) => `${directory}/${name}`),
  ];
}

/**
 * Writes what the last checkpoint and the segments up to `last` say of the series in memory and of samples from `time` on into a new checkpoint, which is there
 * whole or not at all; the older ones are removed.
 */
export function writeCheckpoint(log: LogFiles, directory: string, last: number, time: number, head: Head, segmentOctets: number): void {
  const { files } = log;
  const older = checkpointsIn(files, directory);
  const before = older.at(-1);
  if (before !== undefined && before.number >= last) return;
  const name = `${PREFIX}${String(last).padStart(8, "0")}`;
  const target = `${directory}/${name}`;
  const temporary = target + UNFINISHED;
  files.remove(temporary);
  files.makeDirectory(temporary);
  const sources = logPaths(files, directory).filter((path) => {
    const segment = path.slice(directory.length + 1);
    return segment.startsWith(PREFIX) || Number(segment) <= last;
  });
  const writer = new SegmentWriter(files, temporary, 0, "interval", segmentOctets);
  const filter = new Filter(head, time, writer);
  try {
    const pass = (bytes: Uint8Array, from: number, to: number): RecordFault | undefined => {
      // Nearly every record is gone altogether, or stays as it is.
      if (hasOldSamplesOnly(bytes, from, to, time) || filter.keeps(bytes, from, to)) return undefined;
      const fault = readRecord(bytes, from, to, filter);
      filter.endRecord();
      return fault;
    };
    log.scan(sources, head.options.limits.recordOctets)(() => new SegmentAccount(pass));
    filter.flush();
  } finally {
    writer.close();
  }
  files.rename(temporary, target);
  files.syncDirectory(directory);
  for (const { name: old } of older) files.remove(`${directory}/${old}`);
}

/** Passes on what is still needed, record by record. */
class Filter implements RecordSink {
  readonly #head: Head;
  readonly #time: number;
  readonly #writer: SegmentWriter;
  readonly #records = new RecordBuffer();
  readonly #samples = new SampleColumns();
  #tombstones: { ref: number; start: number; end: number }[] = [];
  #histograms: { ref: number; time: number; histogram: Histogram }[] = [];
  #isSeries = false;
  readonly #isNeeded = (ref: number, time: number): boolean => time >= this.#time && this.#isKept(ref);

  constructor(head: Head, time: number, writer: SegmentWriter) {
    this.#head = head;
    this.#time = time;
    this.#writer = writer;
  }

  /** Passes a record of samples on as it is, where all of them are still needed. */
  keeps(bytes: Uint8Array, from: number, to: number): boolean {
    if (!hasSuchSamplesOnly(bytes, from, to, this.#isNeeded)) return false;
    this.#records.copy(bytes, from, to);
    this.#records.end();
    this.endRecord();
    return true;
  }

  series(ref: number, bytes: Uint8Array, from: number, to: number): void {
    if (!this.#isKept(ref)) return;
    if (!this.#isSeries) this.#records.begin(RECORD.series);
    this.#isSeries = true;
    this.#records.u64(ref);
    this.#records.copy(bytes, from, to);
  }

  sample(ref: number, time: number, bytes: Uint8Array, at: number): void {
    if (this.#isNeeded(ref, time)) this.#samples.push(ref, time, i32At(bytes, at), i32At(bytes, at + 4));
  }

  histogram(ref: number, time: number, histogram: Histogram): void {
    if (this.#isNeeded(ref, time)) this.#histograms.push({ ref, time, histogram });
  }

  tombstone(ref: number, start: number, end: number): void {
    if (end >= this.#time && this.#isKept(ref)) this.#tombstones.push({ ref, start, end });
  }

  /** What is not read is not passed on either. */
  other(): void {}

  endRecord(): void {
    const records = this.#records;
    if (this.#isSeries) records.end();
    if (this.#samples.length > 0) records.samples(this.#samples, 0, this.#samples.length);
    if (this.#tombstones.length > 0) records.tombstones(this.#tombstones);
    const [first] = this.#histograms;
    if (first !== undefined) records.histograms(kindOf(first.histogram), this.#histograms);
    this.#isSeries = false;
    this.#samples.clear();
    this.#tombstones = [];
    this.#histograms = [];
    if (records.length > GATHERED) this.flush();
  }

  flush(): void {
    this.#writer.write(this.#records);
    this.#records.clear();
  }

  #isKept(ref: number): boolean {
    return this.#head.table.rowOf(ref) >= 0;
  }
}
