import { globSync, readFileSync, watch, type FSWatcher } from "node:fs";
import { dirname } from "node:path";
import { describeProblem, loadTargets, type TargetGroup } from "../../metrics/config/index.ts";

/** Changes of a file come in several events: it is read once they have calmed down. */
const CALM_MS = 50;

export type FilesOptions = {
  readonly patterns: readonly string[];
  readonly refreshMs: number;
  readonly onGroups: (groups: readonly Found[]) => void;
  readonly onError: (message: string) => void;
};
/** A group of targets, and the file that has it. */
export type Found = TargetGroup & { readonly file: string };

/** Targets from files, which are read again when they change (Prometheus docs, configuration/configuration.md, `<file_sd_config>`). */
export class FileDiscovery {
  readonly #options: FilesOptions;
  readonly #watchers: FSWatcher[] = [];
  readonly #timer: NodeJS.Timeout;
  /** The last good content of each file: a broken one keeps its targets. */
  #known = new Map<string, readonly TargetGroup[]>();
  #calm: NodeJS.Timeout | undefined;

  constructor(options: FilesOptions) {
    this.#options = options;
    for (const folder of new Set(options.patterns.map((pattern) => dirname(pattern)))) this.#watch(folder);
    this.#timer = setInterval(() => this.refresh(), options.refreshMs).unref();
  }

  refresh(): void {
    const known = new Map<string, readonly TargetGroup[]>();
    for (const file of this.#options.patterns.flatMap((pattern) => globSync(pattern).sort())) known.set(file, this.#read(file));
    this.#known = known;
    this.#options.onGroups([...known].flatMap(([file, groups]) => groups.map((group) => ({ ...group, file }))));
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#calm);
    for (const watcher of this.#watchers) watcher.close();
  }

  #read(file: string): readonly TargetGroup[] {
    const before = this.#known.get(file) ?? [];
    try {
      const { groups, problems } = loadTargets(readFileSync(file, "utf8"), file);
      if (problems.length === 0) return groups;
      this.#options.onError(`${problems.map((one) => describeProblem(one)).join("; ")}: the targets of before stay`);
    } catch (error) {
      this.#options.onError(`${file} cannot be read: ${String((error as Error).message)}: the targets of before stay`);
    }
    return before;
  }

  /** Where a folder cannot be watched, the refresh interval remains. */
  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        clearTimeout(this.#calm);
        this.#calm = setTimeout(() => this.refresh(), CALM_MS).unref();
      });
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      this.#options.onError(`${folder} cannot be watched: ${String((error as Error).message)}`);
    }
  }
}
