import { DISCOVERY_LIMITS } from "./limits.ts";
import { hostPort, labelName, type Group, type LabelSet } from "./group.ts";

/** Targets from the catalog of Consul (Prometheus docs, configuration/configuration.md, `<consul_sd_config>`). */

export type ConsulSettings = {
  readonly services: readonly string[];
  readonly tags: readonly string[];
  readonly tag_separator: string;
};

/** The names of the services to watch, from the answer of the catalog; an `Error` if it is not one. */
export function servicesOf(answer: unknown, { services, tags }: ConsulSettings): readonly string[] | Error {
  if (!isMap(answer)) return new Error("the answer is not a map of services");
  const names = Object.entries(answer)
    .filter(([name, found]) => {
      const has = new Set(listOf(found));
      return (services.length === 0 || services.includes(name)) && tags.every((tag) => has.has(tag));
    })
    .map(([name]) => name);
  const most = DISCOVERY_LIMITS.services;
  return names.length > most ? new Error(`it lists ${names.length} services; the limit is ${most}: name those to watch`) : names;
}

/** The group of one service, from the answer about the health of its instances; an `Error` if it is not one. */
export function groupOfService(
  answer: unknown,
  service: { readonly name: string; readonly datacenter: string },
  settings: ConsulSettings,
): Group | Error {
  if (!Array.isArray(answer)) return new Error("the answer is not a list of instances");
  const targets: LabelSet[] = [];
  for (const [at, one] of (answer as unknown[]).entries()) {
    const target = targetOf(one, settings);
    if (target === undefined) return new Error(`[${at}]: it is not an instance with Node and Service`);
    targets.push(target);
  }
  return {
    source: service.name,
    targets,
    labels: { __meta_consul_service: service.name, __meta_consul_dc: service.datacenter },
  };
}

function targetOf(instance: unknown, { tag_separator: separator }: ConsulSettings): LabelSet | undefined {
  const { Node: node, Service: service, Checks: checks } = isMap(instance) ? instance : {};
  if (!isMap(node) || !isMap(service)) return undefined;
  const [own, port] = [textOf(service["Address"]), Number(service["Port"] ?? 0)];
  const labels: [string, string][] = [
    // A service may be registered through another node than its own.
    ["__address__", hostPort(own === "" ? textOf(node["Address"]) : own, port)],
    ["__meta_consul_address", textOf(node["Address"])],
    ["__meta_consul_node", textOf(node["Node"])],
    ["__meta_consul_namespace", textOf(service["Namespace"])],
    ["__meta_consul_partition", textOf(service["Partition"])],
    // The separator is around the list, too: a rule need not care where in it a tag is.
    ["__meta_consul_tags", `${separator}${listOf(service["Tags"]).join(separator)}${separator}`],
    ["__meta_consul_service_address", own],
    ["__meta_consul_service_port", String(port)],
    ["__meta_consul_service_id", textOf(service["ID"])],
    ["__meta_consul_health", healthOf(Array.isArray(checks) ? checks : [])],
    ...each("__meta_consul_metadata_", node["Meta"]),
    ...each("__meta_consul_service_metadata_", service["Meta"]),
    ...each("__meta_consul_tagged_address_", node["TaggedAddresses"]),
  ];
  return Object.fromEntries(labels);
}

/** The worst status of all checks; a node or a service in maintenance is not healthy, whatever its checks say. */
function healthOf(checks: readonly unknown[]): string {
  const states = new Set<string>();
  for (const check of checks) {
    const { CheckID: id, Status: status } = isMap(check) ? check : {};
    const isMaintained = textOf(id) === "_node_maintenance" || textOf(id).startsWith("_service_maintenance:");
    states.add(isMaintained ? "maintenance" : textOf(status));
  }
  const known = ["maintenance", "critical", "warning", "passing"];
  if ([...states].some((state) => !known.includes(state))) return "";
  return known.find((state) => states.has(state)) ?? "passing";
}

/**
 * The index for the next blocking query after an answer with `next`, which is undefined without one. 0 asks anew without blocking: an index that goes
 * backwards belongs to a server that began again, and one below 1 is no index.
 */
export function nextIndex(before: number, next: string | undefined): number {
  const index = /^\d{1,15}$/.test(next ?? "") ? Number(next) : 0;
  return index < before ? 0 : index;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []);
const each = (prefix: string, map: unknown): [string, string][] =>
  isMap(map) ? Object.entries(map).map(([key, value]) => [`${prefix}${labelName(key)}`, textOf(value)]) : [];
