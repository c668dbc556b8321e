import { expect, test } from "vitest";
import { Labels } from "../../metrics/model/index.ts";
import { evaluateInstant, finish, parse } from "../../metrics/promql/index.ts";
import { Relabelling, TargetPass } from "../../metrics/scrape/index.ts";
import { Database } from "../../metrics/tsdb/index.ts";
import { MemoryFiles } from "../../metrics/tsdb/files/testing.ts";
import { seeded } from "../../core/index.ts";

/** Two months of a server on virtual time: scrapes of a target whose series change every day, compaction, and retention. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EVERY = 5 * MINUTE;
const DAYS = 60;
/** The default retention. */
const KEPT = 15 * DAY;
const BEGIN = 10_000 * DAY;
/** No block is longer. */
const LONGEST = 14 * DAY;

const PASS = {
  target: Labels.of({ job: "j", instance: "h:1" }),
  honor_labels: false,
  honor_timestamps: true,
  track_timestamps_staleness: false,
  metric_relabel: new Relabelling([], { md5: (octets) => octets }),
  scheme: "utf8",
  label_limit: 0,
  label_name_length_limit: 0,
  label_value_length_limit: 0,
  sample_limit: 0,
  body_size_limit: 0,
  extra_scrape_metrics: false,
  isNative: false,
  isAlwaysClassic: false,
  timeoutMs: 10_000,
} as const;

function compacted(database: Database, now: number): void {
  for (let hasMore = true; hasMore;) hasMore = database.compact(now);
}

test("after sixty days of scrapes the blocks, the answers and what is in memory are right", () => {
  const database = new Database(new MemoryFiles(), "data", {
    random: (
      (draw) => (into: Uint8Array) =>
        into.map(() => Math.floor(draw() * 256))
    )(seeded(1)),
    walSync: "never",
  });
  const pass = new TargetPass(PASS);
  const at = (expression: string, time: number): Record<string, number> => {
    const expr = parse(expression);
    if (expr.is === "fault") throw new Error(expr.message);
    const { value } = finish(evaluateInstant(database, expr, time));
    if (value.is !== "vector") throw new Error(`a ${value.is}`);
    return Object.fromEntries(value.elements.map((one) => [one.labels.get("day"), one.value]));
  };
  /** What the head holds, which is all that stays in memory. */
  const heads: Record<string, number>[] = [];
  let now = BEGIN;
  for (let day = 1; day <= DAYS; day++) {
    for (let scrape = 0; scrape < DAY / EVERY; scrape++) {
      now += EVERY;
      const requests = (now - BEGIN) / EVERY;
      const page = `requests_total ${requests}\ntoday{day="${day}"} ${scrape}\n${Array.from({ length: 8 }, (_, one) => `flat{one="${one}"} ${one}\n`).join("")}`;
      pass.store(database, { octets: Buffer.from(page), format: "text" }, now, 10);
      if (now % HOUR === 0) compacted(database, now);
    }
    if (day % 20 === 0) {
      const { numSeries, numLabelPairs, chunkCount, numSamples } = database.stats(10).headStats;
      heads.push({ numSeries, numLabelPairs, chunkCount, numSamples, segments: database.log.segments });
    }
  }
  const blocks = database.blocks.all.map(({ meta }) => meta).toSorted((a, b) => a.minTime - b.minTime);

  // No gap and no overlap; a block goes once all of it is beyond the retention; nothing is in memory for long.
  for (const [index, { minTime }] of blocks.slice(1).entries()) expect(minTime).toBe(blocks[index]!.maxTime);
  const newest = blocks.at(-1)!.maxTime;
  expect(blocks[0]!.maxTime).toBeGreaterThan(newest - KEPT);
  expect(blocks[0]!.minTime).toBeGreaterThan(newest - KEPT - LONGEST);
  expect(now - newest).toBeLessThanOrEqual(3 * HOUR);
  // Blocks of two hours become longer ones; the newest wait for neighbours.
  const lengths = blocks.map(({ minTime, maxTime }) => (maxTime - minTime) / HOUR);
  expect(lengths.toSorted((x, y) => y - x)).toEqual(lengths);
  expect(Math.max(...lengths) * HOUR).toBeLessThanOrEqual(LONGEST);
  expect(blocks.length).toBeLessThan(20);

  // Every scrape of the last two weeks counts, and a series that has ended is there for its day alone.
  expect(at("requests_total - requests_total offset 14d", now)).toEqual({ "": (14 * DAY) / EVERY });
  expect(at("count_over_time(up[14d])", now)).toEqual({ "": (14 * DAY) / EVERY });
  expect(at("today", now)).toEqual({ 60: DAY / EVERY - 1 });
  expect(at("today", now - 10 * DAY)).toEqual({ 50: DAY / EVERY - 1 });
  expect(at("count_over_time(today[1d])", now - 10 * DAY)).toEqual({ 50: DAY / EVERY });
  expect(at("requests_total", now - KEPT - LONGEST - DAY)).toEqual({});

  // Series that have ended leave the memory: as many after sixty days as after twenty.
  expect(heads[2]).toEqual(heads[0]);
  expect(database.damage).toEqual([]);
  database.close();
});
