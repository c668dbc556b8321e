import { type Answer, ApiError } from "./answer.ts";
import type { ApiParts, TargetStatus } from "./contract.ts";
import type { Params } from "./params.ts";
import { describeFault, parseSelector } from "../promql/index.ts";

/** Targets and their metadata (Prometheus docs, querying/api.md, "Targets" and "Querying target metadata"). */

const STATES: readonly string[] = ["any", "active", "dropped"];

/** `targets`: those that are scraped, and those that rules dropped. */
export function targets({ scraping }: ApiParts, params: Params): Answer {
  const state = params.text("state").toLowerCase() || "any";
  if (!STATES.includes(state)) throw new ApiError("bad_data", `unknown state ${JSON.stringify(state)}: give one of ${STATES.join(", ")}`);
  const pool = params.text("scrapePool");
  const isAsked = (name: string): boolean => pool === "" || pool === name;
  const active = state === "dropped" ? [] : (scraping?.active() ?? []).filter(({ scrapePool }) => isAsked(scrapePool));
  const dropped = state === "active" ? [] : (scraping?.dropped() ?? []).filter(({ scrapePool }) => isAsked(scrapePool));
  const counts = scraping?.droppedCounts() ?? {};
  return {
    data: {
      activeTargets: active.map((one) => ({ ...one, metadata: undefined })),
      droppedTargets: dropped,
      droppedTargetCounts: state === "active" ? {} : counts,
    },
  };
}

/** `scrape_pools`: the names of the jobs. */
export const scrapePools = ({ scraping }: ApiParts): Answer => ({
  data: { scrapePools: Object.keys(scraping?.droppedCounts() ?? {}).sort() },
});

/** `targets/metadata`: what each target says about its metrics. */
export function targetsMetadata({ scraping }: ApiParts, params: Params): Answer {
  const selector = params.text("match_target");
  const metric = params.text("metric");
  const limit = params.limit();
  const parsed = selector === "" ? undefined : parseSelector(selector);
  if (parsed?.is === "fault") throw new ApiError("bad_data", describeFault(selector, parsed));
  const matches = ({ labels }: TargetStatus): boolean =>
    parsed === undefined || parsed.matchers.every((one) => one.matches(labels[one.name] ?? ""));
  const rows = (scraping?.active() ?? []).filter(matches).flatMap(({ labels, metadata }) =>
    [...metadata]
      .filter(([name]) => metric === "" || name === metric)
      .map(([name, { type = "unknown", help = "", unit = "" }]) => ({
        target: labels,
        ...(metric === "" && { metric: name }),
        type,
        help,
        unit,
      })),
  );
  if (rows.length === 0 && metric !== "") throw new ApiError("not_found", "specified metadata not found");
  return { data: rows.slice(0, Number.isFinite(limit) ? limit : undefined) };
}
