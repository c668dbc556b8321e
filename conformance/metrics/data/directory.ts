import { mkdirSync, readdirSync } from "node:fs";
import { CUSTOM_BOUNDS, type Histogram, Labels, METRIC_NAME } from "../../../reference/metrics/model/index.ts";
import { type MetricsServer, serveMetrics } from "../../../reference/serve/metrics/index.ts";
import { written } from "../driver/server-data.ts";
import { spanned, type WrittenHistogram } from "../../wire/metrics/histogram.ts";
import { dataSet } from "./data-set.ts";
import { msOf, nativeSeries } from "./native.ts";

/** Writes the data set, including native histograms, as the data directory of a metrics server. Throws if the directory is not empty. */
export async function writeDataDirectory(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) throw new Error(`${directory} is not empty`);
  const server = await serveMetrics({ directory, graceMs: 100, storage: { walSync: "never" } });
  try {
    fill(server.database);
  } finally {
    await server.close();
  }
}

/** Appends the data set to an empty database. */
export function fill(database: MetricsServer["database"]): void {
  for (const batch of batches()) {
    const appender = database.appender();
    for (const { named, time, value } of batch) {
      const id = appender.series(named);
      const refusal =
        value === "stale"
          ? appender.appendStale(id, time)
          : typeof value === "number"
            ? appender.append(id, time, value)
            : appender.appendHistogram(id, time, stored(value));
      if (refusal !== undefined) throw new Error(`The data set is refused by our own storage: ${refusal} (${named}).`);
    }
    appender.commit();
  }
}

type Sample = { readonly named: Labels; readonly time: number; readonly value: WrittenHistogram | number | "stale" };

/** Every sample in time order: all floats in one batch, and histograms in one batch per time, as in a scrape. */
function batches(): Iterable<readonly Sample[]> {
  const named = ({ __name__: name = "", ...others }: Readonly<Record<string, string>>): Labels =>
    Labels.of([[METRIC_NAME, name], ...Object.entries(others)]);
  const floats = dataSet()
    .map(written)
    .flatMap(({ labels, samples }) => {
      const own = named(labels);
      return samples.map((sample): Sample => ({ named: own, ...sample }));
    })
    .sort((a, b) => a.time - b.time);
  const histograms = nativeSeries().flatMap(({ name, labels, samples }) => {
    const own = named({ __name__: name, ...labels });
    return samples.map(({ time, value }): Sample => ({ named: own, time: msOf(time), value }));
  });
  const byTime = Map.groupBy(histograms, ({ time }) => time);
  return [floats, ...[...byTime].sort(([a], [b]) => a - b).map(([, some]) => some)];
}

function stored({ schema, bounds = [], zeroThreshold, zeroCount, count, sum, isInteger, isGauge, ...sides }: WrittenHistogram): Histogram {
  const [positive, negative] = [spanned(sides.positive), spanned(sides.negative)];
  return {
    schema: bounds.length > 0 ? CUSTOM_BOUNDS : schema,
    zeroThreshold,
    zeroCount,
    count,
    sum,
    positiveSpans: positive.spans,
    negativeSpans: negative.spans,
    positive: positive.counts,
    negative: negative.counts,
    bounds,
    resetHint: isGauge ? "gauge" : "unknown",
    isInteger,
  };
}
