import { block, Life } from "./life-craft.ts";
import type { LifeMatcher, LifeVector } from "./life-kinds.ts";

/** Lives at the edges: of blocks and their levels, of what memory begins and ends with, and of its counts. New ones are appended. */

type Draft = Omit<LifeVector, "id">;
type Histograms = ConstructorParameters<typeof Life>[2];

const SPEC = "prometheus-storage#on-disk-layout";
const OLD = "too old sample";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANGE = 2 * HOUR;
const LATE = { window: 2_000 };
const named = (name: string): LifeMatcher[] => [["__name__", "=", name]];
const times = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const octetsOf = (text = ""): number => Buffer.byteLength(text);
const late = (life: Life, rows: Parameters<Life["append"]>[0]): Life => life.append(rows);

export function edgeLives(series: Life["series"], histograms: Histograms): Draft[] {
  const life = (options: ConstructorParameters<typeof Life>[1] = {}): Life => new Life(series, options, histograms);
  return [
    ...[8_438, 8_999, 9_000, 9_001, -8_438, -8_000, -1].map((time) => {
      const end = (Math.floor(time / 1_000) + 1) * 1_000;
      return life()
        .append([["a", time, 1]])
        .flush(1)
        .blocks(block(time, end, [1, 1]))
        .query()
        .restart()
        .query()
        .written(`one sample at ${time}: its block begins with it, and ends with its range`, SPEC, "Block");
    }),
    life()
      .append([["a", 10_333, 1], ["b", 10_400, 2], ["a", 10_999, 3], ["a", 11_000, 4], ["b", 12_500, 5], ["a", 14_007, 6]])
      .compact(1)
      .blocks(block(10_333, 11_000, [2, 3]), block(11_000, 12_000, [1, 1]), block(12_500, 13_000, [1, 1]))
      .flush(2)
      .blocks(block(10_333, 11_000, [2, 3]), block(11_000, 12_000, [1, 1]), block(12_500, 13_000, [1, 1]), block(14_007, 15_000, [1, 1]))
      .query()
      .restart()
      .query()
      .written("blocks begin with their first sample, and leave out ranges without any", SPEC, "Block"),
    life()
      .stats({ series: 0, pairs: 0, chunks: 0, samples: 0, minTime: 0, maxTime: 0 })
      .append([["a", 10_100, 1], ["a", 10_508, 2], ["c", 10_300, 3], ["d", 10_310, 3]])
      .stats({ series: 3, pairs: 6, chunks: 3, samples: 4, minTime: 10_100, maxTime: 10_508 })
      .flush(1)
      .stats({ series: 0, pairs: 0, chunks: 0, samples: 0, minTime: 11_000, maxTime: 11_000 })
      .append([["b", 11_020, 1]])
      .stats({ series: 1, pairs: 2, chunks: 1, samples: 1, minTime: 11_020, maxTime: 11_020 })
      .written("what memory counts, before and after it is written into a block", SPEC, "Block"),
    life()
      .append([["a", 10_100, 1], ["b", 10_101, 2], ["c", 10_102, 3], ["d", 10_103, 3], ["e", 10_104, 4], ["a", 10_105, 5]])
      .stats(
        { series: 5, pairs: 9, chunks: 5, samples: 6, minTime: 10_100, maxTime: 10_105 },
        {
          limit: 20,
          names: [["c", 2], ["a", 1], ["b", 1], ["ünï", 1]],
          values: [["__name__", 4], ["instance", 2], ["job", 2], ["a.b", 1]],
          octets: [["a.b", octetsOf(series["e"]?.["a.b"])], ["__name__", 4 + octetsOf("ünï")], ["job", 4], ["instance", 2]],
          pairs: [["__name__=c", 2], ["job=x", 2], ["job=y", 2], ["__name__=a", 1], ["__name__=b", 1], ["__name__=ünï", 1], [`a.b=${series["e"]?.["a.b"]}`, 1], ["instance=1", 1], ["instance=2", 1]],
        },
      )
      .written("which names, labels and values have the most series", "prometheus-api#tsdb-stats", "Life"),
    highestCounts(),
    life(LATE)
      .append([["a", 10_100, 1], ["a", 10_508, 2]])
      .flush(1)
      .append([["a", 8_999, 3], ["a", 9_000, 4], ["b", 8_600, 5]], [[0, OLD], [2, OLD]])
      .query()
      .written("a flush moves the window to the end of the range", SPEC, "Late"),
    late(life({ window: 5_000 }).each(["a", "b"], 10_000, 13_900, { every: 100 }).compact(1), [["a", 10_050, 7], ["b", 11_050, 8]])
      .each(["a", "b"], 14_000, 15_900, { every: 100 })
      .compact(2)
      .blocks(
        block(10_000, 11_000, [2, 21, 2, 2]),
        block(11_000, 12_000, [2, 21, 2, 2]),
        ...[12_000, 13_000, 14_000].map((from) => block(from, from + 1_000, [2, 20])),
      )
      .query()
      .restart()
      .query()
      .written("blocks of late samples are joined with those of the same time, whatever comes after them", SPEC, "Block"),
    life({ window: 5_000 })
      .each(["a", "b"], 10_000, 12_900, { every: 100 })
      .flush(1)
      .append([["a", 12_050, 7]])
      .flush(2)
      .compact(3)
      .blocks(block(10_000, 11_000, [2, 20]), block(11_000, 12_000, [2, 20]), block(12_000, 13_000, [2, 21, 2, 2]))
      .query()
      .restart()
      .query()
      .written("late samples of the newest block are joined with it", SPEC, "Block"),
    // Chunks of 120 values that do not compress: one series has more than any reader keeps for one chunk.
    life()
      .append(times(900).map((n) => ["a", 10_000 + n, Math.sin(n + 1) * 10 ** (n % 30)] as const))
      .query()
      .query(named("a"), { from: 10_100, to: 10_500 })
      .restart()
      .query()
      .flush(1)
      .query()
      .written("900 values without a pattern", SPEC, "Life"),
    levels(series),
    levelsOfLong(series),
    deletedMuch(series),
    layouts(series, histograms),
  ];
}

