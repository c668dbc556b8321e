import { describe, expect, test } from "vitest";
import { FUNCTION_NAMES } from "../../../reference/metrics/promql/functions/names.ts";
import { parse } from "../../../reference/metrics/promql/index.ts";
import type { Answer } from "../driver/server-client.ts";
import { difference, haveEqualSamples } from "./compare.ts";
import { EXPLAINED } from "./explained.ts";
import { drawQueries } from "./expressions.ts";
import { type OddCount, oddCountsOf } from "./odd-counts.ts";
import { hasTies } from "./ties.ts";

describe("drawQueries()", () => {
  const drawn = drawQueries(1, 6_000);
  const text = drawn.map(({ expr }) => expr).join("\n");

  test("the same seed draws the same queries, another one others", () => {
    expect(drawQueries(1, 50)).toEqual(drawn.slice(0, 50));
    expect(drawQueries(2, 50)).not.toEqual(drawn.slice(0, 50));
  });
  test("every expression parses", () => {
    expect(drawn.filter(({ expr }) => parse(expr).is === "fault")).toEqual([]);
  });
  // Of start times the data set has none.
  test.each(FUNCTION_NAMES.filter((name) => name !== "start_timestamp"))("calls %s()", (name) => {
    expect(text).toMatch(new RegExp(`\\b${name}\\(`));
  });
  test.each(["+", "-", "*", "/", "%", "^", "atan2", "==", "!=", ">", "<", ">=", "<=", "and", "or", "unless", "</", ">/"])(
    "has the operator %s",
    (operator) => expect(text).toContain(` ${operator} `),
  );
  test.each(["topk", "bottomk", "limitk", "limit_ratio", "count_values", "quantile", "group_left", "group_right", "ignoring", "bool"])(
    "has %s",
    (word) => expect(text).toMatch(new RegExp(`\\b${word} `)),
  );
  test.each(["fill_left", "anchored", "smoothed", "offset -", "@ start()", "@ end()", ":15s]", "without ("])("has %s", (word) => {
    expect(text).toContain(word);
  });
});

const answer = (data: unknown, more = {}, status = 200): Answer => {
  const json = status === 200 ? { status: "success", data, ...more } : { status: "error", error: "no" };
  return { status, fields: {}, text: JSON.stringify(json), json };
};
const vector = (...rows: readonly (readonly [labels: object, value: string])[]): unknown => ({
  resultType: "vector",
  result: rows.map(([metric, value]) => ({ metric, value: [7, value] })),
});
const unordered = (ours: Answer, theirs: Answer): string | undefined => difference(ours, theirs, false);

