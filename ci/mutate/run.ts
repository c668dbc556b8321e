import { type BaselineOptions, baselineOf } from "./baseline.ts";
import { type OriginalLives, originalLives } from "./lives.ts";
import type { Mutant } from "./mutants.ts";
import type { Outcome } from "./outcome.ts";
import { judgeAll } from "./pool.ts";
import { State } from "./state.ts";
import { isAlike, type Summary, summaryOf } from "./summary.ts";
import { survivorsOf } from "./survivors.ts";
import { isOfAnother, mutantsOfTarget } from "./target-mutants.ts";
import type { Judge, Target } from "./targets.ts";
import type { Prepared, Work } from "./work.ts";

export type RunOptions = {
  readonly workers: number;
  /** With floods. */
  readonly abuse: boolean;
  /** Run unit tests on the mutants that the suite does not catch. */
  readonly units: boolean;
  /** How many lives of each mutant to compare with those of the original. */
  readonly lives: number;
  readonly signal: AbortSignal;
  /** Judge everything again. */
  readonly fresh: boolean;
  readonly say: (line: string) => void;
  readonly onStart: (total: number) => void;
  readonly onOutcome: (outcome: Outcome, done: number) => void;
  /** The folder of results and hints. */
  readonly cache?: string;
};

export type Ran = { readonly summary: Summary; readonly outcomes: readonly Outcome[] };

/** Judges these mutants of a target, except those that an earlier run has judged. */
export async function runMutants(name: string, target: Target, mutants: readonly Mutant[], options: RunOptions): Promise<Ran> {
  const state = new State(name, target, options.cache);
  const { fresh, abuse, units } = options;
  const earlier = new Map(fresh ? [] : mutants.flatMap((one) => state.known(one) ?? []).map((outcome) => [outcome.mutant.key, outcome]));
  const survivors = survivorsOf(target);
  // Floods do not judge what is listed or alike.
  const isSettled = (one: Outcome): boolean => one.asked.abuse || survivors.of(one.mutant) !== undefined || isAlike(one);
  const known = [...earlier.values()].filter(
    (one) => one.suite !== undefined || ((!abuse || isSettled(one)) && (one.asked.units || !units)),
  );
  const done = new Set(known.map(({ mutant }) => mutant.key));
  const left = mutants.filter(({ key }) => !done.has(key));
  const outcomes = [...known];
  if (known.length > 0) options.say(`${known.length} of ${mutants.length} mutants have been judged before`);
  options.onStart(left.length);
  const work = left.length === 0 ? undefined : await workOf(target, left, options);
  if (work !== undefined) {
    await judgeAll(left, {
      work,
      workers: options.workers,
      signal: options.signal,
      hints: (mutant) => state.hints(mutant),
      isPastCases: ({ key }) => earlier.has(key),
      isListed: (mutant) => survivors.of(mutant) !== undefined,
      onOutcome: (outcome) => {
        state.add(outcome);
        outcomes.push(outcome);
        options.onOutcome(outcome, outcomes.length - known.length);
      },
    });
  }
  const isElsewhere = (file: string): boolean => isOfAnother(file, target);
  // All mutants of a target take seconds: not after an interrupt.
  const stale = options.signal.aborted ? [] : survivors.stale(() => mutantsOfTarget(target), isElsewhere);
  return { outcomes, summary: summaryOf(name, outcomes, survivors, stale) };
}

/** Undefined if the run is interrupted meanwhile. */
async function workOf(target: Target, mutants: readonly Mutant[], options: RunOptions): Promise<Work | undefined> {
  const { abuse, units, signal } = options;
  try {
    signal.throwIfAborted();
    const judges = await prepared(target, mutants, options);
    return { root: target.root, judges, units: target.units, asked: { abuse, units }, lives: await originalsOf(target, options) };
  } catch (error) {
    // An interrupt of a terminal or of `timeout` ends the child processes, too.
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Performs the lives of the original. */
export async function originalsOf(
  { root, lives = [], mostLives = Infinity }: Target,
  options: Pick<RunOptions, "lives" | "say">,
): Promise<OriginalLives[]> {
  const all: OriginalLives[] = [];
  for (const module of lives) {
    const one = await originalLives(root, module, Math.min(options.lives, mostLives));
    options.say(`${module}: ${one.count} lives in ${one.ms} ms`);
    all.push(one);
  }
  return all;
}

async function prepared(target: Target, mutants: readonly Mutant[], { abuse, say, signal }: RunOptions): Promise<Prepared[]> {
  const options: BaselineOptions = { root: target.root, abuse, say, signal };
  const one = async (judge: Judge): Promise<Prepared> => {
    if (!("suite" in judge)) return judge;
    const examinations = await baselineOf(judge, options);
    return { examinations: examinations.filter(({ reached }) => mutants.some(({ file }) => reached?.includes(file))) };
  };
  const judges: Prepared[] = [];
  for (const judge of target.judges) judges.push(await one(judge));
  return judges;
}
