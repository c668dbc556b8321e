import { increase, rate, type Timed } from "../changes.ts";
import { quantile } from "../estimate.ts";
import { both, type Gives, grouped, isHistogram, none, ofEach, overTime, selected, type Value } from "../expected.ts";
import { added, type Histogram, over } from "../histogram.ts";
import type { NativeGroup, NativeQuestion } from "../question.ts";

const seconds = selected("native_seconds");
/** No result for a mix of floats and histograms. */
const histograms = (change: (all: readonly Histogram[]) => Value | undefined) => (values: readonly Value[]) => {
  const own = values.filter(isHistogram);
  return own.length === 0 || own.length < values.length ? undefined : change(own);
};
const sum = histograms((all) => added(all));
const avg = histograms((all) => {
  const total = added(all);
  return total === undefined ? undefined : over(total, all.length);
});
const MIX = '{__name__=~"native_seconds|native_floats"}';
const mix = both(seconds, selected("native_floats"));
/** The floats of a mix, for aggregations that ignore histograms. */
const floats = (change: (values: readonly number[]) => number, by: readonly string[] = []): Gives =>
  grouped(mix, by, (values) => {
    const own = values.filter((one): one is number => !isHistogram(one));
    return own.length === 0 ? undefined : change(own);
  });
const all = (expr: string, gives: Gives, more: Partial<NativeQuestion> = {}): NativeQuestion => ({ expr, gives, ...more });
const gauge = (samples: readonly Timed[], from: number, to: number): Value | undefined => increase(samples, from, to, "gauge");
const STEADY = { pod: ["a", "b", "c"] };