describe("difference()", () => {
  const one = answer(vector([{ a: "x" }, "1"], [{ a: "y" }, "2"]));
  test.each<readonly [string, Answer]>([
    ["the order of series", answer(vector([{ a: "y" }, "2"], [{ a: "x" }, "1"]))],
    ["the last digits", answer(vector([{ a: "x" }, "1.000000000000001"], [{ a: "y" }, "2"]))],
  ])("ignores %s", (_, theirs) => expect(unordered(one, theirs)).toBeUndefined());
  test.each<readonly [string, Answer, string]>([
    ["a value", answer(vector([{ a: "x" }, "1.0000001"], [{ a: "y" }, "2"])), "theirs"],
    ["NaN", answer(vector([{ a: "x" }, "NaN"], [{ a: "y" }, "2"])), "theirs"],
    ["a missing series", answer(vector([{ a: "x" }, "1"], [{ a: "y" }, "2"], [{ a: "z" }, "3"])), "is missing"],
    ["an extra series", answer(vector([{ a: "x" }, "1"])), "is not in theirs"],
    ["a type", answer({ resultType: "scalar", result: [7, "1"] }), "theirs a scalar"],
    ["a failure", answer({}, {}, 422), "theirs fails"],
    ["a warning", answer(vector([{ a: "x" }, "1"], [{ a: "y" }, "2"]), { warnings: ["w (1:2)"] }), 'theirs alone ["w"]'],
  ])("reports %s", (_, theirs, clause) => expect(unordered(one, theirs)).toContain(clause));
  test("reports the order of a sorted vector, but not of equal elements", () => {
    const turned = answer(vector([{ a: "y" }, "2"], [{ a: "x" }, "1"]));
    expect(difference(one, turned, true)).toContain("at place 0");
    const [tie, other] = [answer(vector([{ a: "x" }, "1"], [{ a: "y" }, "1"])), answer(vector([{ a: "y" }, "1"], [{ a: "x" }, "1"]))];
    expect(difference(tie, other, true)).toBeUndefined();
  });
  test("ignores a note with the metric's name beside the same one without", () => {
    const [bare, named] = ["w (1:2)", 'w for metric name "a" (1:9)'];
    const of = (...warnings: readonly string[]): Answer => answer(vector([{ a: "x" }, "1"]), { warnings });
    expect(unordered(of(bare, named), of(bare))).toBeUndefined();
    expect(unordered(of(named), of())).toContain("ours alone");
  });
  test("reports a bucket of a native histogram", () => {
    const of = (count: string): Answer =>
      answer({
        resultType: "vector",
        result: [{ metric: {}, histogram: [7, { count: "1", sum: "1", buckets: [[0, "0.5", "1", count]] }] }],
      });
    expect(unordered(of("1"), of("1"))).toBeUndefined();
    expect(unordered(of("1"), of("2"))).toContain("theirs");
  });
});

test("difference(): labels that are equal but for their last digits stay different series", () => {
  const of = (...values: readonly string[]): Answer =>
    answer(vector(...values.map((value, at): [object, string] => [{ value }, String(at)])));
  expect(unordered(of("0.3", "0.30000000000000004"), of("0.3", "0.30000000000000004"))).toBeUndefined();
  expect(unordered(of("0.3", "0.30000000000000004"), of("0.3"))).toContain("is not in theirs");
  expect(unordered(of("0.30000000000000004"), of("0.3"))).toBeUndefined();
});

test("haveEqualSamples(): the same values in other series", () => {
  const of = (label: string, value: string): Answer => answer(vector([{ a: label }, value]));
  expect(haveEqualSamples(of("x", "1"), of("y", "1"))).toBe(true);
  expect(haveEqualSamples(of("x", "1"), of("x", "2"))).toBe(false);
});

test.each<readonly [readonly OddCount[], string, string, boolean]>([
  [["negative"], 'avg (histogram_fraction(0.1, 0.3, -native_custom{pod=~"c.*"}))', '"0.5"], theirs [1,"-0"]', true],
  [[], "histogram_fraction(0.1, 0.3, -native_custom)", '"0.5"], theirs [1,"-0"]', false],
  [["negative"], "histogram_fraction(0.1, 0.3, -native_custom)", '"0.5"], theirs [1,"0.25"]', false],
  [["infinite"], "histogram_quantile(0.5, exp(odd_bucket))", '"5"], theirs [1,"7"]', true],
  [[], "histogram_quantile(0.5, exp(odd_bucket))", '"5"], theirs [1,"7"]', false],
  [["NaN"], "histogram_quantile(0.5, odd_bucket)", '"NaN"], theirs [1,"7"]', true],
  [["NaN"], "histogram_quantile(0.5, odd_bucket)", '"5"], theirs [1,"7"]', false],
  [[], "cosh(histogram_quantile(0.1, native_lonely))", '"1"], theirs [1,"+Inf"]', true],
  [[], "cosh(histogram_quantile(0.1, native_lonely))", '"1"], theirs [1,"2"]', false],
  [["unbounded"], "histogram_quantile(0.9, native_lonely) atan2 0.1", '"0"], theirs [1,"1.57"]', true],
  [[], "histogram_quantile(0.9, native_lonely) atan2 0.1", '"0"], theirs [1,"1.57"]', false],
  [[], "-native_mixed >/ NaN", '{"count":"-0"}], theirs [1,{"count":"NaN"}]', true],
  [[], "histogram_sum(native_turns >/ NaN) atan2 1e9", '"0"], theirs [1,"NaN"]', true],
  [[], "histogram_sum(native_turns >/ 7) atan2 1e9", '"0"], theirs [1,"NaN"]', false],
  [[], "native_lonely >/ -1", '{"count":"44"}], theirs [1,{"count":"33"}]', true],
  [[], "native_lonely >/ 1", '{"count":"44"}], theirs [1,{"count":"33"}]', false],
])("EXPLAINED: with counts that are %j, %s: []: [1,%s is %s", (counts, expr, values, expected) => {
  const finding = { expr, time: 1, difference: `[]: [1,${values}`, hasEqualSamples: false, oddCounts: new Set(counts), hasTies: false };
  expect(EXPLAINED.some(({ when }) => when(finding))).toBe(expected);
});

