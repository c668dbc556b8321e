import type { Step } from "../vocabulary.ts";
import type { Answer } from "./record.ts";

/** Parts that not every server has. */

type FeatureProbe = { readonly step: Step; readonly has: (answers: readonly Answer[]) => boolean; readonly how: string };
const endpoint = (path: string): FeatureProbe => ({
  step: { do: "ask", of: "server", asks: [{ path }] },
  has: ([answer]) => answer !== undefined && answer.status !== 404 && answer.status !== 0,
  how: `it does not know ${path.split("?")[0]}`,
});

export const FEATURES = {
  lifecycle: {
    step: { do: "ask", of: "server", change: {}, asks: [] },
    has: ([answer]) => answer?.status === 200,
    how: "it is not started with its life cycle API: write {flags} into its command",
  },
  blocks: endpoint("/api/v1/status/tsdb/blocks"),
  features: endpoint("/api/v1/features"),
  notifications: endpoint("/api/v1/notifications"),
  "pool-config": endpoint("/api/v1/scrape_pools/config?scrapePool=targets"),
  "tsdb-limit": {
    step: { do: "ask", of: "server", asks: [{ path: "/api/v1/status/tsdb?limit=1" }] },
    has: ([answer]) => (/"seriesCountByMetricName":\[(.*?)\]/s.exec(answer?.text ?? "")?.[1]?.match(/"name"/g) ?? []).length === 1,
    how: "it shows more than one entry with limit=1",
  },
  "replay-state": {
    step: { do: "ask", of: "server", asks: [{ path: "/api/v1/status/walreplay" }] },
    has: ([answer]) => answer?.text.includes('"state"') === true,
    how: "it shows no state of the replay",
  },
  "relabel-steps": endpoint("/api/v1/targets/relabel_steps?scrapePool=targets&labels={}"),
} as const satisfies Readonly<Record<string, FeatureProbe>>;
