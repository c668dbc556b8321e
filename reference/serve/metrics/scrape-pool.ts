import { createHash } from "node:crypto";
import type { ScrapeConfig } from "../../metrics/config/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import { formatDuration, readDuration } from "../../metrics/promql/index.ts";
import { type Dropped, Relabelling, type RelabelConfig, type RelabelStep, type Target, targetOf } from "../../metrics/scrape/index.ts";
import { Fetcher } from "./fetch.ts";
import { type Discoveries, type Subscription } from "./discovery/index.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { ScrapeLoop, type LoopOptions } from "./scrape-loop.ts";

export type PoolOptions = Pick<LoopOptions, "storage" | "now" | "rooms" | "onOutcome" | "onError" | "onMissed"> & {
  readonly discoveries: Discoveries;
};

const DURATIONS = { read: readDuration, write: formatDuration };
const md5 = (octets: Uint8Array): Uint8Array => createHash("md5").update(octets).digest();

/** The targets of one job, and their loops. */
export class ScrapePool {
  readonly job: ScrapeConfig;
  /** Two jobs with the same one are alike, secrets included. */
  readonly fingerprint: string;
  readonly #options: PoolOptions;
  readonly #fetcher: Fetcher;
  readonly #targetRules: Relabelling;
  readonly #metricRules: Relabelling;
  readonly #discovery: Subscription;
  readonly #loops = new Map<string, ScrapeLoop>();
  #dropped: readonly Dropped[] = [];
  #droppedCount = 0;
  #before: ReadonlyMap<string, ScrapeLoop>;
  /** Why none is scraped now: there are too many. */
  #limit: string | undefined;
  /** Loops that are ending. */
  readonly #ending = new Set<Promise<void>>();

  /** `before` had the same job with other settings; its loops are stopped, and targets that stay continue their series. */
  constructor(job: ScrapeConfig, options: PoolOptions, before?: ScrapePool) {
    this.job = job;
    this.fingerprint = fingerprintOf(job);
    this.#options = options;
    this.#fetcher = new Fetcher(job);
    const scheme = job.metric_name_validation_scheme;
    const rules = (list: readonly RelabelConfig[]): Relabelling => new Relabelling(list, { md5, scheme });
    this.#targetRules = rules(job.relabel_configs);
    this.#metricRules = rules(job.metric_relabel_configs);
    this.#before = before === undefined ? new Map() : before.#loops;
    this.#discovery = options.discoveries.subscribe(job, { owner: job.job_name, onChange: () => this.#update() });
    this.#update();
    // Loops of targets that the new settings no longer have.
    for (const [key, loop] of this.#before) if (!this.#loops.has(key)) this.#end(loop, true);
    this.#before = new Map();
  }

  get active(): readonly ScrapeLoop[] {
    return [...this.#loops.values()];
  }
  get dropped(): readonly Dropped[] {
    return this.#dropped;
  }
  get droppedCount(): number {
    return this.#droppedCount;
  }
  /** What each rule does with the labels of a target. */
  relabelSteps(labels: Labels): readonly RelabelStep[] {
    return this.#targetRules.steps(labels);
  }

  /** Ends all loops; with `isGone` the series of all targets end, too. */
  async stop(isGone: boolean): Promise<void> {
    const ended = this.#discovery.close();
    for (const loop of this.#loops.values()) this.#end(loop, isGone);
    await Promise.all([ended, ...this.#ending]);
    await this.#fetcher.close();
  }
  /** Ends what finds targets; the loops go on until another pool takes their targets. */
  async release(): Promise<void> {
    await this.#discovery.close();
    await this.#fetcher.close();
  }

  /** Loops end in their own time: a scrape in progress is waited for before the storage may close. */
  #end(loop: ScrapeLoop, isGone: boolean): void {
    const ending = loop.stop(isGone).catch((error: unknown) => this.#options.onError(loop.target, error));
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  #update(): void {
    const found = new Map<string, Target>();
    const dropped: Dropped[] = [];
    for (const { targets, labels } of this.#discovery.groups)
      for (const target of targets) {
        const one = targetOf(Labels.of({ ...labels, ...target }), this.job, this.#targetRules, DURATIONS);
        if ("url" in one) found.set(one.key, one);
        else dropped.push(one);
      }
    const { target_limit: most, keep_dropped_targets: kept } = this.job;
    this.#droppedCount = dropped.length;
    this.#dropped = kept > 0 ? dropped.slice(0, kept) : dropped;
    const isOver = most > 0 && found.size > most;
    const limit = isOver ? `the job has ${found.size} targets; the target_limit is ${most}` : undefined;
    this.#limit = limit;
    for (const [key, loop] of this.#loops) {
      if (found.has(key)) continue;
      this.#loops.delete(key);
      this.#end(loop, true);
    }
    for (const [key, target] of found) {
      const known = this.#loops.get(key);
      if (known === undefined) this.#loops.set(key, this.#start(target));
      else known.found(target);
    }
  }

  #start(target: Target): ScrapeLoop {
    const { job } = this;
    const before = this.#before.get(target.key);
    if (before !== undefined) this.#end(before, false);
    return new ScrapeLoop({
      ...this.#options,
      target,
      before,
      fetch: (to, options) => {
        const error = this.#limit;
        return error === undefined ? this.#fetcher.fetch(to.url, { timeoutMs: to.timeoutMs, ...options }) : Promise.resolve({ error });
      },
      pass: {
        target: target.labels,
        honor_labels: job.honor_labels,
        honor_timestamps: job.honor_timestamps,
        track_timestamps_staleness: job.track_timestamps_staleness,
        metric_relabel: this.#metricRules,
        scheme: job.metric_name_validation_scheme,
        label_limit: job.label_limit,
        label_name_length_limit: job.label_name_length_limit,
        label_value_length_limit: job.label_value_length_limit,
        sample_limit: job.sample_limit,
        body_size_limit: job.body_size_limit,
        extra_scrape_metrics: job.extra_scrape_metrics,
        isNative: job.scrape_native_histograms,
        isAlwaysClassic: job.always_scrape_classic_histograms,
        timeoutMs: target.timeoutMs,
      },
    });
  }
}
