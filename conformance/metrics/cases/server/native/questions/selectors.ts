import { BEGIN } from "../../../../data/data-set.ts";
import { NATIVE_AT, NATIVE_BEGIN, timeOf } from "../../../../data/native.ts";
import { both, isHistogram, none, ofEach, selected, within } from "../expected.ts";
import type { NativeGroup } from "../question.ts";

const at = (pod: string) => selected("native_seconds", { pod: [pod] });
const when = (gives: ReturnType<typeof selected>, time: number) => () => gives(time);

/** The format of histograms in answers, and which of them a selector returns. */
export const selectors: readonly NativeGroup[] = [
  {
    rule: "prometheus-api#native-histograms/format",
    ask: {
      "zero-bucket-is-closed": { expr: 'native_seconds{pod="a"}', gives: at("a") },
      "negative-buckets-open-on-the-right": { expr: 'native_seconds{pod="b"}', gives: at("b") },
      "of-fractions": { expr: 'native_seconds{pod="c"}', gives: at("c") },
      "without-observations": { expr: "native_empty", gives: selected("native_empty") },
      "only-a-zero-bucket": { expr: "native_only_zero", gives: selected("native_only_zero") },
      "finest-schema": { expr: 'native_fine{schema="8"}', gives: selected("native_fine", { schema: ["8"] }) },
      "schema-of-three": { expr: 'native_fine{schema="3"}', gives: selected("native_fine", { schema: ["3"] }) },
      "schema-below-zero": { expr: 'native_fine{schema="-1"}', gives: selected("native_fine", { schema: ["-1"] }) },
      "coarsest-schema": { expr: 'native_fine{schema="-4"}', gives: selected("native_fine", { schema: ["-4"] }) },
      "of-gauges": { expr: "native_bytes", gives: selected("native_bytes") },
    },
  },
  {
    rule: "basics.instant-vector-selectors/histograms",
    ask: {
      "all-of-a-name": { expr: "native_seconds", gives: selected("native_seconds") },
      "by-a-label": { expr: 'native_seconds{pod!~"[abc]"}', gives: selected("native_seconds", { pod: ["d", "e"] }) },
      "with-offset": { expr: "native_seconds offset 5m", gives: (time) => selected("native_seconds")(time - 300) },
      "at-a-time": {
        expr: `native_seconds @ ${BEGIN + NATIVE_BEGIN + 371}`,
        gives: when(selected("native_seconds"), NATIVE_BEGIN + 371),
      },
      "over-gaps": { expr: "native_gappy", gives: selected("native_gappy") },
    },
  },
  {
    rule: "basics.instant-vector-selectors/histograms",
    once: true,
    ask: {
      "at-each-step": {
        expr: 'native_seconds{pod=~"[de]"}',
        gives: selected("native_seconds", { pod: ["d", "e"] }),
        range: [NATIVE_AT - 360, NATIVE_AT + 60, 60],
      },
      "gaps-at-each-step": {
        expr: 'native_gappy{kind=~"short|long|once"}',
        gives: selected("native_gappy", { kind: ["short", "long", "once"] }),
        range: [timeOf(11) + 7, timeOf(26) + 7, 60],
      },
    },
  },
  {
    rule: "basics.staleness/histograms",
    once: true,
    ask: {
      "stale-just-ahead": { expr: 'native_gappy{kind="ended"}', gives: selected("native_gappy", { kind: ["ended"] }), at: timeOf(18) - 1 },
      "stale-just-behind": { expr: 'native_gappy{kind="ended"}', gives: none, at: timeOf(18) + 1 },
      "stale-at-each-step": {
        expr: 'native_gappy{kind=~"ended|returned"}',
        gives: selected("native_gappy", { kind: ["ended", "returned"] }),
        range: [timeOf(13) + 7, timeOf(24) + 7, 60],
      },
      "stale-counted": {
        expr: 'histogram_count(native_gappy{kind="returned"})',
        gives: ofEach(selected("native_gappy", { kind: ["returned"] }), ({ count }) => count),
        range: [timeOf(13) + 7, timeOf(24) + 7, 60],
      },
      "stale-is-absent": { expr: 'absent(native_gappy{kind="ended"})', gives: () => [[{ kind: "ended" }, 1]], at: timeOf(19) },
    },
  },
  {
    rule: "basics.range-vector-selectors/histograms",
    once: true,
    ask: {
      "samples-of-a-range": {
        expr: 'native_seconds{pod=~"[ab]"}[3m]',
        samples: (time) => within("native_seconds", 180, time, { pod: ["a", "b"] }),
      },
      "samples-with-gaps": { expr: "native_gappy[6m]", samples: (time) => within("native_gappy", 360, time) },
      "samples-of-a-subquery": {
        expr: 'native_seconds{pod="c"}[4m:2m]',
        samples: (time) => subquery(time, 240, 120),
      },
    },
  },
  {
    rule: "basics.expression-language-data-types/mixed",
    needs: ["mixed series"],
    ask: {
      "mixed-elements": { expr: "native_mixed", gives: selected("native_mixed") },
      "mixed-names": {
        expr: '{__name__=~"native_floats|native_only_zero"}',
        gives: both(selected("native_floats"), selected("native_only_zero")),
      },
      "floats-have-no-count": {
        expr: "histogram_count(native_mixed)",
        gives: ofEach(selected("native_mixed"), ({ count }) => count),
      },
      "histograms-have-no-size": {
        expr: "abs(native_mixed)",
        needs: ["histogram operations"],
        gives: (time) =>
          selected("native_mixed")(time).flatMap(([{ kind = "" }, value]) => (isHistogram(value) ? [] : [[{ kind }, value] as const])),
      },
    },
  },
  {
    rule: "basics.expression-language-data-types/mixed",
    needs: ["mixed series"],
    once: true,
    ask: {
      "mixed-samples": { expr: "native_mixed[5m]", samples: (time) => within("native_mixed", 300, time) },
      "mixed-at-each-step": { expr: "native_mixed", gives: selected("native_mixed"), range: [timeOf(16) + 3, timeOf(22) + 3, 60] },
    },
  },
];

/** Evaluated at the multiples of the step within the left-open range. */
function subquery(time: number, seconds: number, step: number) {
  const steps: number[] = [];
  for (let one = Math.floor((time - seconds) / step) * step + step; one <= time; one += step) steps.push(one);
  const at = selected("native_seconds", { pod: ["c"] });
  const samples = steps.flatMap((one) => at(one).map(([, value]) => [one, value] as const));
  return [{ labels: { __name__: "native_seconds", pod: "c" }, samples }];
}
