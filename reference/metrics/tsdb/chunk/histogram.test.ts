import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Columns, type Histogram } from "../../model/index.ts";
import { histogramOf } from "../../model/histogram-testing.ts";
import { ChunkBatch, Encoding } from "./batch.ts";
import { ChunkDecoder } from "./decode.ts";
import { encodeRows } from "./encode.ts";
import { HistogramChunk } from "./histogram.ts";

/** Properties only: examples with their octets are in `vectors/tsdb`. */

const spans = fc.array(fc.record({ offset: fc.integer({ min: -4, max: 40 }), length: fc.nat(3) }), { maxLength: 3 });
const counts = fc.oneof(fc.nat(20), fc.nat(2 ** 40));
const layouts = fc.constantFrom(0, 1, 2).chain((at) => fc.tuple(fc.constant(at), spans, spans));
const histogram = layouts.chain(([at, positiveSpans, negativeSpans]) => {
  const buckets = (list: readonly { length: number }[], value: fc.Arbitrary<number>) => {
    const length = list.reduce((sum, span) => sum + span.length, 0);
    return fc.array(value, { minLength: length, maxLength: length });
  };
  return fc.boolean().chain((isInteger) => {
    const value = isInteger ? counts : fc.double({ noNaN: true });
    return fc.record({
      schema: fc.constant(at === 2 ? -53 : at),
      zeroThreshold: fc.constantFrom(0, 0.001, 2 ** -128),
      zeroCount: value,
      count: value,
      sum: fc.double({ noNaN: true }),
      positiveSpans: fc.constant(positiveSpans),
      negativeSpans: fc.constant(negativeSpans),
      positive: buckets(positiveSpans, value),
      negative: buckets(negativeSpans, value),
      bounds: fc.constant(at === 2 ? [0.005, 1, Math.PI] : []),
      resetHint: fc.constantFrom("unknown" as const, "gauge" as const),
      isInteger: fc.constant(isInteger),
    });
  });
});
const row = fc.oneof({ weight: 4, arbitrary: histogram }, fc.constant("stale" as const), fc.double({ noNaN: true }));

const filled = (rows: readonly (Histogram | "stale" | number)[]): Columns => {
  const columns = new Columns();
  for (const [at, one] of rows.entries()) {
    if (one === "stale") columns.pushStale(at * 10);
    else if (typeof one === "number") columns.push(at * 10, one);
    else columns.pushHistogram(at * 10, one);
  }
  return columns;
};

/** Rows without their reset hints, which a chunk does not keep for its first sample. */
const withoutHints = (columns: Columns): unknown[] =>
  Array.from({ length: columns.length }, (_, at) => {
    const { resetHint, ...rest } = columns.histograms?.[at] ?? { resetHint: undefined };
    return [columns.times[at], columns.bits[at * 2], columns.bits[at * 2 + 1], rest, resetHint === "gauge"];
  });

describe("chunks of histograms", () => {
  test("histograms of any layout, mixed with floats and stale markers, read back exactly", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
        const before = filled(rows);
        const batch = new ChunkBatch();
        encodeRows(before, 0, batch);
        const after = new Columns();
        const decoder = new ChunkDecoder();
        for (let at = 0; at < batch.length; at++) {
          const from = after.length;
          const chunk = { encoding: batch.encodings[at]!, bytes: batch.bytes[at]!, from: batch.froms[at]!, to: batch.tos[at]! };
          expect(decoder.read(chunk, after)).toBeUndefined();
          expect([after.times[from], after.times[after.length - 1], after.length - from]).toEqual([
            batch.minTimes[at],
            batch.maxTimes[at],
            batch.samples(at),
          ]);
        }
        expect(withoutHints(after)).toEqual(withoutHints(before));
      }),
      { numRuns: 500 },
    );
  });

  test("a counter reset begins a new chunk with its hint; a gauge may fall", () => {
    const of = (count: number, resetHint: Histogram["resetHint"]): Histogram =>
      histogramOf([count], { sum: 1, resetHint, isInteger: true });
    const counter = new HistogramChunk(0, of(5, "unknown"), { isInteger: true });
    expect([counter.append(1, of(6, "unknown")), counter.append(2, of(4, "unknown")), counter.append(2, of(7, "reset"))]).toEqual([
      undefined,
      "reset",
      "reset",
    ]);
    expect([
      counter.append(2, of(7, "gauge")),
      counter.append(2, { ...of(7, "unknown"), schema: 1 }),
      counter.append(2, undefined),
    ]).toEqual(["layout", "layout", undefined]);
    expect([counter.append(3, of(9, "unknown")), counter.count, counter.maxTime]).toEqual(["stale", 3, 2]);
    const gauge = new HistogramChunk(0, of(5, "gauge"), { isInteger: true });
    expect([gauge.append(1, of(1, "gauge")), gauge.bytes[2]]).toEqual([undefined, 0b1100_0000]);
    expect(new HistogramChunk(0, of(5, "unknown"), { isInteger: true, hint: "reset" }).bytes[2]).toBe(0b1000_0000);
    const after = new Columns();
    const { bytes } = counter;
    new ChunkDecoder().read({ encoding: Encoding.histogram, bytes, from: 0, to: bytes.length }, after, 1, 1);
    expect([after.length, after.histograms?.[0]?.count, after.histograms?.[0]?.resetHint]).toEqual([1, 6, "none"]);
  });

  test("any octets: returns a fault and appends nothing, or samples with rising times", () => {
    const seeds = fc.array(histogram, { minLength: 1, maxLength: 4 }).map((rows) => {
      const batch = new ChunkBatch();
      encodeRows(filled(rows), 0, batch);
      return batch.bytes[0]!.slice(batch.froms[0], batch.tos[0]);
    });
    const damaged = fc.tuple(seeds, fc.nat(), fc.nat(255), fc.nat()).map(([bytes, at, by, cut]) => {
      bytes[at % bytes.length] = by;
      return bytes.subarray(0, 1 + (cut % bytes.length));
    });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 60 })), fc.integer({ min: 0, max: 7 }), (bytes, encoding) => {
        const columns = new Columns();
        columns.push(-1e15, 1);
        const fault = new ChunkDecoder().read({ encoding, bytes, from: 0, to: bytes.length }, columns);
        const times = [...columns.times.subarray(1, columns.length)];
        expect(fault === undefined || columns.length === 1).toBe(true);
        expect(times.every((time, at) => Number.isSafeInteger(time) && (at === 0 || time > (times[at - 1] ?? 0)))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
