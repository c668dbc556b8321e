import { randomUUID } from "node:crypto";
import { describeProblem, type RouterConfig } from "../../../metrics/config/index.ts";
import { Router } from "../../../metrics/router/index.ts";
import { realFiles } from "../../../io/index.ts";
import type { Request, Response } from "../../../http/index.ts";
import { SERVE_OPTIONS } from "../../options/known.ts";
import { checkOptions, optionsIn, type Names } from "../../options/check.ts";
import type { ServeOptions, Server } from "../../server/options.ts";
import { ForwardingServer } from "../../server/forwarding-server.ts";
import { serve } from "../../server/serve.ts";
import { Sharing } from "../cors.ts";
import { compressed } from "../gzip.ts";
import { ConfigRefused } from "../live-config.ts";
import { below, prefixOf } from "../route-prefix.ts";
import { accessBy } from "../web-access.ts";
import { metricsPage } from "../own-metrics.ts";
import { routerApi } from "./api.ts";
import { type RouterFiles, readRouterFiles } from "./config-files.ts";
import { RouterDrive } from "./drive.ts";
import { Email } from "./email.ts";
import { routerRows } from "./metrics.ts";
import { StateFile } from "./state-file.ts";
import { Templates } from "./templates.ts";
import { type Channel, Webhook } from "./webhook.ts";

/** Options of an alert router; `file` and `directory` are required. */
export type RouterServeOptions = Pick<ServeOptions, "port" | "host" | "tls" | "graceMs" | "maxConnections" | "onError"> & {
  /** The configuration. */
  readonly file: string;
  /** Where its state is kept; created if missing. */
  readonly directory: string;
  /** Under which it is reached from outside; its own address by default. */
  readonly externalUrl?: string;
  /** Before all paths; that of `externalUrl` by default. */
  readonly routePrefix?: string;
  /** How long expired silences and what was sent are remembered: five days by default. */
  readonly retentionMs?: number;
  /** How often alerts that have ended are forgotten: half an hour by default. */
  readonly forgetMs?: number;
  /** The origins whose pages may use the API in a browser, a pattern of RE2 for the whole origin; none by default. */
  readonly corsOrigin?: string;
  /** Who may use the router: a web configuration (Prometheus docs, configuration/https.md). Its TLS is in place of `tls`. */
  readonly webConfigFile?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called with what an operator should know; printed by default. */
  readonly onNotice?: (message: string) => void;
};

const KNOWN = {
  port: true,
  host: true,
  tls: SERVE_OPTIONS.tls,
  graceMs: true,
  maxConnections: true,
  onError: true,
  file: true,
  directory: true,
  externalUrl: true,
  routePrefix: true,
  retentionMs: true,
  forgetMs: true,
  corsOrigin: true,
  webConfigFile: true,
  now: true,
  onNotice: true,
} satisfies Names<RouterServeOptions>;

const RETENTION_MS = 120 * 3_600_000;
const FORGET_MS = 1_800_000;

/** A listening alert router. */
export type RouterServer = Server & {
  /** Reads the configuration again. Rejects with `ConfigRefused`, and changes nothing, if it is invalid. */
  reload(): Promise<void>;
};

/** Starts an alert router. Rejects with `ConfigRefused`, or if its directory is in use. */
export async function serveRouter(options: RouterServeOptions): Promise<RouterServer> {
  checkOptions("serveRouter", options, KNOWN);
  const { now = Date.now, onNotice = console.error, directory, retentionMs = RETENTION_MS, forgetMs = FORGET_MS } = options;
  const files = accepted(options.file, onNotice);
  const state = new StateFile(realFiles, directory);
  if (state.damage !== undefined) onNotice(state.damage);
  try {
    const router = new Router(files.config.plan, { newId: randomUUID, retentionMs, forgetMs }, now());
    for (const record of state.records) router.restore(record);
    const live = new LiveRouter(options, { router, state, now, onNotice });
    const sharing = new Sharing(options.corsOrigin);
    const access = accessBy(options.webConfigFile, onNotice);
    const answer = async (request: Request): Promise<Response> => sharing.response(request, await live.answer(request));
    const server = await serve(access.handler(below(prefixOf(options), answer)), {
      ...optionsIn(options, SERVE_OPTIONS),
      ...access.serveOptions,
      http1: { lenient: { rawTarget: true } },
    });
    await live.start(server, files);
    return new ListeningRouter(server, live);
  } catch (error) {
    state.close();
    throw error;
  }
}

