import type { Config } from "../../metrics/config/index.ts";
import type { Labels } from "../../metrics/model/index.ts";
import { RequestWriter, type SendBatch, type SendOutcome, SendQueue, type SentMetadata, ShardPlan } from "../../metrics/remote/index.ts";
import type { NameScheme } from "../../metrics/scrape/index.ts";
import { type Database, type LogFollower, type LogPosition, Packer } from "../../metrics/tsdb/index.ts";
import type { RemotePosition } from "./remote-position.ts";
import { RemotePost } from "./remote-post.ts";
import { RemoteSeries } from "./remote-series.ts";

export type RemoteWriteConfig = Config["remote_write"][number];

/** What is known of the metrics that are sent. */
export type MetadataSource = {
  /** By the name of a series. */
  readonly of: (metric: string) => SentMetadata | undefined;
  /** By the name of a family. */
  readonly all: () => Iterable<readonly [family: string, metadata: SentMetadata]>;
};

export type WriterOptions = {
  readonly config: RemoteWriteConfig;
  readonly name: string;
  readonly database: Database;
  readonly external: Labels;
  readonly scheme: NameScheme;
  readonly position: RemotePosition;
  readonly metadata: MetadataSource;
  readonly onNotice: (message: string) => void;
};

/** The log is looked at this often while there is nothing to do. */
const POLL_MS = 200;
/** Pages of the log that are read before anything else has its turn. */
const MOST_PAGES = 16;
const SAVE_MS = 5_000;
const PLAN_MS = 10_000;

/** A clock that never goes back, in milliseconds since 1970. */
const clock = (): number => performance.timeOrigin + performance.now();

/** Sends the log to one receiver. A position on disk remembers how far: samples that were not accepted yet are sent after a restart. */
export class RemoteWriter {
  readonly name: string;
  readonly config: RemoteWriteConfig;
  readonly queue: SendQueue<LogPosition>;
  readonly #options: WriterOptions;
  readonly #series: RemoteSeries;
  readonly #follower: LogFollower;
  readonly #writer: RequestWriter;
  readonly #packer = new Packer();
  readonly #post: RemotePost;
  readonly #stop = new AbortController();
  readonly #plan: ShardPlan;
  readonly #repeated: NodeJS.Timeout[];
  #timer: NodeJS.Timeout | undefined;
  #hasMore = true;
  #isDown = false;
  #closeBy: number | undefined;
  readonly #closed = Promise.withResolvers<void>();
  readonly metadata = { sent: 0, failed: 0, octets: 0 };
  octets = 0;
  wantedShards: number;
  #read = 0;
  #readOctets = 0;
  #sent = 0;
  #sendingMs = 0;
  #plannedAt = clock();

