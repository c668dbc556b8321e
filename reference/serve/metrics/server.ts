import { randomFillSync } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { version } from "../../../version.ts";
import type { Request, Response } from "../../http/index.ts";
import { realFiles, scanAhead } from "../../io/index.ts";
import { api, ApiError, type Administration, type ApiParts, type Metadata } from "../../metrics/api/index.ts";
import { ENGINE_DEFAULTS, type EngineOptions } from "../../metrics/promql/index.ts";
import { Damage, Database, DEFAULT_DATABASE_OPTIONS, type DatabaseOptions, FileFault } from "../../metrics/tsdb/index.ts";
import type { Exchange } from "../handler.ts";
import { checkOptions, namesOf, optionsIn, type Names } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import { serve } from "../server/serve.ts";
import type { ServeOptions, Server } from "../server/options.ts";
import { ForwardingServer } from "../server/forwarding-server.ts";
import { compressed } from "./gzip.ts";
import { paced } from "./pace.ts";
import { loadPage, type Loaded } from "./load.ts";
import { queryRunner, QUERY_LIMITS, type QueryLimits } from "./queries.ts";
import { worked } from "./work.ts";

/** Where the samples are kept, and what the server allows; only the directory has to be given. */
export type MetricsServeOptions = Pick<ServeOptions, "port" | "host" | "tls" | "graceMs" | "maxConnections" | "onError"> & {
  /** The data directory; it is made where there is none. */
  readonly directory: string;
  readonly storage?: Partial<Omit<DatabaseOptions, "random">>;
  /** Pages of OpenMetrics whose samples are stored before the server listens. */
  readonly pages?: readonly Uint8Array[];
  readonly engine?: Partial<EngineOptions>;
  readonly queries?: Partial<QueryLimits>;
  /** Whether `admin/tsdb/…` may be used; false by default. */
  readonly admin?: boolean;
  /** As the status pages tell them. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** What goes wrong while the storage is tidied, and what queries find damaged. */
  readonly onTrouble?: (error: unknown) => void;
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
  flags: true,
  now: true,
  onTrouble: true,
} satisfies Names<MetricsServeOptions>;

/** A server that listens; its storage is open until it is closed, and may be appended to by whoever holds it. */
export type MetricsServer = Server & {
  readonly database: Database;
  /** What came of each of the pages. */
  readonly loaded: readonly Loaded[];
};

/** How often the log is pushed to the disk, where it is done by the clock, and damage is told of, and how often the storage is tidied. */
const SYNC_MS = 10_000;
const TIDY_MS = 60_000;

