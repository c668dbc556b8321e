import fc from "fast-check";
import { expect, test } from "vitest";
import { Labels } from "../../../reference/metrics/model/index.ts";
import { evaluateInstant, evaluateRange, type Expr, finish, parse, type QueryResult } from "../../../reference/metrics/promql/index.ts";
import { MemoryStorage } from "../../../reference/metrics/storage/index.ts";

/**
 * Counters that are restarted now and then, against what was really counted. The model counts events itself and knows nothing of resets: what the
 * engine makes of the samples has to be the model's count, exactly, wherever extrapolation cannot add anything.
 */

const STEP_MS = 15_000;

/** What happened between two scrapes: a restart perhaps, then so many events. */
type Scrape = { readonly isRestarted: boolean; readonly events: number };
const scrapes: fc.Arbitrary<readonly Scrape[]> = fc.array(
  fc.record({ isRestarted: fc.boolean(), events: fc.integer({ min: 0, max: 2 ** 31 }) }),
  { minLength: 2, maxLength: 40 },
);

type Told = {
  /** What the process tells at each scrape. */
  readonly values: number[];
  /** What it has really counted by then, as far as its samples can show. */
  readonly counted: number[];
};
function lived(history: readonly Scrape[]): Told {
  const told: Told = { values: [], counted: [] };
  let [value, counted] = [0, 0];
  for (const { isRestarted, events } of history) {
    const before = value;
    value = isRestarted ? events : before + events;
    // A restart after which as much was counted as before does not show: the difference is all there is.
    counted += value < before ? value : value - before;
    told.values.push(value);
    told.counted.push(counted);
  }
  return told;
}

const LABELS = Labels.of({ __name__: "c_total", job: "j" });
function stored(values: readonly number[]): MemoryStorage {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  const series = appender.series(LABELS);
  for (const [at, value] of values.entries()) appender.append(series, at * STEP_MS, value);
  appender.commit();
  return storage;
}

function expression(text: string): Expr {
  const expr = parse(text);
  if (expr.is === "fault") throw new Error(`${expr.message}: ${text}`);
  return expr;
}
function valuesOf({ value }: QueryResult): number[] {
  if (value.is === "vector") return value.elements.map((element) => element.value);
  if (value.is !== "matrix") throw new Error(`a ${value.is} where elements were asked for`);
  return Array.from(value.series(), ([, { values, length }]) => [...values.subarray(0, length)]).flat();
}
const at = (storage: MemoryStorage, text: string, atMs: number): number[] =>
  valuesOf(finish(evaluateInstant(storage, expression(text), atMs)));

/** From the first sample to the last in so many seconds, both counted, and what lies at either end less than a millisecond away. */
const whole = (samples: number): string => `${(samples - 1) * STEP_MS + 1}ms`;

test("increase() over a window that ends with its samples is what was counted, to the extrapolation of its last millisecond", () => {
  let resets = 0;
  fc.assert(
    fc.property(scrapes, fc.nat(), fc.nat(), (history, from, more) => {
      const { values, counted } = lived(history);
      const first = from % (values.length - 1);
      const last = first + 1 + (more % (values.length - 1 - first));
      resets += values.slice(first + 1, last + 1).filter((value, n) => value < (values[first + n] ?? 0)).length;
      const expected = (counted[last] ?? 0) - (counted[first] ?? 0);
      const sampledMs = (last - first) * STEP_MS;
      const storage = stored(values);
      const [increase = Number.NaN, ...others] = at(storage, `increase(c_total[${whole(last - first + 1)}])`, last * STEP_MS);
      expect(others).toEqual([]);
      // At the left the window begins a millisecond before the first sample: by so much the increase may be extended, and by no more.
      const beyond = increase - expected;
      const rounding = expected * 1e-12;
      expect(beyond).toBeGreaterThanOrEqual(-rounding);
      expect(beyond).toBeLessThanOrEqual(expected / sampledMs + rounding);
      const seconds = (sampledMs + 1) / 1_000;
      const [rate = Number.NaN] = at(storage, `rate(c_total[${whole(last - first + 1)}])`, last * STEP_MS);
      expect(Math.abs(rate * seconds - increase)).toBeLessThanOrEqual(increase * 1e-12);
    }),
    { numRuns: 600 },
  );
  // Were there no restarts, none would have been corrected.
  expect(resets).toBeGreaterThan(100);
});

test("increase() over a counter that begins at zero is exact: it is extended to no time before it was there", () => {
  fc.assert(
    fc.property(scrapes, (history) => {
      const { values, counted } = lived([{ isRestarted: false, events: 0 }, ...history]);
      const last = values.length - 1;
      const found = at(stored(values), `increase(c_total[${last * STEP_MS + 10_000}ms])`, last * STEP_MS);
      expect(found).toEqual([counted[last]]);
    }),
    { numRuns: 300 },
  );
});

test("irate() is the last two samples, a fall taken for a beginning at zero; resets() and changes() count what the model does", () => {
  fc.assert(
    fc.property(scrapes, (history) => {
      const { values, counted } = lived(history);
      const last = values.length - 1;
      const storage = stored(values);
      const range = whole(values.length);
      expect(at(storage, `irate(c_total[${range}])`, last * STEP_MS)).toEqual([
        ((counted[last] ?? 0) - (counted[last - 1] ?? 0)) / (STEP_MS / 1_000),
      ]);
      const pairs = values.slice(1).map((value, n) => [values[n] ?? 0, value] as const);
      expect(at(storage, `resets(c_total[${range}])`, last * STEP_MS)).toEqual([pairs.filter(([before, value]) => value < before).length]);
      expect(at(storage, `changes(c_total[${range}])`, last * STEP_MS)).toEqual([
        pairs.filter(([before, value]) => value !== before).length,
      ]);
    }),
    { numRuns: 300 },
  );
});

test("over all steps of a range query it is the same as at each of them", () => {
  fc.assert(
    fc.property(scrapes, fc.integer({ min: 1, max: 120_000 }), fc.integer({ min: 1_000, max: 60_000 }), (history, rangeMs, stepMs) => {
      const { values } = lived(history);
      const storage = stored(values);
      const endMs = values.length * STEP_MS;
      const text = `increase(c_total[${rangeMs}ms])`;
      const steps = Array.from({ length: Math.floor(endMs / stepMs) + 1 }, (_, step) => step * stepMs);
      const together = valuesOf(finish(evaluateRange(storage, expression(text), { startMs: 0, endMs, stepMs })));
      expect(together).toEqual(steps.flatMap((time) => at(storage, text, time)));
    }),
    { numRuns: 100 },
  );
});
