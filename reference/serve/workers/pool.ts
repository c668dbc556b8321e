import cluster from "node:cluster";
import { type Settings, WORKER_MARK, type WorkerCounts, type WorkersPlace } from "./messages.ts";
import { WorkerProcess } from "./worker-process.ts";

export type PoolOptions = {
  /** The file that each worker runs, and its arguments. */
  readonly exec: string;
  readonly args: readonly string[];
  readonly count: number;
  readonly settings: Settings;
  /** Milliseconds that a worker which closes gets for its requests. */
  readonly graceMs: number;
  /** Receives one line about what an operator should know. */
  readonly onNotice: (line: string) => void;
};

/** The wait before a worker that ended by itself is replaced, in milliseconds; it doubles for each end in a row. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;
/** A worker that served for this long, in milliseconds, begins a new row of ends. */
const STEADY_MS = 10_000;

/**
 * Processes that serve on one port. This process accepts the connections and hands them out in turn (`node:cluster`), so that no connection is
 * lost while workers are replaced.
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<WorkerProcess>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #place: WorkersPlace | undefined;
  #endedRequests = 0;
  #replaced = 0;
  #endsInRow = 0;
  #restarting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Starts the workers. Throws if one of them cannot listen, and ends the others. */
  static async start(options: PoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options);
    try {
      await Promise.all(Array.from({ length: options.count }, () => pool.#start()));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  get place(): WorkersPlace {
    return this.#place!;
  }
  /** How many workers ended by themselves and were replaced. */
  get replaced(): number {
    return this.#replaced;
  }
  /** The requests of all workers that have ended. */
  get endedRequests(): number {
    return this.#endedRequests;
  }

  /** The counts of the workers that serve. */
  async counts(): Promise<readonly WorkerCounts[]> {
    const all = await Promise.all([...this.#workers].map((worker) => worker.counts()));
    return all.filter((one) => one !== undefined);
  }

  /** Replaces the workers one after the other: each closes when its successor listens. Throws if a successor cannot listen. */
  restart(): Promise<void> {
    this.#restarting ??= this.#replaceAll().finally(() => (this.#restarting = undefined));
    return this.#restarting;
  }
  async #replaceAll(): Promise<void> {
    const before = Array.from(this.#workers);
    for (const worker of before) {
      if (this.#closing !== undefined) return;
      await this.#start();
      void worker.close(this.#options.graceMs);
    }
  }

  /** Accepts no further connections, completes requests in progress, and ends all workers. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }
  async #closeAll(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#workers].map((worker) => worker.close(this.#options.graceMs)));
  }

  async #start(): Promise<void> {
    const { exec, args, settings, graceMs } = this.#options;
    // These settings belong to the whole process: another pool may have changed them.
    cluster.setupPrimary({ exec, args: [...args], serialization: "advanced" });
    const worker = new WorkerProcess(cluster.fork({ [WORKER_MARK]: "1" }), settings, (ended) => this.#ended(ended));
    this.#workers.add(worker);
    this.#place = await worker.listening;
    if (this.#closing !== undefined) void worker.close(graceMs);
  }

  #ended(worker: WorkerProcess): void {
    this.#workers.delete(worker);
    this.#endedRequests += worker.last?.requests ?? 0;
    if (this.#closing === undefined && !worker.isClosing && worker.hasListened)
      this.#replace(`worker ${worker.pid} ended (${worker.how})`, worker.servedMs);
  }

  /** Starts another worker after a while, and again until one listens. */
  #replace(why: string, servedMs: number): void {
    this.#endsInRow = servedMs >= STEADY_MS ? 1 : this.#endsInRow + 1;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#endsInRow - 1));
    this.#options.onNotice(`${why}: another one starts in ${waitMs} ms`);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#replaced += 1;
      this.#start().catch((error: unknown) => {
        if (this.#closing === undefined) this.#replace((error as Error).message, 0);
      });
    }, waitMs);
    this.#timers.add(timer);
  }
}
