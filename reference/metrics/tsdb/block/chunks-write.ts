import { type Files, Sink } from "../files/index.ts";
import type { ChunkBatch } from "../chunk/index.ts";
import { uvarintLength } from "../codec/index.ts";

export const SEGMENT_MAGIC = 0x85bd_40dd;
export const SEGMENT_VERSION = 1;
export const SEGMENT_HEAD = 8;
/** A segment without chunks. */
export const EMPTY_SEGMENT: Uint8Array = Uint8Array.of(0x85, 0xbd, 0x40, 0xdd, SEGMENT_VERSION, 0, 0, 0);
const DEFAULT_SEGMENT = 512 * 1_048_576;

/** The name of a segment: a number from 1, in six digits. */
export const segmentName = (number: number): string => String(number).padStart(6, "0");

/** Writes the chunks of a block into its segment files (Prometheus TSDB docs, format/chunks.md). */
export class ChunkWriter {
  readonly #files: Files;
  readonly #directory: string;
  readonly #most: number;
  #sink: Sink | undefined;
  #number = 0;
  /** Total size of the segments. */
  octets = 0;

  /** `most`: the most octets in a segment, unless a single chunk is larger. */
  constructor(files: Files, directory: string, most = DEFAULT_SEGMENT) {
    this.#files = files;
    this.#directory = directory;
    this.#most = most;
  }

  /** Writes the chunks of a series and stores their places in `places`: segment number from 0, times 2^32, plus position. */
  write(chunks: ChunkBatch, places: number[]): void {
    for (let chunk = 0; chunk < chunks.length; chunk++) {
      const from = chunks.froms[chunk] ?? 0;
      const to = chunks.tos[chunk] ?? 0;
      const bytes = chunks.bytes[chunk]!;
      const sink = this.#sinkFor(uvarintLength(to - from) + 1 + (to - from) + 4);
      places[chunk] = (this.#number - 1) * 0x1_0000_0000 + sink.position;
      sink.uvarint(to - from);
      sink.beginSum();
      sink.u8(chunks.encodings[chunk] ?? 0);
      sink.octets(bytes, from, to);
      sink.sum();
    }
  }

  finish(): void {
    this.octets += this.#sink?.position ?? 0;
    this.#sink?.finish();
    this.#sink = undefined;
  }

  #sinkFor(length: number): Sink {
    if (this.#sink !== undefined && (this.#sink.position + length <= this.#most || this.#sink.position === SEGMENT_HEAD)) return this.#sink;
    this.finish();
    this.#number += 1;
    const sink = new Sink(this.#files.open(`${this.#directory}/${segmentName(this.#number)}`, "create"));
    sink.u32(SEGMENT_MAGIC);
    sink.u8(SEGMENT_VERSION);
    sink.pad(SEGMENT_HEAD);
    this.#sink = sink;
    return sink;
  }
}
