import type { WrittenHistogram } from "./kinds.ts";
import { damagedLives } from "./damaged-lives.ts";
import { edgeLives } from "./edge-lives.ts";
import { furtherLives } from "./further-lives.ts";
import { wrongRecords } from "./wrong-records.ts";
import { block, Life } from "./life-craft.ts";
import type { LifeMatcher, LifeVector } from "./life-kinds.ts";

/**
 * Whole lives of a storage, from the Prometheus docs (storage.md): what is appended is shown, until it is deleted or beyond retention, whether it is
 * in memory, in the log or in a block, and after any restart. Blocks here have 1,000 milliseconds.
 */

const SERIES = {
  a: { __name__: "a", job: "x" },
  b: { __name__: "b", job: "x" },
  c: { __name__: "c", job: "y", instance: "1" },
  d: { __name__: "c", job: "y", instance: "2" },
  e: { __name__: "ünï", "a.b": 'text with "quotes" \\ and\nlines 😀' },
} as const;
const LATE = { window: 2_000 };
const OUT = "out of order sample";
const TWICE = "duplicate sample for timestamp";
const OLD = "too old sample";
const BOUNDS = "out of bounds";

const named = (name: string): LifeMatcher[] => [["__name__", "=", name]];
type Draft = Omit<LifeVector, "id">;
const STORAGE = "prometheus-storage#on-disk-layout";

const histogram = (members: Partial<WrittenHistogram>): WrittenHistogram => ({
  schema: 1,
  zeroThreshold: 0.25,
  zeroCount: 1,
  count: 4,
  sum: "2.5",
  positiveSpans: [{ offset: 3, length: 2 }],
  negativeSpans: [{ offset: -3, length: 1 }],
  positive: [2, 0],
  negative: [1],
  bounds: [],
  resetHint: "unknown",
  isInteger: true,
  ...members,
});
const HISTOGRAMS: Readonly<Record<string, WrittenHistogram>> = {
  i1: histogram({}),
  i2: histogram({ count: 9, sum: "-7", positive: [4, 2], negative: [2] }),
  i3: histogram({ count: 12, sum: "8", positiveSpans: [{ offset: 2, length: 4 }], positive: [1, 4, 3, 1], negative: [2] }),
  i4: histogram({ schema: 0, count: 12, sum: "8" , positive: [4, 6] }),
  f1: histogram({ isInteger: false, count: 3.5, positive: [1.5, 0], zeroCount: 1 }),
  f2: histogram({ isInteger: false, count: 6.25, positive: [2.5, 1.25], zeroCount: 1.5 }),
  c1: histogram({ schema: -53, zeroThreshold: 0, zeroCount: 0, count: 3, bounds: [1, 2.5], positiveSpans: [{ offset: 0, length: 3 }], positive: [1, 1, 1], negativeSpans: [], negative: [] }),
  c2: histogram({ schema: -53, zeroThreshold: 0, zeroCount: 0, count: 5, bounds: [1, 2.5], positiveSpans: [{ offset: 0, length: 3 }], positive: [1, 3, 1], negativeSpans: [], negative: [] }),
};
const KINDS = Object.keys(HISTOGRAMS);

/** The same end for many lives: whatever the storage has, it shows after a restart, in blocks, and after a kill. */
const toTheEnd = (life: Life): Life => life.query().restart().query().kill().query().flush(90_000).query().restart().query().compact(90_000).query();

