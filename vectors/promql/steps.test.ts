import { describe, expect, test } from "vitest";
import type { Columns } from "../../reference/metrics/model/index.ts";
import type { QueryResult } from "../../reference/metrics/promql/index.ts";
import { MemoryStorage } from "../../reference/metrics/storage/index.ts";
import { BEGIN_MS, drawExpressions, drawSeries } from "./generate.ts";
import { ask } from "./run.ts";
import type { When } from "./script.ts";

/** A range query equals an instant query at each step (Prometheus docs, querying/basics.md), and so does a subquery. */

const SEED = 7;
const storage = new MemoryStorage();
const appender = storage.appender();
for (const { labels, samples } of drawSeries(SEED)) for (const [ms, value] of samples) appender.append(appender.series(labels), ms, value);
appender.commit();

const RANGE = { startMs: BEGIN_MS - 120_000, endMs: BEGIN_MS + 2_700_000, stepMs: 47_000 };
const expressions = drawExpressions(SEED, 500);

/** Sorted lines of labels and values by time: the order of a range query's result is undefined. */
function byTime(result: QueryResult | string): Map<number, string[]> | string {
  if (typeof result === "string") return result;
  const found = new Map<number, string[]>();
  const put = (ms: number, labels: string, value: number): void =>
    void found.set(ms, [...(found.get(ms) ?? []), `${labels} ${value.toPrecision(12)}`]);
  const { value } = result;
  if (value.is === "scalar") put(value.timeMs, "{}", value.value);
  if (value.is === "vector") for (const { labels, value: float } of value.elements) put(value.timeMs, String(labels), float);
  if (value.is === "matrix")
    for (const [labels, columns] of value.series()) eachSample(columns, (ms, float) => put(ms, String(labels), float));
  for (const lines of found.values()) lines.sort();
  return found;
}

function eachSample({ times, values, length }: Columns, visit: (ms: number, value: number) => void): void {
  for (let row = 0; row < length; row++) visit(times[row] ?? 0, values[row] ?? 0);
}

test("each step of a range query equals an instant query at that time", () => {
  // start() and end() differ in an instant query.
  for (const expr of expressions.filter((text) => !/@ (start|end)/.test(text))) {
    const whole = byTime(ask(storage, { expr, when: { is: "range", ...RANGE } }));
    for (let atMs = RANGE.startMs; atMs <= RANGE.endMs; atMs += RANGE.stepMs * 6) {
      const instant = byTime(ask(storage, { expr, when: { is: "instant", atMs } }));
      const expected = typeof whole === "string" || typeof instant === "string" ? whole : (whole.get(atMs) ?? []);
      expect({ expr, atMs, lines: typeof instant === "string" ? instant : (instant.get(atMs) ?? []) }).toEqual({
        expr,
        atMs,
        lines: expected,
      });
    }
  }
});

describe("a subquery", () => {
  const instant: When = { is: "instant", atMs: BEGIN_MS + 1_000_007 };

  test("with one step equals the expression at that step", () => {
    for (const expr of expressions.slice(0, 200)) {
      const atMs = BEGIN_MS + 1_000_000;
      const alone = byTime(ask(storage, { expr: `(${expr}) * 1`, when: { is: "instant", atMs } }));
      if (typeof alone === "string" || alone.size === 0 || expr.startsWith("scalar")) continue;
      const inside = byTime(ask(storage, { expr: `sum_over_time((${expr})[10s:10s])`, when: instant }));
      expect({ expr, lines: typeof inside === "string" ? inside : inside.get(instant.atMs) }).toEqual({ expr, lines: alone.get(atMs) });
    }
  });

  test("without a step in its range is empty", () => {
    for (const expr of expressions) {
      const result = ask(storage, { expr: `count_over_time((${expr})[1s:1h])`, when: instant });
      // A scalar is not allowed in a subquery.
      expect(typeof result === "string" ? /only allowed on instant vector/.test(result) : byTime(result)).toEqual(
        typeof result === "string" ? true : new Map(),
      );
    }
  });
});
