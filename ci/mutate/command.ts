import { availableParallelism } from "node:os";
import { join } from "node:path";
import { SingleBar } from "cli-progress";
import type { Command } from "commander";
import { inShard, readShard, shardOfJob } from "../../conformance/harness/shard.ts";
import type { Shard } from "../../conformance/harness/result.ts";
import { wholeNumber } from "../../options.ts";
import { NotClean } from "./baseline.ts";
import { Foreign, learn, readOutcomes, writeOutcomes } from "./elsewhere.ts";
import { type Mutant, sampled } from "./mutants.ts";
import type { Outcome } from "./outcome.ts";
import { type Glance, glanceAtAll } from "./glance.ts";
import { reachOf, reachText } from "./reach.ts";
import { publish, type Row, rowOf } from "./publish.ts";
import { originalsOf, type Ran, type RunOptions, runMutants } from "./run.ts";
import { isRed, summaryText } from "./summary.ts";
import { survey, type Surveyed, surveyText } from "./survey.ts";
import { Survivors, survivorsOf } from "./survivors.ts";
import { mutantsOfTarget } from "./target-mutants.ts";
import { type Target, TARGETS } from "./targets.ts";

type Flags = {
  readonly sample?: number;
  readonly seed: number;
  readonly only?: string;
  readonly shard?: Shard;
  readonly outcomes?: string[];
  readonly list?: true;
  readonly ci?: true;
  readonly json?: string;
  readonly publish?: true;
  readonly workers: number;
  readonly abuse: boolean;
  readonly units: boolean;
  readonly lives: number;
  readonly livesOnly?: true;
  readonly reach?: true;
  readonly fresh?: true;
};

const ROOT = join(import.meta.dirname, "..", "..");
const PUBLISHED = join(ROOT, "reports", "published");
/** The size of the sample that a pipeline judges in each run. */
const CI_SAMPLE = 40;
/** hpack is part of http2. A mutant of the others takes its suite about ten seconds of waiting; http3 has no list of survivors yet. */
const NOT_IN_CI: ReadonlySet<string> = new Set(["hpack", "http3", "metrics/scrape", "metrics/rules", "metrics/router"]);
/** The targets that a pipeline samples. */
const CI_TARGETS = Object.keys(TARGETS).filter((name) => !NOT_IN_CI.has(name));

/** `npm run mutate`: counts how many single mistakes in the reference the suites detect. */
export function declareMutate(command: Command): Command {
  return command
    .description("Makes single mistakes in the reference, and counts which of them the conformance suites notice.")
    .argument("[target]", `one of ${Object.keys(TARGETS).join(", ")}`)
    .option("--sample <n>", "judge this many mutants, chosen by the seed", wholeNumber(1, 999_999))
    .option("--seed <n>", "choose others", wholeNumber(0, 999_999_999), 1)
    .option("--only <pattern>", "mutants of files whose path contains this")
    .option("--shard <part>", "one part of them: 2/4 is the second of four; --outcomes joins the parts", (text: string) => readShard(text))
    .option("--outcomes <file...>", "what --json wrote on other machines: these mutants are not judged again")
    .option("--list", "print the mutants and exit")
    .option("--ci", `judge a sample of ${CI_SAMPLE} over all targets; red on a survivor that no survivors.json lists`)
    .option("--json <file>", "write every outcome here")
    .option("--publish", "write the scores into the table in reports/published")
    .option("--workers <n>", "mutants at the same time", wholeNumber(1, 256), availableParallelism())
    .option("--no-abuse", "without floods, which take a minute for each mutant that the cases do not catch")
    .option("--no-units", "do not ask the unit tests about survivors")
    .option("--lives <n>", "compare this many lives of each mutant with those of the original", wholeNumber(1, 999_999), 5_000)
    .option("--lives-only", "compare lives without asking the suites: which mutants are alike, by file")
    .option("--reach", "run the suites once without a mistake: which mutants no case executes, by file")
    .option("--fresh", "judge again what has been judged before")
    .addHelpText(
      "after",
      `
Results are kept in node_modules/.cache/touchstone-mutate: an interrupted run goes on where it was.

Exit status: 0 every survivor is listed, 1 one is not (or an entry is stale), 2 the command was wrong, 3 the reference itself does not pass.`,
    )
    .action(async (target: string | undefined, flags: Flags) => {
      process.exitCode = await mutate(target, flags);
    });
}

