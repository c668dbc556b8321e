import { type LoadBalancing, readLoadBalancing } from "./balance/config.ts";
import { array, duration, type Json, positive, record, type UnknownFields, whole, wrong } from "./config-json.ts";
import { Status, type StatusCode, type StatusName } from "./status.ts";

/** When and how often a call is sent again (rpc-retries#retry-policy-capabilities). */
export type RetryPolicy = {
  /** With the first one. */
  readonly maxAttempts: number;
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly backoffMultiplier: number;
  readonly retryableStatusCodes: ReadonlySet<StatusCode>;
};
/** Stops retries while too many calls fail (rpc-retries#throttling-retry-attempts-and-hedged-rpcs). */
export type RetryThrottling = { readonly maxTokens: number; readonly tokenRatio: number };
/** When copies of a call are sent before it has failed (rpc-retries#summary-of-retry-and-hedging-logic). */
export type HedgingPolicy = {
  /** With the first one. */
  readonly maxAttempts: number;
  /** Between two of them. */
  readonly delayMs: number;
  /** The statuses that do not end the call while there are other attempts. */
  readonly nonFatalStatusCodes: ReadonlySet<StatusCode>;
};
/** What a service config says of a method. */
export type MethodConfig = {
  readonly timeoutMs?: number;
  readonly waitForReady?: boolean;
  readonly retryPolicy?: RetryPolicy;
  readonly hedgingPolicy?: HedgingPolicy;
};
export type ServiceConfig = {
  readonly loadBalancing: LoadBalancing;
  readonly retryThrottling?: RetryThrottling;
  /** The most connections to one address (A105); 1 by default. */
  readonly maxConnectionsPerSubchannel: number;
  /** The service whose health the servers are asked for (A17); the empty name is the server itself. */
  readonly healthService?: string;
  /** The entry of the method at a path: its own, that of its service, or the one for all. */
  methodConfig(path: string): MethodConfig;
};

/** The most attempts of a call, whatever its policy says (rpc-retries#limits-on-retries-and-hedges). */
const MOST_ATTEMPTS = 5;
const NOTHING: MethodConfig = {};

/**
 * Reads a service config, parsed from JSON. Throws `Misuse` that names the wrong field: it is the caller's own, and a name that is misspelt
 * would have no effect. Only in a config that a name server publishes are unknown fields ignored.
 */
export function readServiceConfig(json: unknown, others: UnknownFields = "refuse"): ServiceConfig {
  const root = record(
    json,
    "the service config",
    ["loadBalancingConfig", "loadBalancingPolicy", "methodConfig", "retryThrottling", "connectionScaling", "healthCheckConfig"],
    others,
  );
  const entries = new Map<string, MethodConfig>();
  for (const [at, one] of array(root["methodConfig"] ?? [], "methodConfig").entries()) {
    const where = `methodConfig[${at}]`;
    const entry = record(one, where, ["name", "timeout", "waitForReady", "retryPolicy", "hedgingPolicy"], others);
    const config = methodConfig(entry, where, others);
    for (const [index, name] of array(entry["name"] ?? [], `${where}.name`).entries()) {
      const key = nameOf(name, `${where}.name[${index}]`, others);
      if (entries.has(key)) wrong(`${where}.name[${index}]`, "is the second entry for this name");
      entries.set(key, config);
    }
  }
  const { retryThrottling } = root;
  return {
    loadBalancing: readLoadBalancing(root["loadBalancingConfig"] ?? oldPolicy(root["loadBalancingPolicy"]), others),
    ...(retryThrottling !== undefined && { retryThrottling: throttling(retryThrottling, others) }),
    maxConnectionsPerSubchannel: connectionScaling(root["connectionScaling"], others),
    ...healthService(root["healthCheckConfig"], others),
    methodConfig: (path) => entries.get(path) ?? entries.get(path.slice(0, path.lastIndexOf("/") + 1)) ?? entries.get("") ?? NOTHING,
  };
}

/** The field before there were policies with configs: the name of one, in any case (A24). */
function oldPolicy(json: unknown): unknown {
  if (json === undefined) return undefined;
  return typeof json === "string" ? [{ [json.toLowerCase()]: {} }] : wrong("loadBalancingPolicy", "must be a text");
}

/** Without a name, nothing is asked (A17#service-config-changes). */
function healthService(json: unknown, others: UnknownFields): Pick<ServiceConfig, "healthService"> {
  if (json === undefined) return {};
  const { serviceName } = record(json, "healthCheckConfig", ["serviceName"], others);
  if (serviceName === undefined) return {};
  return typeof serviceName === "string" ? { healthService: serviceName } : wrong("healthCheckConfig.serviceName", "must be a text");
}

/** The key of a name: `/service/method`, `/service/`, or nothing for all. */
function nameOf(json: unknown, where: string, others: UnknownFields): string {
  const { service = "", method = "" } = record(json, where, ["service", "method"], others);
  if (typeof service !== "string" || typeof method !== "string") return wrong(where, "must have texts");
  if (service === "") return method === "" ? "" : wrong(where, "has a method without a service");
  return `/${service}/${method}`;
}

