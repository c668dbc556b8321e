import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { MemoryStorage, type Querier, type Queryable, type Series } from "../../storage/index.ts";
import type { Expr } from "../syntax/ast.ts";
import { evaluateInstant, evaluateRange, finish } from "./engine.ts";
import { QueryCanceled } from "./failure.ts";
import { parse } from "../parse/parse.ts";

const SERIES = 1_500;
const STEPS = { startMs: 0, endMs: 99_000, stepMs: 1_000 };

/** A sample of each series, which every step sees. */
const memory = new MemoryStorage();
const appender = memory.appender();
for (let n = 0; n < SERIES; n++) {
  // Not in the order of the labels.
  const id = appender.series(Labels.of({ __name__: "m", n: String((n * 7_919) % SERIES), half: String(n % 2), le: String(n) }));
  appender.append(id, 0, n);
}
appender.commit();

/** The same; tells whether a view is open, and whether series are being selected, or were not yet. */
class Watched implements Queryable {
  isOpen = false;
  isSelected = false;

  querier(): Querier {
    const inner = memory.querier();
    const select = this.#select.bind(this);
    this.isOpen = true;
    return {
      select: (matchers, from, to) => select(inner.select(matchers, from, to)),
      labelNames: () => [],
      labelValues: () => [],
      close: () => void (this.isOpen = false),
    };
  }

  *#select(series: Iterable<Series>): Generator<Series> {
    this.isSelected = false;
    yield* series;
    this.isSelected = true;
  }
}

/** Runs a query, and says how often it paused when everything was selected. Of those pauses one may be the last. */
function pausesOf(text: string, last = Infinity): number {
  const storage = new Watched();
  const work = evaluateRange(storage, parse(text) as Expr, STEPS, { lookbackMs: 3_600_000 });
  let pauses = 0;
  const pause = (): void => {
    if (storage.isSelected && ++pauses === last) throw new QueryCanceled();
  };
  try {
    finish(work, pause);
  } catch (error) {
    if (!(error instanceof QueryCanceled)) throw error;
  }
  expect(storage.isOpen).toBe(false);
  return pauses;
}

describe("a step over many samples yields, and can be abandoned there", () => {
  test.each([
    "topk(5, m)",
    "limitk(5, m)",
    "limit_ratio(0.001, m)",
    "sum by (half) (m)",
    "sum without (n, le) (m)",
    "avg(m)",
    "max(m)",
    "count(m)",
    "group(m)",
    "stddev(m)",
    "quantile(0.5, m)",
    "absent(m)",
    "scalar(m)",
    "histogram_quantile(0.5, m)",
  ])("%s", (text) => {
    expect(pausesOf(text)).toBeGreaterThan(1);
    expect(pausesOf(text, 1)).toBe(1);
  });

  // What is as large as what was selected pauses once more for what is done with it.
  test.each([
    "topk(1500, m)",
    "-m",
    "m + 1",
    "1 > bool m",
    "abs(m)",
    "clamp(m, 1, 2)",
    "timestamp(m + 0)",
    'label_replace(m, "n", "x$1", "n", "(.*)")',
    'count_values("v", m)',
    "m and m",
    "m unless n",
    "m or n",
    "m + m",
    "m @ 0",
  ])("%s", (text) => {
    const plain = pausesOf("m");
    expect(pausesOf(text)).toBeGreaterThan(plain);
    expect(pausesOf(text, plain)).toBe(plain);
  });

  test.each(["sort(m)", 'sort_by_label(m, "n")', "topk(1500, m)", "m"])("the elements of an instant %s", (text) => {
    let pauses = 0;
    const storage = new Watched();
    const work = evaluateInstant(storage, parse(text) as Expr, 0);
    finish(work, () => void (pauses += storage.isSelected ? 1 : 0));
    expect(pauses).toBeGreaterThan(0);
  });

  test.each([
    ["names to group by", `sum by (${Array.from({ length: 10_000 }, (_, n) => `a${n}`).join(", ")}) (m{le=~"1.?"})`],
    ["names to match on", `m{le=~"1.?"} + on (n, ${Array.from({ length: 10_000 }, (_, n) => `a${n}`).join(", ")}) m{le=~"1.?"}`],
  ])("a great many %s", (_what, text) => expect(pausesOf(text)).toBeGreaterThan(5));
});