async function mutate(name: string | undefined, flags: Flags): Promise<number> {
  if (name !== undefined && !Object.hasOwn(TARGETS, name)) {
    console.error(`mutate: there is no target "${name}": it is ${Object.keys(TARGETS).join(", ")}.`);
    return 2;
  }
  if (name === undefined && flags.ci !== true) {
    console.error(`mutate: name the target, or give --ci: ${Object.keys(TARGETS).join(", ")}.`);
    return 2;
  }
  const shard = flags.shard ?? shardOfJob();
  if (shard !== undefined && flags.publish === true) {
    console.error("mutate: --publish needs the whole: give the outcomes of all shards with --outcomes, and no --shard.");
    return 2;
  }
  const chosen = chosenOf(name === undefined ? CI_TARGETS : [name], { ...flags, ...(shard === undefined ? {} : { shard }) });
  if (flags.list === true) {
    for (const { key, file, line, about } of chosen.flatMap(([, mutants]) => mutants)) console.log(`${file}:${line}: ${about}\n  ${key}`);
    console.log(`${chosen.flatMap(([, mutants]) => mutants).length} mutants`);
    return 0;
  }
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  if (flags.livesOnly === true) return surveyed(chosen, flags, interrupt.signal);
  const ran: Ran[] = [];
  try {
    if (flags.reach === true) return await reached(chosen, flags);
    const elsewhere = readOutcomes(flags.outcomes ?? [], ROOT);
    const options = (target: string): RunOptions => ({ ...optionsOf(flags), ...progress(target), signal: interrupt.signal });
    for (const [target, mutants] of chosen) {
      const wanted = TARGETS[target];
      if (wanted === undefined) continue;
      const keys = new Set(mutants.map(({ key }) => key));
      learn(
        elsewhere.filter(({ mutant }) => keys.has(mutant.key)),
        target,
        wanted,
      );
    }
    // Of a sample over all targets each has a few mutants.
    if (flags.ci === true)
      await glanceAtAll(
        chosen.flatMap(([name, mutants]) => glanceOf(name, mutants, options(name))),
        flags.workers,
      );
    for (const [target, mutants] of chosen) {
      const wanted = TARGETS[target];
      if (wanted === undefined) continue;
      ran.push(await judged(target, wanted, mutants, { ...options(target), fresh: flags.fresh === true && flags.ci !== true }));
    }
  } catch (error) {
    if (!(error instanceof NotClean || error instanceof Foreign)) throw error;
    console.error(`mutate: ${error.message}`);
    return error instanceof Foreign ? 2 : 3;
  }
  const summaries = ran.map(({ summary }) => summary);
  console.log(summaryText(summaries));
  if (flags.json !== undefined) writeOutcomes(flags.json, ROOT, ran);
  if (interrupt.signal.aborted) return 130;
  if (flags.publish === true)
    publish(
      PUBLISHED,
      ran.map((one) => rowOfRun(one, flags)),
    );
  return summaries.some(isRed) ? 1 : 0;
}

function glanceOf(name: string, mutants: readonly Mutant[], options: RunOptions): Glance[] {
  const target = TARGETS[name];
  return target === undefined ? [] : [{ name, target, mutants, options }];
}

/** Judges by cases first. Floods take minutes to prepare and to run: they judge only what is still open, if anything is. */
async function judged(name: string, target: Target, mutants: readonly Mutant[], options: RunOptions): Promise<Ran> {
  const ran = await runMutants(name, target, mutants, { ...options, abuse: false });
  const { unitOnly, unnoticed } = ran.summary;
  const isDone = !options.abuse || options.signal.aborted || unitOnly.length + unnoticed.length === 0;
  return isDone ? ran : runMutants(name, target, mutants, { ...options, fresh: false });
}

async function surveyed(chosen: readonly Chosen[], { lives, workers }: Flags, signal: AbortSignal): Promise<number> {
  for (const [name, mutants] of chosen) {
    const target = TARGETS[name];
    if (target === undefined) continue;
    const { say, onStart, onSurveyed } = progress(name);
    const originals = await originalsOf(target, { lives, say });
    if (originals.length === 0) {
      console.error(
        `mutate: ${name} has no lives yet: write ci/mutate/lives/${name.split("/").at(-1)}.ts and name it in ci/mutate/targets.ts.`,
      );
      return 2;
    }
    onStart(mutants.length);
    console.log(surveyText(await survey(mutants, { root: target.root, originals, workers, signal, onSurveyed })));
  }
  return signal.aborted ? 130 : 0;
}

