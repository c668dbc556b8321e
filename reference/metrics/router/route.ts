import { compareText, Labels, type Matcher } from "../model/index.ts";
import { matchersText } from "./matcher-text.ts";

/** The tree of routes: Alertmanager docs, configuration.md, `<route>`. */

/** What a route does with its alerts, after inheritance. Times are milliseconds. */
export type RouteOptions = Timing & { readonly receiver: string };

/** What a first route need not say. */
type Timing = {
  /** The labels that make a group; all of them for `...`. */
  readonly groupBy: ReadonlySet<string> | "all";
  readonly groupWaitMs: number;
  readonly groupIntervalMs: number;
  readonly repeatIntervalMs: number;
  /** Names of time intervals. */
  readonly mutedIn: readonly string[];
  readonly activeIn: readonly string[];
};

export type Route = {
  /** The matchers on the way to it, as receivers see them in `groupKey`. */
  readonly key: string;
  /** Its position in the tree, which tells routes with the same key apart. */
  readonly id: string;
  readonly matchers: readonly Matcher[];
  readonly continues: boolean;
  readonly options: RouteOptions;
  readonly routes: readonly Route[];
};

export const DEFAULT_ROUTE: Timing = {
  groupBy: new Set(),
  groupWaitMs: 30_000,
  groupIntervalMs: 300_000,
  repeatIntervalMs: 4 * 3_600_000,
  mutedIn: [],
  activeIn: [],
};

/** The key of a route below another. */
export const routeKey = (parent: string | undefined, matchers: readonly Matcher[]): string =>
  parent === undefined ? matchersText(matchers) : `${parent}/${matchersText(matchers)}`;

export const matchesAll = (matchers: readonly Matcher[], labels: Labels): boolean =>
  matchers.every((matcher) => matcher.matches(labels.get(matcher.name)));

/** The routes that handle an alert: of each node the first child that matches, and those after it while they say `continue`; or the node itself. */
export function matchingRoutes(route: Route, labels: Labels): Route[] {
  if (!matchesAll(route.matchers, labels)) return [];
  const found: Route[] = [];
  for (const child of route.routes) {
    const below = matchingRoutes(child, labels);
    found.push(...below);
    if (below.length > 0 && !child.continues) break;
  }
  return found.length > 0 ? found : [route];
}

/** The labels of the group of an alert. */
export const groupLabelsOf = ({ options: { groupBy } }: Route, labels: Labels): Labels =>
  groupBy === "all" ? labels : labels.only(groupBy);

/** Labels as receivers see them in `groupKey`. */
export const labelsText = (labels: Labels): string =>
  `{${[...labels]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]) => `${/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) ? name : JSON.stringify(name)}=${JSON.stringify(value)}`)
    .join(", ")}}`;
