import type { BenchSuite } from "../lib/suite.ts";

export const suite: BenchSuite = {
  parts: ["exposition", "start", "memory", "append", "scrape", "remote", "outage", "rules", "replay", "block", "queries", "metadata"],
  flags: [{ name: "series", about: "number of series", least: 100, most: 1_000_000 }],
  examples: [
    ["metrics --only exposition", "parsers of metrics pages: Touchstone, Prometheus, prometheus_client"],
    ["metrics --only outage", "what a remote store never receives after an outage: Touchstone and Debian's prometheus"],
    ["metrics --only memory --series 1000000", "a million series: Touchstone and Debian's prometheus"],
  ],
  measure: async (part, size, say) => (await import("./parts.ts")).metricsGroups(part, size, say),
};
