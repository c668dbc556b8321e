import { expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { MemoryStorage } from "../../storage/index.ts";
import { evaluateRange, type Expr, finish, parse } from "../index.ts";

/** A sample every 10 s from 0 s to 100 s. */
function storage(): MemoryStorage {
  const made = new MemoryStorage();
  const appender = made.appender();
  const id = appender.series(Labels.of({ __name__: "m" }));
  for (let at = 0; at <= 10; at++) appender.append(id, at * 10_000, at);
  appender.commit();
  return made;
}

test.each([
  // Steps at 60, 80 and 100 s: one sample each.
  ["m", 3, 3],
  ["m + m", 6, 6],
  // Four samples a window, two of them new after the first.
  ["sum_over_time(m[40s])", 12, 8],
  // Windows that do not touch.
  ["sum_over_time(m[10s])", 3, 3],
  ["1", 0, 0],
])("%s looks at %i samples and reads %i", (text, loaded, read) => {
  const steps = { startMs: 60_000, endMs: 100_000, stepMs: 20_000 };
  const { totalSamples, samplesRead } = finish(evaluateRange(storage(), parse(text) as Expr, steps, { countSamples: true }));
  expect([totalSamples, samplesRead]).toEqual([loaded, read]);
});

test("counts nothing unless countSamples is set", () => {
  const steps = { startMs: 60_000, endMs: 100_000, stepMs: 20_000 };
  expect(finish(evaluateRange(storage(), parse("sum_over_time(m[40s])") as Expr, steps)).totalSamples).toBe(0);
});
