import { array, duration, type Json, record, type UnknownFields, whole, wrong } from "../config-json.ts";
import type { Ejection, FailurePercentageEjection, OutlierDetectionConfig, SuccessRateEjection } from "./outliers.ts";
import type { WeightConfig } from "./reported-weight.ts";

/** A policy that has the connections itself. */
export type Leaf =
  | { readonly is: "pick_first"; readonly shuffleAddressList: boolean }
  | { readonly is: "round_robin" }
  | { readonly is: "weighted_round_robin"; readonly weights: WeightConfig };
/** How calls are spread over the addresses of a name. */
export type LoadBalancing = Leaf | { readonly is: "outlier_detection"; readonly config: OutlierDetectionConfig; readonly child: Leaf };

/** The first policy of the list that is known (A24). */
export function readLoadBalancing(json: unknown, others: UnknownFields = "refuse"): LoadBalancing {
  if (json === undefined) return { is: "pick_first", shuffleAddressList: false };
  const where = "loadBalancingConfig";
  const policy = firstKnown(json, where, (name, config, at) =>
    name === "outlier_detection" ? outlierDetection(config, at, others) : leaf(name, config, at, others),
  );
  return policy ?? wrong(where, `has no policy that is known: use ${LEAVES}, or outlier_detection around one of them`);
}
const LEAVES = "pick_first, round_robin or weighted_round_robin";

function firstKnown<Policy>(
  json: unknown,
  where: string,
  read: (name: string, config: unknown, where: string) => Policy | undefined,
): Policy | undefined {
  for (const [at, one] of array(json, where).entries()) {
    const here = `${where}[${at}]`;
    const entries = Object.entries(typeof one === "object" && one !== null && !Array.isArray(one) ? one : wrong(here, "must be an object"));
    const [entry] = entries;
    if (entry === undefined || entries.length > 1) return wrong(here, "must have one field: the name of a policy");
    const policy = read(entry[0], entry[1], `${here}.${entry[0]}`);
    if (policy !== undefined) return policy;
  }
  return undefined;
}

function leaf(name: string, config: unknown, where: string, others: UnknownFields): Leaf | undefined {
  if (name === "pick_first") {
    const { shuffleAddressList = false } = record(config, where, ["shuffleAddressList"], others);
    if (typeof shuffleAddressList !== "boolean") return wrong(`${where}.shuffleAddressList`, "must be true or false");
    return { is: name, shuffleAddressList };
  }
  if (name === "weighted_round_robin") return { is: name, weights: weightConfig(config, where, others) };
  if (name !== "round_robin") return undefined;
  record(config, where, [], others);
  return { is: name };
}

const WEIGHT_FIELDS: readonly string[] = [
  "enableOobLoadReport",
  "oobReportingPeriod",
  "blackoutPeriod",
  "weightExpirationPeriod",
  "weightUpdatePeriod",
  "errorUtilizationPenalty",
];
/** Weights are not calculated more often. */
const LEAST_UPDATE_MS = 100;

/** A58 has the fields and their defaults. */
function weightConfig(json: unknown, where: string, others: UnknownFields): WeightConfig {
  const given = record(json, where, WEIGHT_FIELDS, others);
  const time = (name: string, usual: number): number => (given[name] === undefined ? usual : duration(given[name], `${where}.${name}`));
  const { enableOobLoadReport: isOutOfBand = false, errorUtilizationPenalty: errorPenalty = 1 } = given;
  if (typeof isOutOfBand !== "boolean") return wrong(`${where}.enableOobLoadReport`, "must be true or false");
  if (typeof errorPenalty !== "number" || !(errorPenalty >= 0))
    return wrong(`${where}.errorUtilizationPenalty`, "must be a number that is not negative");
  const reportingMs = time("oobReportingPeriod", 10_000);
  return {
    outOfBandMs: isOutOfBand ? reportingMs : undefined,
    blackoutMs: time("blackoutPeriod", 10_000),
    expirationMs: time("weightExpirationPeriod", 180_000),
    updateMs: Math.max(LEAST_UPDATE_MS, time("weightUpdatePeriod", 1_000)),
    errorPenalty,
  };
}

const PERCENT = 100;
const MOST = 0xffff_ffff;
const FIELDS: readonly string[] = [
  "interval",
  "baseEjectionTime",
  "maxEjectionTime",
  "maxEjectionPercent",
  "successRateEjection",
  "failurePercentageEjection",
  "childPolicy",
];

/** A50 has the fields and their defaults. */
function outlierDetection(json: unknown, where: string, others: UnknownFields): LoadBalancing {
  const given = record(json, where, FIELDS, others);
  const time = (name: string, usual: number): number => (given[name] === undefined ? usual : duration(given[name], `${where}.${name}`));
  const baseEjectionMs = time("baseEjectionTime", 30_000);
  const { successRateEjection: successRate, failurePercentageEjection: failurePercentage } = given;
  const childPolicy = `${where}.childPolicy`;
  return {
    is: "outlier_detection",
    config: {
      intervalMs: time("interval", 10_000),
      baseEjectionMs,
      maxEjectionMs: time("maxEjectionTime", Math.max(300_000, baseEjectionMs)),
      maxEjectionPercent: whole(given["maxEjectionPercent"] ?? 10, `${where}.maxEjectionPercent`, PERCENT),
      ...(successRate !== undefined && { successRate: successRateEjection(successRate, `${where}.successRateEjection`, others) }),
      ...(failurePercentage !== undefined && {
        failurePercentage: failurePercentageEjection(failurePercentage, `${where}.failurePercentageEjection`, others),
      }),
    },
    child:
      firstKnown(given["childPolicy"], childPolicy, (name, config, at) => leaf(name, config, at, others)) ??
      wrong(childPolicy, `has no policy that is known: use ${LEAVES}`),
  };
}

function successRateEjection(json: unknown, where: string, unknown: UnknownFields): SuccessRateEjection {
  const { stdevFactor = 1_900, ...others } = record(json, where, ["stdevFactor", ...COMMON], unknown);
  return { stdevFactor: whole(stdevFactor, `${where}.stdevFactor`, MOST), ...ejection(others, where, 100) };
}
function failurePercentageEjection(json: unknown, where: string, unknown: UnknownFields): FailurePercentageEjection {
  const { threshold = 85, ...others } = record(json, where, ["threshold", ...COMMON], unknown);
  return { threshold: whole(threshold, `${where}.threshold`, PERCENT), ...ejection(others, where, 50) };
}
const COMMON: readonly string[] = ["enforcementPercentage", "minimumHosts", "requestVolume"];
const ejection = (
  { enforcementPercentage = PERCENT, minimumHosts = 5, requestVolume: volume }: Json,
  where: string,
  usual: number,
): Ejection => ({
  enforcementPercent: whole(enforcementPercentage, `${where}.enforcementPercentage`, PERCENT),
  minimumHosts: whole(minimumHosts, `${where}.minimumHosts`, MOST),
  requestVolume: whole(volume ?? usual, `${where}.requestVolume`, MOST),
});
