import { CUSTOM_BOUNDS, type Histogram, orderedBuckets } from "../model/index.ts";
import { formatValue } from "./number.ts";

/** Which bounds of a bucket are inclusive (Prometheus docs, querying/api.md, "Native histograms"). */
const OPEN_LEFT = 0;
const OPEN_RIGHT = 1;
const CLOSED = 3;

/** A histogram with its populated buckets in the JSON of the query API. */
export function histogramJson(histogram: Histogram): string {
  const isCustom = histogram.schema === CUSTOM_BOUNDS;
  const buckets = orderedBuckets(histogram).map(({ lower, upper, count, isZero }) => {
    const rule = isZero || (isCustom && lower === Number.NEGATIVE_INFINITY) ? CLOSED : upper <= 0 && !isCustom ? OPEN_RIGHT : OPEN_LEFT;
    return `[${rule},"${formatValue(lower)}","${formatValue(upper)}","${formatValue(count)}"]`;
  });
  const tail = buckets.length === 0 ? "" : `,"buckets":[${buckets.join(",")}]`;
  return `{"count":"${formatValue(histogram.count)}","sum":"${formatValue(histogram.sum)}"${tail}}`;
}
