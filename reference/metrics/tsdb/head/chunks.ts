import { Bug } from "../../../core/index.ts";
import { type Columns, type Histogram, NAN_HIGH } from "../../model/index.ts";
import { appendEven, appendFloat, beginFloatChunk, Encoding, HistogramChunk, MOST_EVEN_OCTETS, readChunk } from "../chunk/index.ts";
import { ChunkPool } from "./pool.ts";
import type { SeriesTable } from "./series-table.ts";

/** A chunk is planned to have so many samples, and has at most twice as many: then the plan was wrong. */
const PLANNED_SAMPLES = 120;
const MOST_IN_CHUNK = PLANNED_SAMPLES * 2;
/** The number of samples, which a chunk of floats begins with; the pool keeps it elsewhere. */
const COUNT_OCTETS = 2;
const COUNT_BITS = COUNT_OCTETS * 8;
const WORD = 4;
/** Milliseconds from a chunk's first sample to its last: the pool keeps them in four octets. */
const MOST_SPAN = 0xffff_ffff;

/** A chunk of a series, laid out for a reader: `bytes` from `from` to `to`, until chunks are visited again. */
export type LaidChunk = {
  bytes: Uint8Array;
  from: number;
  to: number;
  encoding: number;
  samples: number;
  minTime: number;
  maxTime: number;
};

/** Samples of series that come in order: into the chunk that grows, and out of all chunks. */
export class HeadChunks {
  readonly pool: ChunkPool = new ChunkPool();
  readonly #table: SeriesTable;
  readonly #range: number;
  /** One sample is encoded here, and then moved into the slots of its chunk. */
  readonly #sample = new Uint8Array(64);
  /** Chunks are laid out one behind another, each with its data at its second word, behind the number of samples. */
  #words = new Uint32Array(1_024);
  #laidWords = 0;
  readonly #laid: LaidChunk = {
    bytes: new Uint8Array(this.#words.buffer),
    from: 0,
    to: 0,
    encoding: 0,
    samples: 0,
    minTime: 0,
    maxTime: 0,
  };
  readonly #walk: number[] = [];
  /** The chunks of histograms that grow, by row: a series has one, or one of floats, or none. Few series are histograms, and these are objects. */
  readonly #histograms = new Map<number, GrowingHistograms>();

  /** Chunks end at multiples of `range`, so that each belongs to one block. */
  constructor(table: SeriesTable, range: number) {
    this.#table = table;
    this.#range = range;
  }

  /** Appends a float behind the last sample. */
  append(row: number, time: number, high: number, low: number): void {
    const table = this.#table;
    let count = table.counts[row] ?? 0;
    if (count === 0 || this.#isDue(row, count, time)) {
      this.#begin(row, time);
      count = 0;
    }
    const { states } = table;
    table.counts[row] = count + 1;
    const isEven = count > 1 && time - (states.times[row] as number) === states.steps[row];
    if (!isEven || !this.#appendInPlace(row, time, high, low)) this.#appendMoved(row, count, time, high, low);
  }

  /** Straight into its slot, where there is room for it; most samples go this way. */
  #appendInPlace(row: number, time: number, high: number, low: number): boolean {
    const table = this.#table;
    const bits = table.states.bits[row] as number;
    const last = table.last[row] as number;
    const place = this.pool.roomAt(last, (bits >>> 3) - COUNT_OCTETS, (bits & 7) > 0, MOST_EVEN_OCTETS);
    if (place < 0) return false;
    appendEven(this.pool.bytesOf(last), place - (bits >>> 3), table.states, row, time, high, low);
    return true;
  }

