import type { SendOutcome } from "./send-outcome.ts";
import type { SentSeries } from "./sent-series.ts";
import type { SentSample } from "./write-message.ts";

/** Settings of a queue, in milliseconds and samples (Prometheus docs, configuration/configuration.md, `<remote_write>`, queue_config). */
export type SendQueueOptions = {
  /** Samples that wait in one shard; a full shard stops the reading of the log. */
  readonly capacity: number;
  readonly batch: number;
  /** The longest wait of a sample for a batch to fill. */
  readonly deadlineMs: number;
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** Samples older than this are dropped; 0: none are. */
  readonly ageLimitMs: number;
};

export type QueuedSeries = SentSeries & { readonly hash: number };

/** The samples of one stretch of the log. */
type Stretch<Position> = { end: Position; open: number };
type Waiting<Position> = { readonly sample: SentSample; readonly since: number; readonly stretch: Stretch<Position> };

/** Samples on their way to the receiver in one request. */
export type SendBatch = {
  readonly samples: readonly SentSample[];
  readonly shard: number;
  readonly attempt: number;
  readonly since: number;
};

type Shard<Position> = {
  waiting: Waiting<Position>[];
  /** Sent, or to be sent again. */
  batch: readonly Waiting<Position>[];
  isSending: boolean;
  attempt: number;
  backoffMs: number;
  notBefore: number;
};

const shard = <Position>(): Shard<Position> => ({ waiting: [], batch: [], isSending: false, attempt: 0, backoffMs: 0, notBefore: 0 });

/** Samples by what became of them. */
export type SendCounts = { sent: number; accepted: number; refused: number; retried: number; tooOld: number };

/**
 * Samples between the log and a receiver. All samples of a series go through one shard, which has one request at a time: they arrive in order. `acknowledged`
 * is the position in the log before which nothing waits any more. Times are milliseconds of the caller's clock, which also dates samples.
 */
export class SendQueue<Position> {
  readonly #options: SendQueueOptions;
  #shards: Shard<Position>[];
  /** The number of shards once the present ones are empty. */
  #wanted: number;
  readonly #stretches: Stretch<Position>[] = [];
  #acknowledged: Position;
  #length = 0;
  #isFlushing = false;
  readonly floats: SendCounts = { sent: 0, accepted: 0, refused: 0, retried: 0, tooOld: 0 };
  readonly histograms: SendCounts = { sent: 0, accepted: 0, refused: 0, retried: 0, tooOld: 0 };
  readonly exemplars: SendCounts = { sent: 0, accepted: 0, refused: 0, retried: 0, tooOld: 0 };
  /** The time of the newest sample that the receiver has accepted. */
  newestSent = 0;

  constructor(options: SendQueueOptions, shards: number, start: Position) {
    this.#options = options;
    this.#wanted = shards;
    this.#shards = Array.from({ length: shards }, shard<Position>);
    this.#acknowledged = start;
  }

  get acknowledged(): Position {
    return this.#acknowledged;
  }
  /** Samples that wait or are on their way. */
  get length(): number {
    return this.#length;
  }
  get shards(): number {
    return this.#shards.length;
  }
  /** Whether the caller must not add another stretch now. */
  get isFull(): boolean {
    return this.#wanted !== this.#shards.length || this.#shards.some(({ waiting }) => waiting.length >= this.#options.capacity);
  }
  /** Whether each shard that is not empty waits to repeat a request. */
  get isStuck(): boolean {
    return this.#shards.every((one) => !one.isSending && (one.attempt > 0 || one.batch.length + one.waiting.length === 0));
  }

  /** Adds the samples of a stretch of the log that ends at `end`, in the order of the log. */
  add(samples: readonly (SentSample & { readonly series: QueuedSeries })[], end: Position, now: number): void {
    const before = this.#stretches.at(-1);
    // Stretches of which nothing is sent may come for hours while a receiver is away.
    if (samples.length === 0 && before !== undefined) {
      before.end = end;
      return;
    }
    const stretch = { end, open: samples.length };
    this.#stretches.push(stretch);
    for (const sample of samples) this.#shards[sample.series.hash % this.#shards.length]!.waiting.push({ sample, since: now, stretch });
    this.#length += samples.length;
    this.#advance();
  }

