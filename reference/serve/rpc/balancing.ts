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

/** Passes the end of an attempt to a policy; undefined if that does not ask for it. `rescheduled`: it has another deadline now. */
export function judgeOf(policy: Policy, key: string, rescheduled: () => void): Judge | undefined {
  if (policy.ended === undefined && policy.reported === undefined) return undefined;
  return (isGood, trailers) => {
    policy.ended?.(key, isGood);
    const report = trailers?.get(LOAD_TRAILER);
    if (!(report instanceof Uint8Array)) return;
    const { deadline } = policy;
    policy.reported?.(key, report, now());
    if (policy.deadline !== deadline) rescheduled();
  };
}
