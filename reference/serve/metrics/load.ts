import { type FamilyMetadata, metadataByFamily, Page, readOpenMetrics, SCRAPE } from "../../metrics/exposition/index.ts";
import { Labels, METRIC_NAME } from "../../metrics/model/index.ts";
import type { Appendable, AppendRefusal } from "../../metrics/storage/index.ts";

/** The result of loading a page: the number of stored samples, of refused samples by reason, and the metadata of its metric families. */
export type Loaded = {
  readonly samples: number;
  readonly refused: ReadonlyMap<AppendRefusal, number>;
  readonly metadata: ReadonlyMap<string, FamilyMetadata>;
};

/** Samples per commit. */
const BATCH = 100_000;

/**
 * Stores the samples of an OpenMetrics page at their own timestamps, as `promtool tsdb create-blocks-from openmetrics` does for blocks. Samples of
 * all series are appended in time order, since the head refuses samples much older than the newest. Throws on a malformed page and on a sample
 * without a timestamp.
 */
export function loadPage(octets: Uint8Array, storage: Appendable): Loaded {
  const page = new Page();
  // The operator chose the file, so its size needs no limit.
  const fault = readOpenMetrics(page, octets, { lenient: SCRAPE, limits: { pageOctets: octets.length, samples: 2 ** 31 } });
  if (fault !== undefined) throw new Error(fault.message);
  const order = new Uint32Array(page.count).map((_, at) => at).sort((a, b) => (page.timestamps[a] ?? 0) - (page.timestamps[b] ?? 0));
  const ids = new Map<string, number>();
  const refused = new Map<AppendRefusal, number>();
  let samples = 0;
  for (let from = 0; from < order.length; from += BATCH) {
    const appender = storage.appender();
    for (const at of order.subarray(from, from + BATCH)) {
      const time = page.timestamps[at] ?? Number.NaN;
      if (Number.isNaN(time)) throw new Error(`${page.name(at)} has a sample without a timestamp: add one to every sample of the page`);
      const key = Buffer.from(page.series(at)).toString("latin1");
      let id = ids.get(key);
      if (id === undefined) ids.set(key, (id = appender.series(Labels.of([[METRIC_NAME, page.name(at)], ...page.labels(at)]))));
      const refusal = appender.append(id, Math.round(time), page.values[at] ?? 0);
      if (refusal === undefined) samples += 1;
      else refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
    }
    appender.commit();
  }
  return { samples, refused, metadata: metadataByFamily(page) };
}
