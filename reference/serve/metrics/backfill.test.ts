import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { realFiles } from "../../io/index.ts";
import { Columns, Labels, Matcher } from "../../metrics/model/index.ts";
import { groupKey, slotFrom } from "../../metrics/rules/index.ts";
import { Database } from "../../metrics/tsdb/index.ts";
import { backfillRules } from "./backfill.ts";
import { serveMetrics, type MetricsServer } from "./index.ts";

const HOUR = 3_600_000;
/** At the start of a block. */
const BEGIN = 1_800_000_000_000 - (1_800_000_000_000 % (2 * HOUR));
let folder: string;
let server: MetricsServer;
const said: string[] = [];

beforeEach(async () => {
  said.length = 0;
  for (const way of ["log", "error"] as const) vi.spyOn(console, way).mockImplementation((text: string) => void said.push(text));
  folder = mkdtempSync(join(tmpdir(), "touchstone-backfill-"));
  server = await serveMetrics({ directory: join(folder, "server"), graceMs: 0, storage: { walSync: "never" } });
  for (let at = 0; at <= 5 * 60; at++) {
    const appender = server.database.appender();
    for (const [job, value] of [
      ["a", at],
      ["b", 2 * at],
    ] as const)
      appender.append(appender.series(Labels.of({ __name__: "load", job, instance: "x" })), BEGIN + at * 60_000, value);
    appender.commit();
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
  rmSync(folder, { recursive: true });
});
const rules = (text: string): string => {
  writeFileSync(join(folder, "rules.yml"), text);
  return join(folder, "rules.yml");
};
const options = () => ({
  start: String((BEGIN + HOUR) / 1_000 + 7),
  end: String((BEGIN + 5 * HOUR) / 1_000),
  url: server.url,
  output: join(folder, "blocks"),
  evalInterval: "60s",
});
/** The samples of each series as `job: first@minute … last@minute (count)`. */
function shown(name: string): string[] {
  const database = new Database(realFiles, join(folder, "blocks"), { random: (into) => into, retention: { ms: 0, octets: 0 } });
  const querier = database.querier(0, Infinity);
  const columns = new Columns();
  const all: string[] = [];
  for (const series of querier.select([new Matcher("__name__", "=", name)], 0, Infinity)) {
    columns.clear();
    series.read(columns, 0, Infinity);
    const at = (row: number): string => `${columns.values[row]}@${(columns.times[row]! - BEGIN) / 60_000}`;
    all.push(`${series.labels.without(new Set(["__name__"])).toString()} ${at(0)} … ${at(columns.length - 1)} (${columns.length})`);
  }
  querier.close();
  database.close();
  return all.sort();
}

/** The times from 01:00:07 to 05:00 at which a server evaluates a group, in minutes. */
function minutesOf(file: string, name: string, interval: number): number[] {
  const step = interval * 60_000;
  const first = slotFrom(groupKey({ file, name }), step, BEGIN + HOUR + 7_000) - BEGIN;
  return Array.from({ length: Math.floor((5 * HOUR - first) / step) + 1 }, (_, at) => (first + at * step) / 60_000);
}

test("recording rules have their past in blocks of two hours, at the times of their groups", async () => {
  const file = rules(
    `groups:
- name: g
  rules:
  - {record: "job:load:sum", expr: sum by (job) (load), labels: {team: x}}
  - {alert: Never, expr: load < 0}
- name: slow
  interval: 10m
  rules:
  - {record: "load:max", expr: max(load)}
`,
  );
  expect(await backfillRules([file], options())).toBe(0);
  expect(readdirSync(join(folder, "blocks"))).toHaveLength(3);
  const [each, slow] = [minutesOf(file, "g", 1), minutesOf(file, "slow", 10)];
  const inBlock = (minutes: number[], block: number): number => minutes.filter((minute) => Math.floor(minute / 120) === block).length;
  expect(said.map((line) => /: (\d+ samples of \d+ series) in/.exec(line)?.[1])).toEqual(
    [0, 1, 2].map((block) => `${2 * inBlock(each, block) + inBlock(slow, block)} samples of 3 series`),
  );
  const row = (labels: string, minutes: number[], factor: number): string => {
    const at = (minute: number): string => `${factor * Math.floor(minute)}@${minute}`;
    return `${labels} ${at(minutes[0]!)} … ${at(minutes.at(-1)!)} (${minutes.length})`;
  };
  expect(shown("job:load:sum")).toEqual([row('{job="a", team="x"}', each, 1), row('{job="b", team="x"}', each, 2)]);
  expect(shown("load:max")).toEqual([row("{}", slow, 2)]);
});

test.each([
  ["groups: [{name: g, rules: [{record: a, expr: load}]}]", { start: "soon" }, 2, "--start and --end are times"],
  ["groups: [{name: g, rules: [{record: a, expr: load}]}]", { end: "1" }, 2, "--end is not after --start"],
  ["groups: [{name: g, rules: [{record: a, expr: load}]}]", { evalInterval: "0s" }, 2, "is not a duration"],
  ["groups: [{name: g, rules: [{record: a, expr: load}]}]", { url: "http://127.0.0.1:1" }, 1, "127.0.0.1:1"],
  ["groups: [{name: g, rules: [{record: a, expr: 'sum('}]}]", {}, 1, "nothing is written"],
  ["groups: [{name: g, rules: [{alert: a, expr: load}]}]", {}, 1, "no recording rule"],
  [
    "groups: [{name: g, rules: [{record: a, expr: 'load * on(job) group_left load{job=\"a\"} * on() group_left load'}]}]",
    {},
    1,
    "the rule a cannot be evaluated",
  ],
  ["groups: [{name: g, rules: [{record: a, expr: load, labels: {job: one}}]}]", {}, 1, "twice"],
])("%s with %j ends with status %i", async (text, more, status, message) => {
  expect(await backfillRules([rules(text)], { ...options(), ...more })).toBe(status);
  expect(said.join("\n")).toContain(message);
});
