import { type Group, hostPort, labelName, labelsFrom, type LabelSet } from "../group.ts";
import { type Cluster, metaLabels, namespaceLabels, nodeLabels, PREFIX, serviceLabels } from "./labels.ts";
import type { EndpointAddress, Endpoints, EndpointSlice, Pod, Reference, SliceEndpoint, SlicePort } from "./objects.ts";
import { listeningLabels, podLabels, remainingTargets } from "./pod.ts";

/** The roles `endpoints` and `endpointslice`: a target for each port of each address, and for the other ports of the pods that have these addresses. */

/** Collects the targets of one object, with the labels of their pods. */
class Targets {
  readonly #cluster: Cluster;
  readonly #targets: LabelSet[] = [];
  readonly #pods = new Map<Pod, Set<number | undefined>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  add(labels: LabelSet, to: Reference | undefined, port: number | undefined): void {
    const pod = to?.kind === "Pod" ? this.#cluster.pod(to.namespace, to.name) : undefined;
    if (pod === undefined) return void this.#targets.push(labels);
    this.#pods.set(pod, (this.#pods.get(pod) ?? new Set()).add(port));
    this.#targets.push({ ...labels, ...podLabels(pod, this.#cluster), ...listeningLabels(pod, port) });
    return undefined;
  }

  /** All of them; those of ports that no endpoint has come last. */
  get all(): readonly LabelSet[] {
    return [...this.#targets, ...[...this.#pods].flatMap(([pod, ports]) => remainingTargets(pod, ports, this.#cluster))];
  }
}

export function endpointsGroup(endpoints: Endpoints, cluster: Cluster): Group {
  const { meta, subsets } = endpoints;
  const targets = new Targets(cluster);
  const add = (address: EndpointAddress, { name, port, protocol }: Endpoints["subsets"][number]["ports"][number], ready: boolean): void => {
    const { ip, hostname, node, to } = address;
    const labels = labelsFrom([
      ["__address__", hostPort(ip, port)],
      [`${PREFIX}endpoint_port_name`, name],
      [`${PREFIX}endpoint_port_protocol`, protocol],
      [`${PREFIX}endpoint_ready`, String(ready)],
      [`${PREFIX}endpoint_address_target_kind`, to?.kind],
      [`${PREFIX}endpoint_address_target_name`, to?.name],
      [`${PREFIX}endpoint_node_name`, node],
      [`${PREFIX}endpoint_hostname`, hostname],
    ]);
    targets.add({ ...labels, ...nodeLabels(node ?? nodeNameOf(to), cluster) }, to, port);
  };
  for (const { ports, ready, notReady } of subsets)
    for (const port of ports) {
      for (const address of ready) add(address, port, true);
      for (const address of notReady) add(address, port, false);
    }
  const service = cluster.service(meta.namespace, meta.name);
  return {
    source: `endpoints/${meta.namespace}/${meta.name}`,
    targets: targets.all,
    labels: { ...serviceLabels(service), ...metaLabels("endpoints", meta), ...namespaceLabels(meta, cluster) },
  };
}

const nodeNameOf = (to: Reference | undefined): string | undefined => (to?.kind === "Node" ? to.name : undefined);

export function endpointSliceGroup(slice: EndpointSlice, cluster: Cluster): Group {
  const { meta, addressType, ports, endpoints } = slice;
  const owner = meta.labels["kubernetes.io/service-name"];
  const service = owner === undefined ? undefined : cluster.service(meta.namespace, owner);
  const targets = new Targets(cluster);
  // With two families of addresses a service has a slice for each: the second has the same endpoints again.
  const isSecond = service?.primaryFamily !== undefined && service.primaryFamily !== addressType;
  if (!isSecond)
    for (const endpoint of endpoints)
      for (const port of ports)
        for (const address of endpoint.addresses) {
          const node = nodeNameOf(endpoint.to) ?? endpoint.node;
          targets.add({ ...sliceLabels(address, endpoint, port), ...nodeLabels(node, cluster) }, endpoint.to, port.port);
        }
  return {
    source: `endpointslice/${meta.namespace}/${meta.name}`,
    targets: targets.all,
    labels: {
      ...metaLabels("endpointslice", meta),
      ...serviceLabels(service),
      ...namespaceLabels(meta, cluster),
      [`${PREFIX}endpointslice_address_type`]: addressType,
    },
  };
}

function sliceLabels(address: string, endpoint: SliceEndpoint, port: SlicePort): LabelSet {
  const { conditions, hostname, node, zone, topology, to } = endpoint;
  const own = `${PREFIX}endpointslice_`;
  return labelsFrom([
    ["__address__", port.port === undefined ? address : hostPort(address, port.port)],
    [`${own}port`, port.port === undefined ? undefined : String(port.port)],
    [`${own}port_name`, port.name],
    [`${own}port_protocol`, port.protocol],
    [`${own}port_app_protocol`, port.appProtocol],
    ...Object.entries(conditions).map(
      ([name, value]) => [`${own}endpoint_conditions_${name}`, value === undefined ? undefined : String(value)] as const,
    ),
    [`${own}endpoint_hostname`, hostname],
    [`${own}endpoint_node_name`, node],
    [`${own}endpoint_zone`, zone],
    [`${own}address_target_kind`, to?.kind],
    [`${own}address_target_name`, to?.name],
    ...Object.entries(topology).flatMap(([key, value]) => [
      [`${own}endpoint_topology_${labelName(key)}`, value] as const,
      [`${own}endpoint_topology_present_${labelName(key)}`, "true"] as const,
    ]),
  ]);
}