/** A metrics server: its storage, its query language and its query interface. Throws where the data directory is in use, and for a page that is malformed. */
export async function serveMetrics(options: MetricsServeOptions): Promise<MetricsServer> {
  checkOptions("serveMetrics", options, KNOWN);
  const database = new Database(realFiles, options.directory, {
    scanLog: scanAhead,
    ...options.storage,
    random: (into) => randomFillSync(into),
  });
  try {
    return await serveOn(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

async function serveOn(database: Database, options: MetricsServeOptions): Promise<MetricsServer> {
  const { directory, engine = {}, now = Date.now, onTrouble = console.error, pages = [] } = options;
  const loaded = pages.map((page) => loadPage(page, database));
  const metadata = metadataOf(loaded);
  const started = now();
  const limits = { ...QUERY_LIMITS, ...options.queries };
  const parts: ApiParts = {
    run: queryRunner(database, engine, limits),
    work: (work, signal) => worked(work, performance.now() + limits.timeoutMs, signal),
    storage: database,
    now,
    stats: (limit) => database.stats(limit),
    blocks: () => database.blocks.all.map(({ meta }) => meta),
    metadata: () => metadata,
    admin: options.admin === true ? administration(database, directory, now) : undefined,
    status: {
      config: () => "",
      flags: () => options.flags ?? {},
      build: () => ({ version, revision: "", branch: "", buildUser: "", buildDate: "", goVersion: "", nodeVersion: process.version }),
      runtime: () => runtime(database, started, now()),
    },
  };
  const answer = api(parts);
  const server = await serve((request, exchange) => handle(request, exchange, answer), {
    ...optionsIn(options, SERVE_OPTIONS),
    // Selectors are written into addresses by hand, `match[]={job="a"}` and all: what RFC 3986 wants encoded is taken as it stands.
    http1: { lenient: { rawTarget: true } },
  });
  return new StorageServer(server, database, { now, onTrouble, loaded });
}

/** By metric, each different thing that a page says of it (Prometheus docs, querying/api.md, "Querying metric metadata"). */
function metadataOf(loaded: readonly Loaded[]): Map<string, Metadata[]> {
  const all = new Map<string, Metadata[]>();
  for (const [name, { type = "unknown", help = "", unit = "" }] of loaded.flatMap(({ metadata }) => [...metadata])) {
    const known = all.get(name) ?? [];
    all.set(name, known);
    if (!known.some((one) => one.type === type && one.help === help && one.unit === unit)) known.push({ type, help, unit });
  }
  return all;
}

type Own = { readonly now: () => number; readonly onTrouble: (error: unknown) => void; readonly loaded: readonly Loaded[] };

/** A server with its storage, which is tidied by the clock. */
class StorageServer extends ForwardingServer implements MetricsServer {
  readonly database: Database;
  readonly loaded: readonly Loaded[];
  readonly #timers: NodeJS.Timeout[];
  #closing: Promise<void> | undefined;

  constructor(server: Server, database: Database, { now, onTrouble, loaded }: Own) {
    super(server);
    this.loaded = loaded;
    this.database = database;
    const every = (ms: number, act: () => void): NodeJS.Timeout =>
      setInterval(() => {
        try {
          act();
        } catch (error) {
          onTrouble(error);
        }
      }, ms).unref();
    // What there was at the opening is in `database.damage` for who opens it; what queries come upon later is told here, by the name of its file.
    let told = database.damage.length;
    const tellDamage = (): void => {
      for (const damage of database.damage.slice(told)) {
        told += 1;
        onTrouble(damage);
      }
    };
    // One step at a time: what there is more of to tidy waits for the next turn of the clock, and queries come in between.
    this.#timers = [every(SYNC_MS, tellDamage), every(TIDY_MS, () => void database.compact(now()))];
    if (database.options.walSync === "interval") this.#timers.push(every(SYNC_MS, () => database.sync()));
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await super.close();
    this.database.close();
  }
}

type Answer = ReturnType<typeof api>;

async function handle(request: Request, exchange: Exchange, answer: Answer): Promise<Response> {
  const found = answer(request, exchange);
  if (found !== undefined) {
    const response = await found;
    const { body } = response;
    const isShort = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    return compressed(request, isShort ? response : { ...response, body: paced(body) });
  }
  const [path = ""] = request.path.split("?", 1);
  const text = TEXTS[path];
  if (text === undefined) return { status: 404, fields: PLAIN, body: "There is nothing here. The query interface is at /api/v1/.\n" };
  // What may be done is asked by OPTIONS (rfc9110#9.3.7).
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
    deleteSeries: (matchers, start, end) => told(() => database.delete(matchers, start, end)),
    cleanTombstones: () => told(() => database.cleanTombstones(now())),
    snapshot: (skipHead) => {
      const stamp = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
      const name = `${stamp}-${randomFillSync(Buffer.alloc(8)).toString("hex")}`;
      told(() => database.snapshot(join(directory, "snapshots", name), { withHead: !skipHead, now: now() }));
      return name;
    },
  };
}

/** That the disk does not do what it was asked for is for whoever asked to know: which file, and what is wrong with it. */
function told(act: () => void): void {
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
    // Of blocks, and of the log.
    corruptionCount: database.log.repairs.reduce((sum, { damage }) => sum + damage.length, database.damage.length),
    storageRetention: kept.filter((part) => part !== "").join(" or "),
  };
}
