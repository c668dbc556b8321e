import type { End, RouterSetup, Settings } from "../vocabulary.ts";
import { ANY } from "./ends.ts";

/** The configuration of an alert router with the routes of all cases, as JSON, which is YAML too. */

export type RouterCase = { readonly name: string; readonly setup: RouterSetup };

/** An alert without an end is over after this time. */
const RESOLVE = "3s";
/** Settings of a case's own route. */
const ROUTE = { group_by: ["alertname"], group_wait: "300ms", group_interval: "1s", repeat_interval: "1h" } as const;

/** `sink`: the address of all ends. */
export function routerConfig(cases: readonly RouterCase[], sink: string): string {
  const webhook = (path: string, settings: Settings = {}): object => ({ url: `http://${sink}/${path}`, ...settings });
  const receivers = cases.flatMap(({ name, setup: { ends = {} } }) =>
    Object.entries<End>({ main: {}, ...ends }).map(([end, { settings }]) => ({
      name: `${name}/${end}`,
      webhook_configs: [webhook(`${name}/${end}`, settings)],
    })),
  );
  // Alerts that no route of a case takes.
  const root = { receiver: "default", ...ROUTE, group_by: ["case"], routes: cases.flatMap((one) => routeOf(one) ?? []) };
  return `${JSON.stringify(
    {
      global: { resolve_timeout: RESOLVE },
      route: root,
      receivers: [{ name: "default", webhook_configs: [webhook(`${ANY}/default`)] }, ...receivers],
      inhibit_rules: cases.flatMap(inhibitRules),
      time_intervals: cases.flatMap(({ name, setup: { intervals = {} } }) =>
        Object.entries(intervals).map(([own, list]) => ({ name: `${name}/${own}`, time_intervals: list })),
      ),
    },
    undefined,
    1,
  )}\n`;
}

const NAMES = ["mute_time_intervals", "active_time_intervals"];

/** A route with the case before the names in it. */
function named(name: string, route: Settings): Settings {
  return Object.fromEntries(
    Object.entries(route).map(([member, value]) => {
      if (member === "receiver") return [member, `${name}/${String(value)}`];
      if (NAMES.includes(member)) return [member, (value as readonly string[]).map((own) => `${name}/${own}`)];
      if (member === "routes") return [member, (value as readonly Settings[]).map((one) => named(name, one))];
      return [member, value];
    }),
  );
}

/** A case whose route is for other alerts has none for its own. */
function routeOf({ name, setup: { route = {} } }: RouterCase): Settings {
  const matchers = [`case="${name}"`, ...((route["matchers"] as readonly string[] | undefined) ?? [])];
  return { ...ROUTE, ...named(name, { receiver: "main", ...route }), matchers };
}

function inhibitRules({ name, setup: { inhibit = [] } }: RouterCase): Settings[] {
  const own = `case="${name}"`;
  const within = (list: unknown): string[] => [own, ...((list as readonly string[] | undefined) ?? [])];
  return inhibit.map((rule) => ({
    ...rule,
    source_matchers: within(rule["source_matchers"]),
    target_matchers: within(rule["target_matchers"]),
  }));
}
