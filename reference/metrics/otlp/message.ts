/** A request of the OpenTelemetry protocol for metrics, read from protobuf or JSON. Times are milliseconds since 1970. */

/** Attributes by name, their values as text. */
export type Attributes = ReadonlyMap<string, string>;

type Point = {
  readonly attributes: Attributes;
  readonly time: number;
  /** The sender says that there is no value now. */
  readonly isStale: boolean;
};
/** An example of what a point counted, with the attributes that the point lacks. Identifiers are in lower-case hexadecimal, or empty. */
export type PointExemplar = {
  readonly attributes: Attributes;
  readonly time: number;
  readonly value: number;
  readonly traceId: string;
  readonly spanId: string;
};
type WithExemplars = { readonly exemplars: readonly PointExemplar[] };
export type NumberPoint = Point & WithExemplars & { readonly value: number };
export type HistogramPoint = Point &
  WithExemplars & {
    readonly count: number;
    readonly sum: number | undefined;
    /** Upper bounds, ascending; one count more than bounds, the last for what is above all of them. */
    readonly bounds: readonly number[];
    readonly counts: readonly number[];
  };
/** Buckets with counts from index `offset` on: the bucket of index 0 begins above 1. */
export type ExponentialBuckets = { readonly offset: number; readonly counts: readonly number[] };
export type ExponentialPoint = Point &
  WithExemplars & {
    readonly count: number;
    readonly sum: number | undefined;
    /** Bounds are powers of 2^(2^-scale). */
    readonly scale: number;
    readonly zeroCount: number;
    readonly zeroThreshold: number;
    readonly positive: ExponentialBuckets;
    readonly negative: ExponentialBuckets;
  };
export type SummaryPoint = Point & {
  readonly count: number;
  readonly sum: number;
  readonly quantiles: readonly { readonly quantile: number; readonly value: number }[];
};

/** The points of a metric, by its kind. `isDelta`: each tells what was added since the one before. */
export type MetricData =
  | { readonly is: "gauge"; readonly points: readonly NumberPoint[] }
  | { readonly is: "sum"; readonly points: readonly NumberPoint[]; readonly isDelta: boolean; readonly isMonotonic: boolean }
  | { readonly is: "histogram"; readonly points: readonly HistogramPoint[]; readonly isDelta: boolean }
  | { readonly is: "exponential histogram"; readonly points: readonly ExponentialPoint[]; readonly isDelta: boolean }
  | { readonly is: "summary"; readonly points: readonly SummaryPoint[] };

export type Metric = { readonly name: string; readonly unit: string; readonly data: MetricData };
export type Scope = { readonly name: string; readonly version: string; readonly schemaUrl: string; readonly attributes: Attributes };
export type ScopeMetrics = { readonly scope: Scope; readonly metrics: readonly Metric[] };
/** What one resource (a process, a container) measured. */
export type ResourceMetrics = { readonly attributes: Attributes; readonly scopes: readonly ScopeMetrics[] };

/** The bit of a point's flags for "no recorded value". */
export const NO_VALUE = 1;
/** The number of the delta temporality. */
export const DELTA = 1;
