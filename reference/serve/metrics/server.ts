import { randomFillSync } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { version } from "../../../version.ts";
import type { Request, Response } from "../../http/index.ts";
import { realFiles, scanAhead } from "../../io/index.ts";
import { api, ApiError, federate, type Administration, type ApiParts } from "../../metrics/api/index.ts";
import type { Config } from "../../metrics/config/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import { ENGINE_DEFAULTS, type EngineOptions } from "../../metrics/promql/index.ts";
import { TEMPLATE_FUNCTIONS } from "../../metrics/rules/index.ts";
import {
  Damage,
  Database,
  DEFAULT_DATABASE_OPTIONS,
  DEFAULT_RETENTION,
  type DatabaseOptions,
  FileFault,
  type Retention,
} from "../../metrics/tsdb/index.ts";
import type { Exchange } from "../handler.ts";
import { checkOptions, namesOf, optionsIn, type Names } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import { serve } from "../server/serve.ts";
import type { ServeOptions, Server } from "../server/options.ts";
import { ForwardingServer } from "../server/forwarding-server.ts";
import { Sharing } from "./cors.ts";
import { compressed } from "./gzip.ts";
import { paced } from "./pace.ts";
import { loadPage, type Loaded } from "./load.ts";
import { metadataOf, withScraped } from "./metric-metadata.ts";
import { OtlpReceiver } from "./otlp-receiver.ts";
import { RemoteReader } from "./remote-reader.ts";
import { RemoteSources } from "./remote-sources.ts";
import { RemoteReceiver } from "./remote-receiver.ts";
import { queryRunner, QUERY_LIMITS, type QueryLimits } from "./queries.ts";
import { Scraping, type ScrapeOptions } from "./scraping.ts";
import { below, prefixOf } from "./route-prefix.ts";
import { accessBy } from "./web-access.ts";
import { WebPages } from "./pages.ts";
import { runInSlices } from "./work.ts";

export type AgentOptions = {
  /** How long samples stay in memory and in the log, in milliseconds; those that no receiver has accepted yet stay longer. */
  readonly keptMs: number;
};

/** Options of a metrics server; only `directory` is required. */
export type MetricsServeOptions = Pick<ServeOptions, "port" | "host" | "tls" | "graceMs" | "maxConnections" | "onError"> & {
  /** The data directory; created if missing. */
  readonly directory: string;
  readonly storage?: Partial<Omit<DatabaseOptions, "random">>;
  /** OpenMetrics pages whose samples are stored before the server listens. */
  readonly pages?: readonly Uint8Array[];
  readonly engine?: Partial<EngineOptions>;
  readonly queries?: Partial<QueryLimits>;
  /** Enables `/api/v1/admin/tsdb/…`; false by default. */
  readonly admin?: boolean;
  /** The origins whose pages may read the API in a browser, a pattern of RE2 for the whole origin; none by default. */
  readonly corsOrigin?: string;
  /** Who may use the server: a web configuration (Prometheus docs, configuration/https.md). Its TLS is in place of `tls`. */
  readonly webConfigFile?: string;
  /** Before all paths; that of `scrape.externalUrl` by default. */
  readonly routePrefix?: string;
  /** Reported by `/api/v1/status/flags`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Only scrapes and sends by remote write: no queries, no rules, no blocks. */
  readonly agent?: AgentOptions;
  /** Receives samples by remote write at `/api/v1/write`; false by default. */
  readonly remoteWriteReceiver?: boolean;
  /** Receives OpenTelemetry metrics at `/api/v1/otlp/v1/metrics`; false by default. */
  readonly otlpReceiver?: boolean;
  /** Scrapes the targets of a configuration; nothing is scraped by default. */
  readonly scrape?: ScrapeOptions;
  /** Called with errors of the background work on the storage, and with damage that queries find. By default both are printed. */
  readonly onStorageError?: (error: unknown) => void;
};

