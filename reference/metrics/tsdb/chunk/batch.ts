/** How the octets of a chunk are to be read (Prometheus TSDB docs, format/chunks.md, `encoding`). */
export const Encoding = { xor: 1, histogram: 2, floatHistogram: 3, xor2: 4, histogramStart: 5, floatHistogramStart: 6 } as const;

/**
 * The chunks of one series, in order of time, by columns: whoever hands many series on fills one batch again and again. The octets of a chunk are a
 * part of `bytes`, and are copied by the one who takes them.
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

  /** Adds a chunk whose octets will not stay where they are: a copy of them stays until the batch is cleared. */
  addCopy(minTime: number, maxTime: number, encoding: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#stored + to - from > this.#store.length) {
      // What was added before keeps the store that it is in.
      this.#store = new Uint8Array(Math.max(16_384, this.#store.length * 2, to - from));
      this.#stored = 0;
    }
    this.#store.set(bytes.subarray(from, to), this.#stored);
    this.add(minTime, maxTime, encoding, this.#store, this.#stored, this.#stored + to - from);
    this.#stored += to - from;
  }

  add(minTime: number, maxTime: number, encoding: number, bytes: Uint8Array, from = 0, to = bytes.length): void {
    const at = this.length;
    this.minTimes[at] = minTime;
    this.maxTimes[at] = maxTime;
    this.encodings[at] = encoding;
    this.bytes[at] = bytes;
    this.froms[at] = from;
    this.tos[at] = to;
    this.length = at + 1;
  }

  /** How many samples a chunk holds: its first two octets say so, where starts are stored without the upper two bits. */
  samples(at: number): number {
    const bytes = this.bytes[at] ?? EMPTY;
    const from = this.froms[at] ?? 0;
    const count = ((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0);
    const encoding = this.encodings[at] ?? 0;
    return encoding === Encoding.histogramStart || encoding === Encoding.floatHistogramStart ? count & 0x3fff : count;
  }
}

const EMPTY = new Uint8Array(0);
