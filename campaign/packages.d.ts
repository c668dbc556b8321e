/** What campaigns use of the queue engine and its client, which are optional packages. */
declare module "bullmq" {
  import type { Redis } from "ioredis";

  export type JobOptions = {
    readonly jobId: string;
    readonly attempts: number;
    readonly backoff: { readonly type: "exponential"; readonly delay: number };
    /** 0 and then 1 come first; the largest last. */
    readonly priority: number;
  };
  export type JobState = "waiting" | "prioritized" | "delayed" | "active" | "completed" | "failed";
  export type Job<Data, Returned> = {
    readonly id?: string;
    readonly data: Data;
    readonly returnvalue: Returned;
    readonly failedReason?: string;
    /** The name of the worker that has it, or had it last. */
    readonly processedBy?: string;
    readonly attemptsMade: number;
    readonly processedOn?: number;
    readonly finishedOn?: number;
  };
  export class Queue<Data, Returned> {
    constructor(name: string, options: { readonly connection: Redis });
    addBulk(jobs: readonly { readonly name: string; readonly data: Data; readonly opts: JobOptions }[]): Promise<unknown>;
    getJobs(states: readonly JobState[]): Promise<Job<Data, Returned>[]>;
    getJobCounts(): Promise<Partial<Record<JobState, number>>>;
    retryJobs(options: { readonly state: "failed" }): Promise<void>;
    setGlobalRateLimit(most: number, ms: number): Promise<unknown>;
    on(event: "error", listener: (error: Error) => void): this;
    close(): Promise<void>;
  }
  export type WorkerOptions = {
    readonly connection: Redis;
    readonly name: string;
    readonly concurrency: number;
    /** After this many milliseconds without a sign of its worker, a job goes to another one. */
    readonly lockDuration: number;
    readonly stalledInterval: number;
    readonly maxStalledCount: number;
  };
  export class Worker<Data, Returned> {
    constructor(name: string, perform: (job: Job<Data, Returned>) => Promise<Returned>, options: WorkerOptions);
    on(event: "completed", listener: (job: Job<Data, Returned>) => void): this;
    on(event: "failed", listener: (job: Job<Data, Returned> | undefined, error: Error) => void): this;
    on(event: "error", listener: (error: Error) => void): this;
    on(event: "stalled", listener: (id: string) => void): this;
    close(): Promise<void>;
  }
  /** A failure that another attempt would repeat. */
  export class UnrecoverableError extends Error {}
}

declare module "ioredis" {
  export class Redis {
    constructor(
      url: string,
      options: {
        readonly maxRetriesPerRequest: null;
        readonly lazyConnect: true;
        readonly retryStrategy: (tries: number) => number | null;
      },
    );
    connect(): Promise<void>;
    on(event: "error", listener: (error: Error) => void): this;
    sadd(key: string, ...members: string[]): Promise<number>;
    smembers(key: string): Promise<string[]>;
    disconnect(): void;
  }
}