function methodConfig(
  { timeout, waitForReady, retryPolicy: policy, hedgingPolicy: hedging }: Json,
  where: string,
  others: UnknownFields,
): MethodConfig {
  if (policy !== undefined && hedging !== undefined) wrong(where, "has a retryPolicy and a hedgingPolicy: a method has one of them");
  if (waitForReady !== undefined && typeof waitForReady !== "boolean") wrong(`${where}.waitForReady`, "must be true or false");
  return {
    ...(timeout !== undefined && { timeoutMs: duration(timeout, `${where}.timeout`) }),
    ...(waitForReady !== undefined && { waitForReady: waitForReady as boolean }),
    ...(policy !== undefined && { retryPolicy: retryPolicy(policy, `${where}.retryPolicy`, others) }),
    ...(hedging !== undefined && { hedgingPolicy: hedgingPolicy(hedging, `${where}.hedgingPolicy`, others) }),
  };
}

/** rpc-retries#validation-of-retrypolicy */
function retryPolicy(json: unknown, where: string, others: UnknownFields): RetryPolicy {
  const names = ["maxAttempts", "initialBackoff", "maxBackoff", "backoffMultiplier", "retryableStatusCodes"];
  const policy = record(json, where, names, others);
  const { backoffMultiplier } = policy;
  if (typeof backoffMultiplier !== "number" || !(backoffMultiplier > 0))
    return wrong(`${where}.backoffMultiplier`, "must be a number above 0");
  const codes = array(policy["retryableStatusCodes"], `${where}.retryableStatusCodes`);
  if (codes.length === 0) return wrong(`${where}.retryableStatusCodes`, "must name at least one status");
  return {
    maxAttempts: attempts(policy["maxAttempts"], `${where}.maxAttempts`),
    initialBackoffMs: positive(policy["initialBackoff"], `${where}.initialBackoff`),
    maxBackoffMs: positive(policy["maxBackoff"], `${where}.maxBackoff`),
    backoffMultiplier,
    retryableStatusCodes: statusCodes(codes, `${where}.retryableStatusCodes`),
  };
}

/** A6 has the rules of its fields. */
function hedgingPolicy(json: unknown, where: string, others: UnknownFields): HedgingPolicy {
  const {
    maxAttempts,
    hedgingDelay = "0s",
    nonFatalStatusCodes = [],
  } = record(json, where, ["maxAttempts", "hedgingDelay", "nonFatalStatusCodes"], others);
  return {
    maxAttempts: attempts(maxAttempts, `${where}.maxAttempts`),
    delayMs: duration(hedgingDelay, `${where}.hedgingDelay`),
    nonFatalStatusCodes: statusCodes(array(nonFatalStatusCodes, `${where}.nonFatalStatusCodes`), `${where}.nonFatalStatusCodes`),
  };
}
const attempts = (json: unknown, where: string): number =>
  typeof json === "number" && Number.isInteger(json) && json > 1
    ? Math.min(json, MOST_ATTEMPTS)
    : wrong(where, "must be a whole number above 1");
const statusCodes = (codes: readonly unknown[], where: string): ReadonlySet<StatusCode> =>
  new Set(codes.map((code, at) => statusCode(code, `${where}[${at}]`)));

/** rpc-retries#validation-of-retrythrottling */
function throttling(json: unknown, others: UnknownFields): RetryThrottling {
  const { maxTokens, tokenRatio } = record(json, "retryThrottling", ["maxTokens", "tokenRatio"], others);
  if (typeof maxTokens !== "number" || !Number.isInteger(maxTokens) || maxTokens < 1 || maxTokens > 1_000)
    return wrong("retryThrottling.maxTokens", "must be a whole number from 1 to 1000");
  if (typeof tokenRatio !== "number" || !(tokenRatio > 0)) return wrong("retryThrottling.tokenRatio", "must be a number above 0");
  // Three decimal places count; 1.001 times 1000 is below 1001 in floating point.
  return { maxTokens, tokenRatio: Math.floor(Number((tokenRatio * 1_000).toFixed(9))) / 1_000 };
}

/** A105#grpc-service-config; 0 is the same as nothing, as in all messages. */
function connectionScaling(json: unknown, others: UnknownFields): number {
  const where = "connectionScaling";
  const { maxConnectionsPerSubchannel: most = 0 } = json === undefined ? {} : record(json, where, ["maxConnectionsPerSubchannel"], others);
  return Math.max(1, whole(most, `${where}.maxConnectionsPerSubchannel`, 0xffff_ffff));
}

function statusCode(json: unknown, where: string): StatusCode {
  const code = typeof json === "string" ? Status[json.toUpperCase() as StatusName] : json;
  const known = Object.values(Status).find((one) => one === code);
  return known ?? wrong(where, "is no status: use a number from 0 to 16, or a name such as UNAVAILABLE");
}
