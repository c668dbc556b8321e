import { InvalidArgumentError, Option, type Command } from "commander";
import { listeningOptions, several, whole } from "../cli/listening.ts";
import type { MetricsCommandOptions } from "./run.ts";

const HELP = `
Its storage is a data directory in the published formats; its query interface is at /api/v1/.

Examples:
  touchstone serve metrics --port 9090 --storage.tsdb.path ./data
  touchstone serve metrics --load page.om            an empty storage with the samples of a page of OpenMetrics
  touchstone serve metrics --query.rate-gaps nan     rate() gives NaN where a window is empty or a counter was reset
  touchstone query instant http://127.0.0.1:9090 'up'

A page has no sign for the end of a series: NaN in it, also where a tool wrote a stale mark so, is a sample like any other.
`;

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];
const size = (text: string): number => {
  const [, digits = "", unit = ""] = /^(\d{1,15})([KMGTPE]?B)?$/.exec(text) ?? [];
  if (digits !== "") return Number(digits) * 1_024 ** Math.max(0, UNITS.indexOf(unit));
  throw new InvalidArgumentError("Give a size, such as 512MB or 10GB; 0 for any.");
};

/** `touchstone serve metrics`: storage, query language, query interface. Loaded only when it is asked for. */
export function metricsCommand(serve: Command): void {
  const option = (flags: string, description: string, parse: (text: string) => unknown, fallback: unknown): Option =>
    new Option(flags, description).argParser(parse).default(fallback);
  listeningOptions(serve.command("metrics"))
    .description("a metrics server: storage in blocks with a write-ahead log, query language, query interface")
    .option("--load <file>", "store the samples of a page of OpenMetrics first; may be given again", several, [])
    .option("--storage.tsdb.path <directory>", "the data directory", "data")
    .option("--storage.tsdb.retention.time <duration>", "how long samples are kept; 0s for ever", "15d")
    .addOption(option("--storage.tsdb.retention.size <size>", "octets that blocks may have; 0 for any", size, 0))
    .option("--storage.tsdb.out-of-order-time-window <duration>", "by how much a sample may be older than the newest", "0s")
    .addOption(
      new Option("--storage.wal-fsync <when>", "when the log is pushed to the disk itself: at each commit, every 10 s, or by the system")
        .choices(["commit", "interval", "never"])
        .default("interval"),
    )
    .option("--query.timeout <duration>", "longest time of a query", "2m")
    .addOption(option("--query.max-samples <n>", "samples that a query may hold in memory", whole(1, 10_000_000_000), 50_000_000))
    .addOption(option("--query.max-concurrency <n>", "queries that are worked on at a time", whole(1, 10_000), 20))
    .option("--query.lookback-delta <duration>", "how long a sample counts as the current one", "5m")
    .addOption(
      new Option("--query.rate-gaps <rule>", "what rate() gives for an empty window or a reset: nothing and a correction, or NaN")
        .choices(["language", "nan"])
        .default("language"),
    )
    .option("--web.enable-admin-api", "allow /api/v1/admin/tsdb/…: deletion, snapshots")
    .addHelpText("after", HELP)
    // `serve` itself has options of the same name, and takes what it knows, wherever it stands.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<MetricsCommandOptions>()));
}
