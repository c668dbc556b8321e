import type { Columns } from "../../model/index.ts";
import { type BitDesk, Cursor, peek } from "../codec/index.ts";
import type { EncodedChunk } from "./batch.ts";
import type { ChunkFault } from "./fault.ts";
import { sampleCount } from "./float.ts";

const TEN = 0xc000_0000 | 0;
const ELEVEN_ZERO = 0xe000_0000 | 0;
const THREE_ONES = 0xf000_0000 | 0;

/** Reads chunks of floats, encoding XOR (Prometheus TSDB docs, format/chunks.md, "XOR chunk data"). */
export class FloatChunkReader {
  readonly #desk: BitDesk;
  readonly #cursor = new Cursor(new Uint8Array(0));

  constructor(desk: BitDesk) {
    this.#desk = desk;
  }

  /**
   * Appends the samples with `start <= time <= end`. If the octets are no valid chunk, appends nothing and returns the fault: any octets give a
   * fault or samples with rising times.
   */
  read(chunk: EncodedChunk, into: Columns, start: number, end: number): ChunkFault | undefined {
    const { bytes, from, to } = chunk;
    const desk = this.#desk;
    const cursor = this.#cursor;
    if (to - from < 2) return "chunkShort";
    const count = sampleCount(bytes, from);
    if (count === 0) return undefined;
    const bitCount = desk.lay(bytes, from + 2, to);
    cursor.bytes = desk.bytes;
    cursor.at = 0;
    cursor.end = to - from - 2;
    cursor.short = false;
    let time = cursor.varint();
    if (cursor.short) return "chunkShort";
    const at = cursor.at;
    cursor.skip(8);
    let step = count === 1 ? 0 : cursor.uvarint();
    if (cursor.short) return "chunkShort";
    into.reserve(count);
    const { view } = desk;
    const { times, bits } = into;
    let row = into.length;
    let high = view.getInt32(at);
    let low = view.getInt32(at + 4);
    let bit = cursor.at * 8;
    // The window: its leading zeros, its width, and masks of its bits.
    let leading = 0;
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
          leading = (word << 2) >>> 27;
          width = (word << 7) >>> 26 || 64;
          const trailing = 64 - leading - width;
          if (trailing < 0) return bit + 11 > bitCount ? "chunkShort" : "chunkWindow";
          highMask = trailing > 32 ? -1 << (trailing - 32) : -1;
          lowMask = trailing >= 32 ? 0 : -1 << trailing;
          bit += 11;
        }
        const upper = peek(view, bit);
        high ^= (upper >>> leading) & highMask;
        low ^= ((peek(view, bit + 32) >>> leading) | ((upper << 1) << (31 - leading))) & lowMask;
        bit += width;
      }
      if (bit > bitCount) return "chunkShort";
      if (step <= 0) return "chunkTime";
    }
    if (time > Number.MAX_SAFE_INTEGER) return "chunkTime";
    into.length = row;
    return undefined;
  }
}

/** Numbers above `half` are negative. */
const signed = (value: number, half: number): number => (value > half ? value - 2 * half : value);
