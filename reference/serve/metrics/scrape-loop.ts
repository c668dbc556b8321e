import { type Outcome, Schedule, type Scraped, type Target, TargetPass, type PassOptions } from "../../metrics/scrape/index.ts";
import type { Appendable } from "../../metrics/storage/index.ts";
import type { FetchOptions } from "./fetch.ts";
import type { PageRooms } from "./page-rooms.ts";

/** What is known about a target. */
export type TargetState = {
  readonly health: "unknown" | "up" | "down";
  readonly lastError: string;
  /** Milliseconds since 1970; 0 before the first scrape. */
  readonly lastScrape: number;
  readonly lastDurationMs: number;
};

export type LoopOptions = {
  readonly target: Target;
  readonly pass: PassOptions;
  /** The loop that scraped this target before a change of its job. */
  readonly before: ScrapeLoop | undefined;
  readonly storage: Appendable;
  readonly now: () => number;
  /** Memory for pages while they are read and stored. */
  readonly rooms: PageRooms;
  readonly fetch: (target: Target, options: Pick<FetchOptions, "stop" | "room">) => Promise<Scraped>;
  readonly onOutcome: (target: Target, outcome: Outcome) => void;
  readonly onError: (target: Target, error: unknown) => void;
  readonly onMissed: (target: Target) => void;
};

/** Timers cannot wait longer. */
const MOST_WAIT_MS = 2 ** 31 - 1;

/** Scrapes one target on its schedule until it is stopped. */
export class ScrapeLoop {
  readonly #options: LoopOptions;
  readonly #schedule: Schedule;
  readonly #pass: TargetPass;
  #target: Target;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  /** The size of the last page. */
  #pageOctets = 0;
  state: TargetState = { health: "unknown", lastError: "", lastScrape: 0, lastDurationMs: 0 };

  constructor(options: LoopOptions) {
    this.#options = options;
    const { target, pass, before, now } = options;
    this.#target = target;
    this.#pass = new TargetPass(pass, before === undefined ? undefined : before.#pass);
    if (before !== undefined) this.state = before.state;
    this.#schedule = new Schedule(target.key, target.intervalMs, now());
    this.#wait();
  }

  get target(): Target {
    return this.#target;
  }
  /** The same target was found again, perhaps with other labels before its rules. */
  found({ discovered }: Target): void {
    this.#target = { ...this.#target, discovered };
  }
  get metadata(): TargetPass["metadata"] {
    return this.#pass.metadata;
  }

  /** Ends the scrapes; with `isGone` it marks the end of all series of the target. */
  async stop(isGone: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#running;
    if (isGone && this.state.lastScrape > 0) this.#pass.end(this.#options.storage, this.#options.now());
  }

  #wait(): void {
    const ms = Math.min(MOST_WAIT_MS, Math.max(1, this.#schedule.next - this.#options.now()));
    // A clock that goes back must not make the wait longer than an interval.
    this.#timer = setTimeout(() => this.#tick(), Math.min(ms, this.#options.target.intervalMs)).unref();
  }

  #tick(): void {
    const { now, onMissed, target } = this.#options;
    const missed = this.#schedule.missed;
    const at = this.#schedule.begin(now());
    if (at !== undefined) this.#running = this.#scrape(at);
    else if (this.#schedule.missed > missed) onMissed(target);
    this.#wait();
  }

  async #scrape(at: number): Promise<void> {
    const { storage, fetch, target, rooms, onOutcome, onError } = this.#options;
    const begun = performance.now();
    const room = rooms.borrow(this.#pageOctets);
    try {
      const scraped = await fetch(target, { stop: this.#stop.signal, room });
      // The server stops: that is no failure of the target.
      if (this.#stop.signal.aborted) return;
      const lastDurationMs = performance.now() - begun;
      if ("octets" in scraped) this.#pageOctets = scraped.octets.length;
      const outcome = this.#pass.store(storage, scraped, at, lastDurationMs);
      const { error } = outcome;
      this.state = { health: error === undefined ? "up" : "down", lastError: error ?? "", lastScrape: at, lastDurationMs };
      onOutcome(target, outcome);
    } catch (error) {
      onError(target, error);
    } finally {
      rooms.giveBack(room);
      this.#schedule.end();
    }
  }
}
