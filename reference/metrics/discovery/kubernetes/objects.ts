import type { LabelSet } from "../group.ts";
import { boolean, integer, type Json, maybe, object, objects, pairs, text, texts } from "./json.ts";

/** What discovery keeps of the objects of Kubernetes. */

export type Meta = {
  readonly name: string;
  readonly namespace: string;
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  /** The owner that controls the object. */
  readonly controller: { readonly kind: string; readonly name: string } | undefined;
};
export type KubeObject = { readonly meta: Meta };

export type Container = {
  readonly name: string;
  readonly image: string;
  readonly id: string;
  readonly isInit: boolean;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
};
export type Pod = KubeObject & {
  readonly uid: string;
  readonly ip: string;
  readonly hostIp: string;
  readonly phase: string;
  readonly ready: string;
  readonly node: string;
  readonly containers: readonly Container[];
};
export type Node = KubeObject & {
  readonly providerId: string;
  readonly conditions: readonly (readonly [type: string, status: string])[];
  readonly addresses: readonly (readonly [type: string, address: string])[];
  readonly kubeletPort: number;
};
export type Service = KubeObject & {
  readonly type: string;
  readonly clusterIp: string;
  readonly externalName: string;
  readonly loadBalancerIps: readonly string[];
  /** With two families of addresses, the first. */
  readonly primaryFamily: string | undefined;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
};
export type Reference = { readonly kind: string; readonly namespace: string; readonly name: string };
export type EndpointAddress = {
  readonly ip: string;
  readonly hostname: string;
  readonly node: string | undefined;
  readonly to: Reference | undefined;
};
export type Endpoints = KubeObject & {
  readonly subsets: readonly {
    readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
    readonly ready: readonly EndpointAddress[];
    readonly notReady: readonly EndpointAddress[];
  }[];
};
export type SlicePort = {
  readonly name: string | undefined;
  readonly port: number | undefined;
  readonly protocol: string | undefined;
  readonly appProtocol: string | undefined;
};
export type SliceEndpoint = {
  readonly addresses: readonly string[];
  readonly conditions: Readonly<Record<"ready" | "serving" | "terminating", boolean | undefined>>;
  readonly hostname: string | undefined;
  readonly node: string | undefined;
  readonly zone: string | undefined;
  readonly topology: LabelSet;
  readonly to: Reference | undefined;
};
export type EndpointSlice = KubeObject & {
  readonly addressType: string;
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly SliceEndpoint[];
};
export type Ingress = KubeObject & {
  readonly className: string | undefined;
  readonly tlsHosts: readonly string[];
  readonly rules: readonly { readonly host: string; readonly paths: readonly string[] | undefined }[];
};

function metaOf(value: Json): Meta {
  const meta = object(value["metadata"]);
  const owner = objects(meta["ownerReferences"]).find(({ controller }) => controller === true);
  return {
    name: text(meta["name"]),
    namespace: text(meta["namespace"]),
    labels: pairs(meta["labels"]),
    annotations: pairs(meta["annotations"]),
    controller: owner === undefined ? undefined : { kind: text(owner["kind"]), name: text(owner["name"]) },
  };
}

/** An object of which only its metadata is used: a namespace, a replica set, a job. */
export const readObject = (value: Json): KubeObject => ({ meta: metaOf(value) });

export function readPod(value: Json): Pod {
  const [spec, status] = [object(value["spec"]), object(value["status"])];
  const containers = (list: unknown, states: unknown, isInit: boolean): Container[] => {
    const ids = new Map(objects(states).map((state) => [text(state["name"]), text(state["containerID"])]));
    return objects(list).map((one) => ({
      name: text(one["name"]),
      image: text(one["image"]),
      id: ids.get(text(one["name"])) ?? "",
      isInit,
      ports: objects(one["ports"]).map((port) => ({
        name: text(port["name"]),
        port: integer(port["containerPort"]) ?? 0,
        protocol: text(port["protocol"]),
      })),
    }));
  };
  const ready = objects(status["conditions"]).find(({ type }) => type === "Ready");
  return {
    meta: metaOf(value),
    uid: text(object(value["metadata"])["uid"]),
    ip: text(status["podIP"]),
    hostIp: text(status["hostIP"]),
    phase: text(status["phase"]),
    ready: ready === undefined ? "unknown" : text(ready["status"]).toLowerCase(),
    node: text(spec["nodeName"]),
    containers: [
      ...containers(spec["containers"], status["containerStatuses"], false),
      ...containers(spec["initContainers"], status["initContainerStatuses"], true),
    ],
  };
}

