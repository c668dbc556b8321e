import type { Strides, Work } from "./strides.ts";

/** So many are sorted without a pause. */
const RUN = 2_048;
/** What a comparison costs, as samples that are looked at. */
const COMPARISON = 8;

/** The items in order, equal ones as they came; a million of them hold nobody up. */
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
  // What is in order already, as series mostly are, needs no more than this.
  if (last === undefined || first === undefined || compare(last, first) <= 0) return before.concat(after);
  const all: T[] = [];
  let [left, right] = [0, 0];
  while (left < before.length && right < after.length) {
    const [a, b] = [before[left] as T, after[right] as T];
    const isLeft = compare(a, b) <= 0;
    all.push(isLeft ? a : b);
    if (isLeft) left += 1;
    else right += 1;
    if (strides.isDue(COMPARISON)) yield;
  }
  return all.concat(before.slice(left), after.slice(right));
}
