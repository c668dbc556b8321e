import type { Columns } from "../../model/index.ts";
import { BitDesk, BitReader } from "../codec/index.ts";
import { type EncodedChunk, Encoding } from "./batch.ts";
import type { ChunkFault } from "./fault.ts";
import { FloatChunkReader } from "./float-read.ts";
import { HistogramChunkReader } from "./histogram-read.ts";
import { FloatStartChunkReader } from "./start.ts";

/** Reads chunks of any encoding, one after another. Belongs to a query, a block or the head. */
export class ChunkDecoder {
  readonly #desk = new BitDesk();
  readonly #bits = new BitReader(this.#desk);
  readonly #floats = new FloatChunkReader(this.#desk);
  readonly #floatStarts = new FloatStartChunkReader(this.#bits);
  readonly #histograms = new HistogramChunkReader(this.#bits);

  /** Appends the samples with `start <= time <= end` to `into`. If the chunk is damaged, appends nothing and returns the fault. */
  read(chunk: EncodedChunk, into: Columns, start = -Infinity, end = Infinity): ChunkFault | undefined {
    const { encoding } = chunk;
    if (encoding === Encoding.xor) return this.#floats.read(chunk, into, start, end);
    if (encoding === Encoding.xor2) return this.#floatStarts.read(chunk, into, start, end);
    if (encoding >= Encoding.histogram && encoding <= Encoding.floatHistogramStart) return this.#histograms.read(chunk, into, start, end);
    return "chunkEncoding";
  }
}
