import Table from "cli-table3";
import { lives, type Lived, type OriginalLives } from "./lives.ts";
import type { Mutant } from "./mutants.ts";
import { witnessOf } from "./summary.ts";

/** What the lives show of one mutant. Undefined: no life executes it. */
export type Surveyed = { readonly mutant: Mutant; readonly lived: Lived | undefined };

export type Survey = {
  readonly root: string;
  readonly originals: readonly OriginalLives[];
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onSurveyed: (one: Surveyed) => void;
};

/** The first lives that differ from the original's, or else those that are alike. Undefined if none executes the mutated code. */
export async function livesOf(root: string, mutant: Mutant, originals: readonly OriginalLives[]): Promise<Lived | undefined> {
  let alike: Lived | undefined;
  for (const original of originals) {
    const lived = await lives(root, mutant, original);
    if (lived?.witness !== undefined) return lived;
    alike ??= lived;
  }
  return alike;
}

/** Compares the lives of many mutants with the original's, without a suite. */
export async function survey(mutants: readonly Mutant[], { root, originals, workers, signal, onSurveyed }: Survey): Promise<Surveyed[]> {
  const left = mutants[Symbol.iterator]();
  const all: Surveyed[] = [];
  const one = async (): Promise<void> => {
    for (const mutant of left) {
      if (signal.aborted) return;
      const surveyed = { mutant, lived: await livesOf(root, mutant, originals) };
      all.push(surveyed);
      onSurveyed(surveyed);
    }
  };
  await Promise.all(Array.from({ length: workers }, one));
  return all;
}

/** Each mutant that is alike or not executed, and a table by file. */
export function surveyText(all: readonly Surveyed[]): string {
  const files = Map.groupBy(all, ({ mutant }) => mutant.file);
  const table = new Table({
    head: ["file", "mutants", "differ", "alike", "not executed"],
    colAligns: ["left", "right", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  const row = (name: string, some: readonly Surveyed[]): void => {
    const unseen = some.filter(({ lived }) => lived === undefined).length;
    const differ = some.filter(({ lived }) => lived?.witness !== undefined).length;
    table.push([name, some.length, differ, some.length - unseen - differ, unseen]);
  };
  for (const [file, some] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) row(file, some);
  row("all", all);
  const same = all.filter(({ lived }) => lived?.witness === undefined);
  return [...same.map(({ mutant, lived }) => `${mutant.key}\n  ${mutant.about}\n${witnessOf({ lived })}`), table.toString()].join("\n");
}
