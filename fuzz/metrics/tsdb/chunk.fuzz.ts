import { Columns, type Histogram } from "../../../reference/metrics/model/index.ts";
import { ChunkBatch } from "../../../reference/metrics/tsdb/chunk/batch.ts";
import { ChunkDecoder } from "../../../reference/metrics/tsdb/chunk/decode.ts";
import { encodeRows } from "../../../reference/metrics/tsdb/chunk/encode.ts";
import type { Target } from "../../lib/target.ts";

/** The first octet is the encoding, the rest the chunk. */
export const target: Target = {
  name: "metrics/tsdb/chunk",
  about: "any octets give a fault, or samples with rising times that survive a rewrite",
  maxLength: 512,
  seeds: seeds(),
  run: (input) => {
    const columns = new Columns();
    const fault = new ChunkDecoder().read(
      { encoding: input[0] ?? 0, bytes: input, from: Math.min(1, input.length), to: input.length },
      columns,
    );
    if (fault !== undefined) {
      if (columns.length > 0) throw new Error(`${fault}, and ${columns.length} samples are appended.`);
      return;
    }
    for (let row = 0; row < columns.length; row++) {
      const time = columns.times[row] ?? Number.NaN;
      if (!Number.isSafeInteger(time) || (row > 0 && time <= (columns.times[row - 1] ?? 0)))
        throw new Error(`The time ${time} does not rise.`);
    }
    const before = textOf(columns);
    const after = textOf(writtenAgain(columns));
    if (before !== after) throw new Error(`Written again, the samples differ: ${before.slice(0, 500)} and ${after.slice(0, 500)}.`);
  },
};

function writtenAgain(columns: Columns): Columns {
  const batch = new ChunkBatch();
  encodeRows(columns, 0, batch);
  const again = new Columns();
  for (let at = 0; at < batch.length; at++) {
    const bytes = batch.bytes[at] ?? new Uint8Array(0);
    const chunk = { encoding: batch.encodings[at] ?? 0, bytes, from: batch.froms[at] ?? 0, to: batch.tos[at] ?? 0 };
    const fault = new ChunkDecoder().read(chunk, again);
    if (fault !== undefined) throw new Error(`What was written is refused: ${fault}.`);
  }
  return again;
}

/** Without reset hints, which depend on where a chunk begins. */
function textOf(columns: Columns): string {
  const rows = Array.from({ length: columns.length }, (_, row) => {
    const { resetHint, ...histogram } = columns.histograms?.[row] ?? { resetHint: undefined };
    const halves = [columns.bits[row * 2], columns.bits[row * 2 + 1]];
    return [
      columns.times[row],
      halves,
      resetHint === "gauge",
      Object.entries(histogram).map(([name, value]) => `${name}=${exactly(value)}`),
    ];
  });
  return JSON.stringify(rows);
}

/** JSON has no infinities and no negative zero. */
const exactly = (value: unknown): string =>
  typeof value === "number"
    ? Object.is(value, -0)
      ? "-0"
      : String(value)
    : Array.isArray(value)
      ? value.map(exactly).join()
      : JSON.stringify(value);

function seeds(): Uint8Array[] {
  const floats = new Columns();
  for (let row = 0; row < 12; row++) floats.push(1_700_000_000_000 + row * 15_000 + (row % 3), row < 8 ? row * 1.5 : 7);
  floats.pushStale(1_800_000_000_000);
  const histograms = new Columns();
  for (const isInteger of [true, false]) {
    for (let row = 0; row < 3; row++) histograms.pushHistogram(histograms.length * 1_000, histogram(row, isInteger));
  }
  return [floats, histograms].flatMap((columns) => {
    const batch = new ChunkBatch();
    encodeRows(columns, 0, batch);
    return Array.from({ length: batch.length }, (_, at) =>
      Uint8Array.of(batch.encodings[at] ?? 0, ...(batch.bytes[at] ?? new Uint8Array(0)).subarray(batch.froms[at], batch.tos[at])),
    );
  });
}

function histogram(row: number, isInteger: boolean): Histogram {
  return {
    schema: 1,
    zeroThreshold: 0.001,
    zeroCount: row,
    count: 10 + row * 3,
    sum: row * 0.5,
    positiveSpans: [{ offset: -1, length: 2 }],
    negativeSpans: [{ offset: 3, length: 1 }],
    positive: [4 + row, 5],
    negative: [1 + row],
    bounds: [],
    resetHint: "unknown",
    isInteger,
  };
}