type Accepted = RouterFiles & { readonly config: RouterConfig };
function accepted(file: string, onNotice: (message: string) => void): Accepted {
  const read = readRouterFiles(file);
  if (read.config === undefined) throw new ConfigRefused(read.problems.map((one) => describeProblem(one)).join("\n"));
  for (const notice of read.notices) onNotice(describeProblem(notice));
  return { ...read, config: read.config };
}

type Parts = {
  readonly router: Router;
  readonly state: StateFile;
  readonly now: () => number;
  readonly onNotice: (message: string) => void;
};

/** A router with its sockets, its files and its configuration. */
class LiveRouter {
  readonly #options: RouterServeOptions;
  readonly #parts: Parts;
  readonly #drive: RouterDrive;
  readonly #started: number;
  #externalUrl = "";
  #configText = "";
  #isLoaded = true;
  #loadedAt: number;
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: RouterServeOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#drive = new RouterDrive(parts);
    this.#started = parts.now();
    this.#loadedAt = this.#started;
  }

  async start(server: Server, files: Accepted): Promise<void> {
    this.#externalUrl = (this.#options.externalUrl ?? server.url).replace(/\/+$/, "");
    await this.#drive.use(this.#channels(files));
    this.#drive.wake();
  }

  #channels({ config, templates: texts }: Accepted): ReadonlyMap<string, readonly Channel[]> {
    const externalUrl = this.#externalUrl;
    const templates = new Templates(texts, externalUrl);
    const channels = [...config.receivers].map(([name, all]): [string, Channel[]] => [
      name,
      all.map((one) =>
        one.is === "webhook" ? new Webhook(one, externalUrl) : new Email(one, { templates, externalUrl, now: this.#parts.now }),
      ),
    ]);
    this.#configText = config.text;
    return new Map(channels);
  }

  reload(): Promise<void> {
    const next = this.#reloading.then(() => this.#reload());
    this.#reloading = next.catch(() => {});
    return next;
  }

  async #reload(): Promise<void> {
    try {
      const files = accepted(this.#options.file, this.#parts.onNotice);
      await this.#drive.use(this.#channels(files), files.config.plan);
      this.#isLoaded = true;
      this.#loadedAt = this.#parts.now();
    } catch (error) {
      this.#isLoaded = false;
      throw error;
    }
  }

  async answer(request: Request): Promise<Response> {
    const [path = ""] = request.path.split("?", 1);
    const { router, now } = this.#parts;
    const parts = { router, drive: this.#drive, now, started: this.#started, configText: () => this.#configText };
    const answered = await routerApi(request, parts, path);
    if (answered !== undefined) return compressed(request, answered);
    if (path === "/-/reload") return this.#answerReload(request);
    const page = PAGES[path];
    if (path !== "/metrics" && page === undefined) return text(404, "Not found. The API is at /api/v2/.\n");
    if (request.method !== "GET" && request.method !== "HEAD") return { status: 405, fields: [["allow", "GET, HEAD"]] };
    if (page !== undefined) return text(200, page);
    const config = { isLoaded: this.#isLoaded, loadedAt: this.#loadedAt };
    return compressed(request, metricsPage(routerRows(router, { now: now(), started: this.#started, config }), request));
  }

  async #answerReload({ method }: Request): Promise<Response> {
    if (method !== "POST") return { status: 405, fields: [["allow", "POST"]] };
    try {
      await this.reload();
      return { status: 200 };
    } catch (error) {
      if (!(error instanceof ConfigRefused)) throw error;
      return text(500, `failed to reload config: ${error.message}\n`);
    }
  }

  async close(): Promise<void> {
    await this.#reloading;
    await this.#drive.close();
    this.#parts.state.close();
  }
}

const text = (status: number, body: string): Response => ({ status, fields: [["content-type", "text/plain; charset=utf-8"]], body });
/** Alertmanager docs, management_api.md */
const PAGES: Readonly<Record<string, string>> = {
  "/-/healthy": "Touchstone's alert router is healthy.\n",
  "/-/ready": "Touchstone's alert router is ready.\n",
  "/": "Touchstone's alert router. The API is at /api/v2/, its own metrics at /metrics; amtool works against it.\n",
};

class ListeningRouter extends ForwardingServer implements RouterServer {
  readonly #live: LiveRouter;
  #closing: Promise<void> | undefined;

  constructor(server: Server, live: LiveRouter) {
    super(server);
    this.#live = live;
  }

  reload(): Promise<void> {
    return this.#live.reload();
  }

  override close(): Promise<void> {
    this.#closing ??= super.close().then(() => this.#live.close());
    return this.#closing;
  }
}