async function reached(chosen: readonly Chosen[], { abuse }: Flags): Promise<number> {
  for (const [name, mutants] of chosen) {
    const target = TARGETS[name];
    if (target === undefined) continue;
    console.log(reachText(await reachOf(target, mutants, { abuse, say: progress(name).say }), target));
  }
  return 0;
}

function rowOfRun({ summary, outcomes }: Ran, { seed, abuse }: Flags): Row {
  const target = TARGETS[summary.target];
  const [of, survivors] = target === undefined ? [0, new Survivors()] : [mutantsOfTarget(target).length, survivorsOf(target)];
  return rowOf({ target: summary.target, of, seed, abuse, date: new Date().toISOString().slice(0, 10) }, outcomes, survivors);
}

type Chosen = readonly [target: string, mutants: readonly Mutant[]];

/** The mutants of each target; a sample is drawn from all of them together, and a shard is a part of the sample. */
function chosenOf(names: readonly string[], { sample, seed, only, ci, shard }: Flags): Chosen[] {
  const all = names.flatMap((name) => {
    const target = TARGETS[name];
    const mutants = target === undefined ? [] : mutantsOfTarget(target);
    return mutants.filter(({ file }) => only === undefined || file.includes(only)).map((mutant) => ({ name, mutant }));
  });
  const size = sample ?? (ci === true ? CI_SAMPLE : all.length);
  const kept = new Set(
    size >= all.length
      ? all.map(({ mutant }) => mutant)
      : sampled(
          all.map(({ mutant }) => mutant),
          size,
          seed,
        ),
  );
  return names
    .map((name) => [name, all.filter((one) => one.name === name && kept.has(one.mutant)).map(({ mutant }) => mutant)] as const)
    .map(([name, mutants]) => [name, mutants.filter(({ key }) => shard === undefined || inShard(key, shard))] as const)
    .filter(([, mutants]) => mutants.length > 0);
}

const optionsOf = ({
  workers,
  abuse,
  units,
  lives,
  fresh,
}: Flags): Pick<RunOptions, "workers" | "abuse" | "units" | "lives" | "fresh"> => ({
  workers,
  abuse,
  units,
  lives,
  fresh: fresh ?? false,
});

/** A bar on a terminal, otherwise a line per mutant. */
function progress(target: string): Pick<RunOptions, "say" | "onStart" | "onOutcome"> & { readonly onSurveyed: (one: Surveyed) => void } {
  const say = (line: string): void => void process.stderr.write(`${target}: ${line}\n`);
  const counts = { total: 0, left: 0 };
  let done = 0;
  if (!process.stderr.isTTY)
    return {
      onSurveyed: ({ mutant, lived }) =>
        say(
          `${++done} of ${counts.total}: ${lived === undefined ? "not executed" : lived.witness === undefined ? "alike" : "differs"}: ${mutant.key}`,
        ),
      say,
      onStart: (total) => (counts.total = total),
      onOutcome: (outcome, done) =>
        say(`${done} of ${counts.total}: ${fateOf(outcome)}: ${outcome.mutant.key} (${Math.round(outcome.ms / 1000)} s)`),
    };
  const bar = new SingleBar({
    format: `${target} {bar} {value} of {total}, {survivors} survived`,
    hideCursor: true,
    clearOnComplete: true,
  });
  return {
    say,
    onStart: (total) => {
      counts.total = total;
      if (total > 0) bar.start(total, 0, { survivors: 0 });
    },
    onSurveyed: ({ lived }) => {
      if (lived?.witness === undefined) counts.left += 1;
      bar.update(++done, { survivors: counts.left });
      if (done === counts.total) bar.stop();
    },
    onOutcome: ({ suite }, done) => {
      if (suite === undefined) counts.left += 1;
      bar.update(done, { survivors: counts.left });
      if (done === counts.total) bar.stop();
    },
  };
}

const fateOf = ({ suite, unit, lived }: Outcome): string => {
  if (suite !== undefined) return `${suite.moved === true ? "moved in" : "caught by"} ${suite.by}`;
  if (lived !== undefined && lived.witness === undefined) return "alike";
  return unit === undefined ? "SURVIVED everything" : `SURVIVED, but for ${unit.by}`;
};
