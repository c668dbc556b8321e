import type { Request, Response } from "../../http/index.ts";
import type { NotificationStatus, RuleSource, Scraping as Status } from "../../metrics/api/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import type { QueryOptions } from "../../metrics/promql/index.ts";
import type { Database } from "../../metrics/tsdb/index.ts";
import type { Server } from "../server/options.ts";
import { compressed } from "./gzip.ts";
import { ConfigRefused, LiveConfig } from "./live-config.ts";
import { ownMetrics } from "./own-metrics.ts";
import { QueryLog } from "./query-log.ts";
import type { RemoteReceiver } from "./remote-receiver.ts";
import type { RemoteSources } from "./remote-sources.ts";
import { RemoteWriters } from "./remote-writers.ts";
import { RuleRunner } from "./rule-runner.ts";
import { Notifier } from "./notifier.ts";
import { rulesStatus } from "./rules-status.ts";
import { Scraper } from "./scraper.ts";
import { scrapingStatus } from "./scraping-status.ts";

/** Where the targets come from, and who may change that. */
export type ScrapeOptions = {
  /** The configuration file; without one the server scrapes itself. */
  readonly file?: string;
  /** Under which the server is reached from outside; its own address by default. */
  readonly externalUrl?: string;
  /** The configuration is that of an agent; false by default. */
  readonly isAgent?: boolean;
  /** Enables POST to `/-/reload` and `/-/quit`; false by default. */
  readonly lifecycle?: boolean;
  /** Called with what an operator should know: settings without effect, refused samples, missed scrapes. */
  readonly onNotice?: (message: string) => void;
  /** Called for `/-/quit`. */
  readonly onQuit?: () => void;
  /** How long the server goes on sending to other storages when it ends, in milliseconds; 60,000 by default. */
  readonly flushMs?: number;
  /** How often an alert that goes on is sent again, in milliseconds; 60,000 by default. */
  readonly resendMs?: number;
};

const FLUSH_MS = 60_000;
const MOST_EXEMPLARS = 100_000;
const PLAIN = [["content-type", "text/plain; charset=utf-8"]] as const;

