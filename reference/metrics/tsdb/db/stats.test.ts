import fc from "fast-check";
import { expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { histogramOf } from "../../model/histogram-testing.ts";
import { emptyFiles } from "../block/testing.ts";
import { HOUR, NOW, open } from "./testing.ts";

test("a table of any length has the largest counts, and of equal ones the first", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 15 }),
      (metrics, limit) => {
        const database = open(emptyFiles());
        const appender = database.appender();
        for (const [at, metric] of metrics.entries())
          appender.append(appender.series(Labels.of({ __name__: `m${metric}`, at: String(at) })), NOW, 1);
        appender.commit();
        const counts = new Map<string, number>();
        for (const metric of metrics) counts.set(`m${metric}`, (counts.get(`m${metric}`) ?? 0) + 1);
        // The sort is stable.
        const wanted = [...counts].map(([name, value]) => ({ name, value })).sort((a, b) => b.value - a.value);
        expect(database.stats(limit).seriesCountByMetricName).toEqual(wanted.slice(0, limit));
        database.close();
      },
    ),
    { numRuns: 50 },
  );
});

test("the number of samples: those of complete chunks, of growing ones, and of histograms", () => {
  const database = open(emptyFiles());
  const appender = database.appender();
  const count = 500;
  for (let at = 0; at < count; at++) {
    appender.append(appender.series(Labels.of({ __name__: "floats" })), NOW + at * 1_000, at % 7);
    if (at % 2 === 0)
      appender.appendHistogram(appender.series(Labels.of({ __name__: "histograms" })), NOW + at * 1_000, histogramOf([at, at + 1]));
  }
  appender.commit();
  const { numSamples, chunkCount } = database.stats(1).headStats;
  expect(numSamples).toBe(count * 1.5);
  expect(chunkCount).toBeGreaterThan(2);
  database.close();
});

test("samples and chunks are those of all series, after compactions and a restart, too", () => {
  const files = emptyFiles();
  let database = open(files);
  const counted = (): unknown => {
    let [samples, chunks] = [0, 0];
    for (let row = 0; row < database.head.table.count; row++)
      database.head.chunks.visit(row, -Infinity, Infinity, (chunk) => {
        samples += chunk.samples;
        chunks += 1;
      });
    const { numSamples, chunkCount } = database.stats(1).headStats;
    expect([numSamples, chunkCount]).toEqual([samples, chunks]);
    return numSamples;
  };
  const seen = new Set<unknown>();
  for (let hour = 0; hour < 12; hour++) {
    const appender = database.appender();
    for (let minute = 0; minute < 60; minute++) {
      const time = NOW + hour * HOUR + minute * 60_000;
      appender.append(appender.series(Labels.of({ __name__: "floats" })), time, minute % 7);
      if (hour < 8) appender.appendHistogram(appender.series(Labels.of({ __name__: "histograms" })), time, histogramOf([minute, hour]));
    }
    appender.commit();
    while (database.compact(NOW + hour * HOUR));
    seen.add(counted());
    if (hour % 5 !== 4) continue;
    database.close();
    database = open(files);
    counted();
  }
  expect(seen.size).toBeGreaterThan(3);
  database.close();
});
