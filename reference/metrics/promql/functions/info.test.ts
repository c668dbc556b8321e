import { expect, test } from "vitest";
import { histogramOf } from "../../model/histogram-testing.ts";
import { Labels } from "../../model/index.ts";
import { MemoryStorage } from "../../storage/index.ts";
import { evaluateInstant, finish, parse } from "../index.ts";

/** `info()` of series with histograms, and with an info metric that has histograms. */

const of = (name: string, more: Readonly<Record<string, string>> = {}): Labels =>
  Labels.of({ __name__: name, job: "api", instance: "a", ...more });
function ask(text: string): unknown {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  appender.appendHistogram(appender.series(of("lat")), 0, histogramOf([1, 2]));
  appender.appendHistogram(appender.series(of("size_info", { os: "linux" })), 0, histogramOf([1]));
  appender.append(appender.series(of("target_info", { os: "plan9" })), 0, 1);
  appender.appendHistogram(appender.series(Labels.of({ __name__: "alone" })), 0, histogramOf([3]));
  appender.append(appender.series(Labels.of({ __name__: "other_info", os: "none" })), 0, 1);
  appender.commit();
  const expr = parse(text);
  if (expr.is === "fault") throw new Error(expr.message);
  const { value } = finish(evaluateInstant(storage, expr, 0));
  if (value.is !== "vector") throw new Error(value.is);
  return value.elements.map(({ labels, histogram }) => [labels.toString(), histogram?.count]);
}

test("histograms get the labels of their targets like floats (Prometheus specs, native_histograms.md, Functions)", () => {
  expect(ask("info(lat)")).toEqual([['lat{instance="a", job="api", os="plan9"}', 3]]);
});

test("an info metric of histograms: the query fails, since its samples say nothing", () => {
  expect(() => ask('info(lat, {__name__="size_info"})')).toThrow("an info metric has floats, but this series has a histogram");
});

test("a series without job and instance: has no target, and stays as it is", () => {
  expect(ask('info(alone, {__name__="other_info"})')).toEqual([["alone", 3]]);
});
