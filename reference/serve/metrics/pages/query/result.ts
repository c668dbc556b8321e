import type { LabelSet } from "../labels.ts";

/** Answers of `query` and `query_range`; histograms have their buckets as [boundaries, from, to, count]. */
export type Sample = readonly [seconds: number, value: string];
export type Histogram = {
  readonly count: string;
  readonly sum: string;
  readonly buckets?: readonly (readonly [boundaries: number, from: string, to: string, count: string])[];
};
export type HistogramSample = readonly [seconds: number, histogram: Histogram];
export type InstantRow = { readonly metric: LabelSet; readonly value?: Sample; readonly histogram?: HistogramSample };
export type RangeRow = { readonly metric: LabelSet; readonly values?: readonly Sample[]; readonly histograms?: readonly HistogramSample[] };

/** A node of an expression with what it took. */
export type Explained = {
  readonly type: string;
  readonly label: string;
  readonly text: string;
  readonly series?: number;
  readonly samples?: number;
  readonly seconds?: number;
  readonly children: readonly Explained[];
};

type More = {
  readonly stats?: { readonly timings: { readonly evalTotalTime: number }; readonly samples: { readonly totalQueryableSamples: number } };
  readonly explain?: Explained;
};
export type QueryData = More &
  (
    | { readonly resultType: "scalar"; readonly result: Sample }
    | { readonly resultType: "string"; readonly result: Sample }
    | { readonly resultType: "vector"; readonly result: readonly InstantRow[] }
    | { readonly resultType: "matrix"; readonly result: readonly RangeRow[] }
  );

export function sizeOf({ resultType, result, explain }: QueryData): string {
  const series = explain?.series ?? result.length;
  return resultType === "scalar" || resultType === "string" ? `A ${resultType}` : `${series.toLocaleString("en-US")} series`;
}