  constructor(options: WriterOptions) {
    const { config, database, position } = options;
    this.#options = options;
    this.name = options.name;
    this.config = config;
    const { queue_config: queue, metadata_config: metadata, protobuf_message: message } = config;
    const isFirst = message === "prometheus.WriteRequest";
    this.#writer = new RequestWriter(message);
    this.#series = new RemoteSeries({
      forms: this.#writer.forms,
      external: options.external,
      rules: config.write_relabel_configs,
      scheme: options.scheme,
      message,
      sendsHistograms: config.send_native_histograms,
      sendsExemplars: config.send_exemplars,
    });
    this.#follower = database.follow(this.#positionIn(position), {
      samples: (samples, end) => {
        this.#read += samples.length;
        this.queue.add(this.#series.ready(samples, this.#follower), end, clock());
      },
      lost: ({ segment, octets }, why) =>
        options.onNotice(`remote write to ${this.name}: the log cannot be read after octet ${octets} of segment ${segment}: ${why}`),
    });
    this.queue = new SendQueue(
      {
        capacity: queue.capacity,
        batch: queue.max_samples_per_send,
        deadlineMs: queue.batch_send_deadline,
        minBackoffMs: queue.min_backoff,
        maxBackoffMs: queue.max_backoff,
        ageLimitMs: queue.sample_age_limit,
      },
      queue.min_shards,
      this.#follower.position,
    );
    // A new queue that ends before it has sent anything goes on from here.
    position.save(this.#follower.position);
    this.#plan = new ShardPlan(queue.min_shards, queue.max_shards);
    this.wantedShards = queue.min_shards;
    this.#post = new RemotePost(config, this.#stop.signal);
    this.#repeated = [setInterval(() => this.#save(), SAVE_MS).unref(), setInterval(() => this.#replan(), PLAN_MS).unref()];
    if (isFirst && metadata.send)
      this.#repeated.push(setInterval(() => void this.#sendMetadata(), Math.max(1, Math.min(metadata.send_interval, 2 ** 31 - 1))).unref());
    this.#wait(0);
  }

  /** Where the log is read on. If the file cannot be read, everything in the log is sent again, since no receiver stores it twice. */
  #positionIn(file: RemotePosition): LogPosition | undefined {
    try {
      return file.load();
    } catch (error) {
      this.#options.onNotice(
        `remote write to ${this.name}: all of the log is sent again: ${error instanceof Error ? error.message : String(error)}`,
      );
      return { segment: 0, octets: 0 };
    }
  }

  get dropped(): RemoteSeries["dropped"] {
    return this.#series.dropped;
  }
  get position(): LogPosition {
    return this.#follower.position;
  }

  /** Sends what is in the log for at most this long, but does not wait for a receiver that is away: the rest is sent after the next start. */
  async close(flushMs: number): Promise<void> {
    this.#closeBy ??= clock() + flushMs;
    this.queue.flush();
    this.#wait(0);
    await this.#closed.promise;
    clearTimeout(this.#timer);
    for (const timer of this.#repeated) clearInterval(timer);
    this.#stop.abort();
    this.#save();
    this.#follower.close();
    await this.#post.close();
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => this.#pump(), ms).unref();
  }

  /** Reads the log while there is room, and sends what is due. */
  #pump(): void {
    try {
      const before = this.#follower.behind;
      for (let pages = 0; pages < MOST_PAGES && !this.queue.isFull; pages++) if (!(this.#hasMore = this.#follower.step())) break;
      this.#readOctets += Math.max(0, before - this.#follower.behind);
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
    }
    for (let batch = this.queue.take(clock()); batch !== undefined; batch = this.queue.take(clock())) void this.#send(batch);
    const now = clock();
    if (this.#closeBy !== undefined && this.#isDone(now)) return this.#closed.resolve();
    const due = Math.max(0, (this.queue.deadline ?? Infinity) - now);
    this.#wait(this.#hasMore && !this.queue.isFull ? 0 : Math.min(POLL_MS, Math.ceil(due)));
    return undefined;
  }

  #isDone(now: number): boolean {
    return now >= this.#closeBy! || (this.queue.length === 0 ? !this.#hasMore : this.queue.isStuck);
  }

  async #send(batch: SendBatch): Promise<void> {
    const message = this.#writer.samples(batch.samples, this.#options.metadata.of);
    const packed = this.#packer.pack(message).slice();
    const begun = clock();
    const outcome = await this.#post.post(packed);
    const now = clock();
    if (this.#stop.signal.aborted) return;
    this.octets += packed.length;
    this.#sendingMs += now - begun;
    if (outcome.is !== "retry") this.#sent += batch.samples.length;
    this.#note(outcome, batch.samples.length);
    this.queue.settle(batch, outcome, now);
    this.#wait(0);
  }

  #note(outcome: SendOutcome, samples: number): void {
    if (outcome.is === "accepted") this.#isDown = false;
    else if (outcome.is === "retry") this.#failed(outcome.why);
    else this.#options.onNotice(`remote write to ${this.name}: ${samples} samples dropped: ${outcome.why}`);
  }

  /** One notice for a receiver that stays away. */
  #failed(why: string): void {
    if (!this.#isDown) this.#options.onNotice(`remote write to ${this.name}: ${why}; it is tried again`);
    this.#isDown = true;
  }

  #save(): void {
    try {
      this.#options.position.save(this.queue.acknowledged);
    } catch (error) {
      this.#failed(`its position cannot be stored: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #replan(): void {
    const now = clock();
    const each = this.#readOctets / Math.max(1, this.#read);
    const behind = this.queue.length + (each === 0 ? 0 : this.#follower.behind / each);
    const flow = { read: this.#read, sent: this.#sent, sendingMs: this.#sendingMs, behind };
    this.wantedShards = this.#plan.look(flow, now - this.#plannedAt, this.queue.shards);
    this.queue.resize(this.wantedShards);
    [this.#read, this.#readOctets, this.#sent, this.#sendingMs] = [0, 0, 0, 0];
    this.#plannedAt = now;
    this.#wait(0);
  }

  /** Metadata of protocol 1 has no order and no history: what fails is sent with the next interval. */
  async #sendMetadata(): Promise<void> {
    const all = [...this.#options.metadata.all()];
    const { max_samples_per_send: most } = this.config.metadata_config;
    for (let from = 0; from < all.length; from += most) {
      const part = all.slice(from, from + most);
      const packed = this.#packer.pack(this.#writer.metadata(part)).slice();
      const { is } = await this.#post.post(packed);
      if (this.#stop.signal.aborted) return;
      this.metadata.octets += packed.length;
      this.metadata[is === "accepted" ? "sent" : "failed"] += part.length;
    }
  }
}
