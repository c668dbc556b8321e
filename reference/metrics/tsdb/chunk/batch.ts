/** The encodings of chunks (Prometheus TSDB docs, format/chunks.md, `encoding`). */
export const Encoding = { xor: 1, histogram: 2, floatHistogram: 3, xor2: 4, histogramStart: 5, floatHistogramStart: 6 } as const;

/** A chunk: its octets in `bytes`, `from` to `to`. */
export type EncodedChunk = { readonly encoding: number; readonly bytes: Uint8Array; readonly from: number; readonly to: number };

/** A chunk with the times of its first and last sample. */
export type TimedChunk = EncodedChunk & { readonly minTime: number; readonly maxTime: number };

/**
 * The chunks of one series in time order, in columns, so that one batch serves many series. It refers to the octets of a chunk without copying
 * them; a consumer that keeps them makes its own copy.
 */
export class ChunkBatch {
  length = 0;
  /** Times of the first and last sample. */
  readonly minTimes: number[] = [];
  readonly maxTimes: number[] = [];
  readonly encodings: number[] = [];
  readonly bytes: Uint8Array[] = [];
  readonly froms: number[] = [];
  readonly tos: number[] = [];

  #store = new Uint8Array(0);
  #stored = 0;

  clear(): void {
    this.length = 0;
    this.#stored = 0;
  }

  /** Adds a chunk whose octets are about to be overwritten, as a copy that lives until the batch is cleared. */
  addCopy({ minTime, maxTime, encoding, bytes, from, to }: TimedChunk): void {
    if (this.#stored + to - from > this.#store.length) {
      // Earlier chunks keep the previous store.
      this.#store = new Uint8Array(Math.max(16_384, this.#store.length * 2, to - from));
      this.#stored = 0;
    }
    this.#store.set(bytes.subarray(from, to), this.#stored);
    this.add({ minTime, maxTime, encoding, bytes: this.#store, from: this.#stored, to: this.#stored + to - from });
    this.#stored += to - from;
  }

  add(chunk: TimedChunk): void {
    const at = this.length;
    this.minTimes[at] = chunk.minTime;
    this.maxTimes[at] = chunk.maxTime;
    this.encodings[at] = chunk.encoding;
    this.bytes[at] = chunk.bytes;
    this.froms[at] = chunk.from;
    this.tos[at] = chunk.to;
    this.length = at + 1;
  }

  /** The number of samples in a chunk, from its first two octets. Encodings with start times use only 14 of these bits. */
  samples(at: number): number {
    const bytes = this.bytes[at]!;
    const from = this.froms[at]!;
    const count = ((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0);
    const encoding = this.encodings[at];
    return encoding === Encoding.histogramStart || encoding === Encoding.floatHistogramStart ? count & 0x3fff : count;
  }
}