describe("hasTies()", () => {
  const tied = (expr: string, ...values: readonly string[]): Promise<boolean> =>
    hasTies(expr, async () => [{ values: values.map((value, at) => [at, value]) }]);
  test.each<readonly [string, readonly string[], boolean]>([
    ["rate(histogram_fraction(0, 1, a)[3m:1m])", ["0.4", "0.3999999999999999"], true],
    ["ts_of_max_over_time(sqrt(a)[3m:1m])", ["0.5", "0.25", "0.5"], true],
    ["rate(histogram_fraction(0, 1, a)[3m:1m])", ["0.4", "0.39999"], false],
    ["max_over_time(sqrt(a)[3m:1m])", ["0.5", "0.5"], false],
    ["rate(a[3m:1m])", ["3", "3"], false],
  ])("%s with %j: %s", async (expr, values, expected) => expect(await tied(expr, ...values)).toBe(expected));
});

describe("oddCountsOf()", () => {
  const histogram = (count: string, ...buckets: readonly string[]): unknown => ({
    count,
    sum: "1",
    buckets: buckets.map((one) => [0, "1", "2", one]),
  });
  const asked: string[] = [];
  const odd = async (expr: string, ...result: readonly unknown[]): Promise<string[]> => {
    asked.length = 0;
    return [...(await oddCountsOf(expr, async (one) => (asked.push(one), result)))];
  };
  test("asks for the vectors of quantiles and fractions", async () => {
    await odd('sum(histogram_fraction(0, 1, -a)) + histogram_quantiles(rate(b[5m]), "q", 0.5, 0.9) + histogram_sum(c)');
    expect(asked).toEqual(["-a", "rate(b[5m])"]);
  });
  test("finds them in histograms, in their buckets, and in classic buckets", async () => {
    expect(await odd("histogram_quantile(1, a)", { histogram: [1, histogram("-1", "1")] })).toEqual(["negative"]);
    expect(await odd("histogram_quantile(1, a)", { histograms: [[1, histogram("1", "1", "NaN")]] })).toEqual(["NaN"]);
    expect(await odd("histogram_quantile(1, a)", { value: [1, "+Inf"] }, { values: [[1, "2"]] })).toEqual(["infinite"]);
    expect(await odd("histogram_quantile(1, a)", { histogram: [1, histogram("1", "1")] }, { value: [1, "0"] })).toEqual([]);
    expect(await odd("histogram_count(a)", { value: [1, "-1"] })).toEqual([]);
    expect(
      await odd("histogram_quantile(1, a)", { histogram: [1, { count: "1", sum: "1", buckets: [[3, "-Inf", "+Inf", "1"]] }] }),
    ).toEqual(["unbounded"]);
    expect(await odd("histogram_quantile(1, a)", { histogram: [1, { count: "1", sum: "1", buckets: [[3, "-Inf", "2", "1"]] }] })).toEqual(
      [],
    );
  });
});
