import { type Settings, without } from "./settings.ts";

/** Configurations of routers that are changed on purpose. */

type Route = Settings & { readonly routes?: readonly Route[]; readonly matchers?: readonly string[] };
type Receiver = { readonly name: string; readonly webhook_configs: readonly Settings[] };
export type RouterConfig = Settings & {
  readonly route: Route;
  readonly receivers: readonly Receiver[];
  readonly inhibit_rules: readonly (Settings & {
    readonly source_matchers: readonly string[];
    readonly target_matchers: readonly string[];
  })[];
};

const OPPOSITE: Readonly<Record<string, string>> = { "=": "!=", "!=": "=", "=~": "!~", "!~": "=~" };
const isOwn = (matcher: string): boolean => matcher.startsWith("case=");
const flipped = (matcher: string): string =>
  isOwn(matcher)
    ? matcher
    : matcher.replace(/^(\w+)(\s*)(=~|!~|!=|=)/, (_, name: string, space: string, operator: string) => name + space + OPPOSITE[operator]);
const asMatchers = (of: unknown, operator: string): string[] =>
  Object.entries((of ?? {}) as Record<string, string>).map(([name, value]) => `${name}${operator}"${value}"`);

/** Changes every route of a case, and those below it. */
export const eachRoute = (config: RouterConfig, change: (route: Route, depth: number) => Route): RouterConfig => {
  const walk = (route: Route, depth: number): Route => {
    const { routes = [], ...rest } = change(route, depth);
    return { ...rest, routes: routes.map((one) => walk(one, depth + 1)) };
  };
  return { ...config, route: { ...config.route, routes: (config.route.routes ?? []).map((one) => walk(one, 0)) } };
};
export const eachWebhook = (config: RouterConfig, change: (webhook: Settings) => Settings): RouterConfig => ({
  ...config,
  receivers: config.receivers.map((one) => ({ ...one, webhook_configs: one.webhook_configs.map(change) })),
});

/** Does the opposite of its settings. */
export function contrary(config: RouterConfig): RouterConfig {
  const routed = eachRoute(config, (route, depth) => {
    const {
      matchers = [],
      match,
      match_re: matchRe,
      mute_time_intervals: mute,
      active_time_intervals: active,
      group_by: by,
      receiver,
      ...rest
    } = route;
    const all = (by as readonly string[] | undefined) ?? ["alertname"];
    return {
      ...rest,
      continue: route["continue"] !== true,
      matchers: [...matchers.map(flipped), ...asMatchers(match, "!="), ...asMatchers(matchRe, "!~")],
      group_by: all.includes("...") ? ["alertname"] : all.length === 1 && depth === 0 ? ["..."] : ["case"],
      receiver: receiver ?? "default",
      ...(mute !== undefined && { active_time_intervals: mute }),
      ...(active !== undefined && { mute_time_intervals: active }),
    };
  });
  return eachWebhook({ ...routed, inhibit_rules: [] }, (webhook) => ({
    ...without(webhook, "http_config", "timeout"),
    send_resolved: webhook["send_resolved"] === false,
    ...(webhook["max_alerts"] !== undefined && { max_alerts: 1 }),
  }));
}

/** Inhibits more than it is to. */
export const overbearing = (config: RouterConfig): RouterConfig => ({
  ...config,
  inhibit_rules: config.inhibit_rules.flatMap(({ source_matchers: [own = ""] }) => [
    { source_matchers: [own, 'severity=~"critical|major"'], target_matchers: [own, 'severity=~"warning|minor"'] },
    { source_matchers: [own, 'kind="x"', 'n="1"'], target_matchers: [own, 'kind="x"', 'n="2"'] },
  ]),
});

const timed =
  (times: Settings) =>
  (config: RouterConfig): RouterConfig =>
    eachRoute(config, (route) => ({ ...route, ...times }));
/** Waits for nothing. */
export const impatient = timed({ group_wait: "1ms", group_interval: "150ms", repeat_interval: "150ms" });
/** Notifies once, and late. */
export const lazy = (config: RouterConfig): RouterConfig =>
  eachRoute({ ...config, global: { resolve_timeout: "1h" } }, (route) => ({ ...route, group_interval: "1h", repeat_interval: "1h" }));
