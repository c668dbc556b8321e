import { Bug } from "../../../core/index.ts";
import { type Columns, type Histogram, NAN_HIGH } from "../../model/index.ts";
import {
  appendEven,
  appendFloat,
  beginFloatChunk,
  ChunkDecoder,
  Encoding,
  HistogramChunk,
  MOST_EVEN_OCTETS,
  type TimedChunk,
} from "../chunk/index.ts";
import { ChunkPool } from "./pool.ts";
import type { SeriesTable } from "./series-table.ts";

/** The planned number of samples in a chunk. A chunk never has more than twice as many. */
const PLANNED_SAMPLES = 120;
const MOST_IN_CHUNK = PLANNED_SAMPLES * 2;
/** The sample count at the start of a chunk of floats; the pool keeps it elsewhere. */
const COUNT_OCTETS = 2;
const COUNT_BITS = COUNT_OCTETS * 8;
const WORD = 4;
/** The most milliseconds from the first sample of a chunk to its last: the pool has four octets for them. */
const MOST_SPAN = 0xffff_ffff;

/** A chunk copied out for a reader; valid until chunks are visited again. */
export type LaidChunk = TimedChunk & { readonly samples: number };

/** What the pool does not know of a chunk that grows. */
type Laying = Pick<LaidChunk, "encoding" | "samples" | "maxTime"> & { readonly octets: number };

/** A chunk of another program's file; `bytes` has at least a word after `to`. */
export type ForeignChunk = Omit<TimedChunk, "bytes"> & { readonly bytes: DataView };

/** The chunks of samples in order: appends to the growing chunk of a series, reads all of its chunks. */
export class HeadChunks {
  readonly pool: ChunkPool = new ChunkPool();
  readonly #table: SeriesTable;
  readonly #range: number;
  readonly #decoder = new ChunkDecoder();
  /** One sample is encoded here, then copied into the slots of its chunk. `from` is fixed. */
  readonly #sample = { bytes: new Uint8Array(64), from: COUNT_OCTETS, to: 0 };
  /** Chunks for a reader, in sequence; the data of each begins at its second word, after the sample count. */
  #words = new Uint32Array(1_024);
  #laidWords = 0;
  readonly #laid: { -readonly [Key in keyof LaidChunk]: LaidChunk[Key] } = {
    bytes: new Uint8Array(this.#words.buffer),
    from: 0,
    to: 0,
    encoding: 0,
    samples: 0,
    minTime: 0,
    maxTime: 0,
  };
  readonly #walk: number[] = [];
  /** The growing chunks of histograms by row: a series has one of these, or one of floats, or none. Few series are histograms, so these are objects. */
  readonly #histograms = new Map<number, GrowingHistograms>();
  #chunkCount = 0;
  #sampleCount = 0;

  /** Chunks end at multiples of `range`, so each belongs to one block. */
  constructor(table: SeriesTable, range: number) {
    this.#table = table;
    this.#range = range;
  }

  /** The number of chunks of all series. */
  get chunkCount(): number {
    return this.#chunkCount;
  }
  /** The number of samples in order of all series. */
  get sampleCount(): number {
    return this.#sampleCount;
  }

  /** Appends a float after the last sample. */
  append(row: number, time: number, high: number, low: number): void {
    const table = this.#table;
    let count = table.counts[row] ?? 0;
    if (count === 0 || this.#isDue(row, count, time)) {
      this.#begin(row, time);
      count = 0;
    }
    const { states } = table;
    table.counts[row] = count + 1;
    this.#sampleCount += 1;
    const isEven = count > 1 && states.steps[row] === time - states.times[row]!;
    if (!isEven || !this.#appendInPlace(row, time, high, low)) this.#appendMoved(row, time, high, low);
  }

  /** Writes straight into the slot, if there is room: the usual case. */
  #appendInPlace(row: number, time: number, high: number, low: number): boolean {
    const table = this.#table;
    const bits = table.states.bits[row]!;
    const last = table.last[row]!;
    const place = this.pool.roomAt(last, bits - COUNT_BITS, MOST_EVEN_OCTETS);
    if (place < 0) return false;
    appendEven(this.pool.bytesOf(last), place - (bits >>> 3), table.states, row, time, high, low);
    return true;
  }

