/** `length` neighbouring buckets, `offset` buckets after the end of the span before (the first: the index of its first bucket). */
export type Span = { readonly offset: number; readonly length: number };

/** What is known of a counter reset between this histogram and the one before it (Prometheus specs, native_histograms.md, "Counter reset hint"). */
export type ResetHint = "unknown" | "reset" | "none" | "gauge";

/** The schema of histograms whose bounds are given one by one. */
export const CUSTOM_BOUNDS = -53;

/**
 * A native histogram (Prometheus specs, native_histograms.md, "Data model"). Counts are absolute, never differences, and floats: an integer histogram says so in
 * `isInteger`, for it is stored in another encoding. Immutable; arithmetic makes new ones.
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
  /** One count for each bucket of the spans. */
  readonly positive: readonly number[];
  readonly negative: readonly number[];
  /** Upper bounds, ascending, of schema `CUSTOM_BOUNDS`; empty otherwise. */
  readonly bounds: readonly number[];
  readonly resetHint: ResetHint;
  readonly isInteger: boolean;
};
