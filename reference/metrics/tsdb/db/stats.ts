import { METRIC_NAME } from "../../model/index.ts";
import type { Head } from "../head/index.ts";

/** A row of a table: a name with its number of series, values or octets. */
export type Counted = { readonly name: string; readonly value: number };

/** The statistics of the head, with the names of the API (Prometheus docs, querying/api.md, "TSDB Stats"). */
export type StorageStats = {
  readonly headStats: {
    readonly numSeries: number;
    readonly numLabelPairs: number;
    readonly chunkCount: number;
    /** Samples in order; not in the published API. */
    readonly numSamples: number;
    readonly minTime: number;
    readonly maxTime: number;
  };
  readonly seriesCountByMetricName: readonly Counted[];
  readonly labelValueCountByLabelName: readonly Counted[];
  readonly memoryInBytesByLabelName: readonly Counted[];
  readonly seriesCountByLabelValuePair: readonly Counted[];
};

/** Counts labels in one pass over all series. */
export function storageStats(head: Head, limit: number): StorageStats {
  const { table } = head;
  const { symbols } = table;
  const series = new Uint32Array(symbols.end);
  let chunkCount = 0;
  let numSamples = 0;
  for (let row = 0; row < table.count; row++) {
    chunkCount += head.chunks.count(row);
    numSamples += head.chunks.samples(row);
    for (let place = table.sizeOf(row) - 1; place >= 0; place--) {
      const symbol = table.symbolAt(row, place);
      series[symbol] = (series[symbol] ?? 0) + 1;
    }
  }
  const values = new Uint32Array(symbols.end);
  const octets = new Float64Array(symbols.end);
  let numLabelPairs = 0;
  for (let symbol = 1; symbol < symbols.end; symbol++) {
    const count = series[symbol] ?? 0;
    if (count === 0) continue;
    const name = symbols.nameOf(symbol);
    values[name] = (values[name] ?? 0) + 1;
    octets[name] = (octets[name] ?? 0) + count * symbols.textLength(symbol);
    numLabelPairs++;
  }
  const metric = symbols.findName(METRIC_NAME);
  const text = (symbol: number): string => symbols.text(symbol);
  const isEmpty = head.maxTime === -Infinity;
  return {
    headStats: {
      numSeries: table.count,
      numLabelPairs,
      chunkCount,
      numSamples,
      minTime: isEmpty ? 0 : Math.min(head.minTime, head.maxTime),
      maxTime: isEmpty ? 0 : head.maxTime,
    },
    seriesCountByMetricName: most(series, limit, (symbol) => symbols.nameOf(symbol) === metric && metric > 0, text),
    labelValueCountByLabelName: most(values, limit, () => true, text),
    memoryInBytesByLabelName: most(octets, limit, () => true, text),
    seriesCountByLabelValuePair: most(
      series,
      limit,
      () => true,
      (symbol) => `${text(symbols.nameOf(symbol))}=${text(symbol)}`,
    ),
  };
}

/** The symbols with the highest counts. */
function most(
  counts: Uint32Array | Float64Array,
  limit: number,
  isIncluded: (symbol: number) => boolean,
  text: (symbol: number) => string,
): Counted[] {
  const included: number[] = [];
  for (let symbol = 1; symbol < counts.length; symbol++) if ((counts[symbol] ?? 0) > 0 && isIncluded(symbol)) included.push(symbol);
  // Find the limit by sorting plain numbers, which is much faster than sorting symbols by their counts.
  const sizes = Float64Array.from(included, (symbol) => counts[symbol] ?? 0).sort();
  const least = sizes[Math.max(0, sizes.length - limit)] ?? 0;
  const above = included.filter((symbol) => (counts[symbol] ?? 0) > least).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  const best = [...above, ...included.filter((symbol) => counts[symbol] === least).slice(0, limit - above.length)];
  return best.map((symbol) => ({ name: text(symbol), value: counts[symbol] ?? 0 }));
}
