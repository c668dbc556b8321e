import { Misuse } from "../../core/index.ts";
import { NAN_HIGH, NAN_LOW, STALE_HIGH, STALE_LOW, type Histogram, type Labels } from "../model/index.ts";
import type { AppendRefusal, Appender } from "../storage/index.ts";
import type { Batch } from "./append-batch.ts";
import { VERDICT, type Head, type Verdict } from "./head.ts";

const REFUSALS: Readonly<Partial<Record<Verdict, AppendRefusal>>> = {
  [VERDICT.duplicate]: "duplicate sample for timestamp",
  [VERDICT.outOfOrder]: "out of order sample",
  [VERDICT.outOfBounds]: "out of bounds",
  [VERDICT.tooOld]: "too old sample",
};

/** Where an appender's samples go when it commits, and what it leaves behind. */
export interface AppendTarget {
  readonly head: Head;
  /** Hands the records of a batch, and of series that have none yet, to the kernel. Throws what that threw. */
  log(batch: Batch): void;
  /** A batch to fill, empty. */
  borrow(): Batch;
  giveBack(batch: Batch): void;
}

/**
 * One batch of samples, as of one scrape. Each is judged as it comes, against what is stored and what came before it in the batch; all of them
 * are stored by `commit`, after the log has them.
 */
export class HeadAppender implements Appender {
  readonly #target: AppendTarget;
  readonly #head: Head;
  readonly #batch: Batch;
  /** Fixed with the first sample, so that a batch is judged by one rule. */
  #floor: number;
  #isDone = false;

  constructor(target: AppendTarget) {
    this.#target = target;
    this.#head = target.head;
    this.#batch = target.borrow();
    this.#floor = this.#head.appendFloor();
  }

  series(labels: Labels): number {
    this.#check();
    const { table, options } = this.#head;
    const known = table.find(labels);
    if (known >= 0) return table.refOf(known);
    const { limits } = options;
    if (labels.size === 0) throw new Misuse("A series has at least one label.");
    if (table.count >= limits.series) throw new Misuse(`There are ${limits.series} series already: raise the limit, or drop labels.`);
    if (labels.size > limits.labels) throw new Misuse(`A series has at most ${limits.labels} labels.`);
    const octets = limits.labelOctets / 3;
    if (labels.flat.some((text) => text.length > octets)) throw new Misuse(`A label has at most ${limits.labelOctets} octets.`);
    return table.refOf(table.ensure(labels));
  }

  append(series: number, time: number, value: number): AppendRefusal | undefined {
    // The bits of a NaN that was computed say nothing.
    if (Number.isNaN(value)) return this.#add(series, time, NAN_HIGH, NAN_LOW);
    VALUE[0] = value;
    return this.#add(series, time, HALVES[1] as number, HALVES[0] as number);
  }

  appendStale(series: number, time: number): AppendRefusal | undefined {
    return this.#add(series, time, STALE_HIGH, STALE_LOW);
  }

  appendHistogram(series: number, time: number, histogram: Histogram): AppendRefusal | undefined {
    this.#check();
    const row = this.#rowOf(series, time);
    if (row < 0) return "unknown series";
    const verdict = this.#head.judgeHistogram(row, time, histogram, this.#floor);
    if (verdict === VERDICT.same) return undefined;
    if (verdict !== VERDICT.next) return REFUSALS[verdict];
    this.#batch.histograms.push({ ref: series, time, histogram });
    return undefined;
  }

  commit(): void {
    this.#check();
    const batch = this.#batch;
    const head = this.#head;
    const { table } = head;
    this.#isDone = true;
    try {
      this.#target.log(batch);
      for (let at = 0; at < batch.length; at++) {
        const row = table.rowOf(batch.refs[at] as number);
        table.pending[row] = 0;
        head.take(row, batch.times[at] as number, batch.bits[at * 2 + 1] as number, batch.bits[at * 2] as number, this.#floor);
      }
      for (const { ref, time, histogram } of batch.histograms) head.takeHistogram(table.rowOf(ref), time, histogram, this.#floor);
    } finally {
      this.#leave();
    }
  }

  rollback(): void {
    this.#check();
    this.#isDone = true;
    this.#leave();
  }

  #leave(): void {
    const { table } = this.#head;
    const batch = this.#batch;
    for (let at = 0; at < batch.length; at++) table.pending[table.rowOf(batch.refs[at] as number)] = 0;
    this.#target.giveBack(batch);
  }

  #add(series: number, time: number, high: number, low: number): AppendRefusal | undefined {
    this.#check();
    const { table } = this.#head;
    const batch = this.#batch;
    const row = this.#rowOf(series, time);
    if (row < 0) return "unknown series";
    const before = (table.pending[row] as number) - 1;
    // Another appender may have left its own number here.
    if (before >= 0 && before < batch.length && batch.refs[before] === series) {
      const last = batch.times[before] as number;
      if (time === last) {
        const isSame = batch.bits[before * 2 + 1] === high >>> 0 && batch.bits[before * 2] === low >>> 0;
        return isSame ? undefined : "duplicate sample for timestamp";
      }
      if (time < last && this.#head.options.outOfOrderWindow === 0) return time < this.#floor ? "out of bounds" : "out of order sample";
    }
    const verdict = this.#head.judge(row, time, high, low, this.#floor);
    if (verdict === VERDICT.same) return undefined;
    if (verdict !== VERDICT.next && verdict !== VERDICT.late) return REFUSALS[verdict];
    batch.room();
    const at = batch.length++;
    batch.refs[at] = series;
    batch.times[at] = time;
    batch.bits[at * 2] = low;
    batch.bits[at * 2 + 1] = high;
    table.pending[row] = at + 1;
    return undefined;
  }

  #rowOf(series: number, time: number): number {
    if (!Number.isSafeInteger(time)) throw new Misuse("A time is a whole number of milliseconds since 1970.");
    return this.#head.table.rowOf(series);
  }

  #check(): void {
    if (this.#isDone) throw new Misuse("This appender has committed or rolled back: take another.");
  }
}

const VALUE = new Float64Array(1);
const HALVES = new Uint32Array(VALUE.buffer);
