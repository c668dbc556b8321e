import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { MemoryStorage, type Querier, type Queryable } from "../../storage/index.ts";
import {
  describeAnnotation,
  type EngineOptions,
  evaluateInstant,
  evaluateRange,
  exceedsPoints,
  type Expr,
  finish,
  parse,
  QueryTimedOut,
  type QueryResult,
  TooManySamples,
} from "../index.ts";

const read = (text: string): Expr => {
  const expr = parse(text);
  if (expr.is === "fault") throw new Error(expr.message);
  return expr;
};

/** `name{n="0"}` to `name{n="<series>"}`, a sample each minute, counting from the number of the series. */
function filled(name: string, series: number, samples: number): MemoryStorage {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  for (let n = 0; n < series; n++) {
    const id = appender.series(Labels.of({ __name__: name, n: String(n) }));
    for (let at = 0; at < samples; at++) appender.append(id, at * 60_000, n + at);
  }
  appender.commit();
  return storage;
}

const HOUR = { startMs: 0, endMs: 3_600_000, stepMs: 60_000 };
const rows = ({ value }: QueryResult): string[] =>
  value.is === "matrix"
    ? Array.from(value.series(), ([labels, { values, length }]) => `${labels} ${values.subarray(0, length).join(" ")}`)
    : [];

describe("limits", () => {
  const ask = (options: Partial<EngineOptions>, text: string): QueryResult =>
    finish(evaluateRange(filled("m", 10, 60), read(text), HOUR, options));

  test("--query.max-samples: counts samples held at one time, and fails one beyond the limit", () => {
    const { peakSamples } = ask({}, "m");
    expect(peakSamples).toBe(610);
    expect(() => ask({ maxSamples: 610 }, "m")).not.toThrow();
    expect(() => ask({ maxSamples: 609 }, "m")).toThrow(TooManySamples);
  });

  test("--query.max-samples: no longer counts the operands of a finished operator", () => {
    expect(ask({}, "sum(m) + sum(m) + sum(m) + sum(m)").peakSamples).toBeLessThan(2 * 610);
  });

  test("--query.max-samples: the window of a single series can exceed it", () => {
    expect(() => ask({ maxSamples: 59 }, "count_over_time(m[2h] @ end())")).toThrow(TooManySamples);
  });

  test("refuses a mostly empty matrix before allocating it", () => {
    const steps = { startMs: 0, endMs: 1e12, stepMs: 1_000 };
    expect(() => finish(evaluateRange(filled("m", 40, 1), read("m"), { ...steps, endMs: 1e9 }, { maxSamples: 1_000_000 }))).toThrow(
      TooManySamples,
    );
  });

  test("allows 11,000 points per series and no more", () => {
    expect([11_000, 11_001].map((points) => exceedsPoints({ startMs: 0, endMs: points * 1_000, stepMs: 1_000 }))).toEqual([false, true]);
  });
});

describe("work", () => {
  /** Whether the querier was closed, after `run`. */
  function closedAfter(run: (queryable: Queryable) => void): boolean {
    let isClosed = false;
    const storage = filled("m", 3_000, 60);
    const queryable: Queryable = {
      querier(): Querier {
        const own = storage.querier();
        return { ...own, close: () => (isClosed = true) };
      },
    };
    run(queryable);
    return isClosed;
  }

  test("yields while it reads series, so that other work can run", () => {
    const work = evaluateRange(filled("m", 3_000, 60), read("sum(rate(m[5m]))"), HOUR);
    let pauses = 0;
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan(5);
  });

  test("a checkpoint that throws ends it and closes the querier", () => {
    const isClosed = closedAfter((queryable) => {
      const stop = (): void => {
        throw new QueryTimedOut();
      };
      expect(() => finish(evaluateRange(queryable, read("m"), HOUR), stop)).toThrow("query timed out in expression evaluation");
    });
    expect(isClosed).toBe(true);
  });

  test("a failure closes the querier", () => {
    expect(
      closedAfter((queryable) => expect(() => finish(evaluateInstant(queryable, read("m + on () m"), 0))).toThrow(/many-to-many/)),
    ).toBe(true);
  });

  test("reads exactly the range of samples that the expression needs", () => {
    const extents: (readonly [number, number])[] = [];
    const queryable: Queryable = {
      querier(start, end) {
        extents.push([start, end]);
        return filled("m", 1, 1).querier();
      },
    };
    const at = (text: string): void => void finish(evaluateInstant(queryable, read(text), 10_000_000));
    at("m");
    at("rate(m[1m] offset 1h)");
    at("sum_over_time(m[1m:10s]) + m @ 1");
    at("info(m offset 1d)");
    at("1 + 1");
    expect(extents).toEqual([
      [9_700_001, 10_000_000],
      [6_340_001, 6_400_000],
      [-298_999, 10_000_000],
      [-76_699_999, 10_000_000],
    ]);
  });
});

