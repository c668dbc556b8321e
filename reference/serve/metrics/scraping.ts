import type { Request, Response } from "../../http/index.ts";
import type { Scraping as Status } from "../../metrics/api/index.ts";
import type { Database } from "../../metrics/tsdb/index.ts";
import type { Server } from "../server/options.ts";
import { compressed } from "./gzip.ts";
import { ConfigRefused, LiveConfig } from "./live-config.ts";
import { ownMetrics } from "./own-metrics.ts";
import { Scraper } from "./scraper.ts";
import { scrapingStatus } from "./scraping-status.ts";

/** Where the targets come from, and who may change that. */
export type ScrapeOptions = {
  /** The configuration file; without one the server scrapes itself. */
  readonly file?: string;
  /** Enables POST to `/-/reload` and `/-/quit`; false by default. */
  readonly lifecycle?: boolean;
  /** Called with what an operator should know: settings without effect, refused samples, missed scrapes. */
  readonly onNotice?: (message: string) => void;
  /** Called for `/-/quit`. */
  readonly onQuit?: () => void;
};

const PLAIN = [["content-type", "text/plain; charset=utf-8"]] as const;

/** The scraping part of a server: its configuration, its scraper, and their endpoints. */
export class Scraping {
  readonly config: LiveConfig;
  readonly #options: ScrapeOptions;
  readonly #now: () => number;
  readonly #notice: (message: string) => void;
  #scraper: Scraper | undefined;
  #page: ((request: Request) => Response) | undefined;
  /** One reload at a time. */
  #reloading: Promise<void> = Promise.resolve();

  /** Throws `ConfigRefused`. */
  constructor(options: ScrapeOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
    this.#notice = options.onNotice ?? console.error;
    this.config = new LiveConfig({ file: options.file, text: "", now, onNotice: this.#notice });
  }

  /** Begins to scrape. */
  async start(database: Database, server: Server, started: number): Promise<void> {
    const scraper = new Scraper({ storage: database, now: this.#now, onNotice: this.#notice });
    this.#scraper = scraper;
    this.#page = (request) => ownMetrics({ database, scraper, config: this.config, started }, request);
    if (this.#options.file === undefined) this.config.replace(itself(server));
    await scraper.apply(this.config.current);
  }

  get status(): Status {
    const none: Status = { active: () => [], dropped: () => [], droppedCounts: () => ({}) };
    const now = (): Status => (this.#scraper === undefined ? none : scrapingStatus(this.#scraper));
    return { active: () => now().active(), dropped: () => now().dropped(), droppedCounts: () => now().droppedCounts() };
  }
  get runtime(): Record<string, unknown> {
    return { reloadConfigSuccess: this.config.isLoaded, lastConfigTime: new Date(this.config.loadedAt).toISOString() };
  }

  reload(): Promise<void> {
    const next = this.#reloading.then(() => this.#scraper?.apply(this.config.reload()));
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
    await this.#scraper?.close();
  }
}

/** The configuration of a server that scrapes itself. */
function itself({ url }: Server): string {
  const { protocol, host } = new URL(url);
  return `scrape_configs:
  - job_name: touchstone
    scrape_interval: 15s
    scheme: ${protocol === "https:" ? "https" : "http"}
${protocol === "https:" ? "    tls_config: {insecure_skip_verify: true}\n" : ""}    static_configs:
      - targets: ["${host}"]
`;
}
