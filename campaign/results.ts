import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../conformance/harness/result.ts";
import type { Engine } from "./engine.ts";
import { outputOf } from "./perform.ts";
import { SharedCorpus } from "./shared-corpus.ts";

/** What a campaign has done so far. */
export type Gathered = {
  /** Of all checks, as shards. */
  readonly checks: readonly Result[];
  /** Lines of JSON that fuzz has printed. */
  readonly fuzzed: readonly string[];
  /** What mutate has written, by job. */
  readonly mutated: ReadonlyMap<string, string>;
  /** The number of jobs without a result. */
  readonly missing: number;
  /** Why jobs failed in all their attempts. */
  readonly failures: readonly string[];
  /** Whether a verb ended with status 1. */
  readonly isRed: boolean;
};

/** Reads the results of all jobs. A job has one result, however often it was tried. */
export async function gather({ queue }: Engine): Promise<Gathered> {
  const jobs = (await queue.getJobs(["completed"])).toSorted((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1));
  const of = (verb: string) => jobs.filter(({ data }) => data.verb === verb);
  const failed = await queue.getJobs(["failed"]);
  const left = await queue.getJobs(["waiting", "prioritized", "delayed", "active"]);
  return {
    checks: of("check").flatMap(({ returnvalue }) => {
      const read = JSON.parse(outputOf(returnvalue)) as Result | readonly Result[];
      return "suite" in read ? [read] : read;
    }),
    fuzzed: of("fuzz").flatMap(({ returnvalue }) => outputOf(returnvalue).trim().split("\n")),
    mutated: new Map(of("mutate").map(({ id = "", returnvalue }) => [id, outputOf(returnvalue)])),
    missing: failed.length + left.length,
    failures: failed.map(({ id, failedReason }) => `${id}: ${failedReason}`),
    isRed: jobs.some(({ returnvalue }) => returnvalue.status !== 0),
  };
}

/** Writes what other verbs read: `result.json`, `fuzz.jsonl`, `mutants/`, and the joined corpora in `corpus/`. Returns the names. */
export async function writeGathered(
  folder: string,
  gathered: Gathered,
  whole: readonly Result[],
  corpora: SharedCorpus,
): Promise<string[]> {
  const { fuzzed, mutated } = gathered;
  mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    written.push(name);
  };
  if (whole.length > 0) write("result.json", `${JSON.stringify(whole)}\n`);
  if (fuzzed.length > 0) {
    write("fuzz.jsonl", `${fuzzed.join("\n")}\n`);
    for (const target of new Set(fuzzed.map((line) => (JSON.parse(line) as { readonly target: string }).target)))
      if ((await corpora.read(target, join(folder, "corpus"))) > 0) written.push(`corpus/${target.replaceAll("/", "-")}.txt`);
  }
  if (mutated.size > 0) mkdirSync(join(folder, "mutants"), { recursive: true });
  for (const [id, text] of mutated) write(`mutants/${id}.json`, text);
  return written;
}
