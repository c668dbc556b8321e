import { readFileSync } from "node:fs";
import { readDuration } from "../../metrics/promql/index.ts";
import { type Database, keptIn } from "../../metrics/tsdb/index.ts";
import { announce, onStop, placeOf, refuse, tlsOf, type Listening } from "../cli/listening.ts";
import { serveMetrics } from "./server.ts";

/** The parsed options of `serve metrics`; durations are still text, sizes are in octets. */
export type MetricsCommandOptions = Listening & {
  readonly load: readonly string[];
  readonly "config.file"?: string;
  readonly selfScrape: boolean;
  readonly "web.listenAddress"?: string;
  readonly "web.config.file"?: string;
  readonly "rules.alert.resendDelay": string;
  readonly "web.externalUrl"?: string;
  readonly "web.routePrefix"?: string;
  readonly "web.enableLifecycle"?: true;
  readonly "storage.remote.flushDeadline": string;
  readonly agent?: true;
  readonly "storage.agent.path": string;
  readonly "storage.agent.retention.minTime": string;
  readonly "storage.tsdb.path": string;
  readonly "storage.tsdb.retention.time": string;
  readonly "storage.tsdb.retention.size": number;
  readonly "storage.tsdb.outOfOrderTimeWindow": string;
  readonly "storage.walFsync": "commit" | "interval" | "never";
  readonly "query.timeout": string;
  readonly "query.maxSamples": number;
  readonly "query.maxTotalSamples"?: number;
  readonly "query.maxConcurrency": number;
  readonly "query.lookbackDelta": string;
  readonly "query.rateGaps": "language" | "nan";
  readonly "web.enableAdminApi"?: true;
  readonly "web.enableRemoteWriteReceiver"?: true;
  readonly "web.enableOtlpReceiver"?: true;
  readonly "web.cors.origin"?: string;
};

/** Starts the metrics server; it runs until SIGTERM or SIGINT. */
export async function run(options: MetricsCommandOptions): Promise<void> {
  try {
    const { json } = options;
    const server = await serveMetrics({
      ...placeOf(options, options["web.listenAddress"]),
      ...tlsOf(options),
      ...(options["web.config.file"] !== undefined && { webConfigFile: options["web.config.file"] }),
      directory: options.agent === true ? options["storage.agent.path"] : options["storage.tsdb.path"],
      ...(options.agent === true && {
        agent: { keptMs: duration("--storage.agent.retention.min-time", options["storage.agent.retention.minTime"]) },
      }),
      pages: options.load.map((file) => readFileSync(file)),
      storage: {
        retention: {
          ms: duration("--storage.tsdb.retention.time", options["storage.tsdb.retention.time"]),
          octets: options["storage.tsdb.retention.size"],
        },
        outOfOrderWindow: duration("--storage.tsdb.out-of-order-time-window", options["storage.tsdb.outOfOrderTimeWindow"]),
        walSync: options["storage.walFsync"],
      },
      engine: {
        maxSamples: options["query.maxSamples"],
        lookbackMs: duration("--query.lookback-delta", options["query.lookbackDelta"]),
        rateGaps: options["query.rateGaps"],
      },
      queries: {
        timeoutMs: duration("--query.timeout", options["query.timeout"]),
        concurrency: options["query.maxConcurrency"],
        samples: options["query.maxTotalSamples"] ?? 2 * options["query.maxSamples"],
      },
      admin: options["web.enableAdminApi"] === true,
      remoteWriteReceiver: options["web.enableRemoteWriteReceiver"] === true,
      otlpReceiver: options["web.enableOtlpReceiver"] === true,
      ...(options["web.cors.origin"] !== undefined && { corsOrigin: options["web.cors.origin"] }),
      ...(options["web.routePrefix"] !== undefined && { routePrefix: options["web.routePrefix"] }),
      flags: flagsOf(options),
      ...(isScraping(options) && {
        scrape: {
          ...(options["config.file"] !== undefined && { file: options["config.file"] }),
          ...(options["web.externalUrl"] !== undefined && { externalUrl: options["web.externalUrl"] }),
          lifecycle: options["web.enableLifecycle"] === true,
          flushMs: duration("--storage.remote.flush-deadline", options["storage.remote.flushDeadline"]),
          resendMs: duration("--rules.alert.resend-delay", options["rules.alert.resendDelay"]),
          onNotice: (message) => console.error(`touchstone serve metrics: ${message}`),
          onQuit: () => process.kill(process.pid, "SIGTERM"),
        },
      }),
      graceMs: 1_000,
      onStorageError: (error) => console.error(`touchstone serve metrics: ${error instanceof Error ? error.message : String(error)}`),
    });
    reportDamage(server.database);
    for (const [at, { samples, refused }] of server.loaded.entries()) {
      const lost = [...refused].map(([why, count]) => `; ${count} refused: ${why}`).join("");
      console.error(`Loaded ${samples} samples of ${options.load[at]}${lost}`);
    }
    announce(server, json);
    onStop(() => server.close());
    process.on("SIGHUP", () => {
      server.reload().catch((error: unknown) => console.error(`touchstone serve metrics: ${(error as Error).message}`));
    });
  } catch (error) {
    refuse("serve metrics", (error as Error).message);
  }
}

/** Loaded pages are a closed data set: the server adds nothing to them by itself. */
const isScraping = (options: MetricsCommandOptions): boolean =>
  options["config.file"] !== undefined || (options.selfScrape && options.load.length === 0);

/** Prints a line for each damaged file that was found when the storage was opened. */
function reportDamage({ log, damage }: Database): void {
  const repaired = log.repairs.flatMap((repair) =>
    repair.damage.map(({ at, fault }) => {
      const to = repair.to === undefined ? "" : `. ${keptIn(repair.to)}`;
      return `${repair.path} is damaged at ${at}: ${fault}; the segment was ${repair.done}${to}`;
    }),
  );
  for (const message of [...repaired, ...damage.map((one) => one.message)]) console.error(`touchstone serve metrics: ${message}`);
}

function duration(name: string, text: string): number {
  const ms = readDuration(text);
  if (typeof ms !== "number") throw new Error(`${name} "${text}" is not a duration: write 30s, 5m, 2h or 15d`);
  return ms;
}

/** The options by their names on the command line, for `/api/v1/status/flags`. */
function flagsOf(options: MetricsCommandOptions): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => name.includes("."))
      .map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), String(value)]),
  );
}
