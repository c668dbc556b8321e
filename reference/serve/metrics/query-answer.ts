/** What comes back from `/api/v1/query` and `/api/v1/query_range` (querying/api.md, "Format overview"). */
export type Sample = readonly [time: number, value: string];
export type HistogramSample = readonly [time: number, histogram: { readonly count: string; readonly sum: string }];
type Metric = Readonly<Record<string, string>>;

export type QueryData =
  | { readonly resultType: "scalar" | "string"; readonly result: Sample }
  | {
      readonly resultType: "vector";
      readonly result: readonly { readonly metric: Metric; readonly value?: Sample; readonly histogram?: HistogramSample }[];
    }
  | {
      readonly resultType: "matrix";
      readonly result: readonly {
        readonly metric: Metric;
        readonly values?: readonly Sample[];
        readonly histograms?: readonly HistogramSample[];
      }[];
    };

export type QueryAnswer = {
  readonly status: "success" | "error";
  readonly data?: QueryData;
  readonly errorType?: string;
  readonly error?: string;
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
};

/** A number as the interface writes it. */
export const numberOf = (text: string): number => Number(text.replace(/Inf$/, "Infinity"));
