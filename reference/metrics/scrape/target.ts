import { Labels } from "../model/index.ts";
import type { Relabelling } from "./relabel.ts";

/** Targets: where they are, and the labels of their series (Prometheus docs, configuration/configuration.md, `<relabel_config>`). */

/** What a job contributes to its targets. */
export type JobOfTargets = {
  readonly job_name: string;
  readonly metrics_path: string;
  readonly scheme: string;
  readonly params: Readonly<Record<string, readonly string[]>>;
  /** Milliseconds. */
  readonly scrape_interval: number;
  readonly scrape_timeout: number;
};

/** A place to scrape. */
export type Target = {
  readonly url: string;
  /** The labels of every series, `job` and `instance` among them. */
  readonly labels: Labels;
  /** All labels before relabelling. */
  readonly discovered: Labels;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Identifies the target within its job: a target that is found again is the same one. */
  readonly key: string;
};

/** A group without a target: rules dropped it, or it cannot be scraped. */
export type Dropped = { readonly discovered: Labels; readonly fault?: string };

/** Reads and writes durations as the configuration has them. */
export type Durations = { read(text: string): number | "invalid" | "outOfRange"; write(ms: number): string };

const RESERVED = "__";

/** The target of a discovered set of labels, after relabelling. */
export function targetOf(found: Labels, job: JobOfTargets, rules: Relabelling, durations: Durations): Target | Dropped {
  const before = new Map(
    [
      ["job", job.job_name],
      ["__scrape_interval__", durations.write(job.scrape_interval)],
      ["__scrape_timeout__", durations.write(job.scrape_timeout)],
      ["__metrics_path__", job.metrics_path],
      ["__scheme__", job.scheme],
      ...Object.entries(job.params).flatMap(([name, [first]]) => (first === undefined ? [] : [[`__param_${name}`, first] as const])),
      ...found,
    ].filter(([, value]) => value !== "") as [string, string][],
  );
  const discovered = Labels.of(before);
  const labels = new Map(discovered);
  if (!rules.change(labels)) return { discovered };
  const address = labels.get("__address__") ?? "";
  const dropped = (fault: string): Dropped => ({ discovered, fault });
  if (address === "") return dropped("no address");
  if (address.includes("/")) return dropped(`${JSON.stringify(address)} is not a host with an optional port`);
  const intervalMs = durations.read(labels.get("__scrape_interval__") ?? "");
  const timeoutMs = durations.read(labels.get("__scrape_timeout__") ?? "");
  if (typeof intervalMs !== "number" || intervalMs === 0)
    return dropped(`__scrape_interval__ is not a duration above 0: ${labels.get("__scrape_interval__") ?? ""}`);
  if (typeof timeoutMs !== "number" || timeoutMs === 0)
    return dropped(`__scrape_timeout__ is not a duration above 0: ${labels.get("__scrape_timeout__") ?? ""}`);
  if (timeoutMs > intervalMs) return dropped("__scrape_timeout__ is longer than __scrape_interval__");
  const url = urlOf(labels, address, job.params);
  if (url === undefined) return dropped(`${JSON.stringify(address)} does not make a URL`);
  if (!labels.has("instance")) labels.set("instance", address);
  const own = Labels.of([...labels].filter(([name]) => !name.startsWith(RESERVED)));
  return { url, labels: own, discovered, intervalMs, timeoutMs, key: `${url} ${own.key}` };
}

/** The URL to scrape; `__param_…` replaces the first value of a parameter. */
function urlOf(labels: ReadonlyMap<string, string>, address: string, params: JobOfTargets["params"]): string | undefined {
  const url = URL.parse(`${labels.get("__scheme__") ?? "http"}://${address}`);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined;
  const path = labels.get("__metrics_path__") ?? "";
  const query = new URLSearchParams();
  const all = new Map(Object.entries(params).map(([name, values]) => [name, [...values]]));
  for (const [label, value] of labels) {
    if (!label.startsWith("__param_")) continue;
    const name = label.slice("__param_".length);
    all.set(name, [value, ...(all.get(name) ?? []).slice(1)]);
  }
  for (const name of [...all.keys()].sort()) for (const value of all.get(name) ?? []) query.append(name, value);
  const search = query.toString();
  return `${url.protocol}//${url.host}${path.startsWith("/") ? path : `/${path}`}${search === "" ? "" : `${path.includes("?") ? "&" : "?"}${search}`}`;
}
