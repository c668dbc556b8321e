import type { Handler, Request, Response } from "../../http/index.ts";
import * as admin from "./admin.ts";
import type { Work } from "../promql/index.ts";
import { type Answer, ApiError, failure, refused, success } from "./answer.ts";
import type { ApiParts, Asked } from "./contract.ts";
import { Params } from "./params.ts";
import { exemplars } from "./exemplars.ts";
import { features } from "./features.ts";
import * as query from "./query.ts";
import { poolConfig, relabelSteps } from "./relabel.ts";
import * as rules from "./rules.ts";
import * as series from "./series.ts";
import * as status from "./status.ts";
import * as targets from "./targets.ts";

/** `signal` aborts when the client no longer waits. */
type At = { readonly part: string; readonly signal: AbortSignal; readonly by: Omit<Asked, "text"> };
type Exchange = Parameters<Handler>[1];
/** Answers one request; undefined is a 204. */
type Route = (parts: ApiParts, params: Params, at: At) => Promise<Answer | undefined> | Answer | undefined;
type Methods = readonly string[];

/** A route that may take long runs as work that yields. */
const inTurns =
  (route: (parts: ApiParts, params: Params, at: At) => Work<Answer>): Route =>
  (parts, params, at) =>
    parts.work(route(parts, params, at), at.signal).catch(refused);

const READ: Methods = ["GET", "POST"];
const LOOK: Methods = ["GET"];
const CHANGE: Methods = ["POST", "PUT"];

/** Every path below `/api/v1/`; `:` matches one segment, which is passed to the route. */
const ROUTES: Readonly<Record<string, readonly [Methods, Route]>> = {
  query: [READ, query.instant],
  query_range: [READ, query.range],
  format_query: [READ, query.format],
  parse_query: [READ, query.parse],
  query_exemplars: [READ, exemplars],
  series: [READ, series.seriesOfAll],
  labels: [READ, inTurns(series.labelNames)],
  "label/:/values": [LOOK, inTurns((parts, params, { part }) => series.labelValues(parts, params, part))],
  metadata: [LOOK, series.metadata],
  targets: [LOOK, targets.targets],
  scrape_pools: [LOOK, targets.scrapePools],
  "scrape_pools/config": [LOOK, poolConfig],
  "targets/relabel_steps": [LOOK, relabelSteps],
  "targets/metadata": [LOOK, targets.targetsMetadata],
  rules: [LOOK, rules.rules],
  alerts: [LOOK, rules.alerts],
  alertmanagers: [LOOK, rules.alertmanagers],
  "status/tsdb": [LOOK, status.tsdb],
  "status/tsdb/blocks": [LOOK, status.blocks],
  "status/config": [LOOK, status.config],
  "status/flags": [LOOK, status.flags],
  "status/buildinfo": [LOOK, status.build],
  "status/runtimeinfo": [LOOK, status.runtime],
  "status/walreplay": [LOOK, status.walReplay],
  notifications: [LOOK, status.notifications],
  features: [LOOK, features],
  "admin/tsdb/delete_series": [CHANGE, admin.deleteSeries],
  "admin/tsdb/snapshot": [CHANGE, admin.snapshot],
  "admin/tsdb/clean_tombstones": [CHANGE, admin.cleanTombstones],
};

/** What agents do not answer, since they keep no samples and evaluate nothing. */
const NOT_OF_AGENTS: ReadonlySet<string> = new Set([
  "query",
  "query_range",
  "query_exemplars",
  "series",
  "labels",
  "label/:/values",
  "rules",
  "alerts",
  "alertmanagers",
  "status/tsdb",
  "status/tsdb/blocks",
  "admin/tsdb/delete_series",
  "admin/tsdb/snapshot",
  "admin/tsdb/clean_tombstones",
]);

const ROOT = "/api/v1/";

/** The query API as part of a handler: it answers paths under `/api/v1/` and returns undefined for all others. */
export function api(parts: ApiParts): (...args: Parameters<Handler>) => Promise<Response> | undefined {
  return (request, exchange) => {
    const path = plain(request.path.split("?", 1)[0] ?? "");
    return path.startsWith(ROOT) ? answer(parts, path.slice(ROOT.length), request, exchange) : undefined;
  };
}

/** Encoding an unreserved character does not change a path (rfc3986#6.2.2.2). */
const plain = (path: string): string =>
  path.replaceAll(/%(?:2[dDeE]|3\d|[46][1-9a-fA-F]|[57][\daA]|5[fF]|7[eE])/g, (encoded) => decodeURIComponent(encoded));

async function answer(parts: ApiParts, path: string, request: Request, { signal, connection }: Exchange): Promise<Response> {
  const label = /^label\/([^/]*)\/values$/.exec(path)?.[1];
  const key = label === undefined ? path : "label/:/values";
  const found = Object.hasOwn(ROUTES, key) ? ROUTES[key] : undefined;
  if (found === undefined) return failure(new ApiError("not_found", `there is nothing at ${ROOT}${path}`));
  const [methods, route] = found;
  // GET implies HEAD (rfc9110#9.3.2).
  const isHead = request.method === "HEAD" && methods.includes("GET");
  // OPTIONS asks which methods are allowed (rfc9110#9.3.7).
  if (request.method === "OPTIONS") return { status: 204, fields: [["allow", [...methods, "OPTIONS"].join(", ")]] };
  if (!isHead && !methods.includes(request.method)) return { status: 405, fields: [["allow", methods.join(", ")]] };
  if (parts.isAgent === true && NOT_OF_AGENTS.has(key))
    return failure(new ApiError("execution", "this server is an agent: it sends its samples on, and answers no queries"));
  try {
    const by = { method: request.method, path: ROOT + path, clientAddress: connection.remoteAddress };
    const data = await route(parts, await Params.of(request), { part: decoded(label ?? ""), signal, by });
    return data === undefined ? { status: 204 } : success(data);
  } catch (error) {
    if (error instanceof ApiError) return failure(error);
    throw error;
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiError("bad_data", `the label ${JSON.stringify(segment)} is not encoded as a URL asks`);
  }
}
