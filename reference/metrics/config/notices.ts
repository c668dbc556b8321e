import { RECOGNIZED_DISCOVERY } from "./discovery.ts";
import type { ScrapeConfig } from "./scrape.ts";
import type { Problem, Source } from "./source.ts";
import type { Config, Written } from "./whole.ts";

/**
 * Everything in the published configuration that this server checks and does not act on. A setting leaves this list when it takes effect; nothing
 * outside of it is ignored.
 */
const SECTIONS: Partial<Record<keyof Config, string>> = {
  runtime: "settings of another runtime have no effect",
  tracing: "no traces are exported",
};

const GLOBALS: readonly (keyof Config["global"])[] = [
  "query_max_series",
  "query_max_samples_read",
  "query_max_duration",
  "convert_classic_histograms_to_nhcb",
];

const JOB_FIELDS: readonly (keyof ScrapeConfig)[] = [
  ...RECOGNIZED_DISCOVERY,
  "convert_classic_histograms_to_nhcb",
  "native_histogram_bucket_limit",
  "native_histogram_min_bucket_factor",
];

type RemoteWrite = Config["remote_write"][number];
/** Without one of these a receiver would not know us, so nothing is sent to it. */
const WRITE_ACCESS: readonly (keyof RemoteWrite)[] = ["sigv4", "azuread", "google_iam"];
const WRITE_FIELDS: readonly (keyof RemoteWrite)[] = ["round_robin_dns", "failed_request_logging", "convert_nhcb_to_classic"];

/** The settings that keep samples from being sent to a receiver. */
export const unsupportedWrite = (one: RemoteWrite): readonly string[] => WRITE_ACCESS.filter((field) => isUsed(one[field]));

/** A notice for each setting of the file that has no effect. */
export function notices(source: Source, config: Config, written: Written): Problem[] {
  const found: Problem[] = [];
  const note = (value: object, field: string, message: string): void => {
    const at = source.placeOf(value, field);
    found.push({ file: source.file, line: at.line, field: at.path, message });
  };
  for (const [section, message] of Object.entries(SECTIONS)) if (isUsed(written[section as keyof Written])) note(written, section, message);
  for (const field of GLOBALS)
    if (written.global !== undefined && isUsed(written.global[field])) note(written.global, field, "it has no effect yet");
  for (const job of written.scrape_configs) {
    for (const field of JOB_FIELDS)
      if (isUsed(job[field]))
        note(job, field, field.endsWith("_sd_configs") ? "this kind of discovery finds no targets yet" : "it has no effect yet");
    for (const field of ["min_version", "max_version"] as const)
      if (job.tls_config !== undefined && isUsed(job.tls_config[field]))
        note(job.tls_config, field, "it has no effect: TLS 1.2 and 1.3 are offered");
  }
  for (const one of written.remote_write) {
    for (const field of WRITE_FIELDS) if (isUsed(one[field])) note(one, field, "it has no effect yet");
    for (const field of unsupportedWrite(one)) note(one, field, "it is not supported yet: nothing is sent to this receiver");
  }
  if (config.storage !== undefined) {
    const { tsdb } = config.storage;
    if (tsdb?.chunk_encoding !== undefined) note(tsdb, "chunk_encoding", "it has no effect");
    if (tsdb?.stale_series_compaction_threshold) note(tsdb, "stale_series_compaction_threshold", "it has no effect");
    if (tsdb?.retention?.percentage !== undefined) note(tsdb.retention, "percentage", "it has no effect: set a time or a size");
  }
  return found.sort((a, b) => a.line - b.line);
}

function isUsed(value: unknown): boolean {
  if (value === undefined || value === false || value === 0 || value === "") return false;
  return Array.isArray(value) ? value.length > 0 : true;
}
