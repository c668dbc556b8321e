import { Misuse } from "../../../core/index.ts";
import { NAN_HIGH, NAN_LOW, STALE_HIGH, STALE_LOW, type Histogram, type LabelOctets, type Labels } from "../../model/index.ts";
import type { AppendRefusal, Appender, Exemplar, ExemplarVerdict } from "../../storage/index.ts";
import { type Batch, kindOf, type SampleColumns } from "./batch.ts";
import { VERDICT, type Head, type Verdict } from "./head.ts";

const REFUSALS: Readonly<Partial<Record<Verdict, AppendRefusal>>> = {
  [VERDICT.duplicate]: "duplicate sample for timestamp",
  [VERDICT.outOfOrder]: "out of order sample",
  [VERDICT.outOfBounds]: "out of bounds",
  [VERDICT.tooOld]: "too old sample",
};

/** Where the samples of an appender go when it commits. */
export interface AppendTarget {
  readonly head: Head;
  /** Writes the records of a batch, and of series that are not logged yet. Throws if the write fails; then none of them is written. */
  log(batch: Batch): void;
  /** An empty batch. */
  borrow(): Batch;
  giveBack(batch: Batch): void;
}

/**
 * Appends one batch of samples, for example of a scrape. Each sample is checked at once, against the storage and the batch so far. `commit` logs the
 * batch and then stores it.
 */
export class HeadAppender implements Appender {
  readonly #target: AppendTarget;
  readonly #head: Head;
  readonly #batch: Batch;
  /** Fixed for the whole batch. */
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
    // A series beyond a limit may exist already. If not, leave no trace of it, not even its texts.
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
    // Normalize NaN: its bits are meaningless.
    if (Number.isNaN(value)) return this.#add(series, time, NAN_HIGH, NAN_LOW);
    const { halves } = this.#batch;
    halves.split(value);
    return this.#add(series, time, halves.high, halves.low);
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

  appendExemplar(series: number, exemplar: Exemplar, isTimed = true): ExemplarVerdict | "unknown series" {
    this.#check();
    const head = this.#head;
    const row = this.#rowOf(series, exemplar.time);
    if (row < 0) return "unknown series";
    const verdict = head.exemplars.judge(head.table.labels(row), exemplar, isTimed);
    if (verdict === "new") this.#batch.exemplars.push({ ref: series, exemplar });
    return verdict;
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
      for (const { ref, exemplar } of batch.exemplars) head.takeExemplar(ref, exemplar);
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
      const row = head.table.rowOf(refs[at]!);
      head.take(row, times[at]!, bits[at * 2 + 1]!, bits[at * 2]!, floor);
    }
  }

  /** Late samples were checked on arrival; newer samples of this batch do not make them too old. */
  #takeLate({ refs, times, bits, length }: SampleColumns): void {
    const head = this.#head;
    for (let at = 0; at < length; at++) {
      const row = head.table.rowOf(refs[at]!);
      const [time, high, low] = [times[at]!, bits[at * 2 + 1]!, bits[at * 2]!];
      if (head.late.compare(row, time, high, low) === "none") head.takeLate(row, time, high, low);
    }
  }

  /** Another batch was stored since this one began: a sample may now be late or refused. */
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
    for (let at = 0; at < length; at++) table.pending[table.rowOf(refs[at]!)] = 0;
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

  /** The row of a series' last float in this batch; -1 if there is none. `pending` may belong to another appender. */
  #pendingOf(row: number, series: number): number {
    const at = this.#head.table.pending[row]! - 1;
    const { refs, length } = this.#batch.inOrder;
    return at < length && refs[at] === series ? at : -1;
  }

  #rowOf(series: number, time: number): number {
    if (!Number.isSafeInteger(time)) throw new Misuse("A time is a whole number of milliseconds since 1970.");
    return this.#head.table.rowOf(series);
  }

  #check(): void {
    if (this.#isDone) throw new Misuse("This appender has committed or rolled back: create another.");
  }
}

const encoder = new TextEncoder();
/** Whether a text has more than `most` octets in UTF-8. A UTF-16 unit takes one to three octets, so few texts need encoding. */
const isLonger = (text: string, most: number): boolean =>
  text.length > most || (text.length * 3 > most && encoder.encode(text).length > most);
