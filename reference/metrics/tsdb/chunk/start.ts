import { type Columns, STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import type { BitReader } from "../codec/index.ts";
import type { EncodedChunk } from "./batch.ts";
import type { ChunkFault } from "./fault.ts";
import { FloatColumn } from "./values.ts";

/** Chunks with start times (Prometheus TSDB docs, format/chunks.md, "XOR2 chunk data", "Start timestamp encoding"): read, never written. Start times are skipped. */

/** Which samples of a chunk have a start time, by an octet of its header. */
export class StartColumn {
  readonly #isFirstKnown: boolean;
  readonly #changesOn: number;

  constructor(header: number) {
    this.#isFirstKnown = header >= 0x80;
    this.#changesOn = header & 0x7f;
  }

  /** Skips the start time after a sample, if it has one. */
  skip(reader: BitReader, index: number): void {
    if (index === 0 ? this.#isFirstKnown : this.#changesOn > 0 && index >= this.#changesOn) {
      if (index === 0) reader.varint();
      else reader.varbitInt();
    }
  }
}

/** Reads chunks of encoding XOR2. */
export class FloatStartChunkReader {
  readonly #reader: BitReader;

  constructor(reader: BitReader) {
    this.#reader = reader;
  }

  /** As `FloatChunkReader.read`. */
  read({ bytes, from, to }: EncodedChunk, into: Columns, start: number, end: number): ChunkFault | undefined {
    const reader = this.#reader;
    reader.begin(bytes, from, to);
    const count = reader.bits(16);
    const starts = new StartColumn(reader.bits(8));
    const length = into.length;
    // A stale marker is not part of the column: the value after it differs from the value before it.
    const column = new FloatColumn(reader.halves);
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
        } else if (control >= 2 && control <= 4) isStale = readValue(reader, column);
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
}

/** Reads a value; true for a stale marker. */
function readValue(reader: BitReader, column: FloatColumn): boolean {
  const control = ones(reader, 3);
  if (control === 1) column.readMiddle(reader);
  else if (control === 2) column.readWindow(reader);
  return control === 3;
}

/** The number of ones before a zero; after `most` ones there is no zero. */
function ones(from: BitReader, most: number): number {
  let count = 0;
  while (count < most && from.bits(1) === 1) count++;
  return count;
}
