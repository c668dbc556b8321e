import type { CaseResult } from "./result.ts";

/** Performances longer than this waited for silence: only a few of them are repeated. */
const SLOW_MS = 1000;
const SLOW_ONES = 12;
/** Fewer at a time than in the run itself, so that a busy subject does not differ again. */
const CONCURRENCY = 4;

/**
 * Repeats every doubtful case after the run, and once more if the two disagree: two of three decide. A subject with a race
 * (it answers before it has read everything, say) then gets the same verdicts in every run.
 */
export async function confirm(
  results: CaseResult[],
  doubtful: (result: CaseResult) => boolean,
  again: (result: CaseResult) => Promise<CaseResult>,
): Promise<void> {
  let slow = 0;
  const places = [...results.keys()].filter((at) => {
    const one = results[at];
    if (one === undefined || !doubtful(one)) return false;
    return one.ms < SLOW_MS || ++slow <= SLOW_ONES;
  });
  const worker = async (): Promise<void> => {
    for (let at = places.shift(); at !== undefined; at = places.shift()) {
      const first = results[at];
      if (first === undefined) continue;
      const second = await again(first);
      if (second.verdict === first.verdict) continue;
      results[at] = elect([first, second, await again(first)]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

const WORST = ["fail", "error", "unproved", "warn", "skip", "pass"] as const;

/** The verdict of two of the three; the worst if all differ. */
export function elect(three: readonly [CaseResult, CaseResult, CaseResult]): CaseResult {
  const twice = three.find((one) => three.filter(({ verdict }) => verdict === one.verdict).length >= 2);
  const chosen = twice ?? three.toSorted((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict))[0] ?? three[0];
  const others = three.filter((one) => one.verdict !== chosen.verdict).map(({ verdict }) => verdict);
  return {
    ...chosen,
    reason: `${chosen.reason} (Of three performances, ${others.length === 1 ? `one was "${others[0]}"` : `the others were "${others.join('" and "')}"`}.)`,
  };
}
