import { labelName, type LabelSet } from "../group.ts";
import type { KubeObject, Meta, Pod, Service } from "./objects.ts";

/** Meta labels that several roles have (Prometheus docs, configuration/configuration.md, `<kubernetes_sd_config>`). */

/** The other objects that become labels of a target; undefined if there is none, or if such labels are not wanted. */
export type Cluster = {
  pod(namespace: string, name: string): Pod | undefined;
  service(namespace: string, name: string): Service | undefined;
  node(name: string): KubeObject | undefined;
  namespace(name: string): KubeObject | undefined;
  replicaSet(namespace: string, name: string): KubeObject | undefined;
  job(namespace: string, name: string): KubeObject | undefined;
  /** Which metadata is attached. */
  readonly attached: Readonly<Record<"node" | "namespace" | "deployment" | "job" | "cronjob", boolean>>;
};

export const PREFIX = "__meta_kubernetes_";

/** The name, labels and annotations of an object. */
export const metaLabels = (role: string, meta: Meta): LabelSet => ({ [`${PREFIX}${role}_name`]: meta.name, ...tagLabels(role, meta) });

function tagLabels(role: string, { labels, annotations }: Meta): LabelSet {
  const found: [string, string][] = [];
  for (const [kind, all] of [
    ["label", labels],
    ["annotation", annotations],
  ] as const)
    for (const [key, value] of Object.entries(all)) {
      const name = labelName(key);
      found.push([`${PREFIX}${role}_${kind}_${name}`, value], [`${PREFIX}${role}_${kind}present_${name}`, "true"]);
    }
  return Object.fromEntries(found);
}

/** The namespace, with its own labels and annotations if they are wanted. */
export function namespaceLabels({ namespace }: Meta, cluster: Cluster): LabelSet {
  const found = cluster.namespace(namespace);
  return { [`${PREFIX}namespace`]: namespace, ...(found !== undefined && tagLabels("namespace", found.meta)) };
}

/** The labels of a node that hosts something else. */
export function nodeLabels(name: string | undefined, cluster: Cluster): LabelSet {
  const node = name === undefined ? undefined : cluster.node(name);
  return node === undefined ? {} : metaLabels("node", node.meta);
}

export const serviceLabels = (service: Service | undefined): LabelSet =>
  service === undefined ? {} : { [`${PREFIX}namespace`]: service.meta.namespace, ...metaLabels("service", service.meta) };
