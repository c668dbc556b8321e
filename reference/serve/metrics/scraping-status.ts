import type { Scraping } from "../../metrics/api/index.ts";
import { formatDuration } from "../../metrics/promql/index.ts";
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
  droppedCounts: () => Object.fromEntries(scraper.pools.map(({ job, droppedCount }) => [job.job_name, droppedCount])),
});
