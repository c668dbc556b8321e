import type { BenchGroup } from "../lib/result.ts";
import type { Say, Size } from "../lib/size.ts";
import { expositionGroups } from "./exposition/suite.ts";

/** The parts of the metrics bench by name, in the order in which they run. */
export const METRICS_PARTS: Readonly<Record<string, (size: Size, say: Say) => Promise<BenchGroup[]>>> = {
  exposition: expositionGroups,
};

/** All parts, or one. */
export async function metricsGroups(size: Size, only: string | undefined, say: Say): Promise<BenchGroup[]> {
  const groups: BenchGroup[] = [];
  for (const [name, measure] of Object.entries(METRICS_PARTS))
    if (only === undefined || only === name) groups.push(...(await measure(size, say)));
  return groups;
}
