import type { Step } from "../vocabulary.ts";

/** Settings that not every scraper has, probed before the first case: one that refuses a configuration with it does not offer it. */

const GOOD: Step["stages"] = [{ answer: { page: "stage 1\n" }, until: "stored" }];
const has = (settings: Readonly<Record<string, unknown>>): { readonly setting: string; readonly steps: Step } => ({
  setting: Object.keys(settings).join(" and "),
  steps: { do: "scrape", settings, stages: GOOD },
});

/** A job without settings. */
export const PLAIN: Step = { do: "scrape", stages: GOOD };

export const FEATURES = {
  protocols: has({ scrape_protocols: ["OpenMetricsText1.0.0", "PrometheusText1.0.0", "PrometheusText0.0.4"] }),
  fallback: has({ fallback_scrape_protocol: "PrometheusText0.0.4" }),
  compression: has({ enable_compression: true }),
  utf8: has({ metric_name_validation_scheme: "utf8" }),
  escaping: has({ metric_name_escaping_scheme: "allow-utf-8" }),
  native: has({ scrape_native_histograms: true }),
  extra: has({ extra_scrape_metrics: true }),
  headers: has({ http_headers: { "X-Own": { values: ["v"] } } }),
  track: has({ track_timestamps_staleness: true }),
  "size-limit": has({ body_size_limit: "1MB" }),
  "label-limits": has({ label_limit: 100, label_name_length_limit: 1_000, label_value_length_limit: 1_000 }),
  "target-limit": has({ target_limit: 10 }),
} as const;
