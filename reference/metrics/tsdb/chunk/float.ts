import type { Columns } from "../../model/index.ts";
import { BitDesk, Cursor, peek, putBits, putUvarint, putVarint, upperHalf } from "../codec/index.ts";

/**
 * Chunks of floats, encoding XOR (Prometheus TSDB docs, format/chunks.md, "XOR chunk data"): the number of samples in two octets, the first sample in full, then of each
 * the change of the distance in time, and the bits in which the value differs from the one before.
 */

/** Why a chunk cannot be read. */
export type ChunkFault = "chunkShort" | "chunkWindow" | "chunkTime" | "chunkEncoding" | "chunkHistogram";

/** No sample takes more octets than this; so much room has to be there. */
export const MOST_SAMPLE_OCTETS = 20;
/** The number of samples has two octets. */
export const MOST_SAMPLES = 0xffff;

/** No window of bits was written yet. */
const NO_WINDOW = 0xff00;
const COUNT_BITS = 16;

/** What the writer has to know of the chunks that grow: a slot for each, in columns, so that a hundred thousand of them are six arrays. */
export class FloatChunkStates {
  /** Of the last sample, with the step that led to it. */
  times: Float64Array;
  steps: Float64Array;
  highs: Int32Array;
  lows: Int32Array;
  /** Zeros in front of and behind the bits that the last full difference had: `front << 8 | behind`. */
  windows: Uint16Array;
  /** How long the chunk is, in bits. */
  bits: Uint32Array;

  constructor(slots: number) {
    this.times = new Float64Array(slots);
    this.steps = new Float64Array(slots);
    this.highs = new Int32Array(slots);
    this.lows = new Int32Array(slots);
    this.windows = new Uint16Array(slots);
    this.bits = new Uint32Array(slots);
  }

  /** Room for more slots; those there are keep their numbers. */
  grow(slots: number): void {
    const wider = new FloatChunkStates(slots);
    wider.times.set(this.times);
    wider.steps.set(this.steps);
    wider.highs.set(this.highs);
    wider.lows.set(this.lows);
    wider.windows.set(this.windows);
    wider.bits.set(this.bits);
    Object.assign(this, wider);
  }

  /** In octets. */
  length(slot: number): number {
    return ((this.bits[slot] ?? 0) + 7) >>> 3;
  }
}

/** Begins an empty chunk at `start`: two octets. */
export function beginFloatChunk(bytes: Uint8Array, start: number, states: FloatChunkStates, slot: number): void {
  bytes[start] = 0;
  bytes[start + 1] = 0;
  states.bits[slot] = COUNT_BITS;
  states.windows[slot] = NO_WINDOW;
}

/** How many samples the chunk at `start` has. */
export const sampleCount = (bytes: Uint8Array, start: number): number => ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);

/**
 * Appends a sample: a time behind the last one and at most 2^53 ms from it, and the halves of the value. The caller has seen to it that there are
 * `MOST_SAMPLE_OCTETS` of room and fewer than `MOST_SAMPLES` samples.
 */
export function appendFloat(
  bytes: Uint8Array,
  start: number,
  states: FloatChunkStates,
  slot: number,
  time: number,
  high: number,
  low: number,
): void {
  const count = sampleCount(bytes, start);
  let bit = states.bits[slot] as number;
  if (count === 0) {
    const at = putVarint(bytes, start + 2, time);
    bit = putBits(bytes, start, (at - start) * 8, high, 32);
    bit = putBits(bytes, start, bit, low, 32);
  } else {
    const step = time - (states.times[slot] as number);
    let zeros = 0;
    if (count === 1) bit = (putUvarint(bytes, start + (bit >>> 3), step) - start) * 8;
    else if (step === states.steps[slot]) zeros = 1;
    else bit = putStepChange(bytes, start, bit, step - (states.steps[slot] as number));
    states.steps[slot] = step;
    bit = putDifference(bytes, start, bit, zeros, states, slot, high ^ (states.highs[slot] as number), low ^ (states.lows[slot] as number));
  }
  states.times[slot] = time;
  states.highs[slot] = high;
  states.lows[slot] = low;
  states.bits[slot] = bit;
  bytes[start] = (count + 1) >>> 8;
  bytes[start + 1] = count + 1;
}

/** No sample that `appendEven` writes touches more octets. */
export const MOST_EVEN_OCTETS = 11;

/** As `appendFloat`, for what most samples are: the third or a later one, as far behind the last as that was. The number of samples is the caller's. */
export function appendEven(
  bytes: Uint8Array,
  start: number,
  states: FloatChunkStates,
  slot: number,
  time: number,
  high: number,
  low: number,
): void {
  const bit = states.bits[slot] as number;
  const { highs, lows } = states;
  states.bits[slot] = putDifference(bytes, start, bit, 1, states, slot, high ^ (highs[slot] as number), low ^ (lows[slot] as number));
  states.times[slot] = time;
  highs[slot] = high;
  lows[slot] = low;
}

/** The change of the step, where there is one: with a prefix in 14, 17, 20 or 64 bits (Prometheus TSDB docs, bstream.md). */
function putStepChange(bytes: Uint8Array, start: number, bit: number, change: number): number {
  if (change >= -0x1fff && change <= 0x2000) return putBits(bytes, start, bit, 0x8000 | (change & 0x3fff), 16);
  if (change >= -0xffff && change <= 0x1_0000) return putBits(bytes, start, bit, 0xc_0000 | (change & 0x1_ffff), 20);
  if (change >= -0x7_ffff && change <= 0x8_0000) return putBits(bytes, start, bit, 0xe0_0000 | (change & 0xf_ffff), 24);
  const prefixed = putBits(bytes, start, bit, 0xf, 4);
  return putBits(bytes, start, putBits(bytes, start, prefixed, upperHalf(change), 32), change >>> 0, 32);
}

