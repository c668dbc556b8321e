import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { histogramOf } from "../../model/histogram-testing.ts";
import { Columns, type Histogram, Labels } from "../../model/index.ts";
import { Encoding } from "../chunk/batch.ts";
import { appendFloat, beginFloatChunk, FloatChunkStates } from "../chunk/float.ts";
import { crc32c } from "../codec/crc32c.ts";
import { HeadChunks, type LaidChunk } from "./chunks.ts";
import { ChunkPool } from "./pool.ts";
import { SeriesTable } from "./series-table.ts";

const RANGE = 7_200_000;
const VALUE = new Float64Array(1);
const HALVES = new Uint32Array(VALUE.buffer);

class Rig {
  readonly table = new SeriesTable();
  readonly chunks = new HeadChunks(this.table, RANGE);

  row(at: number): number {
    return this.table.ensure(Labels.of({ series: String(at) }));
  }
  append(row: number, time: number, value: number): void {
    VALUE[0] = value;
    this.chunks.append(row, time, HALVES[1] ?? 0, HALVES[0] ?? 0);
  }
  laid(row: number): LaidChunk[] {
    const all: LaidChunk[] = [];
    this.chunks.visit(row, -Infinity, Infinity, (chunk) => all.push({ ...chunk, bytes: chunk.bytes.slice(chunk.from, chunk.to) }));
    return all;
  }
  read(row: number, start = -Infinity, end = Infinity): [number, number][] {
    const columns = new Columns();
    this.chunks.read(row, columns, start, end);
    return Array.from({ length: columns.length }, (_, at) => [columns.times[at] ?? 0, columns.values[at] ?? 0]);
  }
}

