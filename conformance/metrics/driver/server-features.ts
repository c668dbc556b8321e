import type { Feature } from "../../harness/driver.ts";
import { BEGIN } from "../data/data-set.ts";
import { NATIVE_AT } from "../data/native.ts";
import type { QueryClient } from "./server-client.ts";
import { resultOf, succeeded } from "./server-data.ts";

const native = { at: BEGIN + NATIVE_AT };
/** Optional features that cases need of a metrics server, each with an expression whose result is not empty. */
const ASKED: Readonly<Record<string, { readonly expr: string; readonly how: string; readonly at?: number }>> = {
  "staleness markers": {
    expr: 'absent(marked{kind="ended"})',
    how: "its data set has staleness markers, which a page of OpenMetrics cannot carry: they come by remote write",
  },
  "utf-8 names": { expr: '{"http.requests"}', how: "it has the series whose names need quotes" },
  "experimental functions": { expr: "limitk(1, up)", how: "it has limitk(), one of the functions with a feature flag" },
  "first over time": { expr: "first_over_time(up[5m])", how: "it has first_over_time()" },
  "duration expressions": { expr: "count_over_time(up[5m * 2])", how: "it accepts up[5m * 2]" },
  "numbers with underscores": { expr: "vector(1_000)", how: "it accepts 1_000" },
  "durations as numbers": { expr: "vector(1h)", how: "it treats 1h as a number" },
  "fill modifiers": { expr: "requests + on (method) fill (0) limits", how: "it has fill()" },
  "functions of the query": {
    expr: "vector(max_of(start(), end()))",
    how: "it has start(), end(), range(), step(), max_of() and min_of()",
  },
  "histogram fraction of classic": {
    expr: 'histogram_fraction(0, 1, odd_bucket{kind="plain"})',
    how: "its histogram_fraction() accepts classic histograms",
  },
  "histogram quantiles": { expr: 'histogram_quantiles(odd_bucket{kind="plain"}, "q", 0.5)', how: "it has histogram_quantiles()" },
  "native histograms": {
    ...native,
    expr: "histogram_count(native_seconds)",
    how: "its data set has native histograms, which come by remote write or with a data directory (Prometheus 2: --enable-feature=native-histograms)",
  },
  "histogram operations": {
    ...native,
    // One of those that early servers lack suffices: a server with another flaw fails its cases.
    expr: 'histogram_count(avg(native_seconds)) or histogram_count(sum_over_time(native_seconds[5m])) or histogram_count(label_replace(native_seconds, "a", "b", "", ""))',
    how: "its functions and operators accept native histograms: avg(), sum_over_time() or label_replace() (early servers, such as Prometheus 2.42, have few of them)",
  },
  "custom buckets": {
    ...native,
    // A server that treats the bounds as those of a standard schema returns nothing finite.
    expr: "histogram_quantile(0.5, native_custom) < 100",
    how: "its native histograms have custom buckets",
  },
  "mixed series": {
    ...native,
    expr: 'histogram_count(native_mixed{kind="floats-first"})',
    how: "a series of its data set has floats and native histograms",
  },
  "observations of nan": {
    ...native,
    expr: "histogram_count(native_nan)",
    how: "it accepts histograms with observations outside any bucket",
  },
  "histogram averages": { ...native, expr: "histogram_avg(native_seconds)", how: "it has histogram_avg()" },
  "histogram deviations": { ...native, expr: "histogram_stddev(native_seconds)", how: "it has histogram_stddev()" },
  "histogram trimming": { ...native, expr: "native_seconds </ 2", how: "it has </ and >/" },
};
/** After the marker of the series that ended for good, within the look-back of its last sample. */
const WHEN = BEGIN + 2_011;

/** The names that cases may use in `needs`. */
export const SERVER_FEATURES: readonly string[] = Object.keys(ASKED);

/** Finds out each feature by one expression. */
export async function featuresOf(client: QueryClient): Promise<Map<string, Feature>> {
  const found = await Promise.all(
    Object.entries(ASKED).map(async ([name, { expr, how, at = WHEN }]): Promise<[string, Feature]> => {
      const answer = await client.ask({
        do: "ask",
        path: "query",
        params: [
          ["query", expr],
          ["time", String(at)],
        ],
      });
      const has = succeeded(answer) && resultOf(answer).length > 0;
      return [name, { has, how: has ? how : `${expr} was answered with ${answer.status}, without a result` }];
    }),
  );
  return new Map(found);
}
