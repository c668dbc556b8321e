import { GLOBAL, type GlobalConfig } from "./global.ts";
import { list, path, type ValueOf } from "./kinds.ts";
import { REMOTE_READ, REMOTE_WRITE } from "./remote.ts";
import { SCRAPE_CONFIG, type ScrapeConfig } from "./scrape.ts";
import { ALERTING, OTLP, RUNTIME, STORAGE, TRACING } from "./sections.ts";
import { optional, preset, struct } from "./struct.ts";

/** The configuration as a whole: Prometheus docs, configuration/configuration.md, "Configuration file". */
export const WHOLE = struct({
  global: optional(GLOBAL),
  runtime: optional(RUNTIME),
  rule_files: preset(list(path("rules")), []),
  scrape_config_files: preset(list(path("scrapes")), []),
  scrape_configs: preset(list(SCRAPE_CONFIG, "section"), []),
  alerting: optional(ALERTING),
  remote_write: preset(list(REMOTE_WRITE, "section"), []),
  remote_read: preset(list(REMOTE_READ, "section"), []),
  otlp: optional(OTLP),
  storage: optional(STORAGE),
  tracing: optional(TRACING),
});
export type Written = ValueOf<typeof WHOLE>;

/** A checked configuration with all defaults. */
export type Config = Omit<Written, "global" | "scrape_configs"> & {
  readonly global: GlobalConfig;
  readonly scrape_configs: readonly ScrapeConfig[];
};
