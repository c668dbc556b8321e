import { STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import type { BitReader, BitWriter } from "../codec/index.ts";

const halves = new Int32Array(2);
const float = new Float64Array(halves.buffer);

/** A float of two halves. Not for a NaN whose bits matter. */
export function joinHalves(high: number, low: number): number {
  halves[0] = low;
  halves[1] = high;
  return float[0] as number;
}

export const isStaleHalves = (high: number, low: number): boolean => high === STALE_HIGH && low === STALE_LOW;

/** A column of floats of which each is stored by the bits in which it differs from the one before (Prometheus TSDB docs, format/chunks.md, `<varbit_xor>`). */
export class FloatColumn {
  high = 0;
  low = 0;
  #front = -1;
  #behind = 0;

  get value(): number {
    return joinHalves(this.high, this.low);
  }

  /** All 64 bits. */
  readFirst(reader: BitReader): void {
    reader.half64();
    this.high = reader.high;
    this.low = reader.low;
  }

  readNext(reader: BitReader): void {
    if (reader.bits(1) === 0) return;
    if (reader.bits(1) === 1) this.readWindow(reader);
    else this.readMiddle(reader);
  }

  /** A window of its own, and the bits in it. */
  readWindow(reader: BitReader): void {
    this.#front = reader.bits(5);
    const width = reader.bits(6) || 64;
    this.#behind = 64 - this.#front - width;
    if (this.#behind < 0) reader.fail();
    else this.readMiddle(reader);
  }

  /** The bits that are in the last window. */
  readMiddle(reader: BitReader): void {
    const front = Math.max(0, this.#front);
    const behind = this.#behind;
    if (behind >= 32) {
      this.high ^= reader.bits(64 - front - behind) << (behind - 32);
      return;
    }
    this.high ^= reader.bits(32 - front);
    this.low ^= reader.bits(32 - behind) << behind;
  }

  writeFirst(writer: BitWriter, high: number, low: number): void {
    writer.bits(high, 32);
    writer.bits(low, 32);
    this.high = high;
    this.low = low;
  }

  writeNext(writer: BitWriter, high: number, low: number): void {
    const upper = high ^ this.high;
    const lower = low ^ this.low;
    this.high = high;
    this.low = low;
    if ((upper | lower) === 0) return writer.bits(0, 1);
    const front = upper === 0 ? 31 : Math.clz32(upper);
    const behind = lower === 0 ? 63 - Math.clz32(upper & -upper) : 31 - Math.clz32(lower & -lower);
    if (this.#front >= 0 && front >= this.#front && behind >= this.#behind) writer.bits(2, 2);
    else {
      this.#front = front;
      this.#behind = behind;
      writer.bits((3 << 11) | (front << 6) | ((64 - front - behind) & 63), 13);
    }
    if (this.#behind >= 32) return writer.bits(upper >>> (this.#behind - 32), 64 - this.#front - this.#behind);
    writer.bits(upper, 32 - this.#front);
    writer.bits(lower >>> this.#behind, 32 - this.#behind);
  }

  /** The same for a number. */
  writeNumber(writer: BitWriter, value: number, isFirst: boolean): void {
    float[0] = value;
    const [low = 0, high = 0] = halves;
    if (isFirst) this.writeFirst(writer, high, low);
    else this.writeNext(writer, high, low);
  }
}

/** A column of whole numbers of which each is stored by the change of its step. */
export class StepColumn {
  value = 0;
  #step = 0;

  readNext(reader: BitReader): void {
    this.#step += reader.varbitInt();
    this.value += this.#step;
    if (!Number.isSafeInteger(this.value)) reader.fail();
  }

  writeNext(writer: BitWriter, value: number): void {
    const step = value - this.value;
    writer.varbitInt(step - this.#step);
    this.#step = step;
    this.value = value;
  }
}
