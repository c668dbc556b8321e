import { now } from "../../io/index.ts";
import { type Leaf, LOAD_TRAILER, type LoadBalancing, OutlierDetection, PickFirst, type Policy, RoundRobin } from "../../rpc/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import type { Judge } from "./call-watch.ts";

/** Whether a further call begins at once: a server that has not said how many streams it permits, permits a hundred. */
export const hasRoom = ({ accepting, load, settings }: AnyClientConnection): boolean =>
  !accepting || load < (settings?.maxConcurrentStreams ?? 100);

const leafOf = (leaf: Leaf): PickFirst | RoundRobin =>
  leaf.is === "pick_first"
    ? new PickFirst(leaf, Math.random)
    : new RoundRobin(leaf.is === "weighted_round_robin" ? leaf.weights : undefined, Math.random);
/** The policy of a config. */
export const policyOf = (config: LoadBalancing): Policy =>
  config.is === "outlier_detection" ? new OutlierDetection(config.config, leafOf(config.child), Math.random) : leafOf(config);

/** Passes a report of its load to a policy. */
export function reportTo(policy: Policy, key: string, report: Uint8Array, rescheduled: () => void): void {
  const { deadline } = policy;
  policy.reported?.(key, report, now());
  if (policy.deadline !== deadline) rescheduled();
}

/** Passes the end of an attempt to a policy; undefined if that does not ask for it. `rescheduled`: it has another deadline now. */
export function judgeOf(policy: Policy, key: string, rescheduled: () => void): Judge | undefined {
  const isReported = policy.reported !== undefined && policy.reportsEveryMs === undefined;
  if (policy.ended === undefined && !isReported) return undefined;
  return (isGood, trailers) => {
    policy.ended?.(key, isGood);
    const report = isReported ? trailers?.get(LOAD_TRAILER) : undefined;
    if (report instanceof Uint8Array) reportTo(policy, key, report, rescheduled);
  };
}