const KNOWN = {
  port: true,
  host: true,
  tls: SERVE_OPTIONS.tls,
  graceMs: true,
  maxConnections: true,
  onError: true,
  directory: true,
  storage: namesOf(DEFAULT_DATABASE_OPTIONS),
  pages: true,
  engine: namesOf(ENGINE_DEFAULTS),
  queries: namesOf(QUERY_LIMITS),
  admin: true,
  corsOrigin: true,
  webConfigFile: true,
  routePrefix: true,
  flags: true,
  now: true,
  agent: { keptMs: true },
  remoteWriteReceiver: true,
  otlpReceiver: true,
  scrape: { file: true, externalUrl: true, lifecycle: true, onNotice: true, onQuit: true, flushMs: true, resendMs: true },
  onStorageError: true,
} satisfies Names<MetricsServeOptions>;

/** A listening server. The caller may append to the storage until the server is closed. */
export type MetricsServer = Server & {
  readonly database: Database;
  /** The result of each page in `pages`. */
  readonly loaded: readonly Loaded[];
  /** Reads the configuration again. Rejects with `ConfigRefused`, and changes nothing, if it is invalid. */
  reload(): Promise<void>;
};

/** The version of Prometheus whose query API this is: clients decide by `version` in `buildinfo` what they may ask for. */
const API_VERSION = "3.16.0";

/** The interval for reporting damage and, with `walSync: "interval"`, for syncing the log. */
const SYNC_MS = 10_000;
/** The interval for compaction and retention. */
const COMPACT_MS = 60_000;
/** The interval in which an agent forgets samples. Each time begins a segment of the log. */
const FORGET_MS = 15 * 60_000;

