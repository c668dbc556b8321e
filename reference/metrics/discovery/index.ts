/** Discovery without I/O: answers of catalogs to groups of targets (Prometheus docs, configuration/configuration.md, the sections `<…_sd_config>`). */
export { Backoff } from "./backoff.ts";
export { groupOfService, nextIndex, servicesOf } from "./consul.ts";
export { type DnsRecord, type DnsType, groupOfRecords, searchedNames } from "./dns.ts";
export { assumedOf, type AwsKeys, instancesOf, refusalOf, zonesOf } from "./ec2.ts";
export type { Group } from "./group.ts";
export { beyondLimits, DISCOVERY_LIMITS } from "./limits.ts";
export { groupsOfList } from "./list.ts";
export { readKubeconfig } from "./kubernetes/kubeconfig.ts";
export type { Cluster } from "./kubernetes/labels.ts";
export { type Change, keyOf, ObjectWatch } from "./kubernetes/object-watch.ts";
export type { KubeObject, Pod, Service } from "./kubernetes/objects.ts";
export { pathOf, type ResourceName, RESOURCES, resourcesOf, ROLES, SELECTED_BY } from "./kubernetes/resources.ts";