  /** Changes the number of shards as soon as nothing waits, so that no sample overtakes another of its series. */
  resize(shards: number): void {
    this.#wanted = shards;
    this.#resize();
  }

  /** From now on batches do not wait until they are full. */
  flush(): void {
    this.#isFlushing = true;
  }

  /** When `take` may return a batch; undefined: not before another input. */
  get deadline(): number | undefined {
    let first: number | undefined;
    for (const one of this.#shards) {
      const due = this.#due(one);
      if (due !== undefined && (first === undefined || due < first)) first = due;
    }
    return first;
  }

  /** The next batch to send; undefined if there is none yet. Each must be settled. */
  take(now: number): SendBatch | undefined {
    for (const [at, one] of this.#shards.entries()) {
      const due = this.#due(one);
      if (due === undefined || due > now) continue;
      if (one.batch.length === 0) one.batch = one.waiting.splice(0, this.#options.batch);
      one.batch = this.#young(one.batch, now);
      if (one.batch.length === 0) {
        this.#next(one);
        continue;
      }
      one.isSending = true;
      const count = one.attempt === 0 ? "sent" : "retried";
      for (const { sample } of one.batch) this.#countsOf(sample)[count] += 1;
      return { samples: one.batch.map(({ sample }) => sample), shard: at, attempt: one.attempt, since: one.batch[0]!.since };
    }
    return undefined;
  }

  /** Reports how sending a batch ended. */
  settle({ shard: at }: SendBatch, outcome: SendOutcome, now: number): void {
    const one = this.#shards[at]!;
    one.isSending = false;
    if (outcome.is === "retry") {
      const { minBackoffMs, maxBackoffMs } = this.#options;
      one.backoffMs = Math.min(maxBackoffMs, one.backoffMs === 0 ? minBackoffMs : one.backoffMs * 2);
      one.notBefore = now + (outcome.afterMs ?? one.backoffMs);
      one.attempt += 1;
      return;
    }
    for (const { sample } of one.batch) {
      this.#countsOf(sample)[outcome.is] += 1;
      if (outcome.is === "accepted" && sample.exemplar === undefined) this.newestSent = Math.max(this.newestSent, sample.time);
    }
    this.#close(one.batch);
    this.#next(one);
  }

  #due(one: Shard<Position>): number | undefined {
    if (one.isSending) return undefined;
    if (one.batch.length > 0) return one.notBefore;
    const [first] = one.waiting;
    if (first === undefined) return undefined;
    const isReady = this.#isFlushing || this.#wanted !== this.#shards.length || one.waiting.length >= this.#options.batch;
    return isReady ? first.since : first.since + this.#options.deadlineMs;
  }

  #next(one: Shard<Position>): void {
    one.batch = [];
    one.attempt = 0;
    one.backoffMs = 0;
    one.notBefore = 0;
    this.#resize();
  }

  /** The samples that are not too old to be sent. */
  #young(batch: readonly Waiting<Position>[], now: number): readonly Waiting<Position>[] {
    const { ageLimitMs } = this.#options;
    if (ageLimitMs === 0) return batch;
    const old = batch.filter(({ sample }) => sample.time < now - ageLimitMs);
    if (old.length === 0) return batch;
    for (const { sample } of old) this.#countsOf(sample).tooOld += 1;
    this.#close(old);
    return batch.filter(({ sample }) => sample.time >= now - ageLimitMs);
  }

  #close(batch: readonly Waiting<Position>[]): void {
    for (const { stretch } of batch) stretch.open -= 1;
    this.#length -= batch.length;
    this.#advance();
  }

  #advance(): void {
    let closed = 0;
    for (; closed < this.#stretches.length && this.#stretches[closed]!.open === 0; closed++)
      this.#acknowledged = this.#stretches[closed]!.end;
    if (closed > 0) this.#stretches.splice(0, closed);
  }

  #resize(): void {
    if (this.#wanted === this.#shards.length || this.#length > 0) return;
    this.#shards = Array.from({ length: this.#wanted }, shard<Position>);
  }

  #countsOf(sample: SentSample): SendCounts {
    if (sample.exemplar !== undefined) return this.exemplars;
    return sample.histogram === undefined ? this.floats : this.histograms;
  }
}
