import { expect, test } from "vitest";
import { lives, originalLives } from "../lives.ts";
import type { Mutant } from "../mutants.ts";
import { mutantsOfTarget } from "../target-mutants.ts";
import { TARGETS } from "../targets.ts";

/** The key of a mutant; or a file of the reference and the name of an operator: the first such mutant is meant. */
export type Mistake = string | readonly [file: string, operator: string];

/** Whether the lives of a target distinguish each of these mistakes from the original: those of its first file, or of another. */
export async function livesSee(name: string, count: number, mistakes: readonly Mistake[], file?: string): Promise<boolean[]> {
  const target = TARGETS[name];
  const module = file ?? target?.lives?.[0];
  if (target === undefined || module === undefined) throw new Error(`${name} has no lives`);
  const mutants = mutantsOfTarget(target);
  const original = await originalLives(target.root, module, count);
  const seen: boolean[] = [];
  for (const mistake of mistakes) {
    const isMeant = (one: Mutant): boolean =>
      typeof mistake === "string" ? one.key === mistake : one.file === mistake[0] && one.operator === mistake[1];
    const mutant = mutants.find(isMeant);
    if (mutant === undefined) throw new Error(`there is no mutant ${String(mistake)}`);
    seen.push((await lives(target.root, mutant, original))?.witness !== undefined);
  }
  return seen;
}

/** Registers the test that a life depends on its seed alone: the same seed gives the same life, another seed another one. */
export const testSeeds = (live: (seed: number) => string | Promise<string>, count: number): void =>
  test("the same seed gives the same life, another seed another one", async () => {
    const drawn = async (): Promise<string[]> => {
      const all: string[] = [];
      for (let seed = 0; seed < count; seed++) all.push(await live(seed));
      return all;
    };
    const first = await drawn();
    expect(await drawn()).toEqual(first);
    expect(new Set(first).size).toBe(count);
  });
