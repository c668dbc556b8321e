import type { ScrapeConfig } from "../../../metrics/config/index.ts";
import { groupsOfList } from "../../../metrics/discovery/index.ts";
import { Poll } from "./poll.ts";
import { Reader } from "./reader.ts";
import type { Discoverer, Report } from "./report.ts";

/** Targets from a URL (Prometheus docs, http_sd.md, "Requirements of HTTP SD endpoints"). */
export function discoverHttp(config: ScrapeConfig["http_sd_configs"][number], report: Report): Discoverer {
  const { url, refresh_interval: refreshMs } = config;
  const reader = new Reader(config, { connectMs: refreshMs });
  return new Poll({
    refreshMs,
    report,
    refresh: async (signal) => {
      try {
        const { fields, text } = await reader.read(url, {
          fields: [
            ["accept", "application/json"],
            ["x-prometheus-refresh-interval-seconds", String(refreshMs / 1_000)],
          ],
          signal,
          timeoutMs: refreshMs,
        });
        const groups = groupsOfList(text, fields.get("content-type"), url);
        if (groups instanceof Error) throw groups;
        return { groups };
      } catch (error) {
        report.count("prometheus_sd_http_failures_total");
        throw error;
      }
    },
    onClose: () => reader.close(),
  });
}
