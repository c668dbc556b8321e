import type { Group } from "../group.ts";
import { endpointsGroup, endpointSliceGroup } from "./endpoints.ts";
import type { Json } from "./json.ts";
import type { Cluster } from "./labels.ts";
import { type KubeObject, readEndpoints, readEndpointSlice, readIngress, readNode, readObject, readPod, readService } from "./objects.ts";
import { ingressGroup, nodeGroup, serviceGroup } from "./others.ts";
import { podGroup } from "./pod.ts";

/** A kind of object: where the API has it, and what is kept of it. */
type Resource = { readonly api: string; readonly isGlobal?: true; readonly read: (value: Json) => KubeObject };

export const RESOURCES = {
  pods: { api: "/api/v1", read: readPod },
  services: { api: "/api/v1", read: readService },
  endpoints: { api: "/api/v1", read: readEndpoints },
  endpointslices: { api: "/apis/discovery.k8s.io/v1", read: readEndpointSlice },
  ingresses: { api: "/apis/networking.k8s.io/v1", read: readIngress },
  nodes: { api: "/api/v1", isGlobal: true, read: readNode },
  namespaces: { api: "/api/v1", isGlobal: true, read: readObject },
  replicasets: { api: "/apis/apps/v1", read: readObject },
  jobs: { api: "/apis/batch/v1", read: readObject },
} as const satisfies Readonly<Record<string, Resource>>;
export type ResourceName = keyof typeof RESOURCES;

export type RoleName = "pod" | "service" | "endpoints" | "endpointslice" | "node" | "ingress";
/** A role: the objects that are its sources, the others that become labels, and its groups. */
type Role = {
  readonly of: ResourceName;
  readonly needs: readonly ResourceName[];
  readonly attaches: readonly (keyof Cluster["attached"])[];
  readonly group: (one: never, cluster: Cluster) => Group;
};
const ALL = ["node", "namespace", "deployment", "job", "cronjob"] as const;

export const ROLES: Readonly<Record<RoleName, Role>> = {
  pod: { of: "pods", needs: [], attaches: ALL, group: podGroup },
  service: { of: "services", needs: [], attaches: ["namespace"], group: serviceGroup },
  endpoints: { of: "endpoints", needs: ["services", "pods"], attaches: ALL, group: endpointsGroup },
  endpointslice: { of: "endpointslices", needs: ["services", "pods"], attaches: ALL, group: endpointSliceGroup },
  node: { of: "nodes", needs: [], attaches: [], group: nodeGroup },
  ingress: { of: "ingresses", needs: [], attaches: ["namespace"], group: ingressGroup },
};

/** The objects that each kind of attached metadata needs. */
const ATTACHED: Readonly<Record<keyof Cluster["attached"], readonly ResourceName[]>> = {
  node: ["nodes"],
  namespace: ["namespaces"],
  deployment: ["replicasets"],
  job: [],
  cronjob: ["jobs"],
};

/** All objects that a role needs, its own first. */
export function resourcesOf(role: RoleName, attached: Cluster["attached"]): readonly ResourceName[] {
  const { of, needs, attaches } = ROLES[role];
  return [...new Set([of, ...needs, ...attaches.filter((one) => attached[one]).flatMap((one) => ATTACHED[one])])];
}

/** Where the objects of one namespace, or of all, are. */
export function pathOf(name: ResourceName, namespace: string): string {
  const { api } = RESOURCES[name];
  return namespace === "" ? `${api}/${name}` : `${api}/namespaces/${encodeURIComponent(namespace)}/${name}`;
}

/** The role whose selectors apply to a kind of objects. */
export const SELECTED_BY: Readonly<Partial<Record<ResourceName, RoleName>>> = {
  pods: "pod",
  services: "service",
  endpoints: "endpoints",
  endpointslices: "endpointslice",
  nodes: "node",
  ingresses: "ingress",
};
