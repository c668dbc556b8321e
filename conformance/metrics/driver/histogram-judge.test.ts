import { expect, test } from "vitest";
import { type HistogramSample, unlikeHistogram } from "./histogram-judge.ts";

const wanted: HistogramSample = [
  10,
  {
    count: "3",
    sum: "4.5",
    buckets: [
      [[0, 3], "-Inf", "1", "1"],
      [[0], "1", "2", "2"],
    ],
  },
];
const LOW = [0, "-Inf", "1", "1"];
const HIGH = [0, "1", "2", "2"];
const given = (more: object = {}, time = 10): unknown => [time, { count: "3", sum: "4.5", buckets: [LOW, HIGH], ...more }];

test.each<[string, unknown, string | undefined]>([
  ["the same", given(), undefined],
  ["the other rule that is allowed", given({ buckets: [[3, "-Inf", "1", "1"], HIGH] }), undefined],
  ["a count within the tolerance", given({ count: "3.0000000000000001" }), undefined],
  ["a bucket without observations", given({ buckets: [LOW, HIGH, [0, "2", "3", "0"]] }), undefined],
  ["nothing", undefined, "it has nothing, not a histogram of 3"],
  ["a float", [10, "3"], "not an object"],
  ["another time", given({}, 11), "a histogram at 11, not at 10"],
  ["another count", given({ count: "4" }), "its count is 4 at 10, not 3"],
  ["a count that is a number", given({ count: 3 }), "its count is 3, not a string"],
  ["another sum", given({ sum: "4.6" }), "its sum is 4.6"],
  ["no buckets", given({ buckets: undefined }), "it has no bucket"],
  ["buckets that are no list", given({ buckets: {} }), "not a list"],
  ["another rule", given({ buckets: [LOW, [1, "1", "2", "2"]] }), "its bucket is [1"],
  ["another bound", given({ buckets: [LOW, [0, "1", "2.5", "2"]] }), "its bucket is [0"],
  ["another count of a bucket", given({ buckets: [LOW, [0, "1", "2", "1"]] }), "its bucket is [0"],
  ["a count of a bucket that is a number", given({ buckets: [LOW, [0, "1", "2", 2]] }), "its bucket is [0"],
  ["a bucket too many", given({ buckets: [LOW, HIGH, [0, "2", "3", "1"]] }), "as well"],
  ["a bucket with more to it", given({ buckets: [LOW, [...HIGH, "x"]] }), "its bucket is [0"],
])("%s", (_words, sample, why) => {
  const found = unlikeHistogram(wanted, sample);
  expect([found === undefined, found?.includes(why ?? "")]).toEqual([why === undefined, why === undefined ? undefined : true]);
});
