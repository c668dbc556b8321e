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

/** Counts labels by the lists of series that queries use, and new series one by one. */
export function storageStats(head: Head, limit: number): StorageStats {
  const { table, postings, chunks } = head;
  const { symbols } = table;
  postings.refresh();
  const series = new Uint32Array(symbols.end);
  for (let symbol = 1; symbol < symbols.end; symbol++) series[symbol] = postings.countOf(symbol);
  for (let row = postings.covered; row < table.count; row++) {
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
      chunkCount: chunks.chunkCount,
      numSamples: chunks.sampleCount,
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

/** Symbols that are kept beside the highest ones before they are sorted. */
const SPARE = 256;

/** The symbols with the highest counts; of equal counts, those that came first. */
function most(
  counts: Uint32Array | Float64Array,
  limit: number,
  isIncluded: (symbol: number) => boolean,
  text: (symbol: number) => string,
): Counted[] {
  const best: number[] = [];
  let least = 0;
  const cut = (): void => {
    best.sort((a, b) => counts[b]! - counts[a]! || a - b);
    best.length = Math.min(best.length, limit);
    if (best.length === limit) least = counts[best.at(-1) ?? 0] ?? 0;
  };
  for (let symbol = 1; symbol < counts.length; symbol++) {
    if (counts[symbol]! <= least || !isIncluded(symbol)) continue;
    best.push(symbol);
    if (best.length >= limit + SPARE) cut();
  }
  cut();
  return best.map((symbol) => ({ name: text(symbol), value: counts[symbol]! }));
}
