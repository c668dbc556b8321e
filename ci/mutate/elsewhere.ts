import { readFileSync, writeFileSync } from "node:fs";
import type { Outcome } from "./outcome.ts";
import type { Ran } from "./run.ts";
import { State, treeOf } from "./state.ts";
import type { Summary } from "./summary.ts";
import type { Target } from "./targets.ts";

/** What `--json` writes: every outcome of a run, and the hash of the checkout that it is about. */
export type Written = { readonly tree: string; readonly summaries: readonly Summary[]; readonly outcomes: readonly Outcome[] };

/** Writes the outcomes of a run for `--outcomes` on another machine. */
export function writeOutcomes(file: string, root: string, ran: readonly Ran[]): void {
  const written: Written = {
    tree: treeOf(root),
    summaries: ran.map(({ summary }) => summary),
    outcomes: ran.flatMap(({ outcomes }) => outcomes),
  };
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
}

/** Outcomes that cannot be used here: the message says why. */
export class Foreign extends Error {
  override name = "Foreign";
}

/** Reads what `--json` wrote on other machines. Throws `Foreign` for a file of another checkout: its mutants are others. */
export function readOutcomes(files: readonly string[], root: string): readonly Outcome[] {
  const tree = treeOf(root);
  return files.flatMap((file) => {
    const written = parsed(file);
    if (written.tree !== tree) throw new Foreign(`${file} is about another state of the checkout: ${written.tree}, and this is ${tree}.`);
    return written.outcomes;
  });
}

function parsed(file: string): Written {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Written;
  } catch (error) {
    throw new Foreign(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Notes what other machines have judged of a target, as if it had been judged here. */
export function learn(outcomes: readonly Outcome[], name: string, target: Target, cache?: string): void {
  const state = new State(name, target, cache);
  for (const outcome of outcomes) if (state.known(outcome.mutant) === undefined) state.add(outcome);
}