/** Starts a metrics server: storage, query engine and query API. Throws if the data directory is in use or a page is malformed. */
export async function serveMetrics(options: MetricsServeOptions): Promise<MetricsServer> {
  checkOptions("serveMetrics", options, KNOWN);
  const scraping =
    options.scrape === undefined
      ? undefined
      : new Scraping({ ...options.scrape, isAgent: options.agent !== undefined }, options.now ?? Date.now);
  const window = scraping?.config.current.storage?.tsdb?.out_of_order_time_window;
  const kept = retentionOf(scraping?.config.current, options.storage?.retention ?? DEFAULT_RETENTION);
  const database = new Database(realFiles, options.directory, {
    scanLog: scanAhead,
    ...options.storage,
    ...(window !== undefined && { outOfOrderWindow: window }),
    ...(kept !== undefined && { retention: kept }),
    ...(scraping?.config.current.storage?.exemplars !== undefined && {
      exemplars: scraping.config.current.storage.exemplars.max_exemplars,
    }),
    random: (into) => randomFillSync(into),
  });
  try {
    return await serveOn(database, options, scraping);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What the configuration says of retention comes before the flags (Prometheus docs, configuration/configuration.md, `<tsdb>`). */
function retentionOf(config: Config | undefined, flags: Retention): Retention | undefined {
  const given = config?.storage?.tsdb?.retention;
  return given === undefined ? undefined : { ms: given.time ?? flags.ms, octets: given.size ?? flags.octets };
}

async function serveOn(database: Database, options: MetricsServeOptions, scraping: Scraping | undefined): Promise<MetricsServer> {
  const { directory, engine = {}, now = Date.now, onStorageError = console.error, pages = [] } = options;
  const loaded = pages.map((page) => loadPage(page, database));
  const metadata = metadataOf(loaded.map((one) => one.metadata));
  const started = now();
  const limits = { ...QUERY_LIMITS, ...options.queries };
  const sources = new RemoteSources(database, engine.lookbackMs ?? ENGINE_DEFAULTS.lookbackMs);
  const run = queryRunner(database, engine, limits, sources);
  const parts: ApiParts = {
    run: scraping === undefined ? run : scraping.queryLog.logging(run),
    work: (work, signal) => runInSlices(work, performance.now() + limits.timeoutMs, signal),
    storage: database,
    others: {
      series: (task) =>
        sources
          .series(task, performance.now() + limits.timeoutMs)
          ?.then(({ storage, warnings }) => ({ storage, warnings: warnings.map(({ message }) => message) })),
      withoutLabels: (times) => sources.withoutLabels(times),
    },
    isAgent: options.agent !== undefined,
    now,
    stats: (limit) => database.stats(limit),
    blocks: () => database.blocks.all.map(({ meta }) => meta),
    metadata: () => (scraping === undefined ? metadata : withScraped(metadata, scraping)),
    admin: options.admin === true ? administration(database, directory, now) : undefined,
    scraping: scraping?.status,
    exemplars: database.exemplars,
    rules: scraping?.rules,
    notifications: () => scraping?.notifications ?? [],
    features: {
      api: {
        remote_write_receiver: options.remoteWriteReceiver === true,
        otlp_write_receiver: options.otlpReceiver === true,
        lifecycle: options.scrape?.lifecycle === true,
      },
      rules: { concurrent_rule_eval: true, keep_firing_for: true },
      templating_functions: Object.fromEntries(TEMPLATE_FUNCTIONS.map((name) => [name, true])),
      tsdb: { native_histograms: true, isolation: true },
    },
    status: {
      config: () => scraping?.config.text ?? "",
      flags: () => options.flags ?? {},
      build: () => ({
        version: API_VERSION,
        touchstoneVersion: version,
        revision: "",
        branch: "",
        buildUser: "",
        buildDate: "",
        goVersion: "",
        nodeVersion: process.version,
      }),
      runtime: () => ({ ...runtime(database, started, now()), ...scraping?.runtime }),
    },
  };
  const receiver = new RemoteReceiver(database, { now, isEnabled: options.remoteWriteReceiver === true });
  const lookbackMs = engine.lookbackMs ?? ENGINE_DEFAULTS.lookbackMs;
  const otlp = new OtlpReceiver(database, {
    now,
    isEnabled: options.otlpReceiver === true,
    lookbackMs,
    config: () => scraping?.config.current.otlp,
  });
  const externalLabels = (): Labels => Labels.of(scraping?.config.current.global.external_labels ?? {});
  const reader = new RemoteReader(database, { timeoutMs: limits.timeoutMs, external: externalLabels });
  const federation = federate({
    ...parts,
    lookbackMs,
    externalLabels,
  });
  const queries = api(parts);
  const isAgent = options.agent !== undefined;
  const answer: typeof queries = (request, exchange) => (isAgent ? undefined : federation(request, exchange)) ?? queries(request, exchange);
  const web = new WebPages();
  const sharing = new Sharing(options.corsOrigin);
  const prefix = prefixOf({ routePrefix: options.routePrefix, externalUrl: options.scrape?.externalUrl });
  const access = accessBy(options.webConfigFile, options.scrape?.onNotice ?? console.error);
  const server = await serve(
    access.handler(
      below(prefix, async (request, exchange) =>
        sharing.response(
          request,
          (await scraping?.answer(request)) ??
            (await receiver.answer(request)) ??
            (await otlp.answer(request)) ??
            (isAgent ? undefined : await reader.answer(request, exchange.signal)) ??
            web.answer(request) ??
            (await handle(request, exchange, answer)),
        ),
      ),
    ),
    {
      ...optionsIn(options, SERVE_OPTIONS),
      ...access.serveOptions,
      // People type selectors such as `match[]={job="a"}` into URLs: accept characters that RFC 3986 requires to be percent-encoded.
      http1: { lenient: { rawTarget: true } },
    },
  );
  await scraping?.start({ database, server, prefix, receiver, sources, engine, timeoutMs: limits.timeoutMs, started });
  return new StorageServer(server, database, { now, onStorageError, loaded, scraping, agent: options.agent });
}

type StorageServerOptions = Required<Pick<MetricsServeOptions, "now" | "onStorageError">> &
  Pick<MetricsServer, "loaded"> & { readonly scraping: Scraping | undefined; readonly agent: AgentOptions | undefined };

/** A server with its storage and the timers that maintain it. */
class StorageServer extends ForwardingServer implements MetricsServer {
  readonly database: Database;
  readonly loaded: readonly Loaded[];
  readonly #timers: NodeJS.Timeout[];
  readonly #scraping: Scraping | undefined;
  #closing: Promise<void> | undefined;

  constructor(server: Server, database: Database, { now, onStorageError, loaded, scraping, agent }: StorageServerOptions) {
    super(server);
    this.#scraping = scraping;
    this.loaded = loaded;
    this.database = database;
    const every = (ms: number, act: () => void): NodeJS.Timeout =>
      setInterval(() => {
        try {
          act();
        } catch (error) {
          onStorageError(error);
        }
      }, ms).unref();
    // The caller can read damage found on opening from `database.damage`; this reports what queries find later.
    let reported = database.damage.length;
    const reportDamage = (): void => {
      for (const damage of database.damage.slice(reported)) {
        reported += 1;
        onStorageError(damage);
      }
    };
    // One compaction step per tick, so that queries can run between steps.
    const maintenance =
      agent === undefined
        ? every(COMPACT_MS, () => void database.compact(now()))
        : every(FORGET_MS, () => database.forget(now() - agent.keptMs));
    this.#timers = [every(SYNC_MS, reportDamage), maintenance];
    if (database.options.walSync === "interval") this.#timers.push(every(SYNC_MS, () => database.sync()));
  }

  async reload(): Promise<void> {
    await this.#scraping?.reload();
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#scraping?.close();
    await super.close();
    this.database.close();
  }
}

async function handle(request: Request, exchange: Exchange, answer: ReturnType<typeof api>): Promise<Response> {
  const answered = answer(request, exchange);
  if (answered !== undefined) {
    const response = await answered;
    const { body } = response;
    const isWhole = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    return compressed(request, isWhole ? response : { ...response, body: paced(body) });
  }
  const [path = ""] = request.path.split("?", 1);
  const text = TEXTS[path];
  if (text === undefined) return { status: 404, fields: PLAIN, body: "Not found. The query API is at /api/v1/.\n" };
  // OPTIONS lists the allowed methods (rfc9110#9.3.7).
  if (request.method === "OPTIONS") return { status: 204, fields: [["allow", "GET, HEAD, OPTIONS"]] };
  if (request.method !== "GET" && request.method !== "HEAD") return { status: 405, fields: [["allow", "GET, HEAD"]] };
  return { status: 200, fields: PLAIN, body: text };
}

const PLAIN = [["content-type", "text/plain; charset=utf-8"]] as const;
/** Prometheus docs, management_api.md */
const TEXTS: Readonly<Record<string, string>> = {
  "/-/healthy": "Touchstone's metrics server is healthy.\n",
  "/-/ready": "Touchstone's metrics server is ready.\n",
};

function administration(database: Database, directory: string, now: () => number): Administration {
  return {
    deleteSeries: (matchers, start, end) => respondWithFileErrors(() => database.delete(matchers, start, end)),
    cleanTombstones: () => respondWithFileErrors(() => database.cleanTombstones(now())),
    snapshot: (skipHead) => {
      const stamp = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
      const name = `${stamp}-${randomFillSync(Buffer.alloc(8)).toString("hex")}`;
      respondWithFileErrors(() => database.snapshot(join(directory, "snapshots", name), { withHead: !skipHead, now: now() }));
      return name;
    },
  };
}

/** Lets the response name the file that is damaged or fails, and the reason, instead of a bare 500. */
function respondWithFileErrors(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error instanceof Damage || error instanceof FileFault) throw new ApiError("internal", error.message);
    throw error;
  }
}

function runtime(database: Database, started: number, at: number): Record<string, unknown> {
  const retention = database.options.retention;
  const kept = [retention.ms > 0 ? `${retention.ms / 86_400_000}d` : "", retention.octets > 0 ? `${retention.octets}B` : ""];
  return {
    startTime: new Date(started).toISOString(),
    CWD: process.cwd(),
    hostname: hostname(),
    serverTime: new Date(at).toISOString(),
    reloadConfigSuccess: true,
    lastConfigTime: new Date(started).toISOString(),
    timeSeriesCount: database.head.table.count,
    // Damage in blocks and in the log.
    corruptionCount: database.log.repairs.reduce((sum, { damage }) => sum + damage.length, database.damage.length),
    storageRetention: kept.filter((part) => part !== "").join(" or "),
  };
}