/** The parts of a server that the configuration needs. */
export type Surroundings = {
  readonly database: Database;
  readonly server: Server;
  /** Before all paths. */
  readonly prefix: string;
  readonly receiver: RemoteReceiver;
  readonly sources: RemoteSources;
  readonly engine: QueryOptions;
  /** The longest time of a query, and of a rule. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly started: number;
};

/** The part of a server that its configuration drives: scraping, rules, and their endpoints. */
export class Scraping {
  readonly config: LiveConfig;
  readonly queryLog: QueryLog;
  readonly #options: ScrapeOptions;
  readonly #now: () => number;
  readonly #notice: (message: string) => void;
  #database: Database | undefined;
  #sources: RemoteSources | undefined;
  #scraper: Scraper | undefined;
  #rules: RuleRunner | undefined;
  readonly #notifier: Notifier;
  #writers: RemoteWriters | undefined;
  #page: ((request: Request) => Response) | undefined;
  /** One reload at a time. */
  #reloading: Promise<void> = Promise.resolve();

  /** Throws `ConfigRefused`. */
  constructor(options: ScrapeOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
    this.#notice = options.onNotice ?? console.error;
    this.#notifier = new Notifier(this.#notice);
    this.queryLog = new QueryLog(now, this.#notice);
    this.config = new LiveConfig({ file: options.file, text: "", isAgent: options.isAgent === true, now, onNotice: this.#notice });
  }

  /** Begins to scrape. */
  async start({ database, server, prefix, receiver, sources, engine, timeoutMs, started }: Surroundings): Promise<void> {
    const scraper = new Scraper({ storage: database, now: this.#now, onNotice: this.#notice });
    this.#scraper = scraper;
    this.#database = database;
    this.#sources = sources;
    const writers = new RemoteWriters({ database, scraper, flushMs: this.#options.flushMs ?? FLUSH_MS, onNotice: this.#notice });
    this.#writers = writers;
    const rules = new RuleRunner({
      storage: database,
      engine,
      now: this.#now,
      timeoutMs,
      externalUrl: this.#options.externalUrl ?? server.url,
      externalLabels: () => Labels.of(this.config.current.global.external_labels),
      ...(this.#options.resendMs !== undefined && { resendMs: this.#options.resendMs }),
      onNotice: this.#notice,
      queryLog: this.queryLog,
      others: sources,
      onNotifications: (notifications) => this.#notifier.send(notifications),
    });
    this.#rules = rules;
    this.#page = (request) =>
      ownMetrics(
        { database, scraper, rules, notifier: this.#notifier, writers, receiver, config: this.config, queryLog: this.queryLog, started },
        request,
      );
    if (this.#options.file === undefined) this.config.replace(itself(server, prefix));
    await this.#apply();
  }

  async #apply(): Promise<void> {
    if (this.#database !== undefined)
      this.#database.exemplars.capacity = this.config.current.storage?.exemplars?.max_exemplars ?? MOST_EXEMPLARS;
    this.queryLog.reopen(this.config.current.global.query_log_file);
    // A queue that is new begins before the first scrape.
    await this.#writers?.apply(this.config.current);
    await this.#sources?.apply(this.config.current);
    await this.#scraper?.apply(this.config.current);
    await this.#notifier.apply(this.config.current);
    await this.#rules?.apply(this.config.rules);
  }

  get status(): Status {
    const now = (): Status | undefined => (this.#scraper === undefined ? undefined : scrapingStatus(this.#scraper));
    return {
      active: () => now()?.active() ?? [],
      dropped: () => now()?.dropped() ?? [],
      droppedCounts: () => now()?.droppedCounts() ?? {},
      relabelSteps: (pool, labels) => now()?.relabelSteps(pool, labels),
      poolConfig: (pool) => now()?.poolConfig(pool),
    };
  }
  get rules(): RuleSource {
    return {
      routers: () => ({ active: this.#notifier.active, dropped: this.#notifier.dropped }),
      groups: () => (this.#rules === undefined ? [] : rulesStatus(this.#rules).groups()),
    };
  }
  /** A configuration that was refused stays a notification until another one is loaded, and a fault of discovery until it is over. */
  get notifications(): readonly NotificationStatus[] {
    const shown = (text: string, at: number): NotificationStatus => ({ text, date: new Date(at).toISOString(), active: true });
    const { refusedAt } = this.config;
    const refused = "Configuration reload has failed. The server still runs with the one before; its log says what is wrong.";
    const providers = [this.#scraper, this.#notifier].flatMap((one) => one?.discoveries.providers ?? []);
    return [
      ...(refusedAt === undefined ? [] : [shown(refused, refusedAt)]),
      ...providers.flatMap(({ place, fault, faultSince }) =>
        fault === undefined ? [] : [shown(`Discovery fails: ${place}: ${fault}`, faultSince)],
      ),
    ];
  }
  get runtime(): Record<string, unknown> {
    return { reloadConfigSuccess: this.config.isLoaded, lastConfigTime: new Date(this.config.loadedAt).toISOString() };
  }

  reload(): Promise<void> {
    const next = this.#reloading.then(() => {
      this.config.reload();
      return this.#apply();
    });
    this.#reloading = next.catch(() => {});
    return next;
  }

  /** The answer to a request for `/metrics`, `/-/reload` or `/-/quit`; undefined for any other. */
  async answer(request: Request): Promise<Response | undefined> {
    const [path = ""] = request.path.split("?", 1);
    if (path === "/metrics" && this.#page !== undefined) {
      if (request.method !== "GET" && request.method !== "HEAD") return { status: 405, fields: [["allow", "GET, HEAD"]] };
      return compressed(request, this.#page(request));
    }
    if (path !== "/-/reload" && path !== "/-/quit") return undefined;
    if (request.method !== "POST" && request.method !== "PUT") return { status: 405, fields: [["allow", "POST, PUT"]] };
    if (this.#options.lifecycle !== true) return { status: 403, fields: PLAIN, body: "This needs --web.enable-lifecycle.\n" };
    if (path === "/-/quit") {
      this.#options.onQuit?.();
      return { status: 200, fields: PLAIN, body: "The server ends.\n" };
    }
    try {
      await this.reload();
      return { status: 200 };
    } catch (error) {
      if (!(error instanceof ConfigRefused)) throw error;
      return { status: 500, fields: PLAIN, body: `failed to reload config: ${error.message}\n` };
    }
  }

  async close(): Promise<void> {
    await this.#reloading;
    await this.#rules?.close();
    await this.#notifier.close();
    await this.#scraper?.close();
    await this.#writers?.close();
    await this.#sources?.close();
    this.queryLog.close();
  }
}

/** The configuration of a server that scrapes itself. */
function itself({ url }: Server, prefix: string): string {
  const { protocol, host } = new URL(url);
  return `scrape_configs:
  - job_name: touchstone
    scrape_interval: 15s
    metrics_path: ${prefix}/metrics
    scheme: ${protocol === "https:" ? "https" : "http"}
${protocol === "https:" ? "    tls_config: {insecure_skip_verify: true}\n" : ""}    static_configs:
      - targets: ["${host}"]
`;
}
