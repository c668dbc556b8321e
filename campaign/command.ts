import type { Command } from "commander";
import { guarded } from "../conformance/cli/guarded.ts";
import type { Result } from "../conformance/harness/result.ts";
import { wholeOf } from "../conformance/harness/whole.ts";
import { timeUpTo, wholeNumber } from "../options.ts";
import { type Engine, openCampaign } from "./engine.ts";
import { DEFAULT_NAME, readPlan } from "./plan.ts";
import { gather, writeGathered } from "./results.ts";
import { SharedCorpus } from "./shared-corpus.ts";
import { statusOf, statusText } from "./status.ts";
import { work } from "./work.ts";

/** How long a worker may be silent before its jobs go to others. */
const STALLED_MS = 30_000;
/** The first pause before another attempt; each further one is twice as long. */
const BACKOFF_MS = 1_000;

/** Passed in by the command line. */
export type Wiring = { readonly text: (results: readonly Result[], options: { readonly strict: boolean }) => Promise<string> };
type Flags = { readonly redis: string };
type Named = Flags & { readonly name: string };

/** `touchstone campaign`: many jobs on many machines, through a queue in Redis. */
export function campaignCommand(command: Command, wiring: Wiring): void {
  const verb = (name: string, about: string): Command =>
    command.command(name).description(about).requiredOption("--redis <url>", "the Redis server: redis://HOST:PORT");
  const named = (name: string, about: string): Command =>
    verb(name, about).option("--name <name>", "the name of the campaign in its plan", DEFAULT_NAME);
  verb("start", "put the jobs of a plan into the queue; a job that is there stays as it is, and one that failed is tried again")
    .argument("<plan>", "a file in YAML")
    .action(async (plan: string, flags: Flags) => void (process.exitCode = await guarded(() => start(plan, flags))));
  named("work", "perform jobs, on any number of machines")
    .option("--concurrency <n>", "jobs at the same time", wholeNumber(1, 256), 1)
    .option("--stalled <time>", "how long a worker may be silent before others do its jobs", timeUpTo("60m"), STALLED_MS)
    .option("--until-done", "end when no job is left")
    .action(async (flags: Working) => void (process.exitCode = await guarded(() => startWork(flags))));
  named("status", "print how far it is, by worker, and what failed")
    .option("--json", "as JSON")
    .action(async (flags: Named & { readonly json?: true }) => {
      process.exitCode = await guarded(() =>
        during(flags, async (engine) => {
          const status = await statusOf(engine);
          process.stdout.write(flags.json === true ? `${JSON.stringify(status)}\n` : statusText(status));
          return status.counts.failed > 0 ? 1 : 0;
        }),
      );
    });
  named("results", "write the joined results into a folder, and print them")
    .argument("<folder>", "gets result.json, fuzz.jsonl, mutants/ and corpus/")
    .action(async (folder: string, flags: Named) => void (process.exitCode = await guarded(() => results(folder, flags, wiring))));
  command.addHelpText(
    "after",
    `
Examples:
  touchstone campaign start night.yml --redis redis://queue:6379
  touchstone campaign work --redis redis://queue:6379                  on any number of machines
  touchstone campaign status --redis redis://queue:6379
  touchstone campaign results out --redis redis://queue:6379

A worker runs the commands of the plan: only those who may run commands on your machines may write to that Redis.
It needs the packages bullmq and ioredis. With one machine you need none of this.`,
  );
}

type Working = Named & { readonly concurrency: number; readonly stalled: number; readonly untilDone?: true };

async function during(flags: Named, action: (engine: Engine) => Promise<number>): Promise<number> {
  const engine = await openCampaign(flags.name, flags.redis);
  try {
    return await action(engine);
  } finally {
    await engine.close();
  }
}

async function start(path: string, { redis }: Flags): Promise<number> {
  const { name, attempts, rate, jobs } = await readPlan(path);
  return during({ redis, name }, async (engine) => {
    const { jobs: before } = await statusOf(engine);
    if (rate !== undefined) await engine.queue.setGlobalRateLimit(rate.jobs, rate.seconds * 1_000);
    await engine.queue.addBulk(
      jobs.map(({ id, task, priority }) => ({
        name: task.verb,
        data: task,
        opts: { jobId: id, attempts, priority, backoff: { type: "exponential", delay: BACKOFF_MS } },
      })),
    );
    await engine.queue.retryJobs({ state: "failed" });
    const { jobs: after } = await statusOf(engine);
    process.stdout.write(`${name}: ${jobs.length} jobs, ${after - before} of them new\n`);
    return 0;
  });
}

async function startWork(flags: Working): Promise<number> {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
  return during(flags, async (engine) => {
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    say(`working on ${flags.name}`);
    const { name: campaign, concurrency, stalled: stalledMs, untilDone = false } = flags;
    await work(engine, { campaign, concurrency, stalledMs, untilDone, say, signal: ending.signal });
    return 0;
  });
}

async function results(folder: string, flags: Named, { text }: Wiring): Promise<number> {
  return during(flags, async (engine) => {
    const gathered = await gather(engine);
    const whole = wholeOf(gathered.checks);
    const written = await writeGathered(folder, gathered, whole, new SharedCorpus(engine.redis, flags.name));
    if (whole.length > 0) process.stdout.write(await text(whole, { strict: false }));
    for (const line of gathered.failures) process.stdout.write(`FAILED ${line}\n`);
    if (gathered.missing > 0) process.stdout.write(`${gathered.missing} jobs have no result yet\n`);
    process.stdout.write(`${folder}: ${written.join(", ") || "nothing yet"}\n`);
    return gathered.isRed || gathered.missing > 0 ? 1 : 0;
  });
}
