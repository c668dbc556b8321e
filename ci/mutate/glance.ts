import { untriedOf } from "./baseline.ts";
import type { Mutant } from "./mutants.ts";
import { judgeAll } from "./pool.ts";
import { originalsOf, type RunOptions } from "./run.ts";
import { State } from "./state.ts";
import { livesOf } from "./survey.ts";
import { survivorsOf } from "./survivors.ts";
import type { Judge, Target } from "./targets.ts";
import type { Prepared } from "./work.ts";

/** Glances at the mutants of several targets, `workers` targets at a time with one worker each, so that no processor waits for the last mutant of a target. */
export async function glanceAtAll(all: readonly Glance[], workers: number): Promise<void> {
  const left = all[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const { name, target, mutants, options } of left) {
      if (options.signal.aborted) return;
      await glance(name, target, mutants, { ...options, workers: 1 });
    }
  };
  await Promise.all(Array.from({ length: workers }, lane));
}
export type Glance = { readonly name: string; readonly target: Target; readonly mutants: readonly Mutant[]; readonly options: RunOptions };

/**
 * Settles most of a few mutants without running all cases on the unmutated subjects first, which takes a suite longer than to judge ten mutants:
 * those that a verdict catches (each failed case is confirmed by an unmutated subject), those that a `survivors.json` lists, and those that are
 * alike. `runMutants` finds them in the state, and judges the rest.
 */
export async function glance(name: string, target: Target, mutants: readonly Mutant[], options: RunOptions): Promise<void> {
  const state = new State(name, target, options.cache);
  const survivors = survivorsOf(target);
  const { root, units } = target;
  const asked = { abuse: false, units: false };
  const left = mutants.filter((mutant) => options.fresh || state.known(mutant) === undefined);
  if (left.length === 0) return;
  const judges: Prepared[] = [];
  for (const judge of target.judges) judges.push(await untried(judge, root));
  const open = new Set(left);
  options.onStart(left.length);
  await judgeAll(left, {
    work: { root, judges, units, asked, lives: [] },
    workers: options.workers,
    signal: options.signal,
    hints: (mutant) => state.hints(mutant),
    isPastCases: () => false,
    isListed: () => true,
    onOutcome: (outcome) => {
      if (outcome.suite === undefined && survivors.of(outcome.mutant) === undefined) return;
      state.add(outcome);
      open.delete(left.find(({ key }) => key === outcome.mutant.key) ?? outcome.mutant);
      options.onOutcome(outcome, left.length - open.size);
    },
  });
  if (open.size === 0 || options.signal.aborted) return;
  try {
    const originals = await originalsOf(target, options);
    for (const mutant of open) {
      const began = performance.now();
      const lived = await livesOf(root, mutant, originals);
      options.signal.throwIfAborted();
      if (lived !== undefined && lived.witness === undefined)
        state.add({ mutant, lived, asked, ms: Math.round(performance.now() - began) });
    }
  } catch (error) {
    // An interrupt ends the processes of the lives, too.
    if (!options.signal.aborted) throw error;
  }
}

async function untried(judge: Judge, root: string): Promise<Prepared> {
  return !("suite" in judge) ? judge : { examinations: await untriedOf(judge, root) };
}
