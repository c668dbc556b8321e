import { seeded } from "../../reference/core/index.ts";
import type { Branches, Cover } from "./cover.ts";
import { mutate } from "./mutate.ts";
import { shrinkBytes } from "./shrink.ts";
import type { Target } from "./target.ts";

export type Budget = { readonly seed: number; readonly executions: number; readonly seconds: number };
export type Failure = { readonly input: Uint8Array; readonly error: Error; readonly executions: number };
export type Report = {
  readonly target: string;
  readonly seed: number;
  readonly executions: number;
  readonly ms: number;
  /** Undefined when blind. */
  readonly branches: Branches | undefined;
  /** Inputs that reached new branches, for the corpus. */
  readonly kept: readonly Uint8Array[];
  readonly failure?: Failure;
};
/** How a run measures time and reports progress; `cover` guides the search. */
type Watch = { readonly clock: () => number; readonly progress?: (report: Omit<Report, "failure">) => void; readonly cover?: Cover };

/** Inputs tried between two reads of the clock: some targets take tens of milliseconds for one. */
const BATCH = 16;

/**
 * Runs a target until it fails or the budget ends. New inputs are mutations of those in a pool: the seeds, the corpus and, with `cover`,
 * each input that reached a new branch. The same seed and corpus give the same inputs in the same order.
 */
export function fuzz(target: Target, corpus: readonly Uint8Array[], budget: Budget, watch: Watch): Report {
  const { cover } = watch;
  const rng = seeded(budget.seed);
  const pool: Uint8Array[] = [];
  const kept: Uint8Array[] = [];
  const began = watch.clock();
  let executions = 0;

  const failureOf = (input: Uint8Array): Error | undefined => {
    executions++;
    cover?.reset();
    return errorOf(target, input);
  };
  const report = (failure?: Failure): Report => ({
    target: target.name,
    seed: budget.seed,
    executions,
    ms: watch.clock() - began,
    branches: cover?.branches(),
    kept,
    ...(failure === undefined ? {} : { failure }),
  });
  const failed = (input: Uint8Array): Report => {
    const at = executions;
    const small = shrinkBytes(input, (candidate) => errorOf(target, candidate) !== undefined);
    return report({
      input: small,
      error: errorOf(target, small) ?? new Error("the failure did not repeat: the target is not deterministic"),
      executions: at,
    });
  };

  for (const input of [...target.seeds, ...corpus]) {
    if (failureOf(input) !== undefined) return failed(input);
    cover?.grew();
    pool.push(input);
    // A long corpus of a slow target takes longer than a worker may be silent.
    if (pool.length % BATCH === 0) watch.progress?.(report());
  }
  if (pool.length === 0) pool.push(new Uint8Array());

  const context = { others: pool, dictionary: target.dictionary ?? [], maxLength: target.maxLength };
  while (executions < budget.executions && watch.clock() - began < budget.seconds * 1_000) {
    for (let i = 0; i < BATCH && executions < budget.executions; i++) {
      // Half of the time, mutate a recent input: new branches are likely to be near it.
      const recent = rng() < 0.5 ? Math.min(pool.length, 16) : pool.length;
      const from = pool[pool.length - 1 - Math.floor(rng() * recent)] ?? new Uint8Array();
      const input = mutate(from, rng, context);
      if (failureOf(input) !== undefined) return failed(input);
      if (cover?.grew() === true) {
        pool.push(input);
        kept.push(input);
      }
    }
    watch.progress?.(report());
  }
  return report();
}

function errorOf(target: Target, input: Uint8Array): Error | undefined {
  try {
    target.run(input);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