  /** Encodes into the scratch, then copies into as many slots as needed. */
  #appendMoved(row: number, time: number, high: number, low: number): void {
    const table = this.#table;
    const { states } = table;
    const { bytes: sample } = this.#sample;
    const count = table.counts[row]! - 1;
    if (count === 0) beginFloatChunk(sample, 0, states, row);
    const bits = states.bits[row] ?? 0;
    const over = bits & 7;
    const last = table.last[row] ?? 0;
    sample[0] = count >>> 8;
    sample[1] = count;
    if (over > 0) sample[COUNT_OCTETS] = this.pool.octetAt(last, (bits >>> 3) - COUNT_OCTETS);
    states.bits[row] = COUNT_BITS + over;
    appendFloat(sample, 0, states, row, time, high, low);
    const end = states.bits[row] ?? 0;
    this.#sample.to = (end + 7) >>> 3;
    table.last[row] = this.pool.write(last, bits - COUNT_BITS, this.#sample);
    states.bits[row] = bits + end - COUNT_BITS - over;
  }

  /** After a quarter of its samples, plans the end of a chunk so that the chunks of its range have equal lengths. */
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

  /** Appends a histogram after the last sample. */
  appendHistogram(row: number, time: number, histogram: Histogram): void {
    const growing = this.#histograms.get(row);
    const isDue = growing === undefined || time >= growing.cutAt || growing.chunk.count >= PLANNED_SAMPLES;
    const end = isDue ? "full" : growing.chunk.append(time, histogram);
    this.#sampleCount += 1;
    if (end !== undefined) {
      this.complete(row);
      this.#chunkCount += 1;
      // Only a comparison rules out a reset.
      const hint = end === "reset" ? "reset" : histogram.resetHint === "gauge" ? "gauge" : "unknown";
      const chunk = new HistogramChunk(time, histogram, { isInteger: histogram.isInteger, hint });
      this.#histograms.set(row, { chunk, cutAt: this.#rangeEnd(time), last: histogram });
    } else if (growing !== undefined) growing.last = histogram;
    this.#endUnknown(row, time);
  }