export function readNode(value: Json): Node {
  const status = object(value["status"]);
  return {
    meta: metaOf(value),
    providerId: text(object(value["spec"])["providerID"]),
    conditions: objects(status["conditions"]).map((one) => [text(one["type"]), text(one["status"])]),
    addresses: objects(status["addresses"]).map((one) => [text(one["type"]), text(one["address"])]),
    kubeletPort: integer(object(object(status["daemonEndpoints"])["kubeletEndpoint"])["Port"]) ?? 0,
  };
}

export function readService(value: Json): Service {
  const spec = object(value["spec"]);
  const balancers = objects(object(object(value["status"])["loadBalancer"])["ingress"]).map(({ ip }) => text(ip));
  const ips = balancers.filter((ip) => ip !== "");
  return {
    meta: metaOf(value),
    type: text(spec["type"]),
    clusterIp: text(spec["clusterIP"]),
    externalName: text(spec["externalName"]),
    loadBalancerIps: ips.length > 0 ? ips : [text(spec["loadBalancerIP"])],
    primaryFamily: /^(?:Prefer|Require)DualStack$/.test(text(spec["ipFamilyPolicy"])) ? texts(spec["ipFamilies"])[0] : undefined,
    ports: portsOf(spec["ports"]),
  };
}

const portsOf = (value: unknown) =>
  objects(value).map((port) => ({ name: text(port["name"]), port: integer(port["port"]) ?? 0, protocol: text(port["protocol"]) }));

function referenceOf(value: unknown): Reference | undefined {
  const { kind, namespace, name } = object(value);
  return kind === undefined && name === undefined ? undefined : { kind: text(kind), namespace: text(namespace), name: text(name) };
}

export function readEndpoints(value: Json): Endpoints {
  const addresses = (list: unknown): EndpointAddress[] =>
    objects(list).map((one) => ({
      ip: text(one["ip"]),
      hostname: text(one["hostname"]),
      node: maybe(one["nodeName"]),
      to: referenceOf(one["targetRef"]),
    }));
  return {
    meta: metaOf(value),
    subsets: objects(value["subsets"]).map((one) => ({
      ports: portsOf(one["ports"]),
      ready: addresses(one["addresses"]),
      notReady: addresses(one["notReadyAddresses"]),
    })),
  };
}

export function readEndpointSlice(value: Json): EndpointSlice {
  return {
    meta: metaOf(value),
    addressType: text(value["addressType"]),
    ports: objects(value["ports"]).map((port) => ({
      name: maybe(port["name"]),
      port: integer(port["port"]),
      protocol: maybe(port["protocol"]),
      appProtocol: maybe(port["appProtocol"]),
    })),
    endpoints: objects(value["endpoints"]).map((one) => {
      const conditions = object(one["conditions"]);
      return {
        addresses: texts(one["addresses"]),
        conditions: {
          ready: boolean(conditions["ready"]),
          serving: boolean(conditions["serving"]),
          terminating: boolean(conditions["terminating"]),
        },
        hostname: maybe(one["hostname"]),
        node: maybe(one["nodeName"]),
        zone: maybe(one["zone"]),
        topology: pairs(one["deprecatedTopology"]),
        to: referenceOf(one["targetRef"]),
      };
    }),
  };
}

export function readIngress(value: Json): Ingress {
  const spec = object(value["spec"]);
  return {
    meta: metaOf(value),
    className: maybe(spec["ingressClassName"]),
    tlsHosts: objects(spec["tls"]).flatMap(({ hosts }) => texts(hosts)),
    rules: objects(spec["rules"]).map((rule) => ({
      host: text(rule["host"]),
      paths: rule["http"] === undefined ? undefined : objects(object(rule["http"])["paths"]).map(({ path }) => text(path)),
    })),
  };
}
