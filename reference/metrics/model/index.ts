/** The data model of the metrics server: labels, matchers, samples, histograms (Prometheus docs, command-line/prometheus.md; Prometheus specs, native_histograms.md). */
export { Columns } from "./columns.ts";
export {
  addHistograms,
  type Combined,
  contradict,
  detectReset,
  divideHistogram,
  equalHistograms,
  negateHistogram,
  scaleHistogram,
  subtractHistograms,
  withHint,
} from "./histogram-arithmetic.ts";
export { type Bucket, isCustom, orderedBuckets, upperBound } from "./histogram-buckets.ts";
export { canonical, general, histogramText, plain } from "./histogram-text.ts";
export { HistogramSum } from "./histogram-sum.ts";
export { CUSTOM_BOUNDS, type Histogram, type ResetHint, type Span } from "./histogram.ts";
export { LabelOctets } from "./label-octets.ts";
export { compareLabels, Labels, METADATA_NAMES, METRIC_NAME } from "./labels.ts";
export { BadPattern, Matcher, type MatchOperator } from "./matcher.ts";
export { spreadIn } from "./spread.ts";
export { NAN_HIGH, NAN_LOW, STALE_HIGH, STALE_LOW } from "./stale.ts";
export { compareText } from "./text.ts";
