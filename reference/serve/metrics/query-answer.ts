/** Responses of `/api/v1/query` and `/api/v1/query_range` (Prometheus docs, querying/api.md, "Format overview"). */
export type Sample = readonly [time: number, value: string];
/** A native histogram; `touchstone query` shows only its count and sum. */
export type HistogramSample = readonly [time: number, histogram: { readonly count: string; readonly sum: string }];
type Metric = Readonly<Record<string, string>>;

/** A result by its type; times are fractional seconds since 1970. */
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

/** The envelope: `data` on success, `errorType` and `error` otherwise. */
export type QueryAnswer = {
  readonly status: "success" | "error";
  readonly data?: QueryData;
  readonly errorType?: string;
  readonly error?: string;
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
};

/** Parses a number as the API writes it. */
export const numberOf = (text: string): number => Number(text.replace(/Inf$/, "Infinity"));
