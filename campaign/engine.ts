import type { Queue, Worker, WorkerOptions } from "bullmq";
import type { Redis } from "ioredis";
import { Unreachable, WrongUse } from "../conformance/harness/driver.ts";
import type { Done } from "./perform.ts";
import type { Task } from "./plan.ts";

/** How often to try to reach Redis again while a campaign runs, and how long to wait at most between two tries, in milliseconds. */
const SLOWEST_RETRY_MS = 5_000;

/** A queue of jobs in Redis, which the engine keeps. */
export type Engine = {
  readonly redis: Redis;
  readonly queue: Queue<Task, Done>;
  /** Performs jobs until it is closed. */
  work(perform: (task: Task) => Promise<Done>, options: Omit<WorkerOptions, "connection">): Worker<Task, Done>;
  /** An error after which the engine tries no other attempt. */
  final(message: string): Error;
  close(): Promise<void>;
};

/** Loads the engine, and opens the campaign of this name. Throws `WrongUse` if it is not installed, `Unreachable` if Redis does not answer. */
export async function openCampaign(name: string, url: string): Promise<Engine> {
  if (!/^rediss?:\/\//.test(url)) throw new WrongUse(`${url} is not the address of a Redis server: redis://HOST:PORT.`);
  const { bullmq, ioredis } = await packages();
  const redis = new ioredis.Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    retryStrategy: (tries) => (reached ? Math.min(tries * 100, SLOWEST_RETRY_MS) : null),
  });
  let reached = false;
  let problem = "";
  redis.on("error", (error) => (problem = error.message));
  try {
    await redis.connect();
    reached = true;
  } catch (error) {
    redis.disconnect();
    throw new Unreachable(
      `Redis at ${hostOf(url)} does not answer: ${problem || (error instanceof Error ? error.message : String(error))}`,
    );
  }
  const queue = new bullmq.Queue<Task, Done>(name, { connection: redis });
  // The connection is that of `redis`, which tries again by itself.
  queue.on("error", (error) => (problem = error.message));
  return {
    redis,
    queue,
    work: (perform, options) => new bullmq.Worker<Task, Done>(name, ({ data }) => perform(data), { ...options, connection: redis }),
    final: (message) => new bullmq.UnrecoverableError(message),
    close: async () => {
      await queue.close();
      redis.disconnect();
    },
  };
}

/** Without the password. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

async function packages(): Promise<{ bullmq: typeof import("bullmq"); ioredis: typeof import("ioredis") }> {
  try {
    return { bullmq: await import("bullmq"), ioredis: await import("ioredis") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new WrongUse('A campaign needs the packages bullmq and ioredis: "npm install --save-dev bullmq ioredis".');
  }
}
