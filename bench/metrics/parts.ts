import type { BenchGroup } from "../lib/result.ts";
import type { Say, Size } from "../lib/size.ts";
import { appendGroups } from "./append.ts";
import { blockGroups } from "./block.ts";
import { expositionGroups } from "./exposition/suite.ts";
import { memoryGroups } from "./memory.ts";
import { metadataGroups } from "./metadata.ts";
import { outageGroups } from "./outage.ts";
import { queryGroups } from "./queries/suite.ts";
import { replayGroups } from "./replay.ts";
import { ruleGroups } from "./rules.ts";
import { remoteGroups, scrapeGroups } from "./scrape.ts";
import { startGroups } from "./start.ts";

type Measure = (size: Size, say: Say) => Promise<BenchGroup[]>;
/** The parts of the metrics bench by name, in order. */
export const PARTS: Readonly<Record<string, Measure>> = {
  exposition: expositionGroups,
  start: startGroups,
  memory: memoryGroups,
  append: appendGroups,
  scrape: scrapeGroups,
  remote: remoteGroups,
  outage: outageGroups,
  rules: ruleGroups,
  replay: replayGroups,
  block: blockGroups,
  queries: queryGroups,
  metadata: metadataGroups,
};

/** All parts, or one. */
export async function metricsGroups(only: string | undefined, size: Size, say: Say): Promise<BenchGroup[]> {
  const groups: BenchGroup[] = [];
  for (const [name, measure] of Object.entries(PARTS)) if (only === undefined || only === name) groups.push(...(await measure(size, say)));
  return groups;
}
