/**
 * What discoverers count, by the names that operators know: the meaning of each, and its labels: those of the
 * configuration, its own, or none.
 */
export const COUNTED = {
  prometheus_sd_refresh_failures_total: { help: "Attempts to refresh targets that failed.", labels: "config" },
  prometheus_sd_http_failures_total: { help: "Requests of http_sd_configs that failed.", labels: "none" },
  prometheus_sd_consul_rpc_failures_total: { help: "Queries of consul_sd_configs that failed.", labels: "none" },
  prometheus_sd_dns_lookups_total: { help: "Names of dns_sd_configs that were looked up.", labels: "none" },
  prometheus_sd_dns_lookup_failures_total: { help: "Names of dns_sd_configs that could not be looked up.", labels: "none" },
  prometheus_sd_file_read_errors_total: { help: "Files of targets that could not be read.", labels: "none" },
  prometheus_sd_kubernetes_events_total: { help: "Changes of objects of kubernetes_sd_configs.", labels: "own" },
  prometheus_sd_kubernetes_failures_total: { help: "Lists and watches of kubernetes_sd_configs that failed.", labels: "none" },
} as const;

/** The name of a counter. */
export type Counted = keyof typeof COUNTED;

/** Counters, each with any labels. */
export class Counters {
  readonly #values = new Map<Counted, Map<string, number>>();

  add(what: Counted, labels: Readonly<Record<string, string>> = {}, by = 1): void {
    const key = JSON.stringify(labels);
    const values = this.#values.get(what) ?? new Map<string, number>();
    this.#values.set(what, values.set(key, (values.get(key) ?? 0) + by));
  }

  /** The labels and the value of each counter of a name. */
  of(what: Counted): readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[] {
    return [...(this.#values.get(what) ?? [])].map(([key, value]) => [JSON.parse(key) as Record<string, string>, value]);
  }
}
