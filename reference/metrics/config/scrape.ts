import type { NameScheme } from "../scrape/index.ts";
import { DISCOVERY_FIELDS } from "./discovery.ts";
import { checkHttp, HTTP_FIELDS } from "./http.ts";
import { flag, list, map, natural, real, scalar, text, type ValueOf } from "./kinds.ts";
import { checkRelabelling, RELABEL_CONFIGS } from "./relabel.ts";
import type { GlobalConfig } from "./global.ts";
import { SCRAPE_PROTOCOL, SHARED, type ScrapeProtocol } from "./shared.ts";
import type { Place, Source } from "./source.ts";
import { optional, preset, required, struct } from "./struct.ts";

/** Prometheus docs, configuration/configuration.md, `<scrape_config>`. */

const httpScheme = scalar((written) =>
  written === "http" || written === "https" ? written : new Error(`${JSON.stringify(written)} is not http or https`),
);

const SCRAPE = struct(
  {
    job_name: required(text),
    ...SHARED,
    fallback_scrape_protocol: optional(SCRAPE_PROTOCOL),
    metrics_path: preset(text, "/metrics"),
    honor_labels: preset(flag, false),
    honor_timestamps: preset(flag, true),
    track_timestamps_staleness: preset(flag, false),
    scheme: preset(httpScheme, "http"),
    params: preset(map(list(text)), {}),
    enable_compression: preset(flag, true),
    native_histogram_bucket_limit: preset(natural, 0),
    native_histogram_min_bucket_factor: preset(real, 0),
    ...HTTP_FIELDS,
    ...DISCOVERY_FIELDS,
    relabel_configs: preset(RELABEL_CONFIGS, []),
    metric_relabel_configs: preset(RELABEL_CONFIGS, []),
  },
  (value, where) => {
    checkHttp(value, where as never);
    checkAddresses(value, where as never);
  },
);

/** Catches URLs among targets, unless rules may yet change them. */
export function checkAddresses(
  {
    static_configs,
    relabel_configs,
  }: { readonly static_configs: readonly { readonly targets: readonly string[] }[]; readonly relabel_configs: readonly unknown[] },
  where: (field: "static_configs") => Place,
): void {
  if (relabel_configs.length > 0) return;
  for (const target of static_configs.flatMap(({ targets }) => targets))
    if (target.includes("/")) where("static_configs").fail(`${JSON.stringify(target)} is not a host with an optional port`);
}

/** The kind of a `scrape_config` as it is written. */
export const SCRAPE_CONFIG = SCRAPE;
type Written = ValueOf<typeof SCRAPE>;

/** A `scrape_config` with all defaults, those of `global` included. */
export type ScrapeConfig = Omit<Written, keyof typeof SHARED> & {
  readonly [Field in keyof typeof SHARED]: Field extends "scrape_failure_log_file"
    ? Written[Field]
    : Field extends "metric_name_validation_scheme"
      ? NameScheme
      : NonNullable<Written[Field]>;
};

/** Text formats by default; with native histograms, the one that has them first. */
const TEXT_PROTOCOLS: readonly ScrapeProtocol[] = [
  "OpenMetricsText1.0.0",
  "OpenMetricsText0.0.1",
  "PrometheusText1.0.0",
  "PrometheusText0.0.4",
];

/** Fills in what a `scrape_config` takes from `global`, and checks what depends on both. */
export function settledScrape(source: Source, written: Written, global: GlobalConfig): ScrapeConfig {
  const where = (field: keyof Written): Place => source.placeOf(written, field);
  const scrape_interval = written.scrape_interval || global.scrape_interval;
  if ((written.scrape_timeout ?? 0) > scrape_interval) where("scrape_timeout").fail("it is longer than the scrape_interval");
  const scheme: NameScheme = written.metric_name_validation_scheme || global.metric_name_validation_scheme;
  // Names of the older kind cannot be asked for without escaping.
  const escaping =
    written.metric_name_escaping_scheme ||
    (written.metric_name_validation_scheme ? (scheme === "legacy" ? "underscores" : "allow-utf-8") : global.metric_name_escaping_scheme);
  if (escaping === "allow-utf-8" && scheme === "legacy")
    where("metric_name_escaping_scheme").fail("allow-utf-8 needs the metric_name_validation_scheme utf8");
  for (const rules of [written.relabel_configs, written.metric_relabel_configs]) checkRelabelling(source, rules, scheme);
  const isNative = written.scrape_native_histograms ?? global.scrape_native_histograms;
  return {
    ...written,
    scrape_interval,
    scrape_timeout: written.scrape_timeout || Math.min(global.scrape_timeout, scrape_interval),
    scrape_protocols:
      written.scrape_protocols ?? global.scrape_protocols ?? (isNative ? ["PrometheusProto", ...TEXT_PROTOCOLS] : TEXT_PROTOCOLS),
    scrape_failure_log_file: written.scrape_failure_log_file || global.scrape_failure_log_file,
    body_size_limit: written.body_size_limit || global.body_size_limit,
    sample_limit: written.sample_limit || global.sample_limit,
    target_limit: written.target_limit || global.target_limit,
    label_limit: written.label_limit || global.label_limit,
    label_name_length_limit: written.label_name_length_limit || global.label_name_length_limit,
    label_value_length_limit: written.label_value_length_limit || global.label_value_length_limit,
    keep_dropped_targets: written.keep_dropped_targets || global.keep_dropped_targets,
    metric_name_validation_scheme: scheme,
    metric_name_escaping_scheme: escaping,
    scrape_native_histograms: isNative,
    convert_classic_histograms_to_nhcb: written.convert_classic_histograms_to_nhcb ?? global.convert_classic_histograms_to_nhcb,
    always_scrape_classic_histograms: written.always_scrape_classic_histograms ?? global.always_scrape_classic_histograms,
    extra_scrape_metrics: written.extra_scrape_metrics ?? global.extra_scrape_metrics,
  };
}
