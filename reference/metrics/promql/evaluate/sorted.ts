import type { Strides, Work } from "./strides.ts";

/** The number of items that are sorted without yielding. */
const RUN = 2_048;
/** The cost of a comparison, in samples (`Strides`). */
const COMPARISON = 8;

/** Sorts items stably, and yields: a million of them block nothing else. */
export function* sorted<T>(items: readonly T[], compare: (a: T, b: T) => number, strides: Strides): Work<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    if (strides.isDue(RUN * COMPARISON)) yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], compare, strides));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(before: T[], after: T[], compare: (a: T, b: T) => number, strides: Strides): Work<T[]> {
  const [last, first] = [before.at(-1), after[0]];
  // Items that are already in order, as series mostly are, need no more than this.
  if (last === undefined || first === undefined || compare(last, first) <= 0) return before.concat(after);
  const all: T[] = [];
  let [left, right] = [0, 0];
  while (left < before.length && right < after.length) {
    const [a, b] = [before[left]!, after[right]!];
    const isLeft = compare(a, b) <= 0;
    all.push(isLeft ? a : b);
    if (isLeft) left += 1;
    else right += 1;
    if (strides.isDue(COMPARISON)) yield;
  }
  return all.concat(before.slice(left), after.slice(right));
}
