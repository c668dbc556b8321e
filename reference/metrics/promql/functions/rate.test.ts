import fc from "fast-check";
import { expect, test } from "vitest";
import { Columns, Labels } from "../../model/index.ts";
import { Annotations } from "../evaluate/annotations.ts";
import { Matrix } from "../evaluate/value.ts";
import { Window } from "../evaluate/window.ts";
import { extrapolated, factorOf } from "./rate.ts";
import { extrapolateRow } from "./rate-row.ts";

const span = { start: 0, end: 1 };

function windowOver(columns: Columns, rangeMs: number): Window {
  const window = new Window({ rangeMs, argSpan: span, callSpan: span, isSubquery: false, areGapsNaN: false }, new Annotations());
  window.turnTo(Labels.NONE, columns);
  return window;
}

test("extrapolateRow: gives the same results as extrapolated, window by window", () => {
  const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: 0, max: 50 })), { maxLength: 60 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 400_000 }), fc.boolean(), fc.boolean(), (samples, rangeMs, isCounter, isRate) => {
      const columns = new Columns();
      let time = 0;
      for (const [gap, value] of samples) columns.push((time += gap), value);
      const ends = Float64Array.from({ length: 20 }, (_, step) => step * 61_000);
      const how = { isCounter, isRate };
      const out = new Matrix(ends.length, 1);
      const window = windowOver(columns, rangeMs);
      const found = extrapolateRow(window, how, { ends, out, first: out.addRow(Labels.NONE) });
      let expected = 0;
      for (const [step, end] of ends.entries()) {
        window.lo = columns.rowAt(end - rangeMs + 1);
        window.hi = columns.rowAt(end + 1);
        window.toMs = end;
        const kind = extrapolated(window, how);
        expect([out.kinds[step], out.values[step]]).toEqual([kind, kind === 0 ? 0 : window.value]);
        expected += kind;
      }
      expect(found).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

/** Samples at 60 and 120 s, the window ends at 150 s. */
function factor(rangeMs: number, first: number, isCounter = true): number {
  const columns = new Columns();
  columns.push(60_000, first);
  columns.push(120_000, first + 100);
  const window = windowOver(columns, rangeMs);
  window.hi = 2;
  window.toMs = 150_000;
  return factorOf(window, { isCounter, isRate: false }, first, 100);
}

test("extrapolation: reaches a near end of the window, adds half a distance towards a far one", () => {
  expect(factor(100_000, 1e6)).toBe((60 + 10 + 30) / 60);
  expect(factor(150_000, 1e6)).toBe((60 + 60 + 30) / 60);
  expect(factor(300_000, 1e6)).toBe((60 + 30 + 30) / 60);
});

test("extrapolation: stops where a counter would have been zero, but not for a gauge", () => {
  expect(factor(150_000, 25)).toBe((60 + 15 + 30) / 60);
  expect(factor(150_000, 25, false)).toBe((60 + 60 + 30) / 60);
  expect(factor(150_000, 0)).toBe((60 + 30) / 60);
});
