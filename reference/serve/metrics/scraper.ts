import type { FamilyMetadata } from "../../metrics/exposition/index.ts";
import type { Config, ScrapeConfig } from "../../metrics/config/index.ts";
import type { Outcome, Target } from "../../metrics/scrape/index.ts";
import type { Appendable } from "../../metrics/storage/index.ts";
import { Discoveries } from "./discovery/index.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { ScrapeFailureLog } from "./scrape-failure-log.ts";
import { PageRooms } from "./page-rooms.ts";
import { ScrapePool } from "./scrape-pool.ts";
import type { TargetState } from "./scrape-loop.ts";

export type ScraperOptions = {
  readonly storage: Appendable;
  readonly now: () => number;
  /** One line about something that an operator should know. */
  readonly onNotice: (message: string) => void;
};

/** Counts since the start, for the server's own metrics. */
export type ScrapeCounts = { scrapes: number; failed: number; missed: number; unstored: number; readonly refused: Map<string, number> };

/** An active target with its job and state. */
export type ActiveTarget = {
  readonly job: string;
  readonly target: Target;
  readonly state: TargetState;
  readonly metadata: ReadonlyMap<string, FamilyMetadata>;
};

/** Scrapes the targets of all jobs of a configuration. */
export class Scraper {
  readonly #options: ScraperOptions;
  #pools = new Map<string, ScrapePool>();
  /** The storage has refused the last scrape as a whole, as on a full disk. */
  #isStuck = false;
  readonly discoveries: Discoveries;
  readonly #rooms = new PageRooms();
  readonly #failures: ScrapeFailureLog;
  readonly counts: ScrapeCounts = { scrapes: 0, failed: 0, missed: 0, unstored: 0, refused: new Map() };

  constructor(options: ScraperOptions) {
    this.#options = options;
    this.discoveries = new Discoveries(options.onNotice);
    this.#failures = new ScrapeFailureLog(options.now, options.onNotice);
  }

  /** Takes another configuration. Jobs that are unchanged go on undisturbed, and targets that stay continue their series. */
  async apply(config: Pick<Config, "scrape_configs">): Promise<void> {
    this.#failures.reopen(config.scrape_configs.map((job) => job.scrape_failure_log_file));
    const before = this.#pools;
    const pools = new Map<string, ScrapePool>();
    const ends: Promise<void>[] = [];
    for (const job of config.scrape_configs) {
      const known = before.get(job.job_name);
      if (known?.fingerprint === fingerprintOf(job)) {
        pools.set(job.job_name, known);
        continue;
      }
      const next = new ScrapePool(job, this.#poolOptions(job), known);
      pools.set(job.job_name, next);
      if (known !== undefined) ends.push(known.release());
    }
    for (const [name, pool] of before) if (!pools.has(name)) ends.push(pool.stop(true));
    this.#pools = pools;
    await Promise.all(ends);
  }

  get active(): readonly ActiveTarget[] {
    return [...this.#pools.values()].flatMap(({ job, active }) =>
      active.map(({ target, state, metadata }) => ({ job: job.job_name, target, state, metadata })),
    );
  }
  /** The names of the jobs, each with what its rules dropped. */
  get pools(): readonly ScrapePool[] {
    return [...this.#pools.values()];
  }

  /** Ends all scrapes. The series do not end: the server may be back soon. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop(false)));
    this.#pools.clear();
    this.#failures.close();
  }

  #poolOptions({ job_name: job, scrape_failure_log_file: log }: ScrapeConfig) {
    const { storage, now, onNotice } = this.#options;
    return {
      storage,
      now,
      rooms: this.#rooms,
      discoveries: this.discoveries,
      onOutcome: (target: Target, { error, refused }: Outcome): void => {
        this.counts.scrapes += 1;
        if (this.#isStuck) onNotice("scrapes are stored again");
        this.#isStuck = false;
        if (error !== undefined) {
          this.counts.failed += 1;
          this.#failures.failed(log, { job, target: target.url, error });
        }
        for (const [why, count] of refused) {
          this.counts.refused.set(why, (this.counts.refused.get(why) ?? 0) + count);
          onNotice(`${target.url}: ${count} samples refused: ${why}`);
        }
      },
      onError: (target: Target, error: unknown): void => {
        this.counts.unstored += 1;
        const why = error instanceof Error ? error.message : String(error);
        if (!this.#isStuck) onNotice(`${target.url}: its samples could not be stored: ${why}; the next ones are only counted`);
        this.#isStuck = true;
      },
      onMissed: (target: Target): void => {
        this.counts.missed += 1;
        onNotice(`${target.url}: an interval of ${target.intervalMs} ms has no scrape, because the one before still runs`);
      },
    };
  }
}
