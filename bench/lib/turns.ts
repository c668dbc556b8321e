import type { Measures } from "./alternate.ts";
import type { BenchRow } from "./result.ts";
import type { Say } from "./size.ts";
import { median, spread } from "./stats.ts";

/** A subject by name, and the function that measures it once in a new process. */
export type Contender = { readonly name: string; readonly measure: () => Promise<Measures> };
/** Samples by contender and measure. */
export type Taken = ReadonlyMap<string, Readonly<Record<string, readonly number[]>>>;

/** Measures each contender once per round; the order reverses each round. Each measurement uses a new process, so there is no warm-up round. */
export async function inTurn(contenders: readonly Contender[], rounds: number, title: string, say: Say): Promise<Taken> {
  const taken = new Map<string, Record<string, number[]>>(contenders.map(({ name }) => [name, {}]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      say(`${title}, round ${round + 1} of ${rounds}: ${name}`);
      const kept = taken.get(name) ?? {};
      for (const [what, value] of Object.entries(await measure())) (kept[what] ??= []).push(value);
    }
  }
  return taken;
}

/** One row per contender that has the measure. */
export function rowsOf(taken: Taken, what: string): BenchRow[] {
  return [...taken].flatMap(([subject, measures]) => {
    const samples = measures[what];
    return samples === undefined ? [] : [{ subject, median: median(samples), spread: spread(samples), samples }];
  });
}
