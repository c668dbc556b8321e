import type { Matcher } from "../../model/index.ts";
import { DEFAULT_ROUTE, type Route, routeKey, type RouteOptions } from "../../router/index.ts";
import { duration, flag, list, map, text, type Kind, type ValueOf } from "../kinds.ts";
import { optional, preset, struct } from "../struct.ts";
import { allMatchers, LABEL_NAMES, MATCH, MATCH_RE, MATCHERS } from "./matchers.ts";

/** Alertmanager docs, configuration.md, `<route>`, `<inhibit_rule>`. */

/** The deepest tree: an anchor may contain itself. */
const MOST_DEPTH = 64;

/** `...` stands for all labels. */
const GROUP_BY: Kind<readonly string[]> = {
  ...LABEL_NAMES,
  read: (at) => {
    const names = LABEL_NAMES.read(at);
    if (names === undefined) return undefined;
    if (names.includes("...") && names.length > 1) return at.fail("... stands for all labels: it cannot be combined with others");
    const twice = names.find((name, index) => names.indexOf(name) < index);
    return twice === undefined ? names : at.fail(`${JSON.stringify(twice)} is listed twice`);
  },
};
const interval: Kind<number> = {
  ...duration,
  read: (at) => (duration.read(at) === 0 ? at.fail("it must be longer than 0") : duration.read(at)),
};

const FIELDS = {
  receiver: optional(text),
  group_by: optional(GROUP_BY),
  match: preset(MATCH, {}),
  match_re: preset(MATCH_RE, {}),
  matchers: preset(MATCHERS, [] as readonly Matcher[]),
  labels: preset(map(text), {}),
  mute_time_intervals: preset(list(text), []),
  active_time_intervals: preset(list(text), []),
  continue: preset(flag, false),
  group_wait: optional(duration),
  group_interval: optional(interval),
  repeat_interval: optional(interval),
};
export type WrittenRoute = ValueOf<ReturnType<typeof struct<typeof FIELDS>>> & { readonly routes: readonly WrittenRoute[] };

/** Routes contain routes. */
const below: Kind<readonly WrittenRoute[]> = {
  read: (at) =>
    at.path.split(".").length > MOST_DEPTH ? at.fail(`routes are nested deeper than ${MOST_DEPTH}`) : list(ROUTE, "route").read(at),
  show: (routes) => list(ROUTE).show(routes),
};
export const ROUTE: Kind<WrittenRoute> = struct({ ...FIELDS, routes: preset(below, []) }) as Kind<WrittenRoute>;

export const INHIBIT_RULE = struct({
  name: optional(text),
  source_match: preset(MATCH, {}),
  source_match_re: preset(MATCH_RE, {}),
  source_matchers: preset(MATCHERS, [] as readonly Matcher[]),
  target_match: preset(MATCH, {}),
  target_match_re: preset(MATCH_RE, {}),
  target_matchers: preset(MATCHERS, [] as readonly Matcher[]),
  equal: preset(LABEL_NAMES, []),
});

/** A route with what it inherits; `id` is its place in the tree. */
export function routeOf(written: WrittenRoute, above: Route | undefined, id = "0"): Route {
  const before: RouteOptions = above?.options ?? { ...DEFAULT_ROUTE, receiver: "" };
  const options: RouteOptions = {
    receiver: written.receiver || before.receiver,
    groupBy:
      written.group_by === undefined || written.group_by.length === 0
        ? before.groupBy
        : written.group_by[0] === "..."
          ? "all"
          : new Set(written.group_by),
    groupWaitMs: written.group_wait ?? before.groupWaitMs,
    groupIntervalMs: written.group_interval ?? before.groupIntervalMs,
    repeatIntervalMs: written.repeat_interval ?? before.repeatIntervalMs,
    mutedIn: written.mute_time_intervals,
    activeIn: written.active_time_intervals,
  };
  const matchers = allMatchers(written);
  const route: Route = { key: routeKey(above?.key, matchers), id, matchers, continues: written.continue, options, routes: [] };
  return { ...route, routes: written.routes.map((one, at) => routeOf(one, route, `${id}.${at}`)) };
}

/** A route and all routes below it. */
export const allRoutes = (route: WrittenRoute): readonly WrittenRoute[] => [route, ...route.routes.flatMap(allRoutes)];
