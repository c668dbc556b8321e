import { createHash } from "node:crypto";
import { WrongUse } from "./driver.ts";
import type { Shard } from "./result.ts";

const MOST = 1_000;
/** The number of this machine's job, from 0 on, in an Indexed Job of Kubernetes. */
const INDEX_OF_JOB = "JOB_COMPLETION_INDEX";
/** How many jobs there are. Kubernetes does not set it: the manifest does, beside `completions`. */
const JOBS = "JOB_COMPLETIONS";
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `2/4`, the second of four parts. `/4` takes the number from the environment of an Indexed Job. Throws `WrongUse` if it is neither, or
 * if there is no such part.
 */
export function readShard(text: string, environment: Environment = process.env): Shard {
  const [, own, all = ""] = /^(\d{1,4})?\/(\d{1,4})$/.exec(text) ?? [];
  if (all === "") throw new WrongUse(`--shard ${text} is not a part of a whole: write 2/4 for the second of four.`);
  const job = environment[INDEX_OF_JOB];
  if (own === undefined && (job === undefined || !/^\d{1,4}$/.test(job)))
    throw new WrongUse(
      `--shard ${text} takes its number from ${INDEX_OF_JOB}, which is ${job === undefined ? "not set" : `"${job}"`}: write 1${text}.`,
    );
  const [index, of] = [own === undefined ? Number(job) + 1 : Number(own), Number(all)];
  if (of > MOST || index < 1 || index > of)
    throw new WrongUse(`There is no shard ${index} of ${of}: shards are numbered from 1, and there are at most ${MOST}.`);
  return { index, of };
}

/**
 * The shard of this machine in an Indexed Job that has both `JOB_COMPLETION_INDEX` and `JOB_COMPLETIONS` in its environment; undefined elsewhere.
 * Throws `WrongUse` if they are invalid.
 */
export function shardOfJob(environment: Environment = process.env): Shard | undefined {
  const { [INDEX_OF_JOB]: index, [JOBS]: jobs } = environment;
  return index === undefined || jobs === undefined ? undefined : readShard(`/${jobs}`, environment);
}

/** Whether a shard has what goes by this name. The name alone decides, so that each run divides the same things in the same way. */
export function inShard(name: string, { index, of }: Shard): boolean {
  return createHash("sha256").update(name).digest().readUInt32BE() % of === index - 1;
}
