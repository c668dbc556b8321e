import type { ScrapeConfig } from "../../../metrics/config/index.ts";
import { ConsulDiscovery } from "./consul.ts";
import { discoverDns } from "./dns.ts";
import { discoverEc2 } from "./ec2.ts";
import { FileDiscovery } from "./files.ts";
import { discoverHttp } from "./http.ts";
import { KubernetesDiscovery } from "./kubernetes.ts";
import type { Discoverer, Report } from "./report.ts";

/** A kind of discovery: its name in metrics, and how it begins. */
type Kind<Config> = { readonly mechanism: string; readonly start: (config: Config, report: Report) => Discoverer };
type ConfigOf<Field extends keyof ScrapeConfig> = ScrapeConfig[Field] extends readonly (infer Config)[] ? Config : never;
const kind = <Field extends keyof ScrapeConfig>(
  field: Field,
  mechanism: string,
  start: (config: ConfigOf<Field>, report: Report) => Discoverer,
): readonly [Field, Kind<never>] => [field, { mechanism, start: start as Kind<never>["start"] }];

/** The kinds of discovery, by their section of the configuration. */
export const KINDS = [
  kind("file_sd_configs", "file", (config, report) => new FileDiscovery(config, report)),
  kind("consul_sd_configs", "consul", (config, report) => new ConsulDiscovery(config, report)),
  kind("dns_sd_configs", "dns", (config, report) => discoverDns(config, report)),
  kind("ec2_sd_configs", "ec2", (config, report) => discoverEc2(config, report)),
  kind("http_sd_configs", "http", discoverHttp),
  kind("kubernetes_sd_configs", "kubernetes", (config, report) => new KubernetesDiscovery(config, report)),
] as const;

/** A section of the configuration that says where its targets come from. */
export type DiscoverySection = Pick<ScrapeConfig, "static_configs" | (typeof KINDS)[number][0]>;
