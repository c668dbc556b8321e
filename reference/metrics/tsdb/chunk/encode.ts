import type { Columns } from "../../model/index.ts";
import { type ChunkBatch, Encoding } from "./batch.ts";
import { appendFloat, beginFloatChunk, FloatChunkStates, MOST_SAMPLE_OCTETS } from "./float.ts";
import { HistogramChunk } from "./histogram.ts";

/** Samples in a full chunk of floats. */
const FULL_CHUNK = 120;

/** Encodes samples as chunks, one batch after another. Belongs to a compaction or to the writing of a block. */
export class ChunkEncoder {
  readonly #states = new FloatChunkStates(1);
  readonly #bytes = new Uint8Array((FULL_CHUNK + 1) * MOST_SAMPLE_OCTETS);

  /** Adds the rows from `from` on as chunks. Floats, integer histograms and float histograms go into separate chunks. */
  encode(columns: Columns, from: number, into: ChunkBatch): void {
    for (let row = from; row < columns.length;) {
      row = columns.histograms?.[row] === undefined ? this.#floats(columns, row, into) : histograms(columns, row, into);
    }
  }

  /** Adds one chunk and returns the row after it. */
  #floats(columns: Columns, from: number, into: ChunkBatch): number {
    const states = this.#states;
    const bytes = this.#bytes;
    const { times, bits } = columns;
    beginFloatChunk(bytes, 0, states, 0);
    let row = from;
    for (; row < columns.length && row - from < FULL_CHUNK && columns.histograms?.[row] === undefined; row++) {
      appendFloat(bytes, 0, states, 0, times[row]!, bits[row * 2 + 1]!, bits[row * 2]!);
    }
    const [minTime, maxTime] = [times[from]!, times[row - 1]!];
    into.addCopy({ minTime, maxTime, encoding: Encoding.xor, bytes, from: 0, to: states.length(0) });
    return row;
  }
}

/** Adds the rows from `from` on as chunks: `ChunkEncoder` for a single use. */
export function encodeRows(columns: Columns, from: number, into: ChunkBatch): void {
  new ChunkEncoder().encode(columns, from, into);
}

/** Adds chunks for a run of histograms and returns the row after it. */
function histograms(columns: Columns, from: number, into: ChunkBatch): number {
  const first = columns.histograms?.[from];
  const isInteger = first?.isInteger === true;
  let chunk = new HistogramChunk(columns.times[from]!, first, { isInteger });
  let row = from + 1;
  for (; row < columns.length; row++) {
    const histogram = columns.histograms?.[row];
    // A stale marker after a histogram belongs to the histograms.
    if (histogram === undefined ? !columns.isStale(row) : histogram.isInteger !== isInteger) break;
    const time = columns.times[row]!;
    const end = chunk.append(time, histogram);
    if (end === undefined) continue;
    add(chunk, into);
    chunk = new HistogramChunk(time, histogram, { isInteger, hint: end === "reset" ? "reset" : "unknown" });
  }
  add(chunk, into);
  return row;
}

function add({ minTime, maxTime, encoding, bytes }: HistogramChunk, into: ChunkBatch): void {
  into.addCopy({ minTime, maxTime, encoding, bytes, from: 0, to: bytes.length });
}
