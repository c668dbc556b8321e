import { Misuse } from "../../../core/index.ts";
import { NAN_HIGH, NAN_LOW, STALE_HIGH, STALE_LOW, type Histogram, type LabelOctets, type Labels } from "../../model/index.ts";
import type { AppendRefusal, Appender } from "../../storage/index.ts";
import { type Batch, kindOf, type SampleColumns } from "./batch.ts";
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
  /** Hands the records of a batch, and of series that have none yet, to the kernel. Throws what that threw; then none of them was written. */
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
  readonly #floor: number;
  readonly #begunAt: number;
  #isDone = false;

  constructor(target: AppendTarget) {
    this.#target = target;
    this.#head = target.head;
    this.#batch = target.borrow();
    this.#floor = this.#head.appendFloor();
    this.#begunAt = this.#head.commits;
  }

  series(labels: Labels): number {
    this.#check();
    const { table, options } = this.#head;
    const { limits } = options;
    let refusal = "";
    if (labels.size === 0) refusal = "A series has at least one label.";
    else if (table.count >= limits.series) refusal = `There are ${limits.series} series already: raise the limit, or drop labels.`;
    else if (labels.size > limits.labels) refusal = `A series has at most ${limits.labels} labels.`;
    else if (labels.flat.some((text) => isLonger(text, limits.labelOctets))) refusal = `A label has at most ${limits.labelOctets} octets.`;
    // What would be refused may still be there; where it is not, nothing of it stays, its texts neither.
    const row = refusal === "" ? table.ensure(labels) : table.find(labels);
    if (row < 0) throw new Misuse(refusal);
    return table.refOf(row);
  }

  seriesOf(labels: LabelOctets): number {
    this.#check();
    const { table, options } = this.#head;
    const { limits } = options;
    const isTaken = labels.size > 0 && table.count < limits.series && labels.size <= limits.labels && labels.longest <= limits.labelOctets;
    return isTaken ? table.refOf(table.ensureOctets(labels)) : this.series(labels.toLabels());
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
    const batch = this.#batch;
    const floats = this.#pendingOf(row, series);
    const end = batch.endOf(series) ?? (floats < 0 ? undefined : batch.inOrder.times[floats]);
    if (end !== undefined && time <= end) return REFUSALS[time === end ? VERDICT.duplicate : VERDICT.outOfOrder];
    batch.turn(series, time, kindOf(histogram));
    batch.histograms.push({ ref: series, time, histogram });
    return undefined;
  }

  commit(): void {
    this.#check();
    const batch = this.#batch;
    const head = this.#head;
    this.#isDone = true;
    try {
      if (head.commits !== this.#begunAt || head.floor > this.#floor) this.#judgeAgain();
      this.#target.log(batch);
      head.commits++;
      const floor = Math.max(this.#floor, head.floor);
      for (const { from, to, histograms } of batch.parts()) {
        this.#take(batch.inOrder, from, to, floor);
        for (const { ref, time, histogram } of histograms) head.takeHistogram(head.table.rowOf(ref), time, histogram, floor);
      }
      this.#takeLate(batch.late);
    } finally {
      this.#leave();
    }
  }

  rollback(): void {
    this.#check();
    this.#isDone = true;
    this.#leave();
  }

  #take({ refs, times, bits }: SampleColumns, from: number, to: number, floor: number): void {
    const head = this.#head;
    for (let at = from; at < to; at++) {
      const row = head.table.rowOf(refs[at] as number);
      head.take(row, times[at] as number, bits[at * 2 + 1] as number, bits[at * 2] as number, floor);
    }
  }

  /** They were judged when they came; that this batch has newer ones makes them no older. */
  #takeLate({ refs, times, bits, length }: SampleColumns): void {
    const head = this.#head;
    for (let at = 0; at < length; at++) {
      const row = head.table.rowOf(refs[at] as number);
      const [time, high, low] = [times[at] as number, bits[at * 2 + 1] as number, bits[at * 2] as number];
      if (head.late.compare(row, time, high, low) === "none") head.takeLate(row, time, high, low);
    }
  }

  /** Another batch was stored since this one began: what was next in line may be late now, or not wanted. */
  #judgeAgain(): void {
    const { table } = this.#head;
    const floor = Math.max(this.#floor, this.#head.floor);
    this.#batch.filter((ref, time, high, low) => {
      const verdict = this.#head.judge(table.rowOf(ref), time, high, low, floor);
      if (verdict === VERDICT.late) this.#batch.late.push(ref, time, high, low);
      return verdict === VERDICT.next;
    });
  }

  #leave(): void {
    const { table } = this.#head;
    const { refs, length } = this.#batch.inOrder;
    for (let at = 0; at < length; at++) table.pending[table.rowOf(refs[at] as number)] = 0;
    this.#target.giveBack(this.#batch);
  }

  #add(series: number, time: number, high: number, low: number): AppendRefusal | undefined {
    this.#check();
    const head = this.#head;
    const { table } = head;
    const batch = this.#batch;
    const { inOrder } = batch;
    const row = this.#rowOf(series, time);
    if (row < 0) return "unknown series";
    let verdict = head.judge(row, time, high, low, this.#floor);
    const before = verdict === VERDICT.next ? this.#pendingOf(row, series) : -1;
    const end = batch.endOf(series) ?? (before < 0 ? undefined : inOrder.times[before]);
    if (verdict === VERDICT.next && end !== undefined && time <= end) {
      const isSame =
        before >= 0 &&
        time === inOrder.times[before] &&
        inOrder.bits[before * 2 + 1] === high >>> 0 &&
        inOrder.bits[before * 2] === low >>> 0;
      if (isSame) verdict = VERDICT.same;
      else verdict = time === end ? VERDICT.duplicate : head.judgeLate(row, time, high, low);
    }
    if (verdict === VERDICT.next) {
      if (batch.endOf(series) !== undefined) batch.turn(series, time, "samples");
      inOrder.push(series, time, high, low);
      table.pending[row] = inOrder.length;
    } else if (verdict === VERDICT.late) batch.late.push(series, time, high, low);
    else return REFUSALS[verdict];
    return undefined;
  }

  /** Where the last float of a series stands that this batch has, -1 where it has none: another appender may have left its own number. */
  #pendingOf(row: number, series: number): number {
    const at = (this.#head.table.pending[row] as number) - 1;
    const { refs, length } = this.#batch.inOrder;
    return at < length && refs[at] === series ? at : -1;
  }

  #rowOf(series: number, time: number): number {
    if (!Number.isSafeInteger(time)) throw new Misuse("A time is a whole number of milliseconds since 1970.");
    return this.#head.table.rowOf(series);
  }

  #check(): void {
    if (this.#isDone) throw new Misuse("This appender has committed or rolled back: take another.");
  }
}

const encoder = new TextEncoder();
/** Whether the octets of a text are more than `most`. One octet a unit is the least, three are the most: few texts have to be encoded. */
const isLonger = (text: string, most: number): boolean =>
  text.length > most || (text.length * 3 > most && encoder.encode(text).length > most);

const VALUE = new Float64Array(1);
const HALVES = new Uint32Array(VALUE.buffer);
