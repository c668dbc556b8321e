import { expect, test } from "vitest";
import { check } from "../check.ts";
import { SUITES } from "../suites.ts";
import { peer, startPeer, versionOf } from "../peers/index.ts";

/** Cases in which the packaged server differs from the documents of a later version (`reports/published/README.md`). */
const KNOWN = [
  "log10-of-the-least-number",
  "log10-of-the-least-number-over-a-range",
  "ln-of-the-least-number",
  "ln-of-the-least-number-over-a-range",
  "look-back-boundary-is-outside",
  "look-back-boundary-over-a-range",
  "offset-of-nothing",
  "offset-of-nothing-over-a-range",
  "predict-at-a-time-over-a-range",
  "range-as-it-is-left-open",
  "range-left-boundary-is-outside",
  "range-left-open-offset",
  "range-left-open-one-sample",
  "range-left-open-sum",
  "string-in-parentheses",
  "subquery-left-boundary-is-outside",
  "subquery-left-open-as-it-is",
  "subquery-left-open-sum",
  "vector-atan2-scalar",
  "vector-atan2-scalar-over-a-range",
];

/** Cases about native histograms, which it supports in part behind a flag: mainly, it interpolates linearly within a bucket. */
const KNOWN_OF_HISTOGRAMS = [
  "fraction-above",
  "fraction-below",
  "fraction-below-zero",
  "fraction-within-a-bucket",
  "increase-from-zero",
  "quantile-below-the-zero-bucket",
  "quantile-high",
  "quantile-in-the-zero-bucket",
  "quantile-low",
  "quantile-median",
  "quantile-of-gauges",
  "quantile-of-several-schemas",
  "quantile-quarter",
  "rate-counted",
  "rate-quantile",
  "sum-quantile",
];

test("an empty Prometheus receives the data set by remote write, and fails the known cases", async (context) => {
  const p = peer("prometheus");
  const version = await versionOf(p);
  if (version?.startsWith("2.42.") !== true) return context.skip(`Prometheus 2.42 is not here: ${p.install}`);
  await using running = await startPeer(p, { protocol: "metrics" });
  const result = await check(SUITES, {
    suite: "metrics",
    subject: running.url,
    only: ["metrics/query-*", "metrics/native-*"],
    timeout: 60_000,
  });
  const ids = result.cases.filter(({ verdict }) => verdict === "fail").map(({ id }) => id.slice("metrics/".length));
  const failed = ids.filter((id) => id.startsWith("query-")).map((id) => id.slice("query-".length));
  const ofHistograms = ids.filter((id) => id.startsWith("native-")).map((id) => id.slice("native-".length));
  // Its logarithms depend on the processor: other processors compute them differently.
  const known = KNOWN.filter((words) => process.arch === "x64" || !words.includes("of-the-least-number"));
  expect(failed.sort()).toEqual(known.sort());
  expect([...new Set(ofHistograms.map((words) => words.replace(/-over-a-range$/, "")))].sort()).toEqual(KNOWN_OF_HISTOGRAMS);
  return expect(result.summary).toMatchObject({ warn: 0, error: 0 });
});
