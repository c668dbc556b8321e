import { type Group, hostPort, labelsFrom, type LabelSet } from "../group.ts";
import { type Cluster, metaLabels, namespaceLabels, nodeLabels, PREFIX } from "./labels.ts";
import type { Container, Pod } from "./objects.ts";

/** The role `pod`: a target for each port of each container, and one for each container without ports. */
export function podGroup(pod: Pod, cluster: Cluster): Group {
  const group = { source: `pod/${pod.meta.namespace}/${pod.meta.name}` };
  const isFiltered = cluster.attached.node && cluster.node(pod.node) === undefined;
  if (pod.ip === "" || isFiltered) return { ...group, targets: [], labels: {} };
  const targets = pod.containers.flatMap((container): LabelSet[] => {
    const own = { ...containerLabels(container), [`${PREFIX}pod_container_id`]: container.id };
    if (container.ports.length === 0) return [{ ...own, __address__: pod.ip }];
    return container.ports.map((port) => ({ ...own, ...portLabels(port), __address__: hostPort(pod.ip, port.port) }));
  });
  return {
    ...group,
    targets,
    labels: { ...podLabels(pod, cluster), ...nodeLabels(pod.node, cluster), ...namespaceLabels(pod.meta, cluster) },
  };
}

type Port = Container["ports"][number];
const containerLabels = ({ name, image, isInit }: Container): LabelSet => ({
  [`${PREFIX}pod_container_name`]: name,
  [`${PREFIX}pod_container_image`]: image,
  [`${PREFIX}pod_container_init`]: String(isInit),
});
const portLabels = ({ name, port, protocol }: Port): LabelSet => ({
  [`${PREFIX}pod_container_port_name`]: name,
  [`${PREFIX}pod_container_port_number`]: String(port),
  [`${PREFIX}pod_container_port_protocol`]: protocol,
});

/** The labels of a pod, without its namespace. */
export function podLabels(pod: Pod, cluster: Cluster): LabelSet {
  const { controller, namespace } = pod.meta;
  const { attached } = cluster;
  const owner = (kind: string, found: Cluster["job"], wanted: string): string | undefined => {
    const above = controller?.kind === kind ? found(namespace, controller.name)?.meta.controller : undefined;
    return above?.kind === wanted ? above.name : undefined;
  };
  return {
    ...labelsFrom([
      [`${PREFIX}pod_ip`, pod.ip],
      [`${PREFIX}pod_ready`, pod.ready],
      [`${PREFIX}pod_phase`, pod.phase],
      [`${PREFIX}pod_node_name`, pod.node],
      [`${PREFIX}pod_host_ip`, pod.hostIp],
      [`${PREFIX}pod_uid`, pod.uid],
      [`${PREFIX}pod_controller_kind`, controller?.kind],
      [`${PREFIX}pod_controller_name`, controller?.name],
      [`${PREFIX}pod_job_name`, attached.job && controller?.kind === "Job" ? controller.name : undefined],
      [`${PREFIX}pod_deployment_name`, attached.deployment ? owner("ReplicaSet", cluster.replicaSet, "Deployment") : undefined],
      [`${PREFIX}pod_cronjob_name`, attached.cronjob ? owner("Job", cluster.job, "CronJob") : undefined],
    ]),
    ...metaLabels("pod", pod.meta),
  };
}

/** The labels of the containers that listen on the port of an endpoint. */
export function listeningLabels(pod: Pod, port: number | undefined): LabelSet {
  let found: LabelSet = {};
  for (const container of pod.containers) {
    const own = container.ports.find((one) => one.port === port);
    if (own !== undefined) found = { ...containerLabels(container), ...portLabels(own) };
  }
  return found;
}

/** Targets for the ports of containers that no endpoint has. */
export function remainingTargets(pod: Pod, seen: ReadonlySet<number | undefined>, cluster: Cluster): LabelSet[] {
  if (pod.ip === "") return [];
  const own = podLabels(pod, cluster);
  return pod.containers.flatMap((container) =>
    container.ports
      .filter(({ port }) => !seen.has(port))
      .map((port) => ({ ...containerLabels(container), ...portLabels(port), ...own, __address__: hostPort(pod.ip, port.port) })),
  );
}
