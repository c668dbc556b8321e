import { type Leaf, type LoadBalancing, OutlierDetection, PickFirst, type Policy, RoundRobin } from "../../rpc/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";

/** Whether a further call begins at once: a server that has not said how many streams it permits, permits a hundred. */
export const hasRoom = ({ accepting, load, settings }: AnyClientConnection): boolean =>
  !accepting || load < (settings?.maxConcurrentStreams ?? 100);

const leafOf = (leaf: Leaf): PickFirst | RoundRobin =>
  leaf.is === "pick_first"
    ? new PickFirst(leaf, Math.random)
    : new RoundRobin({ isWeighted: leaf.is === "weighted_round_robin" }, Math.random);
/** The policy of a config. */
export const policyOf = (config: LoadBalancing): Policy =>
  config.is === "outlier_detection" ? new OutlierDetection(config.config, leafOf(config.child), Math.random) : leafOf(config);
