import { Misuse } from "../../core/index.ts";
import type { FamilyMetadata, Format, Page } from "../exposition/index.ts";
import { type Histogram, Labels, METRIC_NAME } from "../model/index.ts";
import type { Appendable, Appender, AppendRefusal } from "../storage/index.ts";
import { DROPPED, type LabelRules, labelsOfSeries } from "./labels.ts";
import { type MessageSample, type PageExemplar, PageReader, type ReadOptions } from "./read.ts";
import { DROPPED_ID, TargetSeries } from "./series.ts";

/** What a scrape turns into (Prometheus docs, configuration/configuration.md, `<scrape_config>`). */

/** The settings of a job that decide what is stored. */
export type PassOptions = LabelRules &
  ReadOptions & {
    readonly honor_timestamps: boolean;
    readonly track_timestamps_staleness: boolean;
    /** 0 is none. */
    readonly sample_limit: number;
    readonly body_size_limit: number;
    readonly extra_scrape_metrics: boolean;
    readonly timeoutMs: number;
  };

/** A page that came, or why none did. */
export type Scraped =
  | { readonly octets: Uint8Array; readonly format: Format["is"] }
  | { readonly error: string; /** It is larger than body_size_limit. */ readonly isTooLarge?: boolean };

/** A scrape that is over. */
export type Outcome = {
  /** Undefined if the target is up. */
  readonly error: string | undefined;
  readonly scraped: number;
  readonly kept: number;
  readonly added: number;
  /** Samples that the storage refused, by reason. */
  readonly refused: ReadonlyMap<AppendRefusal | "too far ahead", number>;
};

/** Samples further ahead are refused. */
const MOST_AHEAD_MS = 10 * 60_000;

/** Stores the scrapes of one target. Times are milliseconds since 1970. */
export class TargetPass {
  readonly #options: PassOptions;
  readonly #series: TargetSeries;
  readonly #reader = new PageReader();
  /** The series about the scrapes themselves, by name. */
  readonly #reports = new Map<string, number>();

  /** `before` stored the scrapes of the same target under other settings: series that these do not have end with the next scrape. */
  constructor(options: PassOptions, before?: TargetPass) {
    this.#options = options;
    this.#series = before === undefined ? new TargetSeries() : before.#series;
  }

  /** What the target last said about its metrics. */
  get metadata(): ReadonlyMap<string, FamilyMetadata> {
    return this.#reader.metadata;
  }

  /** Stores a scrape that began at `at`, and reports on it; a failed one marks the end of all series. */
  store(storage: Appendable, fetched: Scraped, at: number, durationMs: number): Outcome {
    this.#series.begin();
    const scraped = within(fetched, this.#options.body_size_limit);
    const outcome = "error" in scraped ? failed(scraped.error) : this.#storePage(storage, scraped, at);
    const appender = storage.appender();
    // Nothing of a failed page is stored.
    if (outcome.error !== undefined) this.#markGone(appender, at, true);
    this.#report(appender, outcome, at, durationMs, sizeOf(scraped, outcome));
    appender.commit();
    return outcome;
  }

  /** The target is gone: marks the end of its series, and of those about it. */
  end(storage: Appendable, at: number): void {
    const appender = storage.appender();
    this.#series.begin();
    this.#markGone(appender, at, true);
    for (const ref of this.#reports.values()) appender.appendStale(ref, at);
    appender.commit();
  }

  #storePage(storage: Appendable, { octets, format }: { octets: Uint8Array; format: Format["is"] }, at: number): Outcome {
    const content = this.#reader.read(octets, format, this.#options);
    if (typeof content === "string") return failed(content);
    const appender = storage.appender();
    const run = new Run(appender, this.#series, this.#options, at);
    try {
      if (content.page !== undefined) this.#takePage(run, content.page);
      else for (const sample of content.samples) run.message(sample);
    } catch (error) {
      appender.rollback();
      if (error instanceof ScrapeFault || error instanceof Misuse) return { ...run.outcome(), error: error.message };
      throw error;
    }
    if (run.fault !== undefined) {
      appender.rollback();
      return { ...run.outcome(), error: run.fault };
    }
    this.#markGone(appender, at, false);
    appender.commit();
    this.#series.forget();
    return run.outcome();
  }

  #takePage(run: Run, page: Page): void {
    const { known } = this.#reader;
    // One function for the whole page: one for each sample would be garbage.
    const labelsAt: LabelsAt = (n) => labelsOf(page, n);
    for (let n = 0; n < page.count; n++) {
      let id = known.numberOf(n);
      if (id < 0) known.put(n, (id = run.find(page, n)));
      run.take(id, page.values[n]!, page.timestamps[n]!, labelsAt, n);
    }
    for (let e = 0; e < page.exemplarCount; e++)
      run.exemplar(known.numberOf(page.exemplarOf[e]!), {
        labels: page.exemplarLabels(e),
        value: page.exemplarValues[e]!,
        timestamp: page.exemplarTimestamps[e]!,
      });
    known.keep(page);
  }

  #markGone(appender: Appender, at: number, isAll: boolean): void {
    for (const ref of isAll ? this.#series.all() : this.#series.gone()) appender.appendStale(ref, at);
  }

  // oxlint-disable-next-line max-params -- the outcome, and three facts about the scrape
  #report(appender: Appender, { error, scraped, kept, added }: Outcome, at: number, durationMs: number, octets: number): void {
    const { extra_scrape_metrics: isExtra, timeoutMs, sample_limit } = this.#options;
    const put = (name: string, value: number): void => {
      const labels = this.#options.target.with(METRIC_NAME, name);
      const ref = this.#reports.get(name) ?? appender.series(labels);
      this.#reports.set(name, ref);
      if (appender.append(ref, at, value) !== "unknown series") return;
      const again = appender.series(labels);
      this.#reports.set(name, again);
      appender.append(again, at, value);
    };
    put("up", error === undefined ? 1 : 0);
    put("scrape_duration_seconds", durationMs / 1_000);
    put("scrape_samples_scraped", scraped);
    put("scrape_samples_post_metric_relabeling", kept);
    put("scrape_series_added", added);
    if (!isExtra) return;
    put("scrape_timeout_seconds", timeoutMs / 1_000);
    put("scrape_sample_limit", sample_limit);
    put("scrape_body_size_bytes", octets);
  }
}

