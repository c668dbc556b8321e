import { isLabelName, type NameScheme } from "../scrape/index.ts";
import { duration, map, natural, path, text, type Kind, type ValueOf } from "./kinds.ts";
import { SHARED, type ScrapeProtocol } from "./shared.ts";
import { optional, preset, struct, type Values } from "./struct.ts";

/** Prometheus docs, configuration/configuration.md, "Configuration file": `global`. */

const MINUTE = 60_000;

const FIELDS = {
  ...SHARED,
  evaluation_interval: optional(duration),
  rule_query_offset: preset(duration, 0),
  external_labels: preset(map(text), {}),
  query_log_file: optional(path("written")),
  query_max_series: preset(natural, 0),
  query_max_samples_read: preset(natural, 0),
  query_max_duration: preset(duration, 0),
};

/** The kind of `global` as it is written. */
export const GLOBAL: Kind<Values<typeof FIELDS>> = struct(FIELDS, (value, where) => {
  const scheme = value.metric_name_validation_scheme || "utf8";
  for (const [name, label] of Object.entries(value.external_labels)) {
    if (!isLabelName(name, scheme)) where("external_labels").fail(`${JSON.stringify(name)} is not a label name`);
    if (!label.isWellFormed()) where("external_labels").fail(`the value of ${name} is not well-formed text`);
  }
  if ((value.scrape_timeout ?? 0) > (value.scrape_interval || MINUTE))
    where("scrape_timeout").fail("it is longer than the scrape_interval");
  if (value.metric_name_escaping_scheme === "allow-utf-8" && scheme === "legacy")
    where("metric_name_escaping_scheme").fail("allow-utf-8 needs the metric_name_validation_scheme utf8");
});
type Written = ValueOf<typeof GLOBAL>;

/** `global` with all defaults. */
export type GlobalConfig = Omit<Written, keyof typeof SHARED | "evaluation_interval" | "external_labels"> & {
  readonly [
    Field in Exclude<keyof typeof SHARED, "scrape_protocols" | "scrape_failure_log_file" | "metric_name_validation_scheme">
  ]: NonNullable<Written[Field]>;
} & {
  /** Undefined: each job decides. */
  readonly scrape_protocols: readonly ScrapeProtocol[] | undefined;
  readonly scrape_failure_log_file: string | undefined;
  readonly metric_name_validation_scheme: NameScheme;
  readonly evaluation_interval: number;
  readonly external_labels: Readonly<Record<string, string>>;
};

/** Fills in the defaults. `$name` and `${name}` in external labels stand for environment variables, `$$` for a dollar. */
export function settledGlobal(written: Written, environment: Readonly<Record<string, string | undefined>>): GlobalConfig {
  const scrape_interval = written.scrape_interval || MINUTE;
  const scheme = written.metric_name_validation_scheme || "utf8";
  return {
    ...written,
    scrape_interval,
    scrape_timeout: written.scrape_timeout || Math.min(10_000, scrape_interval),
    evaluation_interval: written.evaluation_interval || MINUTE,
    external_labels: Object.fromEntries(
      Object.entries(written.external_labels).map(([name, label]) => [name, expanded(label, environment)]),
    ),
    metric_name_validation_scheme: scheme,
    metric_name_escaping_scheme: written.metric_name_escaping_scheme || (scheme === "legacy" ? "underscores" : "allow-utf-8"),
    body_size_limit: written.body_size_limit ?? 0,
    sample_limit: written.sample_limit ?? 0,
    target_limit: written.target_limit ?? 0,
    label_limit: written.label_limit ?? 0,
    label_name_length_limit: written.label_name_length_limit ?? 0,
    label_value_length_limit: written.label_value_length_limit ?? 0,
    keep_dropped_targets: written.keep_dropped_targets ?? 0,
    scrape_native_histograms: written.scrape_native_histograms ?? false,
    convert_classic_histograms_to_nhcb: written.convert_classic_histograms_to_nhcb ?? false,
    always_scrape_classic_histograms: written.always_scrape_classic_histograms ?? false,
    extra_scrape_metrics: written.extra_scrape_metrics ?? false,
    scrape_protocols: written.scrape_protocols,
    scrape_failure_log_file: written.scrape_failure_log_file,
  };
}

const expanded = (label: string, environment: Readonly<Record<string, string | undefined>>): string =>
  label.replaceAll(/\$(?:(\$)|\{([^}]*)\}|(\w+))/g, (_, dollar?: string, braced?: string, bare?: string) =>
    dollar === undefined ? (environment[braced ?? bare ?? ""] ?? "") : "$",
  );
