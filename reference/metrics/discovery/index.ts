/** Discovery without I/O: answers of catalogs to groups of targets (Prometheus docs, configuration/configuration.md, the sections `<…_sd_config>`). */
export { Backoff } from "./backoff.ts";
export { groupOfService, nextIndex, servicesOf } from "./consul.ts";
export { type DnsRecord, type DnsType, groupOfRecords, searchedNames } from "./dns.ts";
export type { Group } from "./group.ts";
export { beyondLimits, DISCOVERY_LIMITS } from "./limits.ts";
export { groupsOfList } from "./list.ts";
