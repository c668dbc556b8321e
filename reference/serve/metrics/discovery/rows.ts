import type { Row } from "../metric-rows.ts";
import { COUNTED, type Counted, Counters } from "./counters.ts";
import type { Discoveries } from "./discoveries.ts";
import type { Provider } from "./provider.ts";

/** The metrics about discovery. `all` has the discoveries of each part of the server by its name. */
export function discoveryRows(all: Readonly<Record<string, Discoveries>>): Row[] {
  const named = Object.entries(all);
  const providers = named.flatMap(([, discoveries]) => discoveries.providers);
  const perName = (value: (discoveries: Discoveries) => number) => named.map(([name, one]) => [{ name }, value(one)] as const);
  const updates = (one: Discoveries): number => one.providers.reduce((sum, { updates }) => sum + updates, 0);
  return [
    ["prometheus_sd_received_updates_total", "counter", "Lists of targets that discoverers brought.", perName(updates)],
    ["prometheus_sd_updates_total", "counter", "Times that jobs took changed targets.", perName((one) => one.updates)],
    [
      "prometheus_sd_refresh_duration_seconds",
      "summary",
      "Attempts to refresh targets, and the time that they took.",
      providers.filter(({ timed }) => timed.count > 0).map((one) => ({ labels: labelsOf(one), ...one.timed })),
    ],
    ...(Object.keys(COUNTED) as Counted[]).map((what): Row => [what, "counter", COUNTED[what].help, valuesOf(what, providers)]),
  ];
}

const labelsOf = ({ mechanism, owner }: Provider): Readonly<Record<string, string>> => ({ mechanism, config: owner });

/** The values of one counter of all discoverers, added up where their labels are the same. A counter without labels begins with 0. */
function valuesOf(what: Counted, providers: readonly Provider[]): ReturnType<Counters["of"]> {
  const sums = new Counters();
  const { labels: kind } = COUNTED[what];
  for (const provider of providers)
    for (const [labels, value] of provider.counters.of(what))
      sums.add(what, kind === "config" ? { ...labelsOf(provider), ...labels } : labels, value);
  const values = sums.of(what);
  return values.length === 0 && kind === "none" ? [[{}, 0]] : values;
}
