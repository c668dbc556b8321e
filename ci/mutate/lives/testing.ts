import { lives, originalLives } from "../lives.ts";
import { mutantsOfTarget, TARGETS } from "../targets.ts";

/** A file of the reference and the name of an operator: the first such mutant is meant. */
export type Mistake = readonly [file: string, operator: string];

/** Whether the lives of a target distinguish each of these mistakes from the original. */
export async function livesSee(name: string, count: number, mistakes: readonly Mistake[]): Promise<boolean[]> {
  const target = TARGETS[name];
  const module = target?.lives?.[0];
  if (target === undefined || module === undefined) throw new Error(`${name} has no lives`);
  const mutants = mutantsOfTarget(target);
  const original = await originalLives(target.root, module, count);
  const seen: boolean[] = [];
  for (const [file, operator] of mistakes) {
    const mutant = mutants.find((one) => one.file === file && one.operator === operator);
    if (mutant === undefined) throw new Error(`${file} has no ${operator}`);
    seen.push((await lives(target.root, mutant, original))?.witness !== undefined);
  }
  return seen;
}
