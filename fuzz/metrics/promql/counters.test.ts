import fc from "fast-check";
import { expect, test } from "vitest";
import { Labels } from "../../../reference/metrics/model/index.ts";
import { evaluateInstant, evaluateRange, type Expr, finish, parse, type QueryResult } from "../../../reference/metrics/promql/index.ts";
import { MemoryStorage } from "../../../reference/metrics/storage/index.ts";

/**
 * Counters with occasional restarts, against a model that counts events itself and does not use resets. The result of the engine must equal the
 * model's count exactly, unless extrapolation adds something.
 */

const STEP_MS = 15_000;

/** Between two scrapes: perhaps a restart, then a number of events. */
type Scrape = { readonly isRestarted: boolean; readonly events: number };
const scrapes: fc.Arbitrary<readonly Scrape[]> = fc.array(
  fc.record({ isRestarted: fc.boolean(), events: fc.integer({ min: 0, max: 2 ** 31 }) }),
  { minLength: 2, maxLength: 40 },
);

type Life = {
  /** The value of the counter at each scrape. */
  readonly values: number[];
  /** The number of events until each scrape, as far as samples can show it. */
  readonly counted: number[];
};
function lifeOf(history: readonly Scrape[]): Life {
  const life: Life = { values: [], counted: [] };
  let [value, counted] = [0, 0];
  for (const { isRestarted, events } of history) {
    const before = value;
    value = isRestarted ? events : before + events;
    // A restart is invisible if the new value is not lower: only the difference counts.
    counted += value < before ? value : value - before;
    life.values.push(value);
    life.counted.push(counted);
  }
  return life;
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
  if (value.is !== "matrix") throw new Error(`a ${value.is} instead of a vector or matrix`);
  return Array.from(value.series(), ([, { values, length }]) => [...values.subarray(0, length)]).flat();
}
const at = (storage: MemoryStorage, text: string, atMs: number): number[] =>
  valuesOf(finish(evaluateInstant(storage, expression(text), atMs)));

/** A range that covers exactly this many samples: it begins a millisecond before the first and ends with the last. */
const rangeOf = (samples: number): string => `${(samples - 1) * STEP_MS + 1}ms`;

test("increase() over a window that ends with its samples equals the count, except for at most a millisecond of extrapolation", () => {
  let resets = 0;
  fc.assert(
    fc.property(scrapes, fc.nat(), fc.nat(), (history, from, more) => {
      const { values, counted } = lifeOf(history);
      const first = from % (values.length - 1);
      const last = first + 1 + (more % (values.length - 1 - first));
      resets += values.slice(first + 1, last + 1).filter((value, n) => value < (values[first + n] ?? 0)).length;
      const expected = (counted[last] ?? 0) - (counted[first] ?? 0);
      const sampledMs = (last - first) * STEP_MS;
      const storage = stored(values);
      const [increase = Number.NaN, ...others] = at(storage, `increase(c_total[${rangeOf(last - first + 1)}])`, last * STEP_MS);
      expect(others).toEqual([]);
      // The window begins a millisecond before the first sample, so extrapolation may add at most that much.
      const beyond = increase - expected;
      const rounding = expected * 1e-12;
      expect(beyond).toBeGreaterThanOrEqual(-rounding);
      expect(beyond).toBeLessThanOrEqual(expected / sampledMs + rounding);
      const seconds = (sampledMs + 1) / 1_000;
      const [rate = Number.NaN] = at(storage, `rate(c_total[${rangeOf(last - first + 1)}])`, last * STEP_MS);
      expect(Math.abs(rate * seconds - increase)).toBeLessThanOrEqual(increase * 1e-12);
    }),
    { numRuns: 600 },
  );
  // Make sure that restarts were generated.
  expect(resets).toBeGreaterThan(100);
});

test("increase() over a counter that starts at zero is exact: extrapolation stops at the start", () => {
  fc.assert(
    fc.property(scrapes, (history) => {
      const { values, counted } = lifeOf([{ isRestarted: false, events: 0 }, ...history]);
      const last = values.length - 1;
      const found = at(stored(values), `increase(c_total[${last * STEP_MS + 10_000}ms])`, last * STEP_MS);
      expect(found).toEqual([counted[last]]);
    }),
    { numRuns: 300 },
  );
});

test("irate() uses the last two samples and treats a fall as a restart at zero; resets() and changes() agree with the model", () => {
  fc.assert(
    fc.property(scrapes, (history) => {
      const { values, counted } = lifeOf(history);
      const last = values.length - 1;
      const storage = stored(values);
      const range = rangeOf(values.length);
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

test("a range query equals an instant query at each step", () => {
  fc.assert(
    fc.property(scrapes, fc.integer({ min: 1, max: 120_000 }), fc.integer({ min: 1_000, max: 60_000 }), (history, rangeMs, stepMs) => {
      const { values } = lifeOf(history);
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
