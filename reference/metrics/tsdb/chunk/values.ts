import { STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import type { BitReader, BitWriter, FloatHalves } from "../codec/index.ts";

export const isStaleHalves = (high: number, low: number): boolean => high === STALE_HIGH && low === STALE_LOW;

/** A column of floats, each stored as the bits in which it differs from the one before (Prometheus TSDB docs, format/chunks.md, `<varbit_xor>`). */
export class FloatColumn {
  high = 0;
  low = 0;
  readonly #halves: FloatHalves;
  #leading = -1;
  #trailing = 0;

  constructor(halves: FloatHalves) {
    this.#halves = halves;
  }

  get value(): number {
    return this.#halves.join(this.high, this.low);
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

  /** A new window and its bits. */
  readWindow(reader: BitReader): void {
    this.#leading = reader.bits(5);
    const width = reader.bits(6) || 64;
    this.#trailing = 64 - this.#leading - width;
    if (this.#trailing < 0) reader.fail();
    else this.readMiddle(reader);
  }

  /** The bits of the last window. */
  readMiddle(reader: BitReader): void {
    const leading = Math.max(0, this.#leading);
    const trailing = this.#trailing;
    if (trailing >= 32) {
      this.high ^= reader.bits(64 - leading - trailing) << (trailing - 32);
      return;
    }
    this.high ^= reader.bits(32 - leading);
    this.low ^= reader.bits(32 - trailing) << trailing;
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
    const leading = upper === 0 ? 31 : Math.clz32(upper);
    const trailing = lower === 0 ? 63 - Math.clz32(upper & -upper) : 31 - Math.clz32(lower & -lower);
    if (this.#leading >= 0 && leading >= this.#leading && trailing >= this.#trailing) writer.bits(2, 2);
    else {
      this.#leading = leading;
      this.#trailing = trailing;
      writer.bits((3 << 11) | (leading << 6) | ((64 - leading - trailing) & 63), 13);
    }
    if (this.#trailing >= 32) return writer.bits(upper >>> (this.#trailing - 32), 64 - this.#leading - this.#trailing);
    writer.bits(upper, 32 - this.#leading);
    writer.bits(lower >>> this.#trailing, 32 - this.#trailing);
  }

  writeNumber(writer: BitWriter, value: number, isFirst: boolean): void {
    const halves = this.#halves;
    halves.split(value);
    if (isFirst) this.writeFirst(writer, halves.high, halves.low);
    else this.writeNext(writer, halves.high, halves.low);
  }
}

/** A column of whole numbers, each stored as the change of its step. */
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