  /** Notes a last sample that is not a float, or whose value is unknown. */
  #endUnknown(row: number, time: number): void {
    const { states } = this.#table;
    states.times[row] = time;
    // No stored float has these bits, so none equals this sample.
    states.highs[row] = NAN_HIGH;
    states.lows[row] = 0x7fff_ffff;
  }

  /** The last sample, if it is a histogram of the growing chunk. */
  lastHistogram(row: number): Histogram | undefined {
    return this.#histograms.get(row)?.last;
  }

  #rangeEnd(time: number): number {
    return (Math.floor(time / this.#range) + 1) * this.#range;
  }

  /** Completes the growing chunk and begins a chunk of floats. */
  #begin(row: number, time: number): void {
    const table = this.#table;
    this.complete(row);
    this.#chunkCount += 1;
    const first = this.pool.begin(table.first[row] ?? 0, time);
    table.first[row] = first;
    table.last[row] = first;
    table.cutAt[row] = this.#rangeEnd(time);
  }

  /** Completes the growing chunk, if there is one. */
  complete(row: number): void {
    const table = this.#table;
    const growing = this.#histograms.get(row);
    if (growing !== undefined) {
      this.#histograms.delete(row);
      this.#store(row, growing.chunk);
    }
    const count = table.counts[row] ?? 0;
    if (count === 0) return;
    const octets = (((table.states.bits[row] ?? 0) + 7) >>> 3) - COUNT_OCTETS;
    this.pool.complete(table.first[row] ?? 0, { lastTime: table.lastTime(row), octets, samples: count, encoding: Encoding.xor });
    table.counts[row] = 0;
  }

  /** Stores a complete chunk after all others. */
  #store(row: number, { encoding, bytes, count, minTime, maxTime }: HistogramChunk): void {
    const table = this.#table;
    const first = this.pool.begin(table.first[row] ?? 0, minTime);
    this.pool.write(first, 0, { bytes, from: 0, to: bytes.length });
    this.pool.complete(first, { lastTime: maxTime, octets: bytes.length, samples: count, encoding });
    table.first[row] = first;
  }

  /** Copies a complete chunk into slots that belong to no series yet. Returns its first slot; 0 if it is invalid. */
  lay({ encoding, bytes, from, to, minTime, maxTime }: ForeignChunk): number {
    const begin = encoding === Encoding.xor ? from + COUNT_OCTETS : from;
    const samples = to > from + COUNT_OCTETS ? bytes.getUint16(from) : 0;
    if (samples === 0 || maxTime < minTime || maxTime - minTime > MOST_SPAN) return 0;
    const first = this.pool.begin(0, minTime);
    this.pool.fill(first, bytes, begin, to);
    this.pool.complete(first, { lastTime: maxTime, octets: to - begin, samples, encoding });
    return first;
  }

  /** Adds a chunk that was laid, after all others of the series. */
  adopt(row: number, slot: number): void {
    this.complete(row);
    this.#chunkCount += 1;
    this.#sampleCount += this.pool.samplesOf(slot);
    const table = this.#table;
    this.pool.setPrevious(slot, table.first[row] ?? 0);
    table.first[row] = slot;
    this.#endUnknown(row, this.pool.lastTime(slot));
  }

  /** Prefetches the chunks of series up to `end` (see `ChunkPool.warm`). */
  warm(rows: Uint32Array, end: number): void {
    const { first } = this.#table;
    this.pool.warm(
      rows.map((row) => first[row] ?? 0).filter((slot) => slot !== 0),
      end,
    );
  }

  /** Visits the chunks with samples from `start` to `end`, oldest first. The visitor gets the same object each time. */
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

  /** The first time of the oldest chunk; `Infinity` if there is none. */
  firstTime(row: number): number {
    let oldest = this.#histograms.get(row)?.chunk.minTime ?? Infinity;
    for (let first = this.#table.first[row] ?? 0; first !== 0; first = this.pool.previous(first)) oldest = this.pool.firstTime(first);
    return oldest;
  }

  /** Whether a chunk begins at or before `time`. Checks the newest first: usually it does. */
  beginsBy(row: number, time: number): boolean {
    for (let first = this.#table.first[row] ?? 0; first !== 0; first = this.pool.previous(first)) {
      if (this.pool.firstTime(first) <= time) return true;
    }
    return (this.#histograms.get(row)?.chunk.minTime ?? Infinity) <= time;
  }

  /** Appends the samples from `start` to `end`. */
  read(row: number, into: Columns, start: number, end: number): void {
    this.visit(row, start, end, (chunk) => {
      const fault = this.#decoder.read(chunk, into, start, end);
      if (fault !== undefined) throw new Bug(`A chunk in memory cannot be read: ${fault}.`);
    });
  }

  #layGrowing(row: number, first: number): LaidChunk {
    const table = this.#table;
    const octets = (((table.states.bits[row] ?? 0) + 7) >>> 3) - COUNT_OCTETS;
    return this.#lay(first, { encoding: Encoding.xor, octets, samples: table.counts[row] ?? 0, maxTime: table.lastTime(row) });
  }

  #layComplete(first: number): LaidChunk {
    const { pool } = this;
    const maxTime = pool.lastTime(first);
    return this.#lay(first, { encoding: pool.encodingOf(first), octets: pool.octetsOf(first), samples: pool.samplesOf(first), maxTime });
  }

  #lay(first: number, { encoding, octets, samples, maxTime }: Laying): LaidChunk {
    const laid = this.#laid;
    const words = 1 + Math.ceil(octets / WORD);
    if (this.#laidWords + words > this.#words.length) {
      // Earlier chunks keep the previous buffer.
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

  /** Drops the chunks that end before `time`. Returns the first time of the oldest that is left; `Infinity` if none is. */
  dropBefore(row: number, time: number): number {
    const table = this.#table;
    const { pool } = this;
    const histograms = this.#histograms.get(row)?.chunk;
    if (histograms !== undefined && histograms.maxTime < time) {
      this.#histograms.delete(row);
      this.#chunkCount -= 1;
      this.#sampleCount -= histograms.count;
    }
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
        this.#chunkCount -= 1;
        this.#sampleCount -= pool.samplesOf(first);
        pool.release(first);
      }
      isGrowing = false;
      first = before;
    }
    return oldest;
  }

  /** Moves a series to another row. Called in ascending order; rows only move down. */
  move(from: number, to: number): void {
    const growing = this.#histograms.get(from);
    if (growing === undefined || from === to) return;
    this.#histograms.delete(from);
    this.#histograms.set(to, growing);
  }

  /** Whether a series has no chunk. */
  isEmpty(row: number): boolean {
    return this.#table.first[row] === 0 && !this.#histograms.has(row);
  }
}

type GrowingHistograms = { readonly chunk: HistogramChunk; readonly cutAt: number; last: Histogram };