/** Aggregations of histograms. */
export const aggregations: readonly NativeGroup[] = [
  {
    rule: "operators.sum/histograms",
    ask: {
      sum: all("sum(native_seconds)", grouped(seconds, [], sum)),
      "sum-by": all(
        'sum by (pod) ({__name__=~"native_seconds|native_bytes"})',
        grouped(both(seconds, selected("native_bytes")), ["pod"], sum),
      ),
      "sum-without": all("sum without (schema) (native_fine)", grouped(selected("native_fine"), [], sum)),
      "sum-of-widths": all(
        'sum({__name__=~"native_width|native_cutting"})',
        grouped(both(selected("native_width"), selected("native_cutting")), [], sum),
      ),
      "sum-of-one": all("sum(native_only_zero)", grouped(selected("native_only_zero"), [], sum)),
      "sum-of-rates": all('sum(rate(native_seconds{pod=~"a|b|c"}[10m]))', grouped(overTime("native_seconds", 600, rate, STEADY), [], sum)),
      "sum-counted": all(
        "histogram_count(sum(native_seconds))",
        ofEach(grouped(seconds, [], sum), ({ count }) => count),
      ),
      "sum-quantile": all(
        "histogram_quantile(0.8, sum(native_seconds))",
        ofEach(grouped(seconds, [], sum), (one) => quantile(0.8, one)),
      ),
    },
  },
  {
    rule: "operators.avg/histograms",
    needs: ["histogram operations"],
    ask: {
      average: all("avg(native_seconds)", grouped(seconds, [], avg)),
      "average-by": all(
        'avg by (pod) ({__name__=~"native_seconds|native_bytes"})',
        grouped(both(seconds, selected("native_bytes")), ["pod"], avg),
      ),
      "average-of-one": all("avg(native_only_zero)", grouped(selected("native_only_zero"), [], avg)),
    },
  },
  {
    rule: "operators.sum/mixed",
    ask: {
      "sum-of-a-mix": all(`sum(${MIX})`, none),
      "sum-of-a-mix-by": all(
        `sum by (pod) (${MIX})`,
        grouped(mix, ["pod"], (values) => (values.some(isHistogram) ? sum(values) : Number(values[0]))),
      ),
      "average-of-a-mix": all(`avg(${MIX})`, none, { needs: ["histogram operations"] }),
    },
  },
  {
    rule: "native-histograms.annotations/aggregations",
    needs: ["histogram operations"],
    once: true,
    ask: {
      "flagged-sum-of-a-mix": all(`sum(${MIX})`, none, { notes: "warnings" }),
      "flagged-average-of-a-mix": all(`avg(${MIX})`, none, { notes: "warnings" }),
      "flagged-topk": all(`topk(5, ${MIX})`, selected("native_floats"), { notes: "infos" }),
      "flagged-least": all(
        `min(${MIX})`,
        floats((own) => Math.min(...own)),
        { notes: "infos" },
      ),
      "flagged-quantile": all(
        `quantile(0.5, ${MIX})`,
        floats(() => 2),
        { notes: "infos" },
      ),
      "flagged-deviation": all(`stdvar(${MIX})`, floats(spread), { notes: "infos" }),
    },
  },
  {
    rule: "native-histograms.annotations/functions",
    needs: ["histogram operations"],
    once: true,
    ask: {
      "flagged-rate-of-gauges": all("rate(native_bytes[5m])", overTime("native_bytes", 300, rate), { notes: "warnings" }),
      "flagged-delta-of-counters": all('delta(native_seconds{pod="c"}[5m])', overTime("native_seconds", 300, gauge, { pod: ["c"] }), {
        notes: "warnings",
      }),
      "flagged-rate-of-a-mix": all('rate(native_mixed{kind="floats-last"}[5m])', none, { notes: "warnings", needs: ["mixed series"] }),
      "flagged-irate-of-a-mix": all('irate(native_mixed{kind="floats-last"}[5m])', none, { notes: "warnings", needs: ["mixed series"] }),
      "flagged-sum-over-time-of-a-mix": all('sum_over_time(native_mixed{kind="floats-last"}[5m])', none, {
        notes: "warnings",
        needs: ["mixed series"],
      }),
      "flagged-max-over-time-of-a-mix": all('max_over_time(native_mixed{kind="floats-last"}[5m])', () => [[{ kind: "floats-last" }, 20]], {
        notes: "infos",
        needs: ["mixed series"],
      }),
      "flagged-custom-and-schema": all("native_custom + on (pod) native_seconds", none, { notes: "warnings", needs: ["custom buckets"] }),
      "flagged-custom-bounds": all('sum(native_custom{pod=~"a|b"})', grouped(selected("native_custom", { pod: ["a", "b"] }), [], sum), {
        notes: "infos",
        needs: ["custom buckets"],
      }),
    },
  },
  {
    rule: "operators.count/histograms",
    ask: {
      counted: all(
        `count(${MIX})`,
        grouped(mix, [], (values) => values.length),
      ),
      "counted-by": all(
        `count by (pod) (${MIX})`,
        grouped(mix, ["pod"], (values) => values.length),
      ),
      group: all(
        "group by (pod) (native_seconds)",
        grouped(seconds, ["pod"], () => 1),
      ),
    },
  },
  {
    rule: "operators.min-and-max/histograms",
    needs: ["histogram operations"],
    ask: {
      least: all(
        `min(${MIX})`,
        floats((own) => Math.min(...own)),
      ),
      greatest: all(
        `max by (pod) (${MIX})`,
        floats((own) => Math.max(...own), ["pod"]),
      ),
      "greatest-of-histograms": all("max(native_seconds)", none),
    },
  },
  {
    rule: "operators.topk-and-bottomk/histograms",
    needs: ["histogram operations"],
    ask: {
      topk: all(`topk(2, ${MIX})`, (time) => selected("native_floats", { pod: ["a", "z"] })(time).toReversed()),
      bottomk: all(`bottomk(1, ${MIX})`, selected("native_floats", { pod: ["b"] })),
      "topk-of-histograms": all("topk(2, native_seconds)", none),
    },
  },
  {
    rule: "operators.quantile/histograms",
    needs: ["histogram operations"],
    ask: {
      "quantile-of-elements": all(
        `quantile(0.5, ${MIX})`,
        floats(() => 2),
      ),
      "deviation-of-elements": all(`stdvar(${MIX})`, floats(spread)),
    },
  },
  {
    rule: "operators.limitk/histograms",
    needs: ["experimental functions"],
    ask: { limited: all("count(limitk(2, native_seconds))", () => [[{}, 2]]) },
  },
];

/** The population variance. */
function spread(own: readonly number[]): number {
  const mean = own.reduce((a, b) => a + b, 0) / own.length;
  return own.reduce((a, b) => a + (b - mean) ** 2, 0) / own.length;
}