const selection = (): Life => {
  const life = new Life(SERIES).append([["a", 1, 1], ["b", 2, 2], ["c", 3, 3], ["d", 4, 4], ["e", 5, 5]]);
  const ask = (): void => {
    life
      .query(named("c"))
      .query([["__name__", "=", "c"], ["instance", "=", "2"]])
      .query([["instance", "=", ""]])
      .query([["instance", "!=", ""]])
      .query([["instance", "!=", "1"]])
      .query([["job", "=~", "x|y"]])
      .query([["job", "=~", ".*"]])
      .query([["job", "=~", ".+"]])
      .query([["job", "!~", "x"]])
      .query([["job", "!~", ".+"]])
      .query([["job", "=~", ""]])
      .query([["instance", "=~", "1|3|"]])
      .query([["instance", "=~", "1|2"], ["instance", "!~", "2.*"]])
      .query([["__name__", "=~", "[ab]"], ["job", "!=", "y"]])
      .query([["a.b", "=~", "text.*\\n.*"]])
      .query([["a.b", "=", SERIES.e["a.b"]]])
      .query([["__name__", "=", "none"]])
      .query([["job", "=", "x"], ["none", "!=", ""]])
      .query([["none", "=", ""]], { from: 2, to: 3 })
      .query([["none", "=", ""]], { from: 6 })
      .query([["none", "=", ""]], { to: 0 })
      .query(named("a"), { from: 1, to: 1 })
      .names()
      .names(named("c"))
      .names([["job", "!=", "y"]])
      .names([["none", "=", "x"]])
      .values("__name__")
      .values("instance")
      .values("instance", [["instance", "!=", "1"], ["job", "=", "y"]])
      .values("job", [["__name__", "=~", "a|c"]])
      .values("none");
  };
  ask();
  life.restart();
  ask();
  life.flush(50);
  ask();
  life.append([["a", 2_001, 1], ["c", 2_002, 1]]).query().names().values("job");
  return life;
};

const many = (): Life => {
  const series = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`s${at}`, { __name__: `m${at % 7}`, id: String(at), group: `g${at % 40}`, même: `é${at % 3}` }]));
  const life = new Life(series);
  const keys = Object.keys(series);
  life.append(keys.map((key, at) => [key, 100 + (at % 5), at] as const));
  life.append(keys.filter((_, at) => at % 3 === 0).map((key, at) => [key, 200, -at] as const));
  const ask = (): Life =>
    life
      .query([["id", "=", "333"]])
      .query([["group", "=", "g7"], ["__name__", "=", "m1"]])
      .query([["group", "=~", "g1.|g2"], ["__name__", "!=", "m1"], ["id", "=~", "1.*"]])
      .query([["__name__", "=", "m3"], ["même", "!~", "é[12]"], ["id", "=~", "[12].."]], { from: 150 })
      .values("group")
      .values("id", [["__name__", "=", "m6"], ["group", "=~", "g[1-4]"]])
      .names([["id", "=", "1"]]);
  ask();
  life.restart();
  ask();
  life.flush(50);
  ask();
  life.delete([["group", "=", "g7"]]).query([["group", "=~", "g[78]"]]).restart().query([["group", "=~", "g[78]"]]).clean(60).query([["group", "=~", "g[78]"]]);
  return ask();
};

