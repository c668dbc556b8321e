import { ABSENT, type Kind } from "../evaluate/value.ts";
import type { Window } from "../evaluate/window.ts";

/** A message about a series, with its metric name if it has one. */
export const named = (window: Window, message: string, isDirect = false): string => withName(message, window.metricName(), isDirect);

export const withName = (message: string, metric: string, isDirect = false): string => {
  if (isDirect) return `${message} ${JSON.stringify(metric)}`;
  return metric === "" ? message : `${message} for metric name ${JSON.stringify(metric)}`;
};

export const MIXED_SAMPLES = "encountered a mix of histograms and floats";
export const MIXED_SCHEMAS = "vector contains a mix of histograms with exponential and custom buckets schemas";
export const MERGED_BOUNDS = "mismatched custom buckets were reconciled during aggregation";

/** A window with floats and histograms that the function cannot combine: no element, and a warning. */
export function mixed(window: Window): Kind {
  window.warn(named(window, MIXED_SAMPLES));
  return ABSENT;
}

const COUNTER_ENDS: readonly string[] = ["_total", "_sum", "_count", "_bucket"];
export const looksLikeCounter = (metric: string): boolean => metric === "" || COUNTER_ENDS.some((end) => metric.endsWith(end));
