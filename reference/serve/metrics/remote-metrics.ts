import type { SendCounts } from "../../metrics/remote/index.ts";
import type { Database } from "../../metrics/tsdb/index.ts";
import type { Row, PlainRow } from "./metric-rows.ts";
import type { RemoteReceiver } from "./remote-receiver.ts";
import type { RemoteWriter } from "./remote-writer.ts";
import type { RemoteWriters } from "./remote-writers.ts";

const NAME = "prometheus_remote_storage_";
const SAMPLES: readonly [name: string, help: string, count: (counts: SendCounts) => number][] = [
  ["total", "sent, each once", ({ sent }) => sent],
  ["failed_total", "that a receiver refused for good", ({ refused }) => refused],
  ["retried_total", "sent again, each as often as it was", ({ retried }) => retried],
];

/** The metrics about remote write, one value for each receiver. */
export function remoteRows({ all }: RemoteWriters, { head }: Database): Row[] {
  const each = (value: (writer: RemoteWriter) => number): PlainRow[3] =>
    all.map((writer) => [{ remote_name: writer.name, url: writer.config.url }, value(writer)]);
  const row = (name: string, type: PlainRow[1], help: string, value: (writer: RemoteWriter) => number): Row => [
    `${NAME}${name}`,
    type,
    help,
    each(value),
  ];
  if (all.length === 0) return [];
  return [
    ...SAMPLES.flatMap(([name, help, count]) => [
      row(`samples_${name}`, "counter", `Samples ${help}.`, ({ queue }) => count(queue.floats)),
      row(`histograms_${name}`, "counter", `Native histograms ${help}.`, ({ queue }) => count(queue.histograms)),
      row(`exemplars_${name}`, "counter", `Exemplars ${help}.`, ({ queue }) => count(queue.exemplars)),
    ]),
    [
      `${NAME}samples_dropped_total`,
      "counter",
      "Samples that were not sent, by reason.",
      all.flatMap(({ name, config, dropped, queue }) =>
        [...dropped, ["too_old", queue.floats.tooOld] as const].map(
          ([reason, count]) => [{ remote_name: name, url: config.url, reason }, count] as const,
        ),
      ),
    ],
    row("samples_pending", "gauge", "Samples and histograms in the queue.", ({ queue }) => queue.length),
    row("metadata_total", "counter", "Entries of metadata that a receiver accepted.", ({ metadata }) => metadata.sent),
    row("metadata_failed_total", "counter", "Entries of metadata that were not accepted.", ({ metadata }) => metadata.failed),
    row("bytes_total", "counter", "Octets of samples sent, compressed.", ({ octets }) => octets),
    row("metadata_bytes_total", "counter", "Octets of metadata sent, compressed.", ({ metadata }) => metadata.octets),
    row("shards", "gauge", "Requests at the same time, at most.", ({ queue }) => queue.shards),
    row("shards_desired", "gauge", "Requests at the same time that the last look asked for.", ({ wantedShards }) => wantedShards),
    row("shards_min", "gauge", "The min_shards of each queue.", ({ config }) => config.queue_config.min_shards),
    row("shards_max", "gauge", "The max_shards of each queue.", ({ config }) => config.queue_config.max_shards),
    row("shard_capacity", "gauge", "The capacity of each queue.", ({ config }) => config.queue_config.capacity),
    row(
      "max_samples_per_send",
      "gauge",
      "The max_samples_per_send of each queue.",
      ({ config }) => config.queue_config.max_samples_per_send,
    ),
    row(
      "queue_highest_sent_timestamp_seconds",
      "gauge",
      "Time of the newest sample that a receiver accepted.",
      ({ queue }) => queue.newestSent / 1_000,
    ),
    [
      `${NAME}highest_timestamp_in_seconds`,
      "gauge",
      "Time of the newest sample that is stored.",
      Number.isFinite(head.maxTime) ? head.maxTime / 1_000 : 0,
    ],
    [
      "prometheus_wal_watcher_current_segment",
      "gauge",
      "The segment of the log that each queue reads.",
      all.map(({ name, position }) => ["consumer", name, position.segment] as const),
    ],
  ];
}

/** The metrics about what other servers send to this one. */
export function receiverRows({ isEnabled, requests, written, refused }: RemoteReceiver): Row[] {
  if (!isEnabled) return [];
  return [
    [
      "prometheus_http_requests_total",
      "counter",
      "Requests of remote write, by the status of the answer.",
      [...requests].map(([code, count]) => [{ code: String(code), handler: "/api/v1/write" }, count] as const),
    ],
    ["touchstone_remote_write_received_samples_total", "counter", "Samples and histograms of other servers that were stored.", written],
    [
      "touchstone_remote_write_refused_samples_total",
      "counter",
      "Samples and histograms of other servers that were refused, by reason.",
      [...refused].map(([reason, count]) => ["reason", reason, count] as const),
    ],
  ];
}