/** A page over the limit of its size is none. */
const within = (scraped: Scraped, most: number): Scraped =>
  "error" in scraped || most === 0 || scraped.octets.length <= most
    ? scraped
    : { error: `the page has ${scraped.octets.length} octets; the body_size_limit is ${most}`, isTooLarge: true };
/** What is reported as the size of a page: -1 if it is too large, 0 after any other failure (Prometheus docs, feature_flags.md, "Extra scrape metrics"). */
const sizeOf = (scraped: Scraped, { error }: Outcome): number =>
  "error" in scraped ? (scraped.isTooLarge === true ? -1 : 0) : error === undefined ? scraped.octets.length : 0;
const failed = (error: string): Outcome => ({ error, scraped: 0, kept: 0, added: 0, refused: new Map() });

/** Ends a scrape: nothing of its page is stored. */
class ScrapeFault extends Error {}

function* labelsOf(page: Page, n: number): Generator<readonly [string, string]> {
  yield [METRIC_NAME, page.name(n)];
  yield* page.labels(n);
}

type LabelsAt = (n: number) => Iterable<readonly [string, string]>;

/** The samples of one page on their way into the storage. */
class Run {
  readonly #appender: Appender;
  readonly #series: TargetSeries;
  readonly #options: PassOptions;
  readonly #at: number;
  readonly #refused = new Map<AppendRefusal | "too far ahead", number>();
  #scraped = 0;
  #kept = 0;
  #added = 0;
  /** Why nothing of the page may be stored. */
  fault: string | undefined;

  // oxlint-disable-next-line max-params -- where samples go, and whose they are
  constructor(appender: Appender, series: TargetSeries, options: PassOptions, at: number) {
    this.#appender = appender;
    this.#series = series;
    this.#options = options;
    this.#at = at;
  }

  outcome(): Outcome {
    return { error: undefined, scraped: this.#scraped, kept: this.#kept, added: this.#added, refused: this.#refused };
  }

  /** The id of the series of sample `n`, which the page before did not have. */
  find(page: Page, n: number): number {
    return this.#idOf(labelsOf(page, n));
  }

  message({ labels, value, timestamp, exemplars }: MessageSample): void {
    const id = this.#idOf(labels);
    this.take(id, value, timestamp, () => labels, 0);
    for (const one of exemplars) this.exemplar(id, one);
  }

  /** Stores an exemplar of a series. One without a time of its own has that of the scrape. */
  exemplar(id: number, { labels, value, timestamp = Number.NaN }: PageExemplar): void {
    const isTimed = !Number.isNaN(timestamp);
    const time = isTimed ? Math.round(timestamp) : this.#at;
    if (id === DROPPED_ID || time > this.#at + MOST_AHEAD_MS) return;
    this.#appender.appendExemplar(this.#series.refOf(id), { labels: Labels.of(labels), value, time }, isTimed);
  }

  /** Stores sample `n` of a page. `labelsAt` returns its labels on the page, for a series whose number the storage has given up. */
  // oxlint-disable-next-line max-params -- called for each sample
  take(id: number, value: number | Histogram, timestamp: number, labelsAt: LabelsAt, n: number): void {
    const { honor_timestamps, track_timestamps_staleness, sample_limit } = this.#options;
    this.#scraped += 1;
    if (id === DROPPED_ID) return;
    this.#kept += 1;
    // The rest of the page is still counted.
    if (sample_limit > 0 && this.#kept > sample_limit)
      return void (this.fault = `the page has more samples than the sample_limit of ${sample_limit}`);
    const hasTime = honor_timestamps && !Number.isNaN(timestamp);
    const time = hasTime ? Math.round(timestamp) : this.#at;
    this.#series.see(id, !hasTime || track_timestamps_staleness);
    if (time > this.#at + MOST_AHEAD_MS) return this.#refuse("too far ahead");
    let refusal = this.#append(this.#series.refOf(id), time, value);
    if (refusal === "unknown series") {
      const found = labelsOfSeries(labelsAt(n), this.#options);
      if (!(found instanceof Labels)) return undefined;
      this.#series.move(id, this.#appender.series(found));
      refusal = this.#append(this.#series.refOf(id), time, value);
    }
    if (refusal !== undefined) this.#refuse(refusal);
    return undefined;
  }

  #append(ref: number, time: number, value: number | Histogram): AppendRefusal | undefined {
    return typeof value === "number" ? this.#appender.append(ref, time, value) : this.#appender.appendHistogram(ref, time, value);
  }

  #refuse(why: AppendRefusal | "too far ahead"): void {
    this.#refused.set(why, (this.#refused.get(why) ?? 0) + 1);
  }

  #idOf(labels: Iterable<readonly [string, string]>): number {
    const found = labelsOfSeries(labels, this.#options);
    if (found === DROPPED) return DROPPED_ID;
    if (!(found instanceof Labels)) throw new ScrapeFault(found.fault);
    const { id, isNew } = this.#series.idOf(this.#appender.series(found));
    if (isNew) this.#added += 1;
    return id;
  }
}
