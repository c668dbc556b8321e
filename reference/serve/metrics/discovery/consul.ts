import type { ScrapeConfig } from "../../../metrics/config/index.ts";
import { DISCOVERY_LIMITS, type Group, groupOfService, nextIndex, servicesOf } from "../../../metrics/discovery/index.ts";
import { Parts } from "./parts.ts";
import { Poll, type Refreshed } from "./poll.ts";
import { Reader } from "./reader.ts";
import type { Discoverer, Report } from "./report.ts";

type ConsulConfig = ScrapeConfig["consul_sd_configs"][number];

/** How long a query may block; the server adds up to a sixteenth by chance. */
const BLOCK_MS = 120_000;
const BLOCKED_ANSWER_MS = BLOCK_MS + BLOCK_MS / 16 + 15_000;
const ANSWER_MS = 15_000;
const CONNECT_MS = 10_000;
const CATALOG = "catalog";

/**
 * Targets from the catalog of Consul (Prometheus docs, configuration/configuration.md, `<consul_sd_config>`). Each query blocks until something has
 * changed: one for the list of services unless the configuration names them, and one for each service.
 */
export class ConsulDiscovery implements Discoverer {
  readonly #config: ConsulConfig;
  readonly #report: Report;
  readonly #parts: Parts;
  readonly #reader: Reader;
  readonly #base: string;
  readonly #catalog: Poll | undefined;
  readonly #services = new Map<string, Poll>();
  /** Polls that are ending. */
  readonly #ending = new Set<Promise<void>>();
  #datacenter: string;

  constructor(config: ConsulConfig, report: Report) {
    this.#config = config;
    this.#report = report;
    this.#parts = new Parts(report);
    this.#datacenter = config.datacenter ?? "";
    // Each query that blocks has a connection of its own.
    this.#reader = new Reader(accessOf(config), { connectMs: CONNECT_MS, connections: DISCOVERY_LIMITS.services });
    const { services, tags, filter, scheme, server, path_prefix: prefix = "" } = config;
    this.#base = `${server.includes("://") ? server : `${scheme}://${server}`}/${prefix.replaceAll(/^\/+|\/+$/g, "")}`.replace(/\/$/, "");
    if (services.length > 0 && tags.length === 0 && !filter) this.#watch(services);
    else
      this.#catalog = this.#poll(
        CATALOG,
        (index) => this.#query("catalog/services", { filter, tags: [] }, index),
        (answer) => this.#list(answer),
      );
  }

  async close(): Promise<void> {
    await this.#catalog?.close();
    this.#watch([]);
    await Promise.all(this.#ending);
    await this.#reader.close();
  }

  /** A part that asks again and again; each query waits until the index of the last answer is old. */
  // oxlint-disable-next-line max-params -- a name, a question and its answer
  #poll(name: string, path: (index: number) => string, read: (answer: unknown) => readonly Group[]): Poll {
    let index = 0;
    let known: readonly Group[] = [];
    const refresh = async (signal: AbortSignal): Promise<Refreshed> => {
      try {
        if (this.#datacenter === "") this.#datacenter = await this.#localDatacenter(signal);
        const { text, fields } = await this.#reader.read(path(index), {
          signal,
          timeoutMs: index > 0 ? BLOCKED_ANSWER_MS : ANSWER_MS,
        });
        const next = nextIndex(index, fields.get("x-consul-index"));
        // The same index: the time of the query was over before anything changed.
        if (next === 0 || next !== index) known = read(JSON.parse(text));
        index = next;
        return { groups: known };
      } catch (error) {
        // The server may begin again with a lower index, and would wait for one that is long to come.
        index = 0;
        if (!signal.aborted) this.#report.count("prometheus_sd_consul_rpc_failures_total");
        throw error;
      }
    };
    return new Poll({ refreshMs: this.#config.refresh_interval, report: this.#parts.part(name), refresh });
  }

  #list(answer: unknown): readonly Group[] {
    const names = servicesOf(answer, this.#config);
    if (names instanceof Error) throw names;
    this.#watch(names);
    return [];
  }

  /** Watches these services and no others. */
  #watch(names: readonly string[]): void {
    const wanted = new Set(names);
    for (const [name, poll] of this.#services) {
      if (wanted.has(name)) continue;
      this.#services.delete(name);
      this.#parts.remove(name);
      const ending = poll.close();
      this.#ending.add(ending);
      void ending.then(() => this.#ending.delete(ending));
    }
    const { tags, health_filter: filter } = this.#config;
    for (const name of wanted) {
      if (this.#services.has(name)) continue;
      const path = (index: number): string => this.#query(`health/service/${encodeURIComponent(name)}`, { filter, tags }, index);
      const read = (answer: unknown): readonly Group[] => {
        const group = groupOfService(answer, { name, datacenter: this.#datacenter }, this.#config);
        if (group instanceof Error) throw group;
        return [group];
      };
      this.#services.set(name, this.#poll(name, path, read));
    }
  }

  /** The URL of a query. */
  #query(path: string, { filter, tags }: { readonly filter: string | undefined; readonly tags: readonly string[] }, index: number): string {
    const { datacenter, namespace, partition, node_meta, allow_stale } = this.#config;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ dc: datacenter, ns: namespace, partition, filter })) if (value) query.append(name, value);
    for (const tag of tags) query.append("tag", tag);
    for (const [key, value] of Object.entries(node_meta)) query.append("node-meta", `${key}:${value}`);
    if (allow_stale) query.append("stale", "");
    if (index > 0) {
      query.append("index", String(index));
      query.append("wait", `${BLOCK_MS}ms`);
    }
    return `${this.#base}/v1/${path}?${query}`;
  }

  /** The datacenter of the agent that answers, which is the default of its queries. */
  async #localDatacenter(signal: AbortSignal): Promise<string> {
    const { text } = await this.#reader.read(`${this.#base}/v1/agent/self`, { signal, timeoutMs: ANSWER_MS });
    const { Config: config } = (JSON.parse(text) ?? {}) as { Config?: { Datacenter?: unknown } };
    if (typeof config?.Datacenter !== "string" || config.Datacenter === "") throw new Error("the agent names no datacenter");
    return config.Datacenter;
  }
}

/** The settings of HTTP, with the older fields for credentials and the token as header fields: no other origin gets them. */
function accessOf(config: ConsulConfig): ConsulConfig {
  const { username, password, token, basic_auth, http_headers } = config;
  return {
    ...config,
    basic_auth: username || password ? { username, username_file: undefined, password, password_file: undefined } : basic_auth,
    http_headers: token === undefined ? http_headers : { ...http_headers, "X-Consul-Token": { values: [], secrets: [token], files: [] } },
  };
}
