import type { Scraping } from "../../metrics/api/index.ts";
import { jobText } from "../../metrics/config/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import { formatDuration } from "../../metrics/promql/index.ts";
import type { RelabelConfig } from "../../metrics/scrape/index.ts";
import type { Scraper } from "./scraper.ts";

const NEVER = "0001-01-01T00:00:00Z";

/** The scraper as the query API shows it. */
export const scrapingStatus = (scraper: Scraper): Scraping => ({
  active: () =>
    scraper.active.map(({ job, target, state, metadata }) => ({
      discoveredLabels: target.discovered.toJSON(),
      labels: target.labels.toJSON(),
      scrapePool: job,
      scrapeUrl: target.url,
      globalUrl: target.url,
      lastError: state.lastError,
      lastScrape: state.lastScrape === 0 ? NEVER : new Date(state.lastScrape).toISOString(),
      lastScrapeDuration: state.lastDurationMs / 1_000,
      health: state.health,
      scrapeInterval: formatDuration(target.intervalMs),
      scrapeTimeout: formatDuration(target.timeoutMs),
      metadata,
    })),
  dropped: () =>
    scraper.pools.flatMap(({ job, dropped }) =>
      dropped.map(({ discovered }) => ({ discoveredLabels: discovered.toJSON(), scrapePool: job.job_name })),
    ),
  relabelSteps: (name, labels) =>
    scraper.pools
      .find(({ job }) => job.job_name === name)
      ?.relabelSteps(Labels.of(Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ""))))
      .map(({ rule, output, keep }) => ({ rule: shown(rule), output: output.toJSON(), keep })),
  poolConfig: (name) => {
    const pool = scraper.pools.find(({ job }) => job.job_name === name);
    return pool === undefined ? undefined : jobText(pool.job);
  },
  droppedCounts: () => Object.fromEntries(scraper.pools.map(({ job, droppedCount }) => [job.job_name, droppedCount])),
});

/** A rule without fields that are empty. */
const shown = ({ modulus, ...rule }: RelabelConfig): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(rule).filter(([, value]) => value.length > 0)),
  ...(modulus > 0n && { modulus: Number(modulus) }),
});
