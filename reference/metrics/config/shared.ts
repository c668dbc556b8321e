import { duration, flag, list, natural, oneOf, path, size, type Kind } from "./kinds.ts";
import { optional } from "./struct.ts";

/** The fields that the sections `global` and `scrape_config` share (Prometheus docs, configuration/configuration.md). */

const SCRAPE_PROTOCOLS = [
  "PrometheusProto",
  "OpenMetricsText0.0.1",
  "OpenMetricsText1.0.0",
  "PrometheusText0.0.4",
  "PrometheusText1.0.0",
] as const;
export type ScrapeProtocol = (typeof SCRAPE_PROTOCOLS)[number];
/** The name of a protocol of scraping. */
export const SCRAPE_PROTOCOL: Kind<ScrapeProtocol> = oneOf(...SCRAPE_PROTOCOLS);

/** Protocols in order of preference, each once. */
const PROTOCOLS: Kind<readonly ScrapeProtocol[]> = {
  ...list(SCRAPE_PROTOCOL),
  read: (at) => {
    const items = at.items();
    if (items === undefined) return undefined;
    if (items.length === 0 && !at.isNull) return at.fail("it is empty: name at least one protocol");
    const seen = new Set<ScrapeProtocol>();
    for (const item of items) {
      const one = SCRAPE_PROTOCOL.read(item);
      if (one === undefined) return undefined;
      if (seen.has(one)) return item.fail(`${one} is listed twice`);
      seen.add(one);
    }
    return [...seen];
  },
};

const ESCAPING = oneOf("", "allow-utf-8", "underscores", "dots", "values");
const SCHEME = oneOf("", "utf8", "legacy");
export const SHARED = {
  scrape_interval: optional(duration),
  scrape_timeout: optional(duration),
  scrape_protocols: optional(PROTOCOLS),
  scrape_failure_log_file: optional(path("written")),
  body_size_limit: optional(size),
  sample_limit: optional(natural),
  target_limit: optional(natural),
  label_limit: optional(natural),
  label_name_length_limit: optional(natural),
  label_value_length_limit: optional(natural),
  keep_dropped_targets: optional(natural),
  metric_name_validation_scheme: optional(SCHEME),
  metric_name_escaping_scheme: optional(ESCAPING),
  scrape_native_histograms: optional(flag),
  convert_classic_histograms_to_nhcb: optional(flag),
  always_scrape_classic_histograms: optional(flag),
  extra_scrape_metrics: optional(flag),
};
