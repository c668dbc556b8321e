import { globSync, readFileSync, watch, type FSWatcher } from "node:fs";
import { dirname } from "node:path";
import { describeProblem, loadTargets, type ScrapeConfig } from "../../../metrics/config/index.ts";
import type { Group } from "../../../metrics/discovery/index.ts";
import type { Discoverer, Report } from "./report.ts";

/** Changes of a file come in several events: it is read once they have calmed down. */
const CALM_MS = 50;
const LEAST_REFRESH_MS = 1_000;

/** Targets from files, which are read again when they change (Prometheus docs, configuration/configuration.md, `<file_sd_config>`). */
export class FileDiscovery implements Discoverer {
  readonly #patterns: readonly string[];
  readonly #report: Report;
  readonly #watchers: FSWatcher[] = [];
  readonly #timer: NodeJS.Timeout;
  /** The last good content of each file: a broken one keeps its targets. */
  #known = new Map<string, readonly Group[]>();
  #calm: NodeJS.Timeout | undefined;

  constructor({ files, refresh_interval }: ScrapeConfig["file_sd_configs"][number], report: Report) {
    this.#patterns = files;
    this.#report = report;
    for (const folder of new Set(files.map((pattern) => dirname(pattern)))) this.#watch(folder);
    this.#timer = setInterval(() => this.#refresh(), Math.max(LEAST_REFRESH_MS, refresh_interval)).unref();
    this.#refresh();
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#calm);
    for (const watcher of this.#watchers) watcher.close();
    return Promise.resolve();
  }

  #refresh(): void {
    const known = new Map<string, readonly Group[]>();
    const faults: string[] = [];
    for (const file of this.#patterns.flatMap((pattern) => globSync(pattern).sort())) {
      const read = readGroups(file);
      if (typeof read === "string") faults.push(read);
      known.set(file, typeof read === "string" ? (this.#known.get(file) ?? []) : read);
    }
    this.#known = known;
    this.#report.groups([...known.values()].flat());
    if (faults.length === 0) return this.#report.recovered();
    this.#report.count("prometheus_sd_file_read_errors_total", {}, faults.length);
    return this.#report.failed(faults.join("; "));
  }

  /** Where a folder cannot be watched, the refresh interval remains. */
  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        clearTimeout(this.#calm);
        this.#calm = setTimeout(() => this.#refresh(), CALM_MS).unref();
      });
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      this.#report.failed(`${folder} cannot be watched: ${String((error as Error).message)}`);
    }
  }
}

/** The groups in a file, or what is wrong with it. */
function readGroups(file: string): readonly Group[] | string {
  try {
    const { groups, problems } = loadTargets(readFileSync(file, "utf8"), file);
    if (problems.length > 0) return problems.map((one) => describeProblem(one)).join("; ");
    return groups.map(({ targets, labels }, at) => ({
      source: `${file}:${at}`,
      targets: targets.map((address) => ({ __address__: address })),
      labels: { ...labels, __meta_filepath: file },
    }));
  } catch (error) {
    return `${file} cannot be read: ${String((error as Error).message)}`;
  }
}