export const lives: readonly Draft[] = [
  new Life(SERIES).query().names().restart().query().kill().query().flush(5).compact(5).query().blocks().written("nothing at all", STORAGE, "Life"),
  toTheEnd(new Life(SERIES).append([["a", 1, 1], ["b", 1, 2]]).append([["a", 2, 3]])).written("two series", STORAGE, "Life"),
  toTheEnd(
    new Life(SERIES).append([["a", 1, "NaN"], ["a", 2, "+Inf"], ["a", 3, "-Inf"], ["a", 4, "-0"], ["a", 5, 5e-324], ["a", 6, 1.7976931348623157e308], ["a", 7, "stale"], ["a", 8, 0.1], ["b", 8, "stale"]]),
  ).written("special values and staleness markers", STORAGE, "Life"),
  toTheEnd(new Life(SERIES).append([["a", -5_000, 1], ["a", -1, 2], ["a", 0, 3], ["a", 1, 4]]).query(named("a"), { from: -1, to: 0 })).written("times below zero", STORAGE, "Life"),
  selection().written("matchers, label names and values", STORAGE, "Life"),
  many().written("700 series", STORAGE, "Life"),
  toTheEnd(new Life(SERIES).append([["a", 5, 1], ["a", 5, 1], ["a", 6, 2]]).append([["a", 6, 2], ["a", 7, 3]])).written("exact repetitions are accepted", STORAGE, "Refused"),
  toTheEnd(
    new Life(SERIES)
      .append([["a", 5, 1], ["a", 5, 2], ["a", 4, 1], ["a", 6, 3], ["b", 4, 1]], [[1, TWICE], [2, OUT]])
      .append([["a", 6, 4], ["a", 5, 1], ["a", 5, 9], ["a", 6, 3], ["a", 7, 5]], [[0, TWICE], [1, OUT], [2, OUT]])
      .append([["a", 7, "NaN"], ["b", 4, "stale"], ["b", 3, 0]], [[0, TWICE], [1, TWICE], [2, OUT]]),
  ).written("samples out of order and second values are refused", STORAGE, "Refused"),
  toTheEnd(new Life(SERIES).rollback([["a", 5, 1], ["b", 5, 1]]).query().append([["a", 3, 1]]).rollback([["a", 4, 1], ["c", 4, 1]]).append([["a", 4, 2]])).written("a batch that is rolled back", STORAGE, "Life"),
  toTheEnd(
    new Life(SERIES).append([["a", 5, 1]]).view().append([["a", 6, 2], ["b", 6, 2]]).query().viewed().view().restart().query(),
  ).written("a view does not show what comes later", STORAGE, "Life"),
  toTheEnd(
    new Life(SERIES, LATE).append([["a", 5_000, 1], ["b", 5_000, 1]]).append([["a", 4_000, 2]]).view().append([["a", 4_500, 3], ["a", 6_000, 4]]).viewed(),
  ).written("a view does not show late samples that come later", STORAGE, "Late"),

  toTheEnd(
    new Life(SERIES, LATE)
      .append([["a", 10_000, 1], ["b", 9_000, 1]])
      .append([["a", 8_000, 2], ["a", 7_999, 3], ["a", 9_500, 4], ["c", 8_500, 5], ["b", 8_999, 6]], [[1, OLD]])
      .query(named("a"), { from: 8_001, to: 9_999 })
      .append([["a", 9_500, 4], ["a", 9_500, 5], ["a", 10_000, 1], ["a", 10_000, 2], ["a", 9_501, 6], ["a", 9_499, 7]], [[1, TWICE], [3, TWICE]])
      .append([["a", 11_000, 8]])
      .append([["a", 8_999, 9], ["a", 9_000, 10]], [[0, OLD]]),
  ).written("late samples within the window", STORAGE, "Late"),
  toTheEnd(
    new Life(SERIES, LATE).append([["a", 10_000, 1]]).append(Array.from({ length: 300 }, (_, n) => ["a", 9_990 - n * 5, n] as const)).append(Array.from({ length: 40 }, (_, n) => ["a", 8_503 + n * 10, n] as const)),
  ).written("340 late samples, most of them backwards", STORAGE, "Late"),
  toTheEnd(
    new Life(SERIES, LATE).each(["a", "b"], 10_000, 13_000, { every: 50 }).append([["a", 11_501, 1], ["b", 11_001, "stale"], ["b", 11_002, "NaN"]]).compact(13_000).query().append([["a", 12_001, 2], ["c", 11_700, 3]]).compact(13_000).restart(),
  ).written("late samples for blocks that are written, and for new series", STORAGE, "Late"),
  toTheEnd(
    new Life(SERIES, LATE).each(["a"], 10_000, 13_000, { every: 100 }).flush(13_000).append([["a", 14_050, 1]]).append([["a", 12_049, 2], ["a", 12_050, 2], ["a", 12_150, 3], ["a", 13_950, 4]], [[0, OLD]]).query().kill().query().flush(15_000).query().compact(15_000),
  ).written("late samples beside blocks of the same time", STORAGE, "Late"),
  toTheEnd(
    new Life(SERIES).each(["a"], 10_000, 11_500, { every: 100 }).flush(12_000).append([["a", 11_999, 1], ["a", 12_000, 2], ["b", 11_500, 3]], [[0, BOUNDS], [2, BOUNDS]]),
  ).written("without a window the time of blocks is closed", STORAGE, "Refused"),

  new Life(SERIES)
    .each(["a", "b"], 10_000, 10_990, { every: 10 })
    .blocks()
    .compact(1)
    .blocks()
    .each(["a", "b"], 11_000, 11_490, { every: 10 })
    .compact(2)
    .blocks()
    .append([["a", 11_501, 1]])
    .compact(3)
    .blocks(block(10_000, 11_000, [2, 200]))
    .query()
    .restart()
    .query()
    .flush(4)
    .blocks(block(10_000, 11_000, [2, 200]), block(11_000, 12_000, [2, 101]))
    .query()
    .written("a block is written when memory has one and a half of them", STORAGE, "Block"),
  toTheEnd(
    new Life(SERIES).each(["a", "b", "c"], 10_000, 22_000, { every: 20, compact: true }).query().query(named("b"), { from: 12_345, to: 17_017 }),
  ).written("twelve blocks, compacted as time goes by", STORAGE, "Block"),
  toTheEnd(
    new Life(SERIES, { segmentOctets: 1_024 }).each(["a", "b", "c", "d", "e"], 10_000, 31_000, { every: 70, step: 7_919, modulo: 1_000, compact: true }).query().append([["a", 31_001, 1]]),
  ).written("twenty-one blocks, and a log of short segments", STORAGE, "Block"),
  toTheEnd(
    new Life(SERIES).each(["a"], 0, 999, { every: 1, step: 1_000_003, modulo: 1_048_576 }).query(named("a"), { from: 119, to: 121 }).flush(1_000).query(named("a"), { from: 119, to: 121 }).blocks(block(0, 1_000, [1, 1_000, 8])).query(named("a"), { from: 239, to: 240 }).query(named("a"), { from: 0, to: 0 }).query(named("a"), { from: 998 }),
  ).written("a thousand samples of a series: eight chunks of about 120", STORAGE, "Block"),
  toTheEnd(
    new Life(SERIES, { blockRange: 10_000 }).each(["a"], 0, 1_190, { every: 10 }).append([["b", 5, 1], ["a", 1_200, 1]]).query().flush(1_300).blocks(block(0, 10_000, [2, 122, 2])),
  ).written("121 samples at a pace for eight chunks of 125", STORAGE, "Block"),
  toTheEnd(
    new Life(SERIES, { blockRange: 3_600_000 }).append([["a", 0, 1], ["a", 1, 2], ["a", 500_000, 3], ["a", 500_001, 4], ["a", 3_599_999, 5], ["a", 3_600_000, 6], ["a", 7_300_000, 7]]),
  ).written("uneven steps of time over hours", STORAGE, "Block"),
  toTheEnd(
    new Life(SERIES).each(["a"], 10_000, 12_000, { every: 100 }).each(["b"], 13_000, 17_000, { every: 100 }).compact(17_000).query().append([["a", 17_001, 5]]).query().compact(17_100),
  ).written("a series that ends and comes back", STORAGE, "Block"),

  toTheEnd(
    new Life(SERIES, {}, HISTOGRAMS).append(KINDS.map((kind, at) => ["c", 100 + at, kind] as const)).append([["c", 200, "stale"], ["c", 201, 4], ["c", 202, "i1"], ["c", 203, "i2"], ["c", 204, "i2"], ["c", 205, "i1"]]).query(named("c"), { from: 102, to: 104 }),
  ).written("histograms of every kind, in one series, with floats and a staleness marker", STORAGE, "Histogram"),
  toTheEnd(
    new Life(SERIES, {}, HISTOGRAMS)
      .append([["a", 100, "i1"], ["a", 100, "i1"], ["a", 100, "i2"], ["a", 99, "i2"], ["a", 100, 1], ["b", 100, 1], ["b", 100, "f1"], ["b", 101, "f1"]], [[1, TWICE], [2, TWICE], [3, OUT], [4, TWICE], [6, TWICE]])
      .append([["a", 100, "i1"], ["a", 100, "i2"], ["a", 99, "i1"], ["a", 100, "stale"], ["a", 101, "i2"], ["b", 102, 2]], [[1, TWICE], [2, OUT], [3, TWICE]]),
  ).written("histograms out of order and twice", STORAGE, "Histogram"),
  toTheEnd(
    Array.from({ length: 150 }).reduce<Life>((life, _, n) => life.append([["a", n * 13, n % 40 < 20 ? "i1" : n % 40 < 30 ? "i2" : "i3"], ["b", n * 13, n < 100 ? "f1" : "f2"], ["d", n * 13, n % 2 === 0 ? "c1" : "c2"]]), new Life(SERIES, {}, HISTOGRAMS)).compact(2_000),
  ).written("150 histograms each of three series", STORAGE, "Histogram"),

  toTheEnd(new Life(SERIES).each(["a", "b"], 10_000, 11_200, { every: 100 }).delete(named("a"), { from: 10_500, to: 10_800 }).query().delete(named("a"), { from: 10_600, to: 11_000 }).query().delete(named("b"), { to: 10_000 })).written("deletions in memory", STORAGE, "Deletion"),
  toTheEnd(new Life(SERIES).each(["a", "b"], 10_000, 11_200, { every: 100 }).flush(11_300).delete(named("a"), { from: 10_500, to: 10_800 }).query().query(named("a"), { from: 10_500, to: 10_800 }).delete(named("b")).query().blocks(block(10_000, 11_000, [2, 20, 2, 1, 2]), block(11_000, 12_000, [2, 6, 2, 1, 1])).restart().query().kill().query().clean(11_400).query().blocks(block(10_000, 11_000, [1, 6, 1, 2]), block(11_000, 12_000, [1, 3, 1, 2]))).written("deletions in blocks, and their removal", STORAGE, "Deletion"),
  toTheEnd(new Life(SERIES).each(["a", "b"], 10_000, 11_200, { every: 100 }).delete([["none", "=", ""]]).query().names().values("job").append([["a", 11_300, 1]]).query()).written("everything is deleted, and something comes later", STORAGE, "Deletion"),
  toTheEnd(new Life(SERIES).each(["a", "b"], 10_000, 11_200, { every: 100 }).flush(11_300).delete([["none", "=", ""]]).query().clean(11_400).blocks().query().restart().append([["a", 11_300, 1]])).written("everything in blocks is deleted", STORAGE, "Deletion"),
  toTheEnd(new Life(SERIES).each(["a"], 10_000, 12_400, { every: 10 }).delete(named("a"), { from: 10_995, to: 11_004 }).delete(named("a"), { from: 12_000, to: 12_000 }).compact(12_500).query().delete(named("a"), { from: 10_100, to: 10_200 }).delete(named("a"), { from: 10_050, to: 10_150 }).delete(named("a"), { from: 10_300, to: 10_400 }).delete(named("a"), { from: 10_201, to: 10_299 }).query().append([["a", 12_401, 3]]).delete(named("a"), { from: 12_401 }).query().append([["a", 12_402, 4]])).written("deletions at the edges of blocks, touching and overlapping", STORAGE, "Deletion"),
  toTheEnd(new Life(SERIES, { segmentOctets: 512 }).each(["a", "b"], 10_000, 11_400, { every: 10 }).delete(named("a"), { from: 10_900, to: 11_100 }).each(["a", "b"], 11_410, 12_600, { every: 10, compact: true }).query().kill()).written("a deletion in memory, of which a part is in a block later", STORAGE, "Deletion"),
  toTheEnd(new Life(SERIES, {}, HISTOGRAMS).append([["a", 1, "i1"], ["a", 2, "i2"], ["a", 3, "i3"], ["b", 1, 1], ["b", 2, "f1"]]).delete([["job", "=", "x"]], { from: 2, to: 2 })).written("deleted histograms", STORAGE, "Deletion"),

  new Life(SERIES, { retentionMs: 3_000 })
    .each(["a"], 10_000, 16_400, { every: 100 })
    .compact(1)
    .forget({ to: 11_999 })
    .query(named("a"))
    .blocks(...[12_000, 13_000, 14_000].map((from) => block(from, from + 1_000, [1, 10])))
    .restart()
    .query()
    .written("retention by time", "prometheus-storage#operational-aspects", "Retention"),
  new Life(SERIES, { retentionOctets: 1 })
    .each(["a"], 10_000, 14_400, { every: 100 })
    .compact(1)
    .forget({ to: 12_999 })
    .query()
    .blocks()
    .written("retention by size: no block is small enough", "prometheus-storage#operational-aspects", "Retention"),

  toTheEnd(new Life(SERIES).each(["a", "b"], 10_000, 12_600, { every: 50 }).compact(1).delete(named("b"), { from: 10_500, to: 12_100 }).step({ do: "snapshot", now: 13_000, withHead: true }).query().blocks(block(10_000, 11_000, [2, 40, 2, 1, 1]), block(11_000, 12_000, [2, 40, 2, 1, 1]), block(12_000, 12_601, [2, 23]))).written("a snapshot with what is in memory", STORAGE, "Snapshot"),
  toTheEnd(new Life(SERIES).each(["a", "b"], 10_000, 11_600, { every: 50 }).compact(1).step({ do: "snapshot", now: 13_000, withHead: false }).forget({ from: 11_000 }).query().blocks(block(10_000, 11_000, [2, 40]))).written("a snapshot of the blocks", STORAGE, "Snapshot"),
  ...damagedLives(SERIES),
  ...furtherLives(SERIES, HISTOGRAMS),
  ...wrongRecords(SERIES),
  ...edgeLives(SERIES, HISTOGRAMS),
];
