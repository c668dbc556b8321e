import { type Gives, histograms, none, numbers, ofEach, paired, selected, sumOfTwo, type Value } from "../expected.ts";
import { added, type Histogram, over, times } from "../histogram.ts";
import type { NativeGroup, NativeQuestion } from "../question.ts";

const seconds = histograms("native_seconds");
const each = (expr: string, change: (one: Histogram) => Value | undefined): NativeQuestion => ({ expr, gives: ofEach(seconds, change) });
const nothing = (expr: string, notes?: NativeQuestion["notes"]): NativeQuestion => ({
  expr,
  gives: none,
  ...(notes === undefined ? {} : { notes }),
});
const floats = numbers("native_floats");
const of = (name: string, label: string, value: string): Gives<Histogram> => histograms(name, { [label]: [value] });
const fine = (schema: string): Gives<Histogram> => of("native_fine", "schema", schema);
const partner = (gives: Gives, [{ pod }]: readonly [Readonly<Record<string, string>>, Value], time: number): Value | undefined =>
  gives(time).find(([others]) => others["pod"] === pod)?.[1];

/** Operators on histograms. */
export const operators: readonly NativeGroup[] = [
  {
    rule: "operators.arithmetic-binary-operators/histograms-and-scalars",
    needs: ["histogram operations"],
    ask: {
      "times-a-number": each("native_seconds * 2.5", (one) => times(one, 2.5)),
      "a-number-times": each("0.5 * native_seconds", (one) => times(one, 0.5)),
      "times-a-negative": each("native_seconds * -2", (one) => times(one, -2)),
      "by-a-number": each("native_seconds / 4", (one) => over(one, 4)),
      "by-zero": { expr: 'native_seconds{pod="a"} / 0', gives: ofEach(of("native_seconds", "pod", "a"), (one) => over(one, 0)) },
      "a-number-by": nothing("2 / native_seconds"),
      "plus-a-number": nothing("native_seconds + 1"),
      "minus-a-number": nothing("native_seconds - 1"),
      "to-a-power": nothing("native_seconds ^ 2"),
      "modulo-a-number": nothing("native_seconds % 2"),
    },
  },
  {
    rule: "operators.arithmetic-binary-operators/histograms",
    ask: {
      "plus-itself": each("native_seconds + native_seconds", (one) => times(one, 2)),
      "minus-a-part": { ...each("native_seconds - native_seconds * 0.25", (one) => times(one, 0.75)), needs: ["histogram operations"] },
      "plus-another-schema": {
        expr: "native_seconds + on (pod) native_bytes",
        gives: paired(seconds, histograms("native_bytes"), "pod", (a, b) => added([a, b])),
      },
      "minus-another-schema": {
        needs: ["histogram operations"],
        expr: "native_bytes - on (pod) native_seconds",
        gives: paired(histograms("native_bytes"), seconds, "pod", (a, b) => added([a, b], [1, -1])),
      },
      "plus-a-much-coarser": {
        expr: 'native_fine{schema="8"} + on () native_fine{schema="-1"}',
        gives: sumOfTwo(fine("8"), fine("-1"), 1),
      },
      "plus-a-wider-zero-bucket": {
        expr: 'native_width{zero="narrow"} + on () native_width{zero="wide"}',
        gives: sumOfTwo(of("native_width", "zero", "narrow"), of("native_width", "zero", "wide"), 1),
      },
      "plus-a-zero-bucket-that-cuts": {
        expr: 'native_width{zero="narrow"} + on () native_cutting',
        gives: sumOfTwo(of("native_width", "zero", "narrow"), histograms("native_cutting"), 1),
      },
      "plus-nothing-observed": {
        expr: "native_seconds + on (pod) native_empty",
        gives: paired(seconds, histograms("native_empty"), "pod", (a) => a),
      },
      "times-another": { ...nothing("native_seconds * native_seconds"), needs: ["histogram operations"] },
      "by-another": { ...nothing("native_seconds / native_seconds"), needs: ["histogram operations"] },
    },
  },
  {
    rule: "operators.arithmetic-binary-operators/histograms-and-floats",
    needs: ["histogram operations"],
    ask: {
      "times-a-float": {
        expr: "native_seconds * on (pod) native_floats",
        gives: paired(seconds, floats, "pod", (a, b) => times(a, b)),
      },
      "a-float-times": {
        expr: "native_floats * on (pod) native_seconds",
        gives: paired(floats, seconds, "pod", (a, b) => times(b, a)),
      },
      "by-a-float": {
        expr: "native_seconds / on (pod) native_floats",
        gives: paired(seconds, floats, "pod", (a, b) => over(a, b)),
      },
      "a-float-by": nothing("native_floats / on (pod) native_seconds"),
      "plus-a-float": nothing("native_seconds + on (pod) native_floats"),
    },
  },
  {
    rule: "operators.unary-operator/histograms",
    needs: ["histogram operations"],
    ask: {
      minus: each("-native_seconds", (one) => times(one, -1)),
      "minus-of-gauges": { expr: "-native_bytes", gives: ofEach(selected("native_bytes"), (one) => times(one, -1)) },
    },
  },
  {
    rule: "operators.comparison-binary-operators/histograms",
    needs: ["histogram operations"],
    ask: {
      equal: { expr: "native_seconds == native_seconds", gives: seconds },
      "equal-to-another": nothing('native_seconds{pod!="e"} == native_seconds * 2'),
      "not-equal": nothing("native_seconds != native_seconds"),
      "not-equal-to-another": {
        expr: 'native_seconds{pod!="e"} != native_seconds * 2',
        gives: selected("native_seconds", { pod: ["a", "b", "c", "d"] }),
      },
      "equal-as-a-number": each("native_seconds == bool native_seconds", () => 1),
      "equal-as-no-number": {
        expr: 'native_seconds{pod!="e"} == bool native_seconds * 2',
        gives: ofEach(selected("native_seconds", { pod: ["a", "b", "c", "d"] }), () => 0),
      },
      "less-than-another": nothing("native_seconds < native_seconds * 2"),
      "less-as-a-number": nothing("native_seconds < bool native_seconds * 2"),
      "more-than-a-number": nothing("native_seconds > 1"),
      "not-a-number": nothing("native_seconds != 1"),
      "equal-to-a-float": nothing("native_seconds == on (pod) native_floats"),
    },
  },
  {
    rule: "operators.logical-set-binary-operators/histograms",
    ask: {
      and: {
        expr: "native_seconds and on (pod) native_floats",
        gives: (time) => seconds(time).filter((one) => partner(floats, one, time) !== undefined),
      },
      "and-a-histogram": {
        expr: "native_floats and on (pod) native_seconds",
        gives: (time) => floats(time).filter((one) => partner(seconds, one, time) !== undefined),
      },
      or: {
        expr: "native_floats or on (pod) native_seconds",
        gives: (time) => [...floats(time), ...seconds(time).filter((one) => partner(floats, one, time) === undefined)],
      },
      unless: {
        expr: "native_seconds unless on (pod) native_floats",
        gives: (time) => seconds(time).filter((one) => partner(floats, one, time) === undefined),
      },
    },
  },
  {
    rule: "operators.trigonometric-binary-operators/histograms",
    needs: ["histogram operations"],
    ask: { "arctangent-of": nothing("native_seconds atan2 on (pod) native_floats") },
  },
  {
    rule: "native-histograms.annotations/operators",
    needs: ["histogram operations"],
    once: true,
    ask: {
      "flagged-plus-a-number": nothing("native_seconds + 1", "infos"),
      "flagged-a-number-by": nothing("2 / native_seconds", "infos"),
      "flagged-times-another": nothing("native_seconds * native_seconds", "infos"),
      "flagged-more-than-a-number": nothing("native_seconds > 1", "infos"),
      "flagged-equal-to-a-float": nothing("native_seconds == on (pod) native_floats", "infos"),
      "flagged-arctangent-of": nothing("native_seconds atan2 on (pod) native_floats", "infos"),
    },
  },
  {
    rule: "functions.label-replace/histograms",
    needs: ["histogram operations"],
    ask: {
      "label-replaced": {
        expr: 'label_replace(native_bytes, "unit", "b$1", "pod", "(.*)")',
        gives: (time) => selected("native_bytes")(time).map(([labels, one]) => [{ ...labels, unit: `b${labels["pod"]}` }, one]),
      },
      "labels-joined": {
        expr: 'label_join(native_bytes, "two", "-", "pod", "pod")',
        gives: (time) =>
          selected("native_bytes")(time).map(([labels, one]) => [{ ...labels, two: `${labels["pod"]}-${labels["pod"]}` }, one]),
      },
    },
  },
  {
    rule: "functions.abs/histograms",
    needs: ["histogram operations"],
    ask: {
      "has-no-sign": {
        expr: '-abs({__name__=~"native_floats|native_bytes"})',
        gives: (time) => floats(time).map(([{ pod = "" }, value]) => [{ pod }, -Math.abs(value)]),
      },
      "has-no-root": nothing("sqrt(native_seconds)"),
      "is-no-scalar": { expr: 'vector(scalar(native_seconds{pod="a"}))', gives: () => [[{}, Number.NaN]] },
      "has-no-order": {
        expr: 'sort({__name__=~"native_floats|native_bytes"})',
        ordered: true,
        gives: (time) => floats(time).toSorted(([, a], [, b]) => a - b),
      },
    },
  },
];
