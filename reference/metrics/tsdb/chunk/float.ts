import { putBits, putUvarint, putVarint, upperHalf } from "../codec/index.ts";

/**
 * Writes chunks of floats, encoding XOR (Prometheus TSDB docs, format/chunks.md, "XOR chunk data"): the number of samples in two octets, the first
 * sample in full, then for each sample the change of the time step and the bits in which its value differs from the one before.
 *
 * The functions take positional arguments because they run for each sample.
 */

/** The longest sample. The caller provides this much room. */
export const MOST_SAMPLE_OCTETS = 20;
/** The number of samples has two octets. */
export const MOST_SAMPLES = 0xffff;

/** No window has been written yet. */
const NO_WINDOW = 0xff00;
const COUNT_BITS = 16;

/** The writer's state for chunks that grow: a slot for each, in columns, so that 100,000 chunks need six arrays. */
export class FloatChunkStates {
  /** The last sample, and its step from the one before. */
  times: Float64Array;
  steps: Float64Array;
  highs: Int32Array;
  lows: Int32Array;
  /** The last window, as the zeros on its two sides: `leading << 8 | trailing`. */
  windows: Uint16Array;
  /** Length of the chunk in bits. */
  bits: Uint32Array;

  constructor(slots: number) {
    this.times = new Float64Array(slots);
    this.steps = new Float64Array(slots);
    this.highs = new Int32Array(slots);
    this.lows = new Int32Array(slots);
    this.windows = new Uint16Array(slots);
    this.bits = new Uint32Array(slots);
  }

  /** Makes room for more slots; existing slots keep their numbers. */
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

/** Begins an empty chunk of two octets at `start`. */
export function beginFloatChunk(bytes: Uint8Array, start: number, states: FloatChunkStates, slot: number): void {
  bytes[start] = 0;
  bytes[start + 1] = 0;
  states.bits[slot] = COUNT_BITS;
  states.windows[slot] = NO_WINDOW;
}

/** The number of samples in the chunk at `start`. */
export const sampleCount = (bytes: Uint8Array, start: number): number => ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);

/**
 * Appends a sample, with its value in two halves. The time is later than the last one, by at most 2^53 ms. The caller ensures that there is room for
 * `MOST_SAMPLE_OCTETS` and that the chunk has fewer than `MOST_SAMPLES` samples.
 */
// oxlint-disable-next-line max-params -- called for each sample
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
  let bit = states.bits[slot]!;
  if (count === 0) {
    const at = putVarint(bytes, start + 2, time);
    bit = putBits(bytes, start, (at - start) * 8, high, 32);
    bit = putBits(bytes, start, bit, low, 32);
  } else {
    const step = time - states.times[slot]!;
    let zeros = 0;
    if (count === 1) bit = (putUvarint(bytes, start + (bit >>> 3), step) - start) * 8;
    else if (step === states.steps[slot]) zeros = 1;
    else bit = putStepChange(bytes, start, bit, step - states.steps[slot]!);
    states.steps[slot] = step;
    bit = putDifference(bytes, start, bit, zeros, states, slot, high ^ states.highs[slot]!, low ^ states.lows[slot]!);
  }
  states.times[slot] = time;
  states.highs[slot] = high;
  states.lows[slot] = low;
  states.bits[slot] = bit;
  bytes[start] = (count + 1) >>> 8;
  bytes[start + 1] = count + 1;
}

/** The most octets that `appendEven` touches. */
export const MOST_EVEN_OCTETS = 11;

/** `appendFloat` for most samples: the third or a later one, with an unchanged step. The caller counts the samples. */
// oxlint-disable-next-line max-params -- called for each sample
export function appendEven(
  bytes: Uint8Array,
  start: number,
  states: FloatChunkStates,
  slot: number,
  time: number,
  high: number,
  low: number,
): void {
  const bit = states.bits[slot]!;
  const { highs, lows } = states;
  states.bits[slot] = putDifference(bytes, start, bit, 1, states, slot, high ^ highs[slot]!, low ^ lows[slot]!);
  states.times[slot] = time;
  highs[slot] = high;
  lows[slot] = low;
}

/** A changed step: a prefix, then the change in 14, 17, 20 or 64 bits (Prometheus TSDB docs, bstream.md). */
function putStepChange(bytes: Uint8Array, start: number, bit: number, change: number): number {
  if (change >= -0x1fff && change <= 0x2000) return putBits(bytes, start, bit, 0x8000 | (change & 0x3fff), 16);
  if (change >= -0xffff && change <= 0x1_0000) return putBits(bytes, start, bit, 0xc_0000 | (change & 0x1_ffff), 20);
  if (change >= -0x7_ffff && change <= 0x8_0000) return putBits(bytes, start, bit, 0xe0_0000 | (change & 0xf_ffff), 24);
  const prefixed = putBits(bytes, start, bit, 0xf, 4);
  return putBits(bytes, start, putBits(bytes, start, prefixed, upperHalf(change), 32), change >>> 0, 32);
}

/**
 * The bits in which two values differ: no bits, the last window if they fit into it, or a new window. `zeros` zeros are written before, together
 * with the prefix: one if the step is unchanged.
 */
// oxlint-disable-next-line max-params -- called for each sample
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
  const window = states.windows[slot]!;
  // The leading zeros have five bits.
  const leading = high === 0 ? 31 : Math.clz32(high);
  const trailing = low === 0 ? 63 - Math.clz32(high & -high) : 31 - Math.clz32(low & -low);
  if (window !== NO_WINDOW && leading >= window >>> 8 && trailing >= (window & 0xff)) {
    return putMiddle(bytes, start, putBits(bytes, start, bit, 2, zeros + 2), high, low, window >>> 8, window & 0xff);
  }
  states.windows[slot] = (leading << 8) | trailing;
  const prefix = (3 << 11) | (leading << 6) | ((64 - leading - trailing) & 63);
  return putMiddle(bytes, start, putBits(bytes, start, bit, prefix, zeros + 13), high, low, leading, trailing);
}

/** A 64-bit difference without its leading and trailing zeros. */
// oxlint-disable-next-line max-params -- called for each sample
function putMiddle(bytes: Uint8Array, start: number, bit: number, high: number, low: number, leading: number, trailing: number): number {
  if (trailing >= 32) return putBits(bytes, start, bit, high >>> (trailing - 32), 64 - leading - trailing);
  const upper = putBits(bytes, start, bit, high, 32 - leading);
  return putBits(bytes, start, upper, low >>> trailing, 32 - trailing);
}
