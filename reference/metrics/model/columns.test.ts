import { expect, test } from "vitest";
import { Columns } from "./index.ts";

test("isStale() distinguishes a stale marker from other NaNs, also after the columns grow", () => {
  const columns = new Columns();
  columns.pushStale(0);
  columns.push(1, Number.NaN);
  for (let time = 2; time < 2_000; time++) columns.push(time, time);
  expect([columns.isStale(0), columns.isStale(1), columns.isStale(2)]).toEqual([true, false, false]);
  expect(columns.values[1_999]).toBe(1_999);
  expect(columns.rowAt(1_500)).toBe(1_500);
  expect(columns.rowAt(1_500.5)).toBe(1_501);
  expect(columns.rowAt(9_999)).toBe(columns.length);
});
