import { randomFillSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { realFiles } from "../../reference/io/index.ts";
import { Columns, LabelOctets, Labels, Matcher } from "../../reference/metrics/model/index.ts";
import { Database } from "../../reference/metrics/tsdb/index.ts";

/** More series than the first room of any table holds: every answer is compared with plain maps, in memory, in the log and in blocks. */

const SERIES = 2_600;
const LATER = 200;
const LONG_EVERY = 40;
const WINDOW = 5_000;
const [FIRST, LAST] = [-(2 ** 50), 2 ** 50];

const labelsOf = (n: number): Labels =>
  Labels.of([
    ["__name__", "herd"],
    ["group", `g${n % 7}`],
    ["n", String(n)],
    // Longer than the first room of a text, and beyond ASCII.
    ...(n % LONG_EVERY === 0 ? [["long", `${"é€".repeat(700)}${n}`] as const] : []),
  ]);
const members = Array.from({ length: SERIES + LATER }, (_, n) => labelsOf(n));

const folder = mkdtempSync(join(tmpdir(), "touchstone-many-"));
const open = (): Database =>
  new Database(realFiles, join(folder, "data"), {
    random: (into) => randomFillSync(into),
    blockRange: 1_000,
    outOfOrderWindow: WINDOW,
    walSegmentOctets: 65_536,
    walSync: "never",
  });
let database = open();
const held = new Map<number, Map<number, number>>();
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One sample of each series from `from` on, by texts or by octets as a page gives them. */
function append(time: number, { from = 0, to = SERIES, every = 1, octets = false } = {}): void {
  const appender = database.appender();
  const room = new LabelOctets();
  for (let n = from; n < to; n += every) {
    let series: number;
    if (octets) {
      room.clear();
      for (const [name, value] of members[n]!) room.addText(name, value);
      series = appender.seriesOf(room);
    } else series = appender.series(members[n]!);
    const value = ((n * 7919) % 104_729) + time / 8;
    expect(appender.append(series, time, value)).toBeUndefined();
    const samples = held.get(n) ?? new Map<number, number>();
    held.set(n, samples.set(time, value));
  }
  appender.commit();
}

const QUESTIONS: readonly (readonly Matcher[])[] = [
  [new Matcher("group", "=", "g3")],
  [new Matcher("group", "=~", "g1|g2|g9")],
  [new Matcher("group", "!=", "g3"), new Matcher("n", "=~", "1.*9")],
  [new Matcher("group", "!~", "g[0-4]"), new Matcher("long", "=", "")],
  [new Matcher("long", "!=", "")],
  [new Matcher("long", "=~", ".*[05]0")],
  [new Matcher("n", "=", "1717")],
  [new Matcher("n", "=~", "1|20|2599|2700|none")],
  [new Matcher("none", "=", "")],
  [new Matcher("none", "!=", "")],
  [new Matcher("__name__", "=", "herd"), new Matcher("group", "=", "g9")],
];

function shownBy(matchers: readonly Matcher[], from: number, to: number): string[] {
  const querier = database.querier(from, to);
  const columns = new Columns();
  const lines: string[] = [];
  for (const series of querier.select(matchers, from, to, { sorted: true })) {
    columns.clear();
    series.read(columns, from, to);
    const samples = Array.from({ length: columns.length }, (_, row) => `${columns.times[row]}:${columns.values[row]}`);
    if (samples.length > 0) lines.push(`${series.labels.get("n")} ${series.labels.get("long").length} ${samples.join(" ")}`);
  }
  querier.close();
  return lines;
}

function dueBy(matchers: readonly Matcher[], from: number, to: number): string[] {
  return [...held].flatMap(([n, samples]) => {
    const labels = members[n]!;
    const within = [...samples].filter(([time]) => time >= from && time <= to).sort(([a], [b]) => a - b);
    if (within.length === 0 || !matchers.every((one) => one.matches(labels.get(one.name)))) return [];
    return [`${n} ${labels.get("long").length} ${within.map(([time, value]) => `${time}:${value}`).join(" ")}`];
  });
}

/** Every answer, whatever has become of the samples. */
function expectAll(): void {
  expect(database.damage.map(String)).toEqual([]);
  for (const matchers of QUESTIONS) {
    for (const [from, to] of [
      [FIRST, LAST],
      [500, 1_010],
    ] as const)
      expect(shownBy(matchers, from, to).sort(), `${matchers.join()} ${from} ${to}`).toEqual(dueBy(matchers, from, to).sort());
  }
  const querier = database.querier(FIRST, LAST);
  const keys = [...held.keys()];
  expect(querier.labelNames([], FIRST, LAST)).toEqual(["__name__", "group", "long", "n"]);
  expect(querier.labelValues("group", [], FIRST, LAST)).toEqual(["g0", "g1", "g2", "g3", "g4", "g5", "g6"]);
  expect(querier.labelValues("n", [], FIRST, LAST)).toEqual(keys.map(String).sort());
  expect(querier.labelValues("n", [[QUESTIONS[0]![0]!]], FIRST, LAST)).toEqual(
    keys
      .filter((n) => n % 7 === 3)
      .map(String)
      .sort(),
  );
  expect(querier.labelValues("long", [], FIRST, LAST)).toHaveLength(keys.filter((n) => n % LONG_EVERY === 0).length);
  querier.close();
}

const restart = (): void => {
  database.close();
  database = open();
};

test("thousands of series are found by any matcher, in memory, in the log and in blocks", () => {
  append(0);
  expectAll();
  append(10, { octets: true });
  // Too few to be entered into the lists of series at once.
  append(20, { to: SERIES + LATER, octets: true });
  expectAll();
  restart();
  expectAll();
  for (let time = 500; time <= 2_600; time += 350) append(time, { every: 3 });
  // Late ones, in the order of neither series nor times.
  append(1_000, { from: 1, every: 3 });
  append(700, { from: 1, every: 6 });
  expectAll();
  restart();
  expectAll();
  while (database.compact(3_000));
  expectAll();
  restart();
  append(2_650, { to: SERIES + LATER });
  expectAll();
  database.flush(10_000);
  expectAll();
  restart();
  expectAll();
  expect(database.blocks.all.length).toBeGreaterThan(1);
});