/** Of each table the highest count alone. */
function highestCounts(): Draft {
  const series = { p: { __name__: "m", i: "1" }, q: { __name__: "m", i: "2" }, r: { __name__: "m", i: "3", job: "xyz" }, s: { __name__: "n", i: "3", job: "xyz" } };
  return new Life(series)
    .append([["p", 1, 1], ["q", 1, 2], ["r", 1, 3], ["s", 1, 4]])
    .stats(
      { series: 4, pairs: 6, chunks: 4, samples: 4, minTime: 1, maxTime: 1 },
      { limit: 1, names: [["m", 3]], values: [["i", 3]], octets: [["job", 6]], pairs: [["__name__=m", 3]] },
    )
    .stats(
      { series: 4, pairs: 6, chunks: 4, samples: 4, minTime: 1, maxTime: 1 },
      { limit: 3, names: [["m", 3], ["n", 1]], values: [["i", 3], ["__name__", 2], ["job", 1]], octets: [["job", 6], ["__name__", 4], ["i", 4]], pairs: [["__name__=m", 3], ["i=3", 2], ["job=xyz", 2]] },
    )
    .written("the highest counts alone", "prometheus-api#tsdb-stats", "Life");
}

/** Two hours a block, until eight of them are one of sixteen hours. */
function levels(series: Life["series"]): Draft {
  const life = new Life(series, { blockRange: RANGE });
  const every = HOUR;
  life.each(["a"], 0, 15 * HOUR, { every, compact: true });
  // The newest one and a half ranges are in memory.
  life.blocks(...times(6).map((n) => block(n * RANGE, (n + 1) * RANGE, [1, 2])));
  life.each(["a"], 16 * HOUR, 17 * HOUR, { every, compact: true });
  life.blocks(...times(7).map((n) => block(n * RANGE, (n + 1) * RANGE, [1, 2])));
  life.each(["a"], 18 * HOUR, 19 * HOUR, { every, compact: true });
  life.blocks(block(0, 16 * HOUR, [1, 16, 8, 2]));
  return life.query().restart().query().written("eight blocks of two hours become one of sixteen", SPEC, "Block");
}

/** Days: blocks of sixteen hours become blocks of at most five days. */
function levelsOfLong(series: Life["series"]): Draft {
  const life = new Life(series, { blockRange: RANGE });
  life.each(["a"], 0, 7 * DAY, { every: 8 * HOUR, compact: true });
  // Two in sixteen hours, and fifteen before the fifth day ends; of the newest two the group is not complete.
  const hours = (from: number, to: number, [samples, level]: readonly [number, number]) => block(from * HOUR, to * HOUR, [1, samples, samples, level]);
  life.blocks(hours(0, 114, [15, 3]), hours(120, 130, [2, 2]), hours(136, 146, [2, 2]), hours(152, 154, [1, 1]), hours(160, 162, [1, 1]));
  return life.query().restart().query().written("a week in blocks of several levels", SPEC, "Block");
}

/** Blocks with deletions in more than a twentieth of their series are written again, except the newest. */
function deletedMuch(series: Life["series"]): Draft {
  const life = new Life(series, {});
  life.each(["a", "b"], 10_000, 12_990, { every: 10 }).flush(1).delete(named("b"), { from: 10_100, to: 10_199 }).delete(named("b"), { from: 12_100, to: 12_199 });
  life.compact(2);
  return life
    .blocks(block(10_000, 11_000, [2, 190, 2, 2]), block(11_000, 12_000, [2, 200]), block(12_000, 13_000, [2, 200, 2, 1, 1]))
    .query()
    .restart()
    .query()
    .written("a block with many deletions is written again, but not the newest", SPEC, "Deletion");
}

/** Histograms that differ from those before and after them in one part of their layout alone. */
function layouts(series: Life["series"], all: Histograms = {}): Draft {
  const { i2, c2 } = all;
  const [integer, custom] = [i2!, c2!];
  const histograms = {
    integer,
    custom,
    threshold: { ...integer, zeroThreshold: 0.5 },
    schema: { ...integer, schema: 2 },
    positive: { ...integer, positiveSpans: [{ offset: 4, length: 2 }] },
    split: { ...integer, positiveSpans: [{ offset: 3, length: 1 }, { offset: 1, length: 1 }] },
    negative: { ...integer, negativeSpans: [{ offset: -2, length: 1 }] },
    firstBound: { ...custom, bounds: [2, 2.5] },
    lastBound: { ...custom, bounds: [1, 3] },
  };
  const life = new Life(series, {}, histograms);
  let time = 10_000;
  const between = (name: string, others: readonly string[]): void => {
    for (const other of others) life.append([name, name, other, other, name].map((value) => [name === "integer" ? "a" : "b", time++, value] as const));
  };
  between("integer", ["threshold", "schema", "positive", "split", "negative"]);
  between("custom", ["firstBound", "lastBound"]);
  return life.query().restart().query().flush(1).query().restart().query().written("histograms that differ in one part of their layout", SPEC, "Histogram");
}
