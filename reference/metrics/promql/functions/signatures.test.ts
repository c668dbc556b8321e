import { describe, expect, test } from "vitest";
import { AGGREGATIONS, FUNCTIONS, isAggregation, isFunction, signatureOf, type FunctionName } from "./signatures.ts";

const names = Object.keys(FUNCTIONS) as FunctionName[];
const short = (name: FunctionName): string => {
  const { args, variadic, returns } = signatureOf(name);
  return `${args.join(",")}${variadic === 0 ? "" : variadic < 0 ? "..." : `?${variadic}`}>${returns}`;
};

describe("signatures", () => {
  test("functions by what they take and give: a list of names a shape", () => {
    const shapes: Record<string, string[]> = {};
    for (const name of names) (shapes[short(name)] ??= []).push(name);
    for (const list of Object.values(shapes)) list.sort();
    expect(shapes).toMatchSnapshot();
  });

  test("an optional or repeated argument is there in the list", () =>
    expect(names.filter((name) => signatureOf(name).variadic !== 0 && signatureOf(name).args.length === 0)).toEqual([]));

  test("what needs the feature promql-experimental-functions", () => {
    const ofFunctions = names.filter((name) => signatureOf(name).experimental).toSorted();
    const ofAggregations = Object.entries(AGGREGATIONS).flatMap(([name, { experimental }]) => (experimental ? [name] : []));
    expect([ofFunctions, ofAggregations]).toEqual([
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

  test("names that every object has are none", () =>
    expect(["constructor", "toString", "__proto__"].filter((name) => isFunction(name) || isAggregation(name))).toEqual([]));
});