describe("head chunks", () => {
  test("samples of many interleaved series read back, fully and by range", () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 400_000 }), fc.double({ noNaN: true })), { maxLength: 400 });
    fc.assert(
      fc.property(steps, fc.nat(100_000_000), (list, cut) => {
        const rig = new Rig();
        const expected = new Map<number, [number, number][]>();
        let time = 0;
        for (const [at, step, value] of list) {
          time += step;
          const row = rig.row(at);
          rig.append(row, time, value);
          expected.set(row, [...(expected.get(row) ?? []), [time, value]]);
        }
        for (const [row, samples] of expected) {
          expect(rig.read(row)).toEqual(samples);
          expect(rig.read(row, cut, cut + 5_000_000)).toEqual(samples.filter(([at]) => at >= cut && at <= cut + 5_000_000));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("many chunks: their first times, and laid-out chunks stay in place", () => {
    const rig = new Rig();
    const row = rig.row(0);
    for (let at = 0; at < 5_000; at++) rig.append(row, at * 15_000 + (at % 7), Math.sin(at));
    const apart = rig.laid(row);
    const together: LaidChunk[] = [];
    rig.chunks.visit(row, -Infinity, Infinity, (chunk) => together.push({ ...chunk }));
    expect(apart.length).toBeGreaterThan(20);
    expect([-1, 0, 10_000_000].map((time) => rig.chunks.beginsBy(row, time))).toEqual([false, true, true]);
    expect(together.map(({ bytes, from, to }) => crc32c(bytes, 0, from, to))).toEqual(apart.map(({ bytes }) => crc32c(bytes)));
  });

  test("a chunk in slots has the same octets as in one piece", () => {
    const rig = new Rig();
    const row = rig.row(0);
    const states = new FloatChunkStates(1);
    const bytes = new Uint8Array(4_096);
    beginFloatChunk(bytes, 0, states, 0);
    for (let at = 0; at < 100; at++) {
      VALUE[0] = Math.sin(at) * 10 ** (at % 9);
      const time = RANGE * 9 + at * 60_000 + (at % 7);
      rig.append(row, time, VALUE[0]);
      VALUE[0] = Math.sin(at) * 10 ** (at % 9);
      appendFloat(bytes, 0, states, 0, time, HALVES[1] ?? 0, HALVES[0] ?? 0);
    }
    const [chunk, ...others] = rig.laid(row);
    expect(others).toEqual([]);
    expect(chunk).toMatchObject({ samples: 100, encoding: Encoding.xor, minTime: RANGE * 9 });
    expect(chunk?.bytes).toEqual(bytes.slice(0, states.length(0)));
  });

  test("chunks end at block boundaries and have about 120 samples", () => {
    const rig = new Rig();
    const row = rig.row(0);
    for (let time = RANGE; time < RANGE * 3; time += 15_000) rig.append(row, time, 1);
    const chunks = rig.laid(row);
    expect(chunks.map(({ samples }) => samples)).toEqual([120, 120, 120, 120, 120, 120, 120, 120]);
    expect(chunks.every(({ minTime, maxTime }) => Math.floor(minTime / RANGE) === Math.floor(maxTime / RANGE))).toBe(true);
  });

  test("samples faster than planned: chunks have at most 240", () => {
    const rig = new Rig();
    const row = rig.row(0);
    let time = RANGE;
    for (let at = 0; at < 2_000; at++) rig.append(row, (time += at % 500 < 40 ? 60_000 : 10), at);
    expect(Math.max(...rig.laid(row).map(({ samples }) => samples))).toBe(240);
    expect(rig.read(row).length).toBe(2_000);
  });

  test("slots of dropped chunks are reused", () => {
    const rig = new Rig();
    const rows = [rig.row(0), rig.row(1)];
    for (let time = RANGE; time < RANGE * 5; time += 15_000) for (const row of rows) rig.append(row, time, time % 97);
    const full = rig.chunks.pool.octets;
    for (const row of rows) expect(rig.chunks.dropBefore(row, RANGE * 3)).toBe(RANGE * 3);
    expect(rig.chunks.pool.octets).toBeLessThan(full * 0.6);
    expect(rig.read(rows[0] ?? 0)[0]).toEqual([RANGE * 3, (RANGE * 3) % 97]);
    for (let time = RANGE * 5; time < RANGE * 7; time += 15_000) for (const row of rows) rig.append(row, time, time % 97);
    expect(rig.chunks.pool.octets).toBeLessThan(full * 1.1);
    expect(rig.chunks.pool.reserved).toBeLessThan(full * 1.1);
    for (const row of rows) expect(rig.chunks.dropBefore(row, RANGE * 9)).toBe(Infinity);
    expect(rig.chunks.pool.octets).toBe(0);
    expect(rig.chunks.isEmpty(rows[0] ?? 0)).toBe(true);
  });
});

describe("histograms in the head", () => {
  const histogram = (count: number): Histogram => histogramOf([count], { sum: count, isInteger: true, zeroThreshold: 0.5 });

  test("a reset begins a new chunk, and so do floats in between", () => {
    const rig = new Rig();
    const row = rig.row(0);
    for (const [at, count] of [1, 5, 9, 2, 3].entries()) rig.chunks.appendHistogram(row, 1_000 + at, histogram(count));
    rig.append(row, 2_000, 7);
    rig.chunks.appendHistogram(row, 3_000, histogram(4));
    expect(rig.laid(row).map(({ encoding, samples }) => [encoding, samples])).toEqual([
      [Encoding.histogram, 3],
      [Encoding.histogram, 2],
      [Encoding.xor, 1],
      [Encoding.histogram, 1],
    ]);
    const columns = new Columns();
    rig.chunks.read(row, columns, 1_001, 2_999);
    expect([...columns.times.subarray(0, columns.length)]).toEqual([1_001, 1_002, 1_003, 1_004, 2_000]);
    expect(columns.histograms?.[1]).toMatchObject({ count: 9, positive: [9] });
    expect(columns.values[4]).toBe(7);
  });
});

describe("the chunk pool", () => {
  test("octets written in any pieces, next to other chunks, read back", () => {
    const pieces = fc.array(fc.tuple(fc.nat(2), fc.uint8Array({ maxLength: 150 })), { maxLength: 40 });
    fc.assert(
      fc.property(pieces, (list) => {
        const pool = new ChunkPool();
        const chunks = [0, 1, 2].map((time) => {
          const first = pool.begin(0, time);
          return { first, last: first, octets: [] as number[] };
        });
        for (const [at, bytes] of list) {
          const chunk = chunks[at];
          if (chunk === undefined) continue;
          chunk.last = pool.write(chunk.last, chunk.octets.length * 8, { bytes, from: 0, to: bytes.length });
          chunk.octets.push(...bytes);
        }
        for (const { first, octets } of chunks) {
          const into = new Uint32Array((octets.length >>> 2) + 3);
          pool.read(first, octets.length, into, 2);
          expect([...new Uint8Array(into.buffer).subarray(8, 8 + octets.length)]).toEqual(octets);
        }
      }),
    );
  });
});
