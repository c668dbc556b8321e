import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Labels } from "../../reference/metrics/model/index.ts";
import { MemoryStorage } from "../../reference/metrics/storage/index.ts";
import { BEGIN_MS, drawExpressions, drawSeries, openMetrics } from "./generate.ts";
import { type Answer, Prometheus, PROMETHEUS_INSTALL } from "./prometheus.ts";
import { ask } from "./run.ts";
import type { When } from "./script.ts";

/** Our engine and the installed Prometheus: the same queries on the same samples. */

const SEED = 20_260_730;
const EXPRESSIONS = 400;
/** The tolerances: relative to the larger number, and absolute for numbers that cancel out. Version 2 sums squares without compensation. */
const ABSOLUTE = 1e-9;
const relativeOf = (expr: string): number => (/std|deriv|predict/.test(expr) ? 1e-9 : 1e-12);

const WHENS: readonly When[] = [
  { is: "instant", atMs: BEGIN_MS + 1_207_000 },
  { is: "range", startMs: BEGIN_MS + 7_000, endMs: BEGIN_MS + 2_407_000, stepMs: 60_000 },
];

const version = Prometheus.version();
if (version === undefined) console.log(PROMETHEUS_INSTALL);

describe.runIf(version !== undefined)(`our engine and prometheus ${version} agree`, () => {
  const series = drawSeries(SEED);
  const storage = new MemoryStorage();
  let prometheus: Prometheus | undefined;
  beforeAll(async () => {
    const appender = storage.appender();
    for (const { labels, samples } of series) for (const [ms, value] of samples) appender.append(appender.series(labels), ms, value);
    appender.commit();
    prometheus = await Prometheus.start(openMetrics(series));
  });
  afterAll(() => prometheus?.stop());

  test.each(WHENS)(
    `on ${EXPRESSIONS} expressions, $is`,
    async (when) => {
      const differences: string[] = [];
      for (const expr of drawExpressions(SEED, EXPRESSIONS)) {
        const theirs = await prometheus?.ask(expr, when);
        const difference = theirs === undefined ? "no answer" : differ(ours(expr, when), theirs, relativeOf(expr));
        if (difference !== undefined) differences.push(`${expr}: ${difference}`);
      }
      expect(differences).toEqual([]);
    },
    180_000,
  );

  function ours(expr: string, when: When): Answer {
    const result = ask(storage, { expr, when });
    if (typeof result === "string") return { is: "failure", message: result };
    const { value } = result;
    if (value.is === "scalar") return { is: "series", series: [{ labels: {}, samples: [[value.timeMs / 1_000, String(value.value)]] }] };
    if (value.is === "string") return { is: "series", series: [] };
    if (value.is === "vector") {
      return {
        is: "series",
        series: value.elements.map(({ labels, value: float }) => ({
          labels: labels.toJSON(),
          samples: [[value.timeMs / 1_000, String(float)]],
        })),
      };
    }
    const all = Array.from(value.series(), ([labels, { times, values, length }]) => ({
      labels: labels.toJSON(),
      samples: Array.from({ length }, (_, row): [number, string] => [(times[row] ?? 0) / 1_000, String(values[row])]),
    }));
    return { is: "series", series: all };
  }
});

/** The difference between two answers, if any. Messages may differ. */
function differ(ours: Answer, theirs: Answer, relative: number): string | undefined {
  if (ours.is === "failure" || theirs.is === "failure") {
    if (ours.is === theirs.is) return undefined;
    return ours.is === "failure" ? `ours fails: ${ours.message}` : `theirs fails: ${theirs.is === "failure" ? theirs.message : ""}`;
  }
  const own = new Map(ours.series.map(({ labels, samples }) => [Labels.of(labels).key, samples] as const));
  if (own.size !== theirs.series.length) return `${own.size} series, theirs ${theirs.series.length}`;
  for (const { labels, samples } of theirs.series) {
    const mine = own.get(Labels.of(labels).key);
    if (mine === undefined) return `${Labels.of(labels)} is missing`;
    if (mine.length !== samples.length) return `${Labels.of(labels)} has ${mine.length} samples, theirs ${samples.length}`;
    const at = samples.findIndex(([time, value], row) => time !== mine[row]?.[0] || !isNear(number(mine[row][1]), number(value), relative));
    if (at >= 0) return `${Labels.of(labels)} at ${samples[at]?.[0]}: ${mine[at]?.[1]}, theirs ${samples[at]?.[1]}`;
  }
  return undefined;
}

const number = (text: string): number => (text.endsWith("Inf") ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text));
const isNear = (a: number, b: number, relative: number): boolean =>
  a === b || (a !== a && b !== b) || Math.abs(a - b) <= ABSOLUTE + relative * Math.max(Math.abs(a), Math.abs(b));