  /** Encoded beside it, and then moved into as many slots as it takes. */
  #appendMoved(row: number, count: number, time: number, high: number, low: number): void {
    const table = this.#table;
    const { states } = table;
    const sample = this.#sample;
    if (count === 0) beginFloatChunk(sample, 0, states, row);
    const bits = states.bits[row] ?? 0;
    const over = bits & 7;
    const at = (bits >>> 3) - COUNT_OCTETS;
    const last = table.last[row] ?? 0;
    sample[0] = count >>> 8;
    sample[1] = count;
    if (over > 0) sample[COUNT_OCTETS] = this.pool.octetAt(last, at);
    states.bits[row] = COUNT_BITS + over;
    appendFloat(sample, 0, states, row, time, high, low);
    const end = states.bits[row] ?? 0;
    table.last[row] = this.pool.write(last, at, over > 0, sample, COUNT_OCTETS, (end + 7) >>> 3);
    states.bits[row] = bits + end - COUNT_BITS - over;
  }

  /** A quarter through its samples, a chunk is planned to end so that those of its range are of even length. */
  #isDue(row: number, count: number, time: number): boolean {
    const table = this.#table;
    if (count === PLANNED_SAMPLES / 4) {
      const start = this.pool.firstTime(table.first[row] ?? 0);
      const end = table.cutAt[row] ?? 0;
      const parts = Math.floor((end - start) / ((table.lastTime(row) - start + 1) * 4));
      if (parts > 1) table.cutAt[row] = start + Math.floor((end - start) / parts);
    }
    return time >= (table.cutAt[row] ?? 0) || count >= MOST_IN_CHUNK;
  }

  /** Appends a histogram behind the last sample. */
  appendHistogram(row: number, time: number, histogram: Histogram): void {
    const growing = this.#histograms.get(row);
    const isDue = growing === undefined || time >= growing.cutAt || growing.chunk.count >= PLANNED_SAMPLES;
    const end = isDue ? "full" : growing.chunk.append(time, histogram);
    if (end !== undefined) {
      this.complete(row);
      // Within a series only what was compared is known not to be a reset.
      const hint = end === "reset" ? "reset" : histogram.resetHint === "gauge" ? "gauge" : "unknown";
      const chunk = new HistogramChunk(time, histogram, histogram.isInteger, hint);
      this.#histograms.set(row, { chunk, cutAt: this.#rangeEnd(time), last: histogram });
    } else if (growing !== undefined) growing.last = histogram;
    this.#endUnknown(row, time);
  }

  /** The last sample of a series is no float, or one that nobody looked at. */
  #endUnknown(row: number, time: number): void {
    const { states } = this.#table;
    states.times[row] = time;
    // No float is written so: none is the same as this sample.
    states.highs[row] = NAN_HIGH;
    states.lows[row] = 0x7fff_ffff;
  }

  /** The last sample, where it is a histogram and not long ago. */
  lastHistogram(row: number): Histogram | undefined {
    return this.#histograms.get(row)?.last;
  }

  #rangeEnd(time: number): number {
    return (Math.floor(time / this.#range) + 1) * this.#range;
  }

  /** Begins a chunk of floats; the one that grew is complete. */
  #begin(row: number, time: number): void {
    const table = this.#table;
    this.complete(row);
    const first = this.pool.begin(table.first[row] ?? 0, time);
    table.first[row] = first;
    table.last[row] = first;
    table.cutAt[row] = this.#rangeEnd(time);
  }

  /** The chunk that grows, if any, takes no more. */
  complete(row: number): void {
    const table = this.#table;
    const growing = this.#histograms.get(row);
    if (growing !== undefined) {
      const { encoding, bytes, count, minTime, maxTime } = growing.chunk;
      this.#histograms.delete(row);
      this.#store(row, encoding, bytes, count, minTime, maxTime);
    }
    const count = table.counts[row] ?? 0;
    if (count === 0) return;
    const octets = (((table.states.bits[row] ?? 0) + 7) >>> 3) - COUNT_OCTETS;
    this.pool.complete(table.first[row] ?? 0, table.lastTime(row), octets, count, Encoding.xor);
    table.counts[row] = 0;
  }

  /** Keeps a chunk that is complete, behind all others. */
  #store(row: number, encoding: number, bytes: Uint8Array, samples: number, minTime: number, maxTime: number): void {
    const table = this.#table;
    const first = this.pool.begin(table.first[row] ?? 0, minTime);
    this.pool.write(first, 0, false, bytes, 0, bytes.length);
    this.pool.complete(first, maxTime, bytes.length, samples, encoding);
    table.first[row] = first;
  }

  /** Lays a complete chunk into memory that is no series' yet, as a file has it, from `from` to `to` and a word behind. Returns its slot; 0 where it is none. */
  lay(encoding: number, bytes: DataView, from: number, to: number, minTime: number, maxTime: number): number {
    const begin = encoding === Encoding.xor ? from + COUNT_OCTETS : from;
    const samples = to > from + COUNT_OCTETS ? bytes.getUint16(from) : 0;
    if (samples === 0 || maxTime < minTime || maxTime - minTime > MOST_SPAN) return 0;
    const first = this.pool.begin(0, minTime);
    this.pool.fill(first, bytes, begin, to);
    this.pool.complete(first, maxTime, to - begin, samples, encoding);
    return first;
  }

  /** Puts a chunk that was laid behind all others of a series. */
  adopt(row: number, slot: number): void {
    this.complete(row);
    const table = this.#table;
    this.pool.setPrevious(slot, table.first[row] ?? 0);
    table.first[row] = slot;
    this.#endUnknown(row, this.pool.lastTime(slot));
  }

  /** Gets series ready to be visited soon, up to `end` (see `ChunkPool.warm`). */
  warm(rows: Uint32Array, end: number): void {
    const { first } = this.#table;
    this.pool.warm(
      rows.map((row) => first[row] ?? 0).filter((slot) => slot !== 0),
      end,
    );
  }

  /** The chunks with samples from `start` to `end`, oldest first: the object is the same for all of them. */
  visit(row: number, start: number, end: number, visitor: (chunk: LaidChunk) => void): void {
    const table = this.#table;
    const newest = table.first[row] ?? 0;
    const growing = (table.counts[row] ?? 0) > 0 ? newest : 0;
    const walk = this.#walk;
    walk.length = 0;
    this.#laidWords = 0;
    for (let first = newest; first !== 0; first = this.pool.previous(first)) {
      if ((first === growing ? table.lastTime(row) : this.pool.lastTime(first)) < start) break;
      if (this.pool.firstTime(first) <= end) walk.push(first);
    }
    for (let at = walk.length - 1; at >= 0; at--) {
      const first = walk[at] ?? 0;
      visitor(first === growing ? this.#layGrowing(row, first) : this.#layComplete(first));
    }
    const histograms = this.#histograms.get(row)?.chunk;
    if (histograms === undefined || histograms.maxTime < start || histograms.minTime > end) return;
    const { bytes, encoding, count: samples, minTime, maxTime } = histograms;
    visitor({ bytes, from: 0, to: bytes.length, encoding, samples, minTime, maxTime });
  }

  /** When the oldest chunk begins; `Infinity` where there is none. */
  firstTime(row: number): number {
    let oldest = this.#histograms.get(row)?.chunk.minTime ?? Infinity;
    for (let first = this.#table.first[row] ?? 0; first !== 0; first = this.pool.previous(first)) oldest = this.pool.firstTime(first);
    return oldest;
  }

  /** Whether a chunk begins up to `time`. Mostly the newest does, and those before it need not be looked at. */
  beginsBy(row: number, time: number): boolean {
    for (let first = this.#table.first[row] ?? 0; first !== 0; first = this.pool.previous(first)) {
      if (this.pool.firstTime(first) <= time) return true;
    }
    return (this.#histograms.get(row)?.chunk.minTime ?? Infinity) <= time;
  }

  /** How many chunks a series has. */
  count(row: number): number {
    let count = this.#histograms.has(row) ? 1 : 0;
    for (let first = this.#table.first[row] ?? 0; first !== 0; first = this.pool.previous(first)) count++;
    return count;
  }

  /** Appends the samples from `start` to `end`. */
  read(row: number, into: Columns, start: number, end: number): void {
    this.visit(row, start, end, ({ encoding, bytes, from, to }) => {
      const fault = readChunk(encoding, bytes, from, to, into, start, end);
      if (fault !== undefined) throw new Bug(`A chunk in memory cannot be read: ${fault}.`);
    });
  }

  #layGrowing(row: number, first: number): LaidChunk {
    const table = this.#table;
    const octets = (((table.states.bits[row] ?? 0) + 7) >>> 3) - COUNT_OCTETS;
    return this.#lay(first, Encoding.xor, octets, table.counts[row] ?? 0, table.lastTime(row));
  }

  #layComplete(first: number): LaidChunk {
    const { pool } = this;
    return this.#lay(first, pool.encodingOf(first), pool.octetsOf(first), pool.samplesOf(first), pool.lastTime(first));
  }

  #lay(first: number, encoding: number, octets: number, samples: number, maxTime: number): LaidChunk {
    const laid = this.#laid;
    const words = 1 + Math.ceil(octets / WORD);
    if (this.#laidWords + words > this.#words.length) {
      // What was laid out before keeps the memory that it is in.
      this.#words = new Uint32Array(Math.max(words, this.#words.length * 2));
      this.#laidWords = 0;
      laid.bytes = new Uint8Array(this.#words.buffer);
    }
    const data = (this.#laidWords + 1) * WORD;
    this.pool.read(first, octets, this.#words, this.#laidWords + 1);
    this.#laidWords += words;
    laid.from = encoding === Encoding.xor ? data - COUNT_OCTETS : data;
    laid.to = data + octets;
    laid.bytes[data - 2] = samples >>> 8;
    laid.bytes[data - 1] = samples;
    laid.encoding = encoding;
    laid.samples = samples;
    laid.minTime = this.pool.firstTime(first);
    laid.maxTime = maxTime;
    return laid;
  }

  /** Drops the chunks of a series that end before `time`; says when the oldest that is left begins, `Infinity` where none is. */
  dropBefore(row: number, time: number): number {
    const table = this.#table;
    const { pool } = this;
    const histograms = this.#histograms.get(row)?.chunk;
    if (histograms !== undefined && histograms.maxTime < time) this.#histograms.delete(row);
    let oldest = this.#histograms.get(row)?.chunk.minTime ?? Infinity;
    let kept = 0;
    let first = table.first[row] ?? 0;
    let isGrowing = (table.counts[row] ?? 0) > 0;
    while (first !== 0) {
      const before = pool.previous(first);
      if ((isGrowing ? table.lastTime(row) : pool.lastTime(first)) >= time) {
        oldest = Math.min(oldest, pool.firstTime(first));
        kept = first;
      } else {
        if (isGrowing) this.complete(row);
        if (kept === 0) table.first[row] = before;
        else pool.setPrevious(kept, before);
        pool.release(first);
      }
      isGrowing = false;
      first = before;
    }
    return oldest;
  }

  /** Chunks that grow are known by row. Called by ascending row, and rows only move down. */
  move(from: number, to: number): void {
    const growing = this.#histograms.get(from);
    if (growing === undefined || from === to) return;
    this.#histograms.delete(from);
    this.#histograms.set(to, growing);
  }

  /** The series has no sample at all. */
  isEmpty(row: number): boolean {
    return this.#table.first[row] === 0 && !this.#histograms.has(row);
  }
}

type GrowingHistograms = { readonly chunk: HistogramChunk; readonly cutAt: number; last: Histogram };
