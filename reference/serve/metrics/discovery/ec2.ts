import type { ScrapeConfig } from "../../../metrics/config/index.ts";
import { DISCOVERY_LIMITS, instancesOf, zonesOf } from "../../../metrics/discovery/index.ts";
import { AwsRefusal, call } from "../aws/call.ts";
import { AwsIdentity, domainOf, type Environment } from "../aws/credentials.ts";
import { Poll, type Refreshed } from "./poll.ts";
import { Reader } from "./reader.ts";
import type { Discoverer, Report } from "./report.ts";

type Ec2Config = ScrapeConfig["ec2_sd_configs"][number];
type Params = readonly (readonly [name: string, value: string])[];

const CONNECT_MS = 10_000;
const VERSION = "2016-11-15";

/** Targets from the instances of a cloud (Prometheus docs, configuration/configuration.md, `<ec2_sd_config>`). */
export function discoverEc2(config: Ec2Config, report: Report, env: Environment = process.env): Discoverer {
  const reader = new Reader(config, { connectMs: CONNECT_MS });
  const identity = new AwsIdentity(config, reader, env);
  /** Identifiers of availability zones, which need a permission that may be missing: they are asked for until they come. */
  let zones: ReadonlyMap<string, string> | undefined;
  const filters: Params = config.filters.flatMap(({ name, values }, at) => [
    [`Filter.${at + 1}.Name`, name] as const,
    ...values.map((value, of) => [`Filter.${at + 1}.Value.${of + 1}`, value] as const),
  ]);
  const refresh = async (signal: AbortSignal): Promise<Refreshed> => {
    const region = await identity.region(signal);
    const keys = await identity.keys(signal);
    const endpoint = config.endpoint || `https://ec2.${region}.${domainOf(region)}`;
    const ask = (action: string, params: Params): Promise<string> =>
      call(reader, { endpoint, service: "ec2", region, keys, params: [["Action", action], ["Version", VERSION], ...params], signal });
    if (zones === undefined) {
      const found = await ask("DescribeAvailabilityZones", []).then(zonesOf, () => undefined);
      zones = found instanceof Error ? undefined : found;
    }
    const targets: Readonly<Record<string, string>>[] = [];
    const asked = new Set<string>();
    for (let next: string | undefined = ""; next !== undefined;) {
      if (asked.has(next)) throw new Error("the pages of the answer repeat each other");
      asked.add(next);
      const text = await ask("DescribeInstances", [...filters, ...(next === "" ? [] : [["NextToken", next] as const])]);
      const page = instancesOf(text, { port: config.port, region, zones: zones ?? new Map() });
      if (page instanceof Error) throw page;
      targets.push(...page.targets);
      if (targets.length > DISCOVERY_LIMITS.targets)
        throw new Error(`there are more than ${DISCOVERY_LIMITS.targets} instances: filter them`);
      ({ next } = page);
    }
    return { groups: [{ source: region, targets, labels: {} }] };
  };
  return new Poll({
    refreshMs: config.refresh_interval,
    report,
    refresh: async (signal) => {
      try {
        return await refresh(signal);
      } catch (error) {
        if (error instanceof AwsRefusal) identity.forget();
        throw error;
      }
    },
    onClose: () => reader.close(),
  });
}
