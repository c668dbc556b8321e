import { atATime } from "./perform.ts";
import type { CaseResult } from "./result.ts";
import type { Slowness } from "./slowness.ts";

/** Performances longer than this waited for silence: only a few of them are repeated. */
const SLOW_MS = 1000;
const SLOW_ONES = 12;
/** Fewer at a time than in the run itself, so that a busy subject does not differ again. */
const CONCURRENCY = 4;
/** A machine that is at most so many times slower than an idle one can be judged on. */
const CALM = 2.5;
/** The most patience: how many times longer than usual to wait. */
const MOST_PATIENCE = 8;
/** The time for patient performances of one run, in milliseconds; failures that are left after it stay unproved. */
const PATIENT_MS = 60_000;

export type Confirming = {
  /** No repetition can change the others. */
  readonly doubtful: (result: CaseResult) => boolean;
  /** Performs the case again. `patience`: how many times longer than usual it waits. */
  readonly again: (result: CaseResult, patience: number) => Promise<CaseResult>;
  readonly slowness: Slowness;
  readonly now?: () => number;
};

/**
 * Repeats every doubtful case after the run, and once more if the two disagree: two of three decide. A subject with a race (it answers before it
 * has read everything, say) then gets the same verdicts in every run.
 *
 * A failure is confirmed alone. On a busy machine it is confirmed with patience, and stands only if it fails again: otherwise, or if a wait
 * runs out of time even so on a machine that is slower than our patience, it is unproved, since a late answer is not a missing one. Of many
 * slow failures a few are repeated; if any of them does not fail again, all others are repeated as well. What is unproved on a busy machine is repeated
 * with the same patience, since its control may have been accepted too late; so is a warning after a wait that ran out of time.
 */
export async function confirm(results: CaseResult[], confirming: Confirming): Promise<void> {
  const { doubtful, again, slowness, now = () => performance.now() } = confirming;
  const places = [...results.keys()].filter((at) => results[at] !== undefined && doubtful(results[at]));
  const repeated = new Set(limited(places, results));
  const isFail = (at: number): boolean => results[at]?.verdict === "fail";
  const isUnproved = (at: number): boolean => results[at]?.verdict === "unproved";
  const start = now();
  await atATime(
    places.filter((at) => !isFail(at) && !isUnproved(at)),
    CONCURRENCY,
    async (at) => {
      const first = results[at];
      if (first === undefined) return;
      const slow = isLateWarning(first) ? await slowness() : 1;
      if (slow <= CALM ? repeated.has(at) : now() - start <= PATIENT_MS)
        results[at] = await decided(first, (one) => again(one, slow <= CALM ? 1 : patienceFor(slow)));
    },
  );
  await atATime(places.filter(isUnproved), CONCURRENCY, async (at) => {
    const first = results[at];
    const slow = await slowness();
    if (first === undefined || (slow <= CALM ? !repeated.has(at) : now() - start > PATIENT_MS)) return;
    results[at] = await decided(first, (one) => again(one, slow <= CALM ? 1 : patienceFor(slow)));
  });
  const slowOnes = new Set(places.filter((at) => isFail(at) && (results[at]?.ms ?? 0) >= SLOW_MS));
  const patient = new Set<number>();
  const began = now();
  const accused = async (at: number): Promise<void> => {
    const first = results[at];
    if (first === undefined) return;
    const slow = await slowness();
    if (slow <= CALM) {
      if (repeated.has(at)) results[at] = await decided(first, (one) => again(one, 1));
    } else if (first.timedOut === true && now() - began > PATIENT_MS) results[at] = tooBusy(first, slow);
    else {
      patient.add(at);
      results[at] = await patiently(first, slow, again);
    }
  };
  const failed = places.filter((at) => repeated.has(at) || slowOnes.has(at)).filter(isFail);
  await atATime(
    failed.filter((at) => !slowOnes.has(at)),
    1,
    accused,
  );
  const isCalm = (await slowness()) <= CALM;
  const waited = failed.filter((at) => slowOnes.has(at));
  await atATime(waited, isCalm ? CONCURRENCY : 1, accused);
  // The slow ones that were not repeated stand only if those that were do: otherwise the run was busy when it performed them.
  if (!waited.some((at) => repeated.has(at) && !isFail(at))) return;
  await atATime(
    waited.filter((at) => !repeated.has(at) && !patient.has(at) && isFail(at)),
    CONCURRENCY,
    async (at) => {
      const first = results[at];
      if (first === undefined) return;
      results[at] = now() - began > PATIENT_MS ? leftOver(first) : await decided(first, (one) => again(one, 1));
    },
  );
}

const isLateWarning = ({ verdict, timedOut }: CaseResult): boolean => verdict === "warn" && timedOut === true;

const patienceFor = (slowness: number): number => Math.min(MOST_PATIENCE, Math.ceil(slowness));

/** Of the slow ones only a few of each kind, since each waits for silence again. */
function limited(places: readonly number[], results: readonly CaseResult[]): number[] {
  const slow = { fail: 0, late: 0, other: 0 };
  return places.filter((at) => {
    const result = results[at];
    if (result === undefined || result.ms < SLOW_MS) return true;
    const kind = result.verdict === "fail" ? "fail" : isLateWarning(result) ? "late" : "other";
    slow[kind] += 1;
    return slow[kind] <= SLOW_ONES;
  });
}

async function decided(first: CaseResult, again: (result: CaseResult) => Promise<CaseResult>): Promise<CaseResult> {
  const second = await again(first);
  return second.verdict === first.verdict ? first : elect([first, second, await again(first)]);
}

/** On a busy machine: patience in proportion. */
async function patiently(first: CaseResult, slowness: number, again: Confirming["again"]): Promise<CaseResult> {
  const patience = patienceFor(slowness);
  const second = await again(first, patience);
  if (second.verdict === "fail") return slowness > MOST_PATIENCE && second.timedOut === true ? tooBusy(second, slowness) : second;
  const third = await again(first, patience);
  if (third.verdict === second.verdict) return elect([first, second, third]);
  return tooBusy(first, slowness);
}

const tooBusy = (failed: CaseResult, slowness: number): CaseResult => ({
  ...failed,
  verdict: "unproved",
  tooBusy: true,
  reason: `The machine is too busy to judge: everything takes ${slowness.toFixed(1)} times as long as on an idle one. Seen once: ${failed.reason}`,
});

const leftOver = (failed: CaseResult): CaseResult => ({
  ...failed,
  verdict: "unproved",
  tooBusy: true,
  reason: `Others that failed like this did not fail again, and there was no time to repeat them all. Seen once: ${failed.reason}`,
});

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
