/** What comes back from `/api/v1/query` and `/api/v1/query_range` (Prometheus docs, querying/api.md, "Format overview"). */
export type Sample = readonly [time: number, value: string];
/** A native histogram by its count and sum; its buckets are not shown. */
export type HistogramSample = readonly [time: number, histogram: { readonly count: string; readonly sum: string }];
type Metric = Readonly<Record<string, string>>;

/** A result by its type; times in seconds since 1970, with decimals. */
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

/** The envelope: `data` with a success, `errorType` and `error` without. */
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
