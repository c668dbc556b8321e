import { type Columns, STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import { BitDesk, BitReader } from "../codec/index.ts";
import type { ChunkFault } from "./float.ts";
import { FloatColumn } from "./values.ts";

/** Chunks that also have times of start (Prometheus TSDB docs, format/chunks.md, "XOR2 chunk data", "Start timestamp encoding"): read, never written; the starts are passed over. */

/** Where in a chunk times of start are: the header says it in an octet. */
export class StartColumn {
  readonly #isFirstKnown: boolean;
  readonly #changesOn: number;

  constructor(header: number) {
    this.#isFirstKnown = header >= 0x80;
    this.#changesOn = header & 0x7f;
  }

  /** Passes over what stands behind a sample. */
  skip(reader: BitReader, index: number): void {
    if (index === 0 ? this.#isFirstKnown : this.#changesOn > 0 && index >= this.#changesOn) {
      if (index === 0) reader.varint();
      else reader.varbitInt();
    }
  }
}

const desk = new BitDesk();
const reader = new BitReader(desk);

/** Appends the samples with `start <= time <= end` of a chunk of encoding XOR2, or nothing where the octets are none: then it says why. */
export function readFloatStartChunk(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Columns,
  start = -Infinity,
  end = Infinity,
): ChunkFault | undefined {
  reader.begin(bytes, from, to);
  const count = reader.bits(16);
  const starts = new StartColumn(reader.bits(8));
  const length = into.length;
  // A stale mark is no part of the column: the value after it is told from the one before it.
  const column = new FloatColumn();
  let time = 0;
  let step = 0;
  for (let index = 0; index < count; index++) {
    let isStale = false;
    if (index === 0) {
      time = reader.varint();
      reader.half64();
      isStale = reader.high === STALE_HIGH && reader.low === STALE_LOW;
      column.high = isStale ? 0 : reader.high;
      column.low = isStale ? 0 : reader.low;
    } else {
      const control = index === 1 ? 2 : ones(reader, 5);
      if (index === 1) step = reader.uvarint();
      else if (control === 2) step += reader.signed(13);
      else if (control === 3) step += reader.signed(20);
      else if (control === 4) step += reader.signed(64);
      if (control === 1) {
        if (reader.bits(1) === 0) column.readMiddle(reader);
        else column.readWindow(reader);
      } else if (control >= 2 && control <= 4) isStale = readValue(column);
      else isStale = control === 5;
      time += step;
    }
    starts.skip(reader, index);
    const isTimely = Number.isSafeInteger(time) && (index === 0 || step > 0);
    if (reader.short || !isTimely) {
      into.length = length;
      return reader.short ? "chunkShort" : "chunkTime";
    }
    if (time > end) break;
    if (time < start) continue;
    if (isStale) into.pushStale(time);
    else into.pushBits(time, column.high, column.low);
  }
  return reader.short ? "chunkShort" : undefined;
}

/** Reads a value; true where it is a stale mark. */
function readValue(column: FloatColumn): boolean {
  const control = ones(reader, 3);
  if (control === 1) column.readMiddle(reader);
  else if (control === 2) column.readWindow(reader);
  return control === 3;
}

/** How many ones stand in front of a zero, `most` at most, and then no zero. */
function ones(from: BitReader, most: number): number {
  let count = 0;
  while (count < most && from.bits(1) === 1) count++;
  return count;
}
