import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BLOCK_SPANS, planCompaction } from "./compact-plan.ts";
import type { BlockMeta } from "./meta.ts";

const HOUR = 3_600_000;

function block(ulid: string, fromHour: number, toHour: number, more: { failed?: boolean; numTombstones?: number } = {}): BlockMeta {
  const { failed, numTombstones } = more;
  return {
    ulid,
    minTime: fromHour * HOUR,
    maxTime: toHour * HOUR,
    stats: { numSamples: 1, numSeries: 99, numChunks: 1, ...(numTombstones === undefined ? {} : { numTombstones }) },
    compaction: { level: 1, sources: [ulid], ...(failed === undefined ? {} : { failed }) },
    version: 1,
  };
}

/** Simulates a server that writes a block every two hours and follows the plan. Returns the spans in hours after each block. */
function run(blocks: number): { hours: number[][]; written: number } {
  let known: BlockMeta[] = [];
  const hours: number[][] = [];
  let written = 0;
  for (let at = 0; at < blocks; at++) {
    known.push(block(`new-${at}`, at * 2, at * 2 + 2));
    for (let names = planCompaction(known); names !== undefined; names = planCompaction(known)) {
      const old = known.filter((meta) => names?.includes(meta.ulid));
      const from = Math.min(...old.map((meta) => meta.minTime)) / HOUR;
      const to = Math.max(...old.map((meta) => meta.maxTime)) / HOUR;
      written += to - from;
      known = [...known.filter((meta) => !old.includes(meta)), block(`${from}-${to}`, from, to)];
    }
    known.sort((a, b) => a.minTime - b.minTime);
    hours.push(known.map((meta) => (meta.maxTime - meta.minTime) / HOUR));
  }
  return { hours, written };
}

describe("the compaction plan", () => {
  test("a month of two-hour blocks grows through 16 h, 5 d and 14 d, and writes each sample at most four times", () => {
    const { hours, written } = run(12 * 31);
    expect(hours[7]).toEqual([16]);
    expect(hours[8]).toEqual([16, 2]);
    expect(hours[59]).toEqual([120]);
    expect(hours[60]).toEqual([120, 2]);
    expect(hours[167]).toEqual([336]);
    expect(hours.at(-1)).toEqual([336, 336, 16, 16, 16, 16, 2, 2, 2, 2]);
    expect(Math.max(...hours.flat()) * HOUR).toBe(BLOCK_SPANS.at(-1));
    expect(written).toBeLessThan(31 * 24 * 4);
  });

  test.each([
    ["nothing of nothing", [], undefined],
    ["neighbours that may still grow wait", [block("a", 0, 2), block("b", 2, 4)], undefined],
    ["neighbours that fill a level", [block("a", 0, 8), block("b", 8, 16)], ["a", "b"]],
    ["neighbours before a block that does not fit", [block("a", 1, 3), block("b", 5, 7), block("c", 16, 18)], ["a", "b"]],
    ["what overlaps comes first", [block("a", 0, 8), block("b", 8, 16), block("c", 100, 102), block("d", 101, 103)], ["c", "d"]],
    ["one within another", [block("a", 0, 100), block("b", 50, 52), block("c", 100, 102)], ["a", "b"]],
    ["one that failed separates", [block("a", 0, 2), block("b", 2, 4, { failed: true }), block("c", 4, 6), block("d", 20, 22)], undefined],
    ["a failed block stays, overlapping or not", [block("a", 0, 2), block("b", 0, 2, { failed: true }), block("d", 20, 22)], undefined],
    ["many deletions", [block("a", 0, 20, { numTombstones: 6 }), block("b", 20, 22)], ["a"]],
    ["few deletions", [block("a", 0, 20, { numTombstones: 5 }), block("b", 20, 22)], undefined],
    ["many deletions in the newest", [block("a", 0, 20), block("b", 20, 22, { numTombstones: 90 })], undefined],
  ] as const)("%s", (_name, blocks, names) => {
    expect(planCompaction(blocks)).toEqual(names);
  });

  test("terminates for any blocks; then none overlap and none exceeds the span of its level", () => {
    const any = fc.array(fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 16 })), { maxLength: 20 });
    fc.assert(
      fc.property(any, (list) => {
        let known = list.map(([from, width], at) => block(`b${at}`, from, from + width));
        const first = known.length;
        let rounds = 0;
        for (let names = planCompaction(known); names !== undefined; names = planCompaction(known)) {
          const old = known.filter((meta) => names?.includes(meta.ulid));
          expect(old.length).toBeGreaterThan(1);
          const hours = [Math.min(...old.map((meta) => meta.minTime)) / HOUR, Math.max(...old.map((meta) => meta.maxTime)) / HOUR] as const;
          known = [...known.filter((meta) => !old.includes(meta)), block(`r${rounds++}`, ...hours)];
        }
        expect(rounds).toBeLessThanOrEqual(Math.max(0, first - 1));
        const sorted = known.sort((a, b) => a.minTime - b.minTime);
        expect(sorted.every((meta, at) => at === 0 || meta.minTime >= (sorted[at - 1]?.maxTime ?? 0))).toBe(true);
      }),
    );
  });
});
