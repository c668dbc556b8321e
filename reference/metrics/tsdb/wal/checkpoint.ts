import { type ExemplarRow, type Head, kindOf, SampleColumns } from "../head/index.ts";
import type { Histogram } from "../../model/index.ts";
import type { Exemplar } from "../../storage/index.ts";
import type { Files } from "../files/index.ts";
import { i32At } from "../codec/index.ts";
import { SegmentAccount } from "./read.ts";
import { type RecordFault, RecordReader, type RecordSink } from "./record-read.ts";
import { RECORD, RecordBuffer } from "./record.ts";
import type { LogFiles } from "./scan.ts";
import { SegmentWriter, segmentsIn } from "./segment.ts";

const PREFIX = "checkpoint.";
const UNFINISHED = ".tmp";
/** Records are written in batches of about this many octets. */
const GATHERED = 1_048_576;

/** `number`: the last segment that the checkpoint replaces (Prometheus TSDB docs, format/wal.md). */
export type CheckpointName = { readonly number: number; readonly name: string };

/** The finished checkpoints of a log directory, oldest first. */
export function checkpointsIn(files: Files, directory: string): CheckpointName[] {
  return files
    .list(directory)
    .filter((name) => /^checkpoint\.\d{1,15}$/.test(name))
    .map((name) => ({ number: Number(name.slice(PREFIX.length)), name }))
    .sort((a, b) => a.number - b.number);
}

/** Removes unfinished checkpoints. */
export function removeUnfinished(files: Files, directory: string): void {
  for (const name of files.list(directory)) {
    if (name.startsWith(PREFIX) && name.endsWith(UNFINISHED)) files.remove(`${directory}/${name}`);
  }
}

/** The segments of the last checkpoint and those after it, as paths, in order. */
export function logPaths(files: Files, directory: string): string[] {
  const checkpoint = checkpointsIn(files, directory).at(-1);
  const within = checkpoint === undefined ? [] : segmentsIn(files, `${directory}/${checkpoint.name}`);
  const after = segmentsIn(files, directory).filter(({ number }) => number > (checkpoint?.number ?? -1));
  return [
    ...within.map(({ name }) => `${directory}/${checkpoint?.name ?? ""}/${name}`),
    ...after.map(({ name }) => `${directory}/${name}`),
  ];
}

/** The last segment that a checkpoint replaces, the time from which samples are kept, and the size of its segments. */
export type CheckpointOptions = {
  readonly last: number;
  readonly time: number;
  readonly segmentOctets: number;
  /** The series that are kept although they are not in memory. */
  readonly isRemembered?: (ref: number) => boolean;
};

/**
 * Writes a checkpoint: the series in memory and the samples from `time` on, out of the last checkpoint and the segments up to `last`. It appears
 * atomically; older checkpoints are removed.
 */
export function writeCheckpoint(log: LogFiles, directory: string, head: Head, options: CheckpointOptions): void {
  const { last, time, segmentOctets, isRemembered = () => false } = options;
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
  const writer = new SegmentWriter(files, temporary, { number: 0, sync: "interval", segmentOctets });
  const reader = new RecordReader();
  const filter = new Filter(head, { time, isRemembered }, writer);
  try {
    const pass = (bytes: Uint8Array, from: number, to: number): RecordFault | undefined => {
      // Nearly every record is dropped or kept as a whole.
      if (reader.hasOnlyOldSamples(bytes, from, to, time)) return undefined;
      if (reader.hasOnlySamplesThat(bytes, from, to, filter.isNeeded)) {
        filter.copy(bytes, from, to);
        return undefined;
      }
      const fault = reader.read(bytes, from, to, filter);
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

/** Writes what is still needed, record by record. */
class Filter implements RecordSink {
  readonly #head: Head;
  readonly #time: number;
  readonly #isRemembered: (ref: number) => boolean;
  readonly #writer: SegmentWriter;
  readonly #records = new RecordBuffer();
  readonly #samples = new SampleColumns();
  #tombstones: { ref: number; start: number; end: number }[] = [];
  #histograms: { ref: number; time: number; histogram: Histogram }[] = [];
  #exemplars: ExemplarRow[] = [];
  #isSeries = false;
  readonly isNeeded = (ref: number, time: number): boolean => time >= this.#time && this.#isKept(ref);

  constructor(head: Head, { time, isRemembered }: Required<Pick<CheckpointOptions, "time" | "isRemembered">>, writer: SegmentWriter) {
    this.#head = head;
    this.#isRemembered = isRemembered;
    this.#time = time;
    this.#writer = writer;
  }

  /** Writes a record as it is. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    this.#records.copy(bytes, from, to);
    this.#records.end();
    this.endRecord();
  }

  series(ref: number, bytes: Uint8Array, from: number, to: number): void {
    if (!this.#isKept(ref) && !this.#isRemembered(ref)) return;
    if (!this.#isSeries) this.#records.begin(RECORD.series);
    this.#isSeries = true;
    this.#records.u64(ref);
    this.#records.copy(bytes, from, to);
  }

  sample(ref: number, time: number, bytes: Uint8Array, at: number): void {
    if (this.isNeeded(ref, time)) this.#samples.push(ref, time, i32At(bytes, at), i32At(bytes, at + 4));
  }

  histogram(ref: number, time: number, histogram: Histogram): void {
    if (this.isNeeded(ref, time)) this.#histograms.push({ ref, time, histogram });
  }

  tombstone(ref: number, start: number, end: number): void {
    if (end >= this.#time && this.#isKept(ref)) this.#tombstones.push({ ref, start, end });
  }

  exemplar(ref: number, exemplar: Exemplar): void {
    if (this.isNeeded(ref, exemplar.time)) this.#exemplars.push({ ref, exemplar });
  }

  /** Dropped: nothing reads these records. */
  other(): void {}

  endRecord(): void {
    const records = this.#records;
    if (this.#isSeries) records.end();
    if (this.#samples.length > 0) records.samples(this.#samples, 0, this.#samples.length);
    if (this.#tombstones.length > 0) records.tombstones(this.#tombstones);
    const [first] = this.#histograms;
    if (first !== undefined) records.histograms(kindOf(first.histogram), this.#histograms);
    records.exemplars(this.#exemplars);
    this.#isSeries = false;
    this.#exemplars = [];
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
