import { describe, expect, test } from "vitest";
import { readHistogram, readSequence } from "../../reference/metrics/promql/index.ts";
import { readScript } from "./read.ts";
import type { Evaluation, Load } from "./script.ts";
import { scriptJson } from "./script-json.ts";

const HEAD = "#: a-case prometheus-promql#operators.sum\n";
const evaluation = (body: string): Evaluation => readScript(HEAD + body).steps.at(-1) as Evaluation;
const refusal = (text: string): string => {
  try {
    readScript(text);
  } catch (error) {
    return String(error);
  }
  return "accepted";
};
/** Samples in short form: floats as numbers, `_` for a missing sample. */
const floats = (text: string): unknown => {
  const samples = readSequence(text);
  if (typeof samples === "string") return samples;
  return samples.map((sample) => (sample === undefined ? "_" : sample.is === "float" ? sample.value : sample.is));
};

describe("sequence: samples of a row", () => {
  test.each([
    ["1 -2 3.5e2 0x2", [1, -2, 350, 0, 0, 0]],
    ["0+10x3", [0, 10, 20, 30]],
    ["1-2x2", [1, -1, -3]],
    ["-2+4x3", [-2, 2, 6, 10]],
    ["5x2", [5, 5, 5]],
    ["1 _x3 stale", [1, "_", "_", "_", "stale"]],
    ["_ stalex1", ["_", "stale", "stale"]],
    ["NaN Inf -Inf", [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    ["Infx1", [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]],
    ["1+Infx1", [1, Number.POSITIVE_INFINITY]],
    ["", []],
  ])("%s", (text, samples) => expect(floats(text)).toEqual(samples));

  test.each([
    ["1 two", "expected a sample: two"],
    ["1+2", "1+2 has no repetitions: a+bxn"],
    ["0x1x", "expected a sample: 0x1x"],
    ["1x100000", "more than 100000 samples in a row"],
    ["{{schema:9}}", "schema must be -4 to 8 or -53, not 9"],
    ["{{buckets:[1]}}+{{schema:1}}x2", "histograms with different kinds of buckets cannot be added"],
  ])("%s is refused", (text, why) => expect(floats(text)).toBe(why));

  test("histograms are added bucket by bucket, wherever their buckets begin", () => {
    const samples = readSequence("{{count:1 sum:2 buckets:[1] offset:2}}+{{count:2 sum:1 buckets:[1 1]}}x2");
    const last = typeof samples === "string" ? undefined : samples.at(-1);
    expect(last).toMatchObject({
      is: "histogram",
      value: { count: 5, sum: 4, positiveSpans: [{ offset: 0, length: 3 }], positive: [2, 2, 1] },
    });
  });
});

describe("readHistogram()", () => {
  test("reads every property", () => {
    const text =
      "{{schema:1 sum:-0.3 count:3.1 z_bucket:7.1 z_bucket_w:0.05 buckets:[5.1 10 7] offset:-3 n_buckets:[4.1 5] n_offset:-5 counter_reset_hint:not_reset}}";
    expect(readHistogram(text)).toEqual({
      schema: 1,
      sum: -0.3,
      count: 3.1,
      zeroCount: 7.1,
      zeroThreshold: 0.05,
      positiveSpans: [{ offset: -3, length: 3 }],
      positive: [5.1, 10, 7],
      negativeSpans: [{ offset: -5, length: 2 }],
      negative: [4.1, 5],
      bounds: [],
      resetHint: "none",
      isInteger: false,
    });
  });
  test("uses 0 by default", () =>
    expect(readHistogram("{{}}")).toMatchObject({ schema: 0, count: 0, sum: 0, positiveSpans: [], resetHint: "unknown" }));
  test("reads custom bounds", () =>
    expect(readHistogram("{{schema:-53 custom_values:[1 2] buckets:[1 0 1]}}")).toMatchObject({ bounds: [1, 2], positive: [1, 0, 1] }));
  test.each([
    ["{{colour:1}}", "unknown property colour"],
    ["{{sum:1 sum:2}}", "sum is repeated"],
    ["{{buckets:1}}", "buckets must be a list of numbers: [1 2 3]"],
    ["{{buckets:[1 x]}}", "buckets must be a list of numbers: [1 2 3]"],
    ["{{sum:[1]}}", "sum must be a number, not 1"],
    ["{{counter_reset_hint:maybe}}", "counter_reset_hint must be unknown, reset, not_reset, gauge, not maybe"],
    ["{{custom_values:[1]}}", "custom_values need schema:-53"],
    ["{{schema:-53 custom_values:[2 1]}}", "custom_values must ascend"],
    ["{{offset:0.5}}", "an offset must be a whole number"],
    ["{{!}}", "expected a property of a histogram: !"],
  ])("%s is refused", (text, why) => expect(readHistogram(text)).toBe(why));
});

describe("script: steps", () => {
  test("a load: series with every form of a name", () => {
    const { steps } = readScript('load 90\n  a 1\n  b:c{d="}\\""} 2\n# between\n  {"e.f", g=`\\`} 3\n  {h="i"} 4\n\nclear\n');
    const { rows, gapMs } = steps[0] as Load;
    expect(gapMs).toBe(90_000);
    expect(rows.map(({ labels }) => labels.flat)).toEqual([
      ["__name__", "a"],
      ["__name__", "b:c", "d", '}"'],
      ["__name__", "e.f", "g", "\\"],
      ["h", "i"],
    ]);
    expect(steps[1]).toEqual({ is: "clear", line: 8 });
  });

  test("an instant case: three lines", () =>
    expect(evaluation('eval instant at 1h30m sum(a)\n  {b="c"} 5\n')).toMatchObject({
      id: "a-case",
      spec: "prometheus-promql#operators.sum",
      when: { is: "instant", atMs: 5_400_000 },
      expr: "sum(a)",
      outcome: { is: "series", rows: [{ samples: [{ is: "float", value: 5 }], line: 3 }] },
      demands: { fail: undefined, warn: [], info: [], ordered: false },
      line: 2,
    }));

  test("a range case: samples with gaps", () =>
    expect(evaluation("eval range from 0 to 2m step 60 a\n  a 1 _ 3\n")).toMatchObject({
      when: { is: "range", startMs: 0, endMs: 120_000, stepMs: 60_000 },
      outcome: { rows: [{ samples: [{ value: 1 }, undefined, { value: 3 }] }] },
    }));

  test("an expected scalar", () =>
    expect(evaluation("eval instant at -5 -(1)\n  -1\n")).toMatchObject({ when: { atMs: -5_000 }, outcome: { is: "scalar", value: -1 } }));
  test("an expected string", () =>
    expect(evaluation("eval instant at 0 'x'\n  expect string 'a\\tb'\n").outcome).toEqual({ is: "string", value: "a\tb" }));
  test("an expected range vector", () =>
    expect(evaluation("eval instant at 1m a[1m]\n  expect range vector from 10s to 1m step 10s\n  a 1 2\n").outcome).toMatchObject({
      is: "matrix",
      startMs: 10_000,
      stepMs: 10_000,
      rows: [{ samples: [{ value: 1 }, { value: 2 }] }],
    }));
  test("conditions on messages and order", () => {
    const { demands } = evaluation(
      "eval instant at 0 a\n  expect warn msg: all of it\n  expect warn\n  expect no_info\n  expect ordered\n",
    );
    expect(demands).toEqual({ fail: undefined, warn: [{ is: "text", text: "all of it" }, { is: "any" }], info: "none", ordered: true });
    expect(evaluation("eval instant at 0 a\n  expect fail regex: b+$\n").demands.fail).toEqual({ is: "pattern", pattern: "b+$" });
  });
  test("no rows: an empty result", () => expect(evaluation("eval instant at 0 a\n").outcome).toEqual({ is: "series", rows: [] }));
});

describe("script: an invalid text is refused with its line", () => {
  test.each([
    ["eval instant at 0 a", "line 1: an eval must follow a heading"],
    [`${HEAD}${HEAD}eval instant at 0 a`, "line 2: the id a-case is repeated"],
    [`${HEAD}#: other prometheus-promql#x\neval instant at 0 a`, "line 1: the heading a-case has no eval"],
    [HEAD, "line 1: the heading a-case has no eval"],
    ["#: A prometheus-promql#x", "line 1: a heading must be an id in words and an address"],
    ["#: a somewhere", "line 1: a heading must be an id in words and an address"],
    ["  a 1", "line 1: an indented line must follow a load or an eval"],
    ["load 5m\n\n  a 1", "line 3: an indented line must follow a load or an eval"],
    ["laod 5m", "line 1: a step must be load, eval or clear, not laod"],
    ["clear\n  a 1", "line 2: a clear has no rows"],
    ["load 5x", 'line 1: invalid time "5x"'],
    ["load 0", "line 1: the gap between two samples must be positive"],
    ["load 1m\n  a 1 x", "line 2: expected a sample: x"],
    ['load 1m\n  a{b!="c"} 1', 'line 2: a label of a series must have a value: b="…", not !='],
    ['load 1m\n  a{b="c",b="d"} 1', "line 2: a label is repeated"],
    ["load 1m\n  a{b} 1", "line 2: invalid series: unexpected"],
    ["load 1m\n  a offset 1", "line 2: expected a sample: offset 1"],
    [`${HEAD}eval instant at 0`, "line 2: an eval must be: eval instant at 5m EXPR"],
    [`${HEAD}eval sometimes a`, "line 2: an eval must be: eval instant at 5m EXPR"],
    [`${HEAD}eval range from 5 to 0 step 1 a`, "line 2: a range must go forward in positive steps"],
    [`${HEAD}eval range from 0 to 5 step 0 a`, "line 2: a range must go forward in positive steps"],
    [`${HEAD}eval instant at 0 a\n  a 1 2`, "line 3: 2 samples for 1 steps"],
    [`${HEAD}eval range from 0 to 1m step 30 a\n  a 1 2 3 4`, "line 3: 4 samples for 3 steps"],
    [`${HEAD}eval instant at 0 a\n  a`, "line 3: a series must have a value"],
    [`${HEAD}eval instant at 0 a\n  a stale`, "line 3: a result cannot be stale"],
    [`${HEAD}eval instant at 0 a\n  expect miracles`, "line 3: unknown expectation: expect miracles"],
    [`${HEAD}eval instant at 0 a\n  expect fail\n  a 1`, "line 4: a failing query cannot have a result"],
    [`${HEAD}eval instant at 0 a\n  expect warn\n  expect no_warn`, "line 3: expect warn and expect no_warn exclude each other"],
    [`${HEAD}eval instant at 0 a\n  expect fail regex: (`, "line 3: Invalid regular expression"],
    [`${HEAD}eval instant at 0 a\n  expect string "\\q"`, 'line 3: "\\q" is not a string: unknown escape sequence'],
    [`${HEAD}eval instant at 0 a\n  expect string "x"\n  a 1`, "line 4: a result with a string cannot have rows"],
  ])("%j", (text, why) => expect(refusal(text)).toContain(why));
});

test("scriptJson(): floats are strings and missing samples are null", () => {
  const { steps } = scriptJson(readScript("load 1m\n  a NaN _ stale {{count:0.5 buckets:[0.5]}}\n"));
  expect(steps[0]).toMatchObject({
    rows: [{ labels: { __name__: "a" }, samples: ["NaN", null, "stale", { count: "0.5", positive: ["0.5"], resetHint: "unknown" }] }],
  });
});
