import type { Ask, CallSpec, ServerSpec, Sight, Step } from "../../client-vocabulary.ts";
import { callOf, good, received } from "./phrases.ts";

/** What the cases about several servers share. */

export const REFUSES: ServerSpec = { reach: "refuses" };
export const SERVES: ServerSpec = {};
export const SILENT: ServerSpec = { reach: "silent" };
export const FAILS: ServerSpec = { status: "UNAVAILABLE" };

export const calls = (count: number, more: Partial<CallSpec> = {}): CallSpec[] => Array.from({ length: count }, () => callOf(more));
export const policy = (name: string, config: object = {}): unknown => ({ loadBalancingConfig: [{ [name]: config }] });
export const ROUND_ROBIN = policy("round_robin");
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** The description of calls on a channel to several servers. */
export const many = (servers: readonly ServerSpec[], more: Partial<Ask> = {}): Ask => ({ do: "ask", calls: calls(1), servers, ...more });
/** The same for a channel with a service config. */
export const withConfig = (servers: readonly ServerSpec[], serviceConfig: unknown, more: Partial<Ask> = {}): Ask =>
  many(servers, { channel: { serviceConfig }, ...more });

/** The first call is answered when the client has a connection to each of these servers, and has had time to use them. */
export const warm = (...servers: readonly number[]): Step[] => [
  received(1),
  { do: "await", see: { see: "connected", servers } },
  { do: "wait", ms: 100 },
  ...good(1),
];
export const warmAll = (servers: readonly ServerSpec[]): Step[] => warm(...numbers(servers.length));

export const served = (server: number, count: number | readonly [number, number], from?: number): Sight => ({
  see: "served",
  server,
  count,
  ...(from === undefined ? {} : { from }),
});
export const outcomes = (count: number, status: Extract<Sight, { see: "outcomes" }>["status"] = "OK"): Sight => ({
  see: "outcomes",
  status,
  count,
});
export const ONE_SERVED: Sight = { see: "one served" };
