import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { histogramOf } from "../../model/histogram-testing.ts";
import { Columns, Labels, Matcher, type Histogram } from "../../model/index.ts";
import type { Appender } from "../../storage/index.ts";
import { emptyFiles } from "../block/testing.ts";
import { Database } from "../index.ts";

/** The kinds of samples: a float, or a histogram of each kind with its own record type. */
type Kind = "float" | "integer" | "histogram of floats" | "custom";
type Sample = { readonly series: number; readonly time: number; readonly kind: Kind };

const KINDS: readonly Kind[] = ["float", "integer", "histogram of floats", "custom"];
const START = 7_200_000;
const labelsOf = (series: number): Labels => Labels.of({ series: String(series) });

function histogram(kind: Kind, time: number): Histogram {
  const count = time - START + 1;
  if (kind === "custom") return histogramOf([count], { schema: -53, bounds: [1], sum: count });
  return histogramOf([count], { sum: count, isInteger: kind === "integer" });
}

const append = (appender: Appender, { series, time, kind }: Sample): string | undefined => {
  const ref = appender.series(labelsOf(series));
  return kind === "float" ? appender.append(ref, time, time) : appender.appendHistogram(ref, time, histogram(kind, time));
};

/** For each series the times and kinds of the stored samples. */
function stored(database: Database): Record<number, string[]> {
  const all: Record<number, string[]> = {};
  const querier = database.querier(-Infinity, Infinity);
  const columns = new Columns();
  for (const series of querier.select([new Matcher("series", "=~", ".+")], -Infinity, Infinity)) {
    columns.clear();
    series.read(columns, -Infinity, Infinity);
    all[Number(series.labels.get("series"))] = Array.from({ length: columns.length }, (_, at) => {
      const found = columns.histograms?.[at];
      const kind = found === undefined ? "float" : found.schema === -53 ? "custom" : found.isInteger ? "integer" : "histogram of floats";
      return `${(columns.times[at] ?? 0) - START} ${kind}`;
    });
  }
  querier.close();
  return all;
}

describe("a batch of several kinds of samples", () => {
  const samples = fc.array(
    fc.record({ series: fc.nat(2), time: fc.nat(30).map((time) => START + time), kind: fc.constantFrom(...KINDS) }),
    {
      maxLength: 40,
    },
  );

  test("stores all accepted samples, in any order of kinds, now and after a replay", () => {
    fc.assert(
      fc.property(fc.array(samples, { minLength: 1, maxLength: 3 }), (batches) => {
        const files = emptyFiles();
        const open = (): Database => new Database(files, "data", { random: (into) => into.fill(7) });
        const database = open();
        const expected: Record<number, string[]> = {};
        const last = new Map<number, number>();
        for (const batch of batches) {
          const appender = database.appender();
          for (const sample of batch) {
            const isNext = sample.time > (last.get(sample.series) ?? -Infinity);
            const refusal = append(appender, sample);
            expect(isNext ? refusal : undefined).toBeUndefined();
            if (!isNext) continue;
            last.set(sample.series, sample.time);
            (expected[sample.series] ??= []).push(`${sample.time - START} ${sample.kind}`);
          }
          appender.commit();
        }
        expect(stored(database)).toEqual(expected);
        database.close();
        const again = open();
        expect(stored(again)).toEqual(expected);
        again.close();
      }),
    );
  });

  test("refuses a sample that is not after the last of its series in the batch, of any kind", () => {
    const database = new Database(emptyFiles(), "data", { random: (into) => into.fill(7) });
    const appender = database.appender();
    const answers = (...list: [time: number, kind: Kind][]): (string | undefined)[] =>
      list.map(([time, kind]) => append(appender, { series: 1, time: START + time, kind }));
    expect(answers([5, "integer"], [5, "float"], [4, "float"], [5, "custom"], [4, "integer"])).toEqual([
      undefined,
      "duplicate sample for timestamp",
      "out of order sample",
      "duplicate sample for timestamp",
      "out of order sample",
    ]);
    expect(answers([6, "float"], [6, "integer"], [3, "custom"], [6, "float"])).toEqual([
      undefined,
      "duplicate sample for timestamp",
      "out of order sample",
      undefined,
    ]);
    appender.commit();
    expect(stored(database)).toEqual({ 1: ["5 integer", "6 float"] });
  });

  test("after another batch: the remaining samples keep their order", () => {
    const files = emptyFiles();
    const open = (): Database => new Database(files, "data", { random: (into) => into.fill(7) });
    const database = open();
    const slow = database.appender();
    for (const [time, kind] of [
      [1, "float"],
      [2, "float"],
      [3, "integer"],
      [4, "float"],
      [5, "custom"],
      [6, "float"],
    ] as const)
      expect(append(slow, { series: 1, time: START + time, kind })).toBeUndefined();
    const quick = database.appender();
    expect(append(quick, { series: 1, time: START + 1, kind: "float" })).toBeUndefined();
    quick.commit();
    slow.commit();
    const expected = { 1: ["1 float", "2 float", "3 integer", "4 float", "5 custom", "6 float"] };
    expect(stored(database)).toEqual(expected);
    database.close();
    const again = open();
    expect(stored(again)).toEqual(expected);
    again.close();
  });
});