/**
 * The bits in which two values differ: none, those of the last window where they fit into it, or a window of their own. `zeros`: so many zeros go in
 * front, at once with the prefix: one where the step did not change, as it mostly does not.
 */
function putDifference(
  bytes: Uint8Array,
  start: number,
  bit: number,
  zeros: number,
  states: FloatChunkStates,
  slot: number,
  high: number,
  low: number,
): number {
  if ((high | low) === 0) return putBits(bytes, start, bit, 0, zeros + 1);
  const window = states.windows[slot] as number;
  // Five bits hold the zeros in front.
  const front = high === 0 ? 31 : Math.clz32(high);
  const behind = low === 0 ? 63 - Math.clz32(high & -high) : 31 - Math.clz32(low & -low);
  if (window !== NO_WINDOW && front >= window >>> 8 && behind >= (window & 0xff)) {
    return putMiddle(bytes, start, putBits(bytes, start, bit, 2, zeros + 2), high, low, window >>> 8, window & 0xff);
  }
  states.windows[slot] = (front << 8) | behind;
  const prefix = (3 << 11) | (front << 6) | ((64 - front - behind) & 63);
  return putMiddle(bytes, start, putBits(bytes, start, bit, prefix, zeros + 13), high, low, front, behind);
}

/** 64 bits without those in front and behind. */
function putMiddle(bytes: Uint8Array, start: number, bit: number, high: number, low: number, front: number, behind: number): number {
  if (behind >= 32) return putBits(bytes, start, bit, high >>> (behind - 32), 64 - front - behind);
  const upper = putBits(bytes, start, bit, high, 32 - front);
  return putBits(bytes, start, upper, low >>> behind, 32 - behind);
}

const desk = new BitDesk();
const cursor = new Cursor(new Uint8Array(0));

/**
 * Appends the samples with `start <= time <= end` of the chunk that lies from `from` to `to`. Where the octets are no chunk it says why, and has appended
 * nothing: any octets are such a fault or samples whose times rise.
 */
export function readFloatChunk(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Columns,
  start = -Infinity,
  end = Infinity,
): ChunkFault | undefined {
  if (to - from < 2) return "chunkShort";
  const count = sampleCount(bytes, from);
  if (count === 0) return undefined;
  const bitCount = desk.lay(bytes, from + 2, to);
  cursor.bytes = desk.bytes;
  cursor.at = 0;
  cursor.end = to - from - 2;
  cursor.short = false;
  const first = cursor.varint();
  if (cursor.short) return "chunkShort";
  const at = cursor.at;
  cursor.skip(8);
  const step = count === 1 ? 0 : cursor.uvarint();
  if (cursor.short) return "chunkShort";
  into.reserve(count);
  return readRest(into, count, first, step, desk.view.getInt32(at), desk.view.getInt32(at + 4), cursor.at * 8, bitCount, start, end);
}

const TEN = 0xc000_0000 | 0;
const ELEVEN_ZERO = 0xe000_0000 | 0;
const THREE_ONES = 0xf000_0000 | 0;

function readRest(
  into: Columns,
  count: number,
  firstTime: number,
  firstStep: number,
  firstHigh: number,
  firstLow: number,
  firstBit: number,
  bitCount: number,
  start: number,
  end: number,
): ChunkFault | undefined {
  const view = desk.view;
  const times = into.times;
  const bits = into.bits;
  let row = into.length;
  let time = firstTime;
  let step = firstStep;
  let high = firstHigh;
  let low = firstLow;
  let bit = firstBit;
  // The window of bits, as its zeros in front, its width and masks of where it lies.
  let front = 0;
  let width = 64;
  let highMask = -1;
  let lowMask = -1;
  for (let left = count; time <= end;) {
    times[row] = time;
    bits[row * 2] = low;
    bits[row * 2 + 1] = high;
    if (time >= start) row++;
    if (--left === 0) break;

    if (left < count - 1) {
      const word = peek(view, bit);
      if (word >= 0) bit += 1;
      else if (word < TEN) {
        step += signed((word << 2) >>> 18, 0x2000);
        bit += 16;
      } else if (word < ELEVEN_ZERO) {
        step += signed((word << 3) >>> 15, 0x1_0000);
        bit += 20;
      } else if (word < THREE_ONES) {
        step += signed((word << 4) >>> 12, 0x8_0000);
        bit += 24;
      } else {
        step += peek(view, bit + 4) * 0x1_0000_0000 + (peek(view, bit + 36) >>> 0);
        bit += 68;
      }
    }
    time += step;

    const word = peek(view, bit);
    if (word >= 0) bit += 1;
    else {
      bit += 2;
      if ((word & 0x4000_0000) !== 0) {
        front = (word << 2) >>> 27;
        width = (word << 7) >>> 26 || 64;
        const behind = 64 - front - width;
        if (behind < 0) return bit + 11 > bitCount ? "chunkShort" : "chunkWindow";
        highMask = behind > 32 ? -1 << (behind - 32) : -1;
        lowMask = behind >= 32 ? 0 : -1 << behind;
        bit += 11;
      }
      const upper = peek(view, bit);
      high ^= (upper >>> front) & highMask;
      low ^= ((peek(view, bit + 32) >>> front) | ((upper << 1) << (31 - front))) & lowMask;
      bit += width;
    }
    if (bit > bitCount) return "chunkShort";
    if (step <= 0) return "chunkTime";
  }
  if (time > Number.MAX_SAFE_INTEGER) return "chunkTime";
  into.length = row;
  return undefined;
}

/** Numbers above `half` stand for negative ones. */
const signed = (value: number, half: number): number => (value > half ? value - 2 * half : value);
