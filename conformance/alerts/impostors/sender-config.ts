import { type Settings, without } from "./settings.ts";

/** Configurations of senders that are changed on purpose. */

type List = Settings & { readonly static_configs?: readonly { readonly targets: readonly string[] }[] };
export type SenderConfig = Settings & {
  readonly global: Settings;
  readonly rule_files: readonly [string];
  readonly alerting: { readonly alert_relabel_configs: readonly Settings[]; readonly alertmanagers: readonly List[] };
};
type Group = Settings & { readonly rules: readonly Settings[] };
export type RuleFile = { readonly groups: readonly Group[] };

export const eachList = (config: SenderConfig, change: (list: List) => List): SenderConfig => ({
  ...config,
  alerting: { ...config.alerting, alertmanagers: config.alerting.alertmanagers.map(change) },
});
/** The addresses of all routers that are in the configuration itself, and are asked without TLS. */
export const targetsOf = ({ alerting }: SenderConfig): string[] =>
  alerting.alertmanagers
    .filter((one) => one["scheme"] !== "https")
    .flatMap(({ static_configs: all = [] }) => all.flatMap(({ targets }) => targets));

const HTTP = [
  "path_prefix",
  "basic_auth",
  "authorization",
  "http_headers",
  "relabel_configs",
  "alert_relabel_configs",
  "tls_config",
  "file_sd_configs",
];

/** Does the opposite of its settings about routers, and does not relabel. */
export function contrary(config: SenderConfig): SenderConfig {
  const changed = eachList(config, (list) => ({
    ...without(list, ...HTTP),
    follow_redirects: list["follow_redirects"] === false,
    ...(list["scheme"] === "https" && list["tls_config"] === undefined && { tls_config: { insecure_skip_verify: true } }),
    static_configs: (list.static_configs ?? []).map(({ targets }) => ({ targets: targets.slice(0, 1) })),
  }));
  return {
    ...changed,
    global: { ...config.global, external_labels: { site: "nowhere" } },
    alerting: { ...changed.alerting, alert_relabel_configs: [] },
  };
}

/** Has neither labels nor annotations nor times of its rules. */
export const bare = ({ groups }: RuleFile): RuleFile => ({
  groups: groups.map((group) => ({
    ...without(group, "labels"),
    rules: group.rules.map((rule) => without(rule, "labels", "annotations", "for", "keep_firing_for")),
  })),
});
