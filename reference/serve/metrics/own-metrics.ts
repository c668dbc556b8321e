import { version } from "../../../version.ts";
import type { Request, Response } from "../../http/index.ts";
import {
  contentTypeOf,
  type FamilyToWrite,
  negotiate,
  type SampleToWrite,
  writeOpenMetrics,
  writeText,
} from "../../metrics/exposition/index.ts";
import type { Database } from "../../metrics/tsdb/index.ts";
import { discoveryRows } from "./discovery/index.ts";
import type { Labelled, ManyLabelled, Row } from "./metric-rows.ts";
import type { Notifier } from "./notifier.ts";
import { notifierRows, rulesRows } from "./rules-metrics.ts";
import { receiverRows, remoteRows } from "./remote-metrics.ts";
import type { RemoteReceiver } from "./remote-receiver.ts";
import type { RemoteWriters } from "./remote-writers.ts";
import type { RuleRunner } from "./rule-runner.ts";
import type { LiveConfig } from "./live-config.ts";
import type { QueryLog } from "./query-log.ts";
import type { Scraper } from "./scraper.ts";

/** What the server says about itself at `/metrics`, under the names that operators know. */

type Parts = {
  readonly database: Database;
  readonly scraper: Scraper;
  readonly rules: RuleRunner;
  readonly notifier: Notifier;
  readonly writers: RemoteWriters;
  readonly receiver: RemoteReceiver;
  readonly config: LiveConfig;
  readonly queryLog: QueryLog;
  readonly started: number;
};
/** The reasons for which samples are refused, and the counters that have them. */
const REFUSED = {
  prometheus_target_scrapes_sample_duplicate_timestamp_total: ["duplicate sample for timestamp"],
  prometheus_target_scrapes_sample_out_of_order_total: ["out of order sample"],
  prometheus_target_scrapes_sample_out_of_bounds_total: ["out of bounds", "too old sample", "too far ahead"],
} as const;

function rows({ database, scraper, rules, notifier, writers, receiver, config, queryLog, started }: Parts): Row[] {
  const { table, commits, minTime, maxTime } = database.head;
  const { counts, pools } = scraper;
  const cpu = process.cpuUsage();
  const perPool = (value: (pool: (typeof pools)[number]) => number): Labelled[] =>
    pools.map((pool) => ["scrape_job", pool.job.job_name, value(pool)]);
  return [
    ["prometheus_build_info", "gauge", "The version of the server.", [["version", version, 1]]],
    ["process_start_time_seconds", "gauge", "When the process began, in seconds since 1970.", started / 1_000],
    ["process_cpu_seconds_total", "counter", "Processor time of the process in seconds.", (cpu.user + cpu.system) / 1e6],
    ["process_resident_memory_bytes", "gauge", "Resident memory of the process.", process.memoryUsage.rss()],
    ["prometheus_ready", "gauge", "Whether the server answers queries.", 1],
    [
      "prometheus_config_last_reload_successful",
      "gauge",
      "Whether the last attempt to load the configuration succeeded.",
      config.isLoaded ? 1 : 0,
    ],
    [
      "prometheus_config_last_reload_success_timestamp_seconds",
      "gauge",
      "When the configuration was last loaded.",
      config.loadedAt / 1_000,
    ],
    ["prometheus_engine_query_log_enabled", "gauge", "Whether queries are logged.", queryLog.isEnabled ? 1 : 0],
    ["prometheus_engine_query_log_failures_total", "counter", "Lines of the query log that could not be written.", queryLog.failures],
    ["prometheus_tsdb_head_series", "gauge", "Series in memory.", table.count],
    ["prometheus_tsdb_head_appends_committed_total", "counter", "Batches of samples that were stored.", commits],
    [
      "prometheus_tsdb_head_min_time_seconds",
      "gauge",
      "Time of the oldest sample in memory.",
      Number.isFinite(minTime) ? minTime / 1_000 : 0,
    ],
    [
      "prometheus_tsdb_head_max_time_seconds",
      "gauge",
      "Time of the newest sample in memory.",
      Number.isFinite(maxTime) ? maxTime / 1_000 : 0,
    ],
    ["prometheus_tsdb_blocks_loaded", "gauge", "Blocks on disk.", database.blocks.all.length],
    ["prometheus_target_scrape_pools_total", "counter", "Jobs of the configuration.", pools.length],
    ["prometheus_target_scrape_pool_targets", "gauge", "Targets of each job.", perPool(({ active }) => active.length)],
    [
      "prometheus_target_scrape_pool_target_limit",
      "gauge",
      "The target_limit of each job; 0 is none.",
      perPool(({ job }) => job.target_limit),
    ],
    [
      "prometheus_sd_discovered_targets",
      "gauge",
      "Targets of each job before its rules.",
      pools.map(({ job, active, droppedCount }): ManyLabelled => [{ name: "scrape", config: job.job_name }, active.length + droppedCount]),
    ],
    ...discoveryRows({ scrape: scraper.discoveries, notify: notifier.discoveries }),
    ["touchstone_target_scrapes_total", "counter", "Scrapes.", counts.scrapes],
    ["touchstone_target_scrapes_failed_total", "counter", "Scrapes of targets that were down.", counts.failed],
    ["touchstone_target_scrapes_missed_total", "counter", "Intervals without a scrape, because the one before still ran.", counts.missed],
    ["touchstone_target_scrapes_unstored_total", "counter", "Scrapes that the storage could not take, as on a full disk.", counts.unstored],
    ...rulesRows(rules),
    ...notifierRows(notifier),
    ...remoteRows(writers, database),
    ...receiverRows(receiver),
    ...Object.entries(REFUSED).map(([name, reasons]): Row => [
      name,
      "counter",
      `Samples refused: ${reasons.join(", ")}.`,
      reasons.reduce((sum, reason) => sum + (counts.refused.get(reason) ?? 0), 0),
    ]),
  ];
}

/** Units at the ends of names, for their lines in OpenMetrics. */
const UNIT = /_(seconds|bytes)(?:_total)?$/;

function familyOf(row: Row): FamilyToWrite {
  const [name, type, help, value] = row;
  const found = UNIT.exec(name)?.[1];
  const unit = found === undefined ? {} : { unit: found };
  if (type === "summary") {
    const parts = value.flatMap(({ labels, sum, count }) => {
      const pairs = Object.entries(labels);
      return [
        { name: `${name}_sum`, labels: pairs, value: sum },
        { name: `${name}_count`, labels: pairs, value: count },
      ];
    });
    return { name, type, help, ...unit, samples: parts };
  }
  const samples: SampleToWrite[] =
    typeof value === "number"
      ? [{ name, value }]
      : value.map((one) =>
          one.length === 2 ? { name, labels: Object.entries(one[0]), value: one[1] } : { name, labels: [[one[0], one[1]]], value: one[2] },
        );
  // In OpenMetrics the family of a counter lacks the suffix of its sample.
  return { name: type === "counter" ? name.replace(/_total$/, "") : name, type, help, ...unit, samples };
}

/** A page of rows, in the format that the request prefers. */
export function metricsPage(all: readonly Row[], { fields }: Request): Response {
  const families = all.map(familyOf);
  const format = negotiate(fields.get("accept"));
  const body = format.is === "openmetrics" ? writeOpenMetrics(families) : writeText(families);
  return { status: 200, fields: [["content-type", contentTypeOf(format)]], body };
}

/** The page of a metrics server. */
export const ownMetrics = (parts: Parts, request: Request): Response => metricsPage(rows(parts), request);
