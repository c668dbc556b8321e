import { Backoff, type Group } from "../../../metrics/discovery/index.ts";
import { described } from "../http-access.ts";
import type { Discoverer, Report } from "./report.ts";

/** What a refresh found; with a fault, only a part of it is new. */
export type Refreshed = { readonly groups: readonly Group[]; readonly fault?: string };

export type PollOptions = {
  readonly refreshMs: number;
  readonly refresh: (signal: AbortSignal) => Promise<Refreshed>;
  readonly report: Report;
  /** Called when it has ended. */
  readonly onClose?: () => Promise<void>;
};

/** Timers cannot wait longer. */
const MOST_WAIT_MS = 2 ** 31 - 1;
const LEAST_WAIT_MS = 100;

/** A discoverer that asks again after an interval; sooner after a failure, and then less and less often. */
export class Poll implements Discoverer {
  readonly #options: PollOptions;
  readonly #backoff: Backoff;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void>;

  constructor(options: PollOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.refreshMs, Math.random);
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#running;
    await this.#options.onClose?.();
  }

  async #run(): Promise<void> {
    const { refresh, refreshMs, report } = this.#options;
    const began = performance.now();
    let wait = refreshMs;
    try {
      const { groups, fault } = await refresh(this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      this.#backoff.reset();
      report.groups(groups);
      if (fault === undefined) report.recovered();
      else report.failed(fault);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      wait = this.#backoff.next();
      report.count("prometheus_sd_refresh_failures_total");
      report.failed(described(error));
    }
    const spent = performance.now() - began;
    report.took(spent / 1_000);
    const ms = Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, wait - spent));
    this.#timer = setTimeout(() => (this.#running = this.#run()), ms).unref();
  }
}
