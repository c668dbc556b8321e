/** `length` neighbouring buckets, `offset` buckets after the end of the span before (the first: the index of its first bucket). */
export type Span = { readonly offset: number; readonly length: number };

/** What is known of a counter reset between a histogram and the one before (Prometheus specs, native_histograms.md, "Counter reset hint"). */
export type ResetHint = "unknown" | "reset" | "none" | "gauge";

/** The schema of histograms with custom bounds. */
export const CUSTOM_BOUNDS = -53;

/**
 * A native histogram (Prometheus specs, native_histograms.md, "Data model"). Counts are absolute, not differences. `isInteger` marks integer histograms,
 * which have another encoding in storage. Immutable.
 */
export type Histogram = {
  /** -4 to 8: bounds are powers of 2^(2^-schema); `CUSTOM_BOUNDS`: those in `bounds`. */
  readonly schema: number;
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly count: number;
  readonly sum: number;
  readonly positiveSpans: readonly Span[];
  readonly negativeSpans: readonly Span[];
  /** One count per bucket of the spans. */
  readonly positive: readonly number[];
  readonly negative: readonly number[];
  /** Upper bounds, ascending, of schema `CUSTOM_BOUNDS`; empty otherwise. */
  readonly bounds: readonly number[];
  readonly resetHint: ResetHint;
  readonly isInteger: boolean;
};
