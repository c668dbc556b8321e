import { type Group, hostPort, labelName, labelsFrom, type LabelSet } from "../group.ts";
import { type Cluster, metaLabels, namespaceLabels, PREFIX, serviceLabels } from "./labels.ts";
import type { Ingress, Node, Service } from "./objects.ts";

/** The roles `node`, `service` and `ingress`. */

/** The first type of address that a node has is its address. */
const ADDRESS_TYPES = ["InternalIP", "InternalDNS", "ExternalIP", "ExternalDNS", "LegacyHostIP", "Hostname"] as const;

/** One target for each node, at the port of its kubelet. */
export function nodeGroup({ meta, providerId, conditions, addresses, kubeletPort }: Node): Group {
  const first = new Map<string, string>();
  for (const [type, address] of addresses) if (!first.has(type)) first.set(type, address);
  const address = ADDRESS_TYPES.map((type) => first.get(type)).find((one) => one !== undefined);
  return {
    source: `node/${meta.name}`,
    targets:
      address === undefined
        ? []
        : [
            {
              __address__: hostPort(address, kubeletPort),
              instance: meta.name,
              ...Object.fromEntries([...first].map(([type, one]) => [`${PREFIX}node_address_${labelName(type)}`, one])),
            },
          ],
    labels: {
      [`${PREFIX}node_provider_id`]: providerId,
      ...Object.fromEntries(
        conditions.map(([type, status]) => [`${PREFIX}node_condition_${labelName(type.toLowerCase())}`, status.toLowerCase()]),
      ),
      ...metaLabels("node", meta),
    },
  };
}

/** One target for each port of each service, under its name in DNS. */
export function serviceGroup(service: Service, cluster: Cluster): Group {
  const { meta, type, clusterIp, externalName, loadBalancerIps, ports } = service;
  return {
    source: `svc/${meta.namespace}/${meta.name}`,
    targets: ports.map(({ name, port, protocol }) =>
      labelsFrom([
        ["__address__", hostPort(`${meta.name}.${meta.namespace}.svc`, port)],
        [`${PREFIX}service_port_name`, name],
        [`${PREFIX}service_port_number`, String(port)],
        [`${PREFIX}service_port_protocol`, protocol],
        [`${PREFIX}service_type`, type],
        type === "ExternalName" ? [`${PREFIX}service_external_name`, externalName] : [`${PREFIX}service_cluster_ip`, clusterIp],
        [`${PREFIX}service_loadbalancer_ip`, type === "LoadBalancer" ? loadBalancerIps.join(",") : undefined],
      ]),
    ),
    labels: { ...serviceLabels(service), ...namespaceLabels(meta, cluster) },
  };
}

/** One target for each path of each rule of an ingress. */
export function ingressGroup({ meta, className, tlsHosts, rules }: Ingress, cluster: Cluster): Group {
  const targets = rules.flatMap(({ host, paths }) =>
    (paths ?? ["/"]).map((path): LabelSet => ({
      __address__: host,
      [`${PREFIX}ingress_scheme`]: tlsHosts.some((pattern) => matchesHost(pattern, host)) ? "https" : "http",
      [`${PREFIX}ingress_host`]: host,
      [`${PREFIX}ingress_path`]: path === "" ? "/" : path,
    })),
  );
  return {
    source: `ingress/${meta.namespace}/${meta.name}`,
    targets,
    labels: {
      ...labelsFrom([[`${PREFIX}ingress_class_name`, className]]),
      ...metaLabels("ingress", meta),
      ...namespaceLabels(meta, cluster),
    },
  };
}

/** A pattern is a host, or has `*` as its first label, which stands for exactly one. */
const matchesHost = (pattern: string, host: string): boolean =>
  pattern === host || (pattern.startsWith("*.") && host.includes(".") && host.slice(host.indexOf(".")) === pattern.slice(1));
