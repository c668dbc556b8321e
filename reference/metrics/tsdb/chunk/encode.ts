import type { Columns } from "../../model/index.ts";
import { type ChunkBatch, Encoding } from "./batch.ts";
import { appendFloat, beginFloatChunk, FloatChunkStates, MOST_SAMPLE_OCTETS } from "./float.ts";
import { type ChunkEnd, HistogramChunk } from "./histogram.ts";

/** Samples in a chunk of floats that is full. */
export const FULL_CHUNK = 120;

const states = new FloatChunkStates(1);
const bytes = new Uint8Array((FULL_CHUNK + 1) * MOST_SAMPLE_OCTETS);

/** Adds the rows from `from` on as chunks: so many as it takes for floats, integer histograms and those of floats each to stand among themselves. */
export function encodeRows(columns: Columns, from: number, into: ChunkBatch): void {
  for (let row = from; row < columns.length;) {
    row = columns.histograms?.[row] === undefined ? encodeFloats(columns, row, into) : encodeHistograms(columns, row, into);
  }
}

/** Returns the first row that is in no chunk yet. */
function encodeFloats(columns: Columns, from: number, into: ChunkBatch): number {
  beginFloatChunk(bytes, 0, states, 0);
  let row = from;
  for (; row < columns.length && row - from < FULL_CHUNK && columns.histograms?.[row] === undefined; row++) {
    appendFloat(bytes, 0, states, 0, columns.times[row] as number, columns.bits[row * 2 + 1] as number, columns.bits[row * 2] as number);
  }
  into.addCopy(columns.times[from] as number, columns.times[row - 1] as number, Encoding.xor, bytes, 0, states.length(0));
  return row;
}

function encodeHistograms(columns: Columns, from: number, into: ChunkBatch): number {
  const first = columns.histograms?.[from];
  const isInteger = first?.isInteger === true;
  let chunk = new HistogramChunk(columns.times[from] as number, first, isInteger);
  let row = from + 1;
  for (; row < columns.length; row++) {
    const histogram = columns.histograms?.[row];
    // A stale mark behind a histogram is one of a histogram.
    if (histogram === undefined ? !columns.isStale(row) : histogram.isInteger !== isInteger) break;
    const time = columns.times[row] as number;
    const end: ChunkEnd | undefined = chunk.append(time, histogram);
    if (end === undefined) continue;
    addHistograms(chunk, into);
    chunk = new HistogramChunk(time, histogram, isInteger, end === "reset" ? "reset" : "unknown");
  }
  addHistograms(chunk, into);
  return row;
}

function addHistograms(chunk: HistogramChunk, into: ChunkBatch): void {
  const octets = chunk.bytes;
  into.addCopy(chunk.minTime, chunk.maxTime, chunk.encoding, octets, 0, octets.length);
}
