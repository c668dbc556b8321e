import { InvalidArgumentError, Option, type Command } from "commander";
import { listeningOptions, several } from "../cli/listening.ts";
import { wholeNumber } from "../../../options.ts";
import type { MetricsCommandOptions } from "./run.ts";

const HELP = `
Stores samples in a data directory in the formats of Prometheus and answers queries at /api/v1/.

Examples:
  touchstone serve metrics --port 9090 --storage.tsdb.path ./data
  touchstone serve metrics --config.file metrics.yml scrape the targets of a configuration; without one it scrapes itself
  touchstone serve metrics --web.listen-address :9090 --web.config.file web.yml    on every address, with TLS and passwords
  touchstone serve metrics --agent --config.file agent.yml    send what it scrapes to other servers, and keep little
  touchstone serve metrics --load page.om            store the samples of an OpenMetrics page, then serve them
  touchstone serve metrics --query.rate-gaps nan     rate() returns NaN for an empty window or a counter reset
  touchstone serve metrics --web.cors.origin 'https?://localhost:3000'
  touchstone query instant http://127.0.0.1:9090 'up'

OpenMetrics has no staleness marker: --load stores every NaN as an ordinary sample, even if an exporter wrote a marker that way.
`;

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];
const size = (text: string): number => {
  const [, digits = "", unit = ""] = /^(\d{1,15})([KMGTPE]?B)?$/.exec(text) ?? [];
  if (digits !== "") return Number(digits) * 1_024 ** Math.max(0, UNITS.indexOf(unit));
  throw new InvalidArgumentError("Give a size, such as 512MB or 10GB, or 0 for no limit.");
};

/** Declares `touchstone serve metrics`; the server itself is loaded when the command runs. */
export function metricsCommand(serve: Command): void {
  const option = (flags: string, description: string, parse: (text: string) => unknown, fallback: unknown): Option =>
    new Option(flags, description).argParser(parse).default(fallback);
  listeningOptions(serve.command("metrics"))
    .description("a metrics server: block storage with a write-ahead log, PromQL, and the query API of Prometheus")
    .option("--config.file <file>", "the configuration: targets, relabelling, limits; SIGHUP reads it again")
    .option("--no-self-scrape", "do not scrape itself if there is no configuration; --load implies it")
    .option("--web.listen-address <address>", "host:port to listen on, in place of --host and --port; :9090 is any address")
    .option("--web.config.file <file>", "TLS, certificates and passwords of clients, header fields: the web configuration of Prometheus")
    .option("--web.external-url <url>", "under which the server is reached from outside, for links in alerts; its own address by default")
    .option("--web.route-prefix <path>", "before all paths; by default that of --web.external-url")
    .option("--web.enable-lifecycle", "enable POST to /-/reload and /-/quit")
    .option("--load <file>", "store the samples of an OpenMetrics page first; repeatable", several, [])
    .option("--agent", "only scrape, receive and send by remote write: no queries, no rules, no alerts, no blocks")
    .option("--storage.agent.path <directory>", "the data directory of an agent", "data-agent")
    .option("--storage.agent.retention.min-time <duration>", "how long an agent keeps samples that were sent", "5m")
    .option("--storage.tsdb.path <directory>", "the data directory", "data")
    .option("--storage.tsdb.retention.time <duration>", "how long to keep samples; 0s keeps them forever", "15d")
    .addOption(option("--storage.tsdb.retention.size <size>", "total size of blocks to keep, such as 10GB; 0 for no limit", size, 0))
    .option("--storage.remote.flush-deadline <duration>", "how long to go on sending by remote write when the server ends", "1m")
    .option("--rules.alert.resend-delay <duration>", "how long to wait before an alert that goes on is sent again", "1m")
    .option("--storage.tsdb.out-of-order-time-window <duration>", "how much older than the newest sample a sample may be", "0s")
    .addOption(
      new Option("--storage.wal-fsync <when>", "when to fsync the write-ahead log: at each commit, every 10 s, or never")
        .choices(["commit", "interval", "never"])
        .default("interval"),
    )
    .option("--query.timeout <duration>", "maximum time of a query", "2m")
    .addOption(option("--query.max-samples <n>", "samples that a query may hold in memory", wholeNumber(1, 10_000_000_000), 50_000_000))
    .addOption(
      option(
        "--query.max-total-samples <n>",
        "samples that all queries may hold in memory together; by default twice those of one",
        wholeNumber(1, 10_000_000_000),
        undefined,
      ),
    )
    .addOption(option("--query.max-concurrency <n>", "queries to evaluate at the same time", wholeNumber(1, 10_000), 20))
    .option("--query.lookback-delta <duration>", "how long a sample stays current", "5m")
    .addOption(
      new Option("--query.rate-gaps <rule>", "rate() over an empty window or a counter reset: omit gaps and correct resets, or NaN")
        .choices(["language", "nan"])
        .default("language"),
    )
    .option("--web.enable-remote-write-receiver", "receive samples by remote write at /api/v1/write")
    .option("--web.enable-otlp-receiver", "receive OpenTelemetry metrics (OTLP over HTTP) at /api/v1/otlp/v1/metrics")
    .option("--web.enable-admin-api", "enable /api/v1/admin/tsdb/…: deletion and snapshots")
    .option("--web.cors.origin <pattern>", "origins whose pages may read the API in a browser: a regular expression for the whole origin")
    .addHelpText("after", HELP)
    // `serve` has options of the same names and consumes them even after the subcommand, so both sets are merged.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<MetricsCommandOptions>()));
}