describe("options", () => {
  const instant = (text: string, atMs: number, options: Partial<EngineOptions>): QueryResult =>
    finish(evaluateInstant(filled("m_total", 1, 3), read(text), atMs, options));
  const values = ({ value }: QueryResult): number[] => (value.is === "vector" ? value.elements.map(({ value: own }) => own) : []);

  test("lookbackMs: a sample of exactly this age is too old", () => {
    expect(values(instant("m_total", 179_999, { lookbackMs: 60_000 }))).toEqual([2]);
    expect(values(instant("m_total", 180_000, { lookbackMs: 60_000 }))).toEqual([]);
  });

  test("subqueryStepMs: the default step of a subquery", () => {
    expect(values(instant("count_over_time(m_total[2m:])", 120_000, { subqueryStepMs: 30_000 }))).toEqual([4]);
  });

  test.each([
    ["rate(m_total[2m])", 120_000, [1 / 60]],
    ["rate(m_total[1m])", 120_000, [Number.NaN]],
    ["increase(m_total[1m])", 3_600_000, []],
    ["irate(m_total[1m])", 120_000, [Number.NaN]],
    ["delta(m_total[1m])", 120_000, []],
  ])("rateGaps nan: %s at %d is %j", (text, atMs, expected) => {
    expect(values(instant(text, atMs, { rateGaps: "nan" }))).toEqual(expected);
  });

  test("rateGaps nan: a reset gives NaN, where the language corrects it", () => {
    const storage = new MemoryStorage();
    const appender = storage.appender();
    const id = appender.series(Labels.of({ __name__: "c_total" }));
    for (const [at, value] of [5, 8, 2, 4].entries()) appender.append(id, at * 60_000, value);
    appender.commit();
    const range = { startMs: 60_000, endMs: 180_000, stepMs: 60_000 };
    const of = (rateGaps: EngineOptions["rateGaps"]): string[] =>
      rows(finish(evaluateRange(storage, read("increase(c_total[90s])"), range, { rateGaps })));
    expect(of("nan")).toEqual(["{} 4.5 NaN 3"]);
    expect(of("language")).toEqual(["{} 4.5 3 3"]);
  });

  test("rateGaps nan: a counter that stands still has no reset", () => {
    const storage = new MemoryStorage();
    const appender = storage.appender();
    const id = appender.series(Labels.of({ __name__: "c_total" }));
    for (const at of [0, 1, 2]) appender.append(id, at * 60_000, 5);
    appender.commit();
    expect(values(finish(evaluateInstant(storage, read("increase(c_total[3m])"), 120_000, { rateGaps: "nan" })))).toEqual([0]);
  });
});

describe("results", () => {
  test("a range query: series are sorted by labels, and empty ones are left out", () => {
    const storage = filled("m", 3, 5);
    expect(rows(finish(evaluateRange(storage, read("sort_desc(m > 3)"), { startMs: 0, endMs: 180_000, stepMs: 60_000 })))).toEqual([
      'm{n="1"} 4',
      'm{n="2"} 4 5',
    ]);
  });

  test("a range query of a scalar gives one series without labels", () => {
    expect(rows(finish(evaluateRange(filled("m", 1, 1), read("time()"), { startMs: 0, endMs: 2_000, stepMs: 1_000 })))).toEqual([
      "{} 0 1 2",
    ]);
  });

  test("a range query of a range vector is refused", () => {
    expect(() => finish(evaluateRange(filled("m", 1, 1), read("m[1m]"), HOUR))).toThrow(/range vector.*must be Scalar or instant Vector/);
  });

  test("annotations have a position in the text", () => {
    const text = "1 + rate(m[5m])";
    const { infos, warnings } = finish(evaluateInstant(filled("m", 1, 5), read(text), 240_000));
    expect(warnings).toEqual([]);
    expect(infos.map((info) => describeAnnotation(text, info))).toEqual([
      'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "m" (1:10)',
    ]);
  });
});
