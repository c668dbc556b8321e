import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { baselineOf } from "./baseline.ts";
import { covers, coverIn } from "./cover.ts";
import type { Mutant } from "./mutants.ts";
import { survivorsOf } from "./survivors.ts";
import type { SuiteJudge, Target } from "./targets.ts";

/** `isReached`: a case executes the mutated code. What no case executes, no case can catch. */
export type Reached = { readonly mutant: Mutant; readonly isReached: boolean };

/**
 * Runs the suites of a target once on unmutated subjects, and tells which mutants their cases execute. Test files among the judges (vectors) are
 * left out. Throws `NotClean` if a case fails.
 */
export async function reachOf(
  { root, judges }: Target,
  mutants: readonly Mutant[],
  options: { readonly abuse: boolean; readonly say: (line: string) => void },
): Promise<Reached[]> {
  const files = new Set(mutants.map(({ file }) => file));
  const cover = mkdtempSync(join(tmpdir(), "touchstone-reach-"));
  try {
    const suites = judges.filter((judge): judge is SuiteJudge => "suite" in judge);
    const found: ReturnType<typeof coverIn>[] = [];
    for (const [index, judge] of suites.entries()) {
      const folder = join(cover, String(index));
      mkdirSync(folder);
      await baselineOf(judge, { ...options, root, cover: folder });
      found.push(coverIn(folder, root, files));
      rmSync(folder, { recursive: true });
    }
    const isReached = ({ file, edit }: Mutant): boolean =>
      found.some((one) => one.get(file)?.some((regions) => covers(regions, edit.start)) === true);
    return mutants.map((mutant) => ({ mutant, isReached: isReached(mutant) }));
  } finally {
    rmSync(cover, { recursive: true, force: true });
  }
}

/** Each mutant that no case executes and no `survivors.json` lists, by function, and a table by file. */
export function reachText(all: readonly Reached[], target: Target): string {
  const survivors = survivorsOf(target);
  const table = new Table({
    head: ["file", "mutants", "executed", "listed", "no case"],
    colAligns: ["left", "right", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  const isOpen = ({ mutant, isReached }: Reached): boolean => !isReached && survivors.of(mutant) === undefined;
  const row = (name: string, some: readonly Reached[]): void => {
    const reached = some.filter(({ isReached }) => isReached).length;
    const open = some.filter(isOpen).length;
    table.push([name, some.length, reached, some.length - reached - open, open]);
  };
  for (const [file, some] of Map.groupBy(all, ({ mutant }) => mutant.file)) row(file, some);
  row("all", all);
  const lines = all.filter(isOpen).map(({ mutant }) => `${mutant.file}:${mutant.line}: ${mutant.owner}: ${mutant.about}\n  ${mutant.key}`);
  return [...lines, table.toString()].join("\n");
}
