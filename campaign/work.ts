import { hostname } from "node:os";
import type { Engine } from "./engine.ts";
import { type Done, NotDone, perform } from "./perform.ts";
import type { Task } from "./plan.ts";
import { SharedCorpus } from "./shared-corpus.ts";

/** How a worker works. */
export type WorkOptions = {
  readonly campaign: string;
  /** Jobs at the same time. */
  readonly concurrency: number;
  /** After this many milliseconds without a sign of its worker, a job is given to another one. */
  readonly stalledMs: number;
  /** End when no job is left. */
  readonly untilDone: boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
};

/** How often another worker may take over a job before it counts as failed: a job that kills its workers must end. */
const MOST_TAKEN_OVER = 5;
/** How often to look whether a job is left, in milliseconds. */
const LOOK_MS = 500;

/** Performs jobs until the signal, or until no job is left. A job that runs is finished first. */
export async function work(engine: Engine, { campaign, concurrency, stalledMs, untilDone, say, signal }: WorkOptions): Promise<void> {
  const corpora = new SharedCorpus(engine.redis, campaign);
  const one = async (task: Task): Promise<Done> => {
    try {
      const [target = ""] = task.words;
      if (task.verb !== "fuzz" || target.startsWith("-")) return await perform(task, "");
      return await corpora.during(target, (folder) => perform(task, folder));
    } catch (error) {
      if (error instanceof NotDone && error.isFinal) throw engine.final(error.message);
      throw error;
    }
  };
  const worker = engine.work(one, {
    name: `${hostname()}-${process.pid}`,
    concurrency,
    lockDuration: stalledMs,
    stalledInterval: stalledMs,
    maxStalledCount: MOST_TAKEN_OVER,
  });
  worker.on("completed", ({ id, returnvalue: { status, ms } }) => say(`${id}: status ${status} in ${ms} ms`));
  worker.on("failed", (job, error) => say(`${job?.id}: ${error.message}`));
  worker.on("stalled", (id) => say(`${id}: its worker is gone, so it is done again`));
  let last = "";
  worker.on("error", ({ message }) => {
    // While Redis is away, each attempt to reach it fails in the same way.
    if (message !== last) say(message);
    last = message;
  });
  const isOver = async (): Promise<boolean> => signal.aborted || (untilDone && (await isDone(engine)));
  while (!(await isOver())) await pause(LOOK_MS, signal);
  await worker.close();
}

async function isDone({ queue }: Engine): Promise<boolean> {
  const { waiting = 0, prioritized = 0, delayed = 0, active = 0 } = await queue.getJobCounts();
  return waiting + prioritized + delayed + active === 0;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
