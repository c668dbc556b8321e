import { LineLog } from "./line-log.ts";

/**
 * Every failed scrape as a line of JSON, in the file of `scrape_failure_log_file` of its job (Prometheus docs, configuration/configuration.md, `global` and
 * `scrape_config`). Jobs may share a file.
 */
export class ScrapeFailureLog {
  readonly #now: () => number;
  readonly #notice: (message: string) => void;
  #files = new Map<string, LineLog>();

  constructor(now: () => number, notice: (message: string) => void) {
    this.#now = now;
    this.#notice = notice;
  }

  /** Opens all files anew, each once. */
  reopen(paths: readonly (string | undefined)[]): void {
    const files = new Map<string, LineLog>();
    for (const path of new Set(paths)) {
      if (path === undefined || path === "") continue;
      const file = this.#files.get(path) ?? new LineLog("scrape_failure_log_file", "failed scrapes", this.#notice);
      file.reopen(path);
      files.set(path, file);
    }
    for (const [path, file] of this.#files) if (!files.has(path)) file.close();
    this.#files = files;
  }
  close(): void {
    this.reopen([]);
  }

  /** `path`: the file of the job. */
  failed(
    path: string | undefined,
    { job, target, error }: { readonly job: string; readonly target: string; readonly error: string },
  ): void {
    if (path === undefined) return;
    const time = new Date(this.#now()).toISOString();
    this.#files.get(path)?.write({ time, level: "ERROR", msg: error, job_name: job, target });
  }
}
