import { describe, expect, test } from "vitest";
import { aggregationOf, AGGREGATIONS, type AggregationName, isAggregation } from "../aggregate/aggregations.ts";
import { FUNCTION_NAMES, type FunctionName } from "./names.ts";
import { FUNCTIONS, isFunction } from "./table.ts";

const short = (name: FunctionName): string => {
  const { args, variadic, returns } = FUNCTIONS[name];
  return `${args.join(",")}${variadic === 0 ? "" : variadic < 0 ? "..." : `?${variadic}`}>${returns}`;
};

describe("functions", () => {
  test("each signature, with the functions that have it", () => {
    const shapes: Record<string, string[]> = {};
    for (const name of FUNCTION_NAMES) (shapes[short(name)] ??= []).push(name);
    for (const list of Object.values(shapes)) list.sort();
    expect(shapes).toMatchSnapshot();
  });

  test("an optional or repeated argument is in the list of arguments", () =>
    expect(FUNCTION_NAMES.filter((name) => FUNCTIONS[name].variadic !== 0 && FUNCTIONS[name].args.length === 0)).toEqual([]));

  test("those that need the feature promql-experimental-functions", () => {
    const functions = FUNCTION_NAMES.filter((name) => FUNCTIONS[name].experimental).toSorted();
    const aggregations = (Object.keys(AGGREGATIONS) as AggregationName[]).filter((name) => aggregationOf(name).experimental === true);
    expect([functions, aggregations]).toEqual([
      [
        "double_exponential_smoothing",
        "end",
        "histogram_quantiles",
        "info",
        "mad_over_time",
        "max_of",
        "min_of",
        "range",
        "sort_by_label",
        "sort_by_label_desc",
        "start",
        "step",
        "ts_of_first_over_time",
        "ts_of_last_over_time",
        "ts_of_max_over_time",
        "ts_of_min_over_time",
      ],
      ["limitk", "limit_ratio"],
    ]);
  });

  test("names that every JavaScript object has are not functions", () =>
    expect(["constructor", "toString", "__proto__"].filter((name) => isFunction(name) || isAggregation(name))).toEqual([]));
});
