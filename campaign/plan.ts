import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { WrongUse } from "../conformance/harness/driver.ts";
import { words } from "../conformance/harness/subject/subject-process.ts";
import { PLAN_SCHEMA } from "./plan-schema.ts";

/** The verbs that a campaign can run. `mutate` needs a checkout of Touchstone. */
export const VERBS = ["check", "fuzz", "mutate"] as const;
export type Verb = (typeof VERBS)[number];

/** A plan as it is written. */
type Plan = {
  /** Of the campaign. */
  readonly name?: string;
  /** How often a job is tried. */
  readonly attempts?: number;
  /** At most this many jobs begin in this time, on all machines together. */
  readonly rate?: { readonly jobs: number; readonly seconds: number };
  /** A verb with the words after it; into how many jobs it is divided (for fuzz: with how many seeds it runs); smaller priorities come first. */
  readonly jobs: readonly ({ readonly shards?: number; readonly priority?: number } & Partial<Readonly<Record<Verb, string>>>)[];
};

/** What one job is: the words after its verb, and which part of them it does. */
export type Task = { readonly verb: Verb; readonly words: readonly string[]; readonly index: number; readonly of: number };

/** A job with its name, which is the same for the same task: a job is in a campaign once. */
export type Planned = { readonly id: string; readonly task: Task; readonly priority: number };

/** A campaign to start. */
export type Campaign = {
  readonly name: string;
  readonly attempts: number;
  /** At most this many jobs begin in this many seconds, on all machines together. */
  readonly rate?: { readonly jobs: number; readonly seconds: number };
  readonly jobs: readonly Planned[];
};

export const DEFAULT_NAME = "touchstone";
/** How often a job is tried, by default. */
const ATTEMPTS = 3;

/** Reads a plan in YAML. Throws `WrongUse` with the first mistake in it. */
export async function readPlan(path: string): Promise<Campaign> {
  const plan = await parsed(path);
  const { name = DEFAULT_NAME, attempts = ATTEMPTS, rate } = plan;
  const jobs = plan.jobs.flatMap((job, at) => {
    const verbs = VERBS.filter((one) => job[one] !== undefined);
    const [verb] = verbs;
    if (verb === undefined || verbs.length > 1) throw new WrongUse(`${path}: job ${at + 1} has one of ${VERBS.join(", ")}.`);
    const { shards = 1, priority = 0 } = job;
    return tasksOf(verb, words(job[verb] ?? ""), shards).map((task) => ({ id: idOf(task), task, priority }));
  });
  const twice = jobs.find(({ id }, at) => jobs.findIndex((one) => one.id === id) !== at);
  if (twice !== undefined) throw new WrongUse(`${path}: ${twice.task.verb} ${twice.task.words.join(" ")} is there twice.`);
  return { name, attempts, jobs, ...(rate === undefined ? {} : { rate }) };
}

async function parsed(path: string): Promise<Plan> {
  let data: unknown;
  try {
    data = (await import("yaml")).parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new WrongUse(`${path} cannot be read: ${(error as Error).message.split("\n")[0]}`);
  }
  const validate = new Ajv({ allErrors: false }).compile<Plan>(PLAN_SCHEMA);
  if (validate(data)) return data;
  const { instancePath = "", message = "", params = {} } = validate.errors?.[0] ?? {};
  const more = "additionalProperty" in params ? ` (${String(params["additionalProperty"])})` : "";
  throw new WrongUse(`${path}: ${instancePath === "" ? "the plan" : instancePath.slice(1).replaceAll("/", ".")} ${message}${more}.`);
}

/** The shards of a check or of mutants, or the seeds of a fuzz run. */
function tasksOf(verb: Verb, given: readonly string[], shards: number): Task[] {
  return Array.from({ length: shards }, (_, at) => ({ verb, words: given, index: at + 1, of: shards }));
}

/** The engine allows no colon in a name. */
function idOf({ verb, words: given, index, of }: Task): string {
  const hash = createHash("sha256").update(JSON.stringify(given)).digest("hex").slice(0, 8);
  return `${verb}-${(given[0] ?? "all").replaceAll(/[^\w.-]+/g, "-")}-${hash}-${index}-of-${of}`;
}
