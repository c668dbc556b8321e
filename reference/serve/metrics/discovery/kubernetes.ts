import type { ScrapeConfig } from "../../../metrics/config/index.ts";
import {
  Backoff,
  type Change,
  type Cluster,
  type Group,
  keyOf,
  type KubeObject,
  ObjectWatch,
  pathOf,
  type Pod,
  type ResourceName,
  RESOURCES,
  resourcesOf,
  ROLES,
  SELECTED_BY,
  type Service,
} from "../../../metrics/discovery/index.ts";
import { described } from "../http-access.ts";
import { Calm } from "./calm.ts";
import { accessOf, ownNamespace, POD_SYSTEM, type PodSystem } from "./kubernetes-access.ts";
import { ListWatch } from "./list-watch.ts";
import { Parts } from "./parts.ts";
import { Reader } from "./reader.ts";
import type { Discoverer, Report } from "./report.ts";

type KubernetesConfig = ScrapeConfig["kubernetes_sd_configs"][number];

const CONNECT_MS = 10_000;
/** In HTTP/1.1 each watch has a connection of its own. */
const CONNECTIONS = 1_000;
const MOST_BACKOFF_MS = 30_000;
const NOT_ATTACHED: Cluster["attached"] = { node: false, namespace: false, deployment: false, job: false, cronjob: false };

/** Targets from the API of Kubernetes (Prometheus docs, configuration/configuration.md, `<kubernetes_sd_config>`). */
export class KubernetesDiscovery implements Discoverer {
  readonly #config: KubernetesConfig;
  readonly #report: Report;
  readonly #parts: Parts;
  readonly #system: PodSystem;
  readonly #stores = new Map<ResourceName, ObjectWatch<KubeObject>[]>();
  readonly #watches: ListWatch[] = [];
  /** The groups of objects that have not changed, nor those that become their labels. */
  readonly #groups = new Map<string, Group>();
  readonly #cluster: Cluster;
  readonly #calm = new Calm(() => this.#publish());
  readonly #backoff = new Backoff(MOST_BACKOFF_MS, Math.random);
  #reader: Reader | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: KubernetesConfig, report: Report, system = POD_SYSTEM) {
    this.#config = config;
    this.#report = report;
    this.#parts = new Parts(report);
    this.#system = system;
    const attached = { ...NOT_ATTACHED, ...config.attach_metadata };
    const find = <T extends KubeObject>(name: ResourceName, key: string): T | undefined => {
      for (const { objects } of this.#stores.get(name) ?? []) if (objects.has(key)) return objects.get(key) as T;
      return undefined;
    };
    this.#cluster = {
      attached,
      pod: (namespace, name) => find<Pod>("pods", `${namespace}/${name}`),
      service: (namespace, name) => find<Service>("services", `${namespace}/${name}`),
      node: (name) => find("nodes", name),
      namespace: (name) => find("namespaces", name),
      replicaSet: (namespace, name) => find("replicasets", `${namespace}/${name}`),
      job: (namespace, name) => find("jobs", `${namespace}/${name}`),
    };
    this.#start();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#calm.close();
    await Promise.all(this.#watches.map((watch) => watch.close()));
    await this.#reader?.close();
  }

  /** Begins to watch; later, while the files with our credentials cannot be used. */
  #start(): void {
    const part = this.#parts.part("access");
    try {
      const { names = [], own_namespace: isOwn = false } = this.#config.namespaces ?? {};
      const own = isOwn ? [ownNamespace(this.#system)] : [];
      const { base, http } = accessOf(this.#config, this.#system);
      this.#reader = new Reader(http, { connectMs: CONNECT_MS, connections: CONNECTIONS });
      part.recovered();
      this.#watchAll(base, [...new Set([...names, ...own])]);
    } catch (error) {
      part.count("prometheus_sd_kubernetes_failures_total");
      part.failed(described(error));
      this.#timer = setTimeout(() => this.#start(), this.#backoff.next()).unref();
    }
  }

  #watchAll(base: string, namespaces: readonly string[]): void {
    const { role, selectors } = this.#config;
    for (const name of resourcesOf(role, this.#cluster.attached)) {
      const selector = selectors.find((one) => one.role === SELECTED_BY[name]);
      const isGlobal = "isGlobal" in RESOURCES[name];
      const stores: ObjectWatch<KubeObject>[] = [];
      this.#stores.set(name, stores);
      for (const namespace of isGlobal || namespaces.length === 0 ? [""] : namespaces) {
        const part = this.#parts.part(namespace === "" ? name : `${name} of ${namespace}`);
        const objects = new ObjectWatch<KubeObject>(RESOURCES[name].read);
        stores.push(objects);
        this.#watches.push(
          new ListWatch({
            url: `${base}${pathOf(name, namespace)}`,
            selectors: {
              ...(selector?.label && { labelSelector: selector.label }),
              ...(selector?.field && { fieldSelector: selector.field }),
            },
            reader: this.#reader!,
            objects,
            onChanges: (changes) => this.#changed(name, changes),
            onGood: part.recovered,
            onFault: (message) => {
              part.count("prometheus_sd_kubernetes_failures_total");
              part.failed(message);
            },
          }),
        );
      }
    }
  }

  #changed(name: ResourceName, changes: readonly Change<KubeObject>[]): void {
    const { of } = ROLES[this.#config.role];
    const role = SELECTED_BY[name] ?? name.replace(/s$/, "");
    for (const { event } of changes) this.#report.count("prometheus_sd_kubernetes_events_total", { role, event });
    if (name === of) for (const { object } of changes) this.#groups.delete(keyOf(object));
    else if ("isGlobal" in RESOURCES[name]) this.#groups.clear();
    else {
      const namespaces = new Set(changes.map(({ object }) => object.meta.namespace));
      for (const key of this.#groups.keys()) if (namespaces.has(key.slice(0, key.indexOf("/")))) this.#groups.delete(key);
    }
    this.#calm.call();
  }

  /** Reports all groups, once everything that they are made of has been listed. */
  #publish(): void {
    if (!this.#watches.every(({ isSynced }) => isSynced)) return;
    const { of, group } = ROLES[this.#config.role];
    const all: Group[] = [];
    for (const { objects } of this.#stores.get(of) ?? [])
      for (const [key, object] of objects) {
        const one = this.#groups.get(key) ?? group(object as never, this.#cluster);
        this.#groups.set(key, one);
        all.push(one);
      }
    this.#report.groups(all);
  }
}
