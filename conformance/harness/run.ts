import { seeded } from "../../reference/core/index.ts";
import { version as toolVersion } from "../../version.ts";
import { applyBaseline, type Known } from "./baseline.ts";
import type { AnyCase } from "./case.ts";
import { withCauses } from "./cause.ts";
import { confirm } from "./confirm.ts";
import { coverage, requirementFiles, titles } from "./coverage.ts";
import type { Driver } from "./driver.ts";
import { hiding } from "./hide.ts";
import type { Earlier } from "./earlier.ts";
import { atATime, Performer } from "./perform.ts";
import { type Proof, withhold } from "./proof.ts";
import { type Patience, whenReady } from "./ready.ts";
import type { CaseResult, Result, Summary } from "./result.ts";
import { type Slowness, slownessOf } from "./slowness.ts";

export type RunOptions<C extends AnyCase> = {
  readonly suite: string;
  readonly driver: Driver<C>;
  readonly cases: readonly C[];
  /** Every case of the suite, selected or not, to find stale baseline entries. */
  readonly all: readonly Pick<AnyCase, "id" | "covers">[];
  readonly subject: { readonly name: string; readonly target: string };
  /** The number of concurrent cases, each on its own connection. */
  readonly concurrency: number;
  /** Shuffles the order; without it, the order of the files. */
  readonly seed?: number;
  readonly baseline?: readonly Known[];
  /** A run of the same subject before: what moved since is marked. */
  readonly earlier?: Earlier;
  /** Features that the subject is known to offer. A case that needs one is unproved, not skipped, if the probe does not find it. */
  readonly offers?: readonly string[];
  /** Values that no report may show. */
  readonly secrets?: readonly string[];
  /** How long to wait until the subject answers; by default it has to answer at once. */
  readonly patience?: Patience;
  /** Ends the run once a case that this function names is confirmed. */
  readonly stopsAt?: (result: CaseResult) => boolean;
  /** Ends the run early: running cases finish, no other starts. */
  readonly signal?: AbortSignal;
  /** To withhold credit for accepting from a subject that notices no mistake. */
  readonly proof?: Omit<Proof<C>, "perform">;
  /** How slow the machine is; measured by default. */
  readonly slowness?: Slowness;
  readonly onResult?: (result: CaseResult, done: number, total: number) => void;
};

/** Runs the cases on the subject, each after its control. A case that throws is an `error`; the others go on. */
export async function runCases<C extends AnyCase>(options: RunOptions<C>): Promise<Result> {
  const { driver, cases } = options;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const { features, version } = await whenReady(() => driver.probe(), options.patience, options.signal);
  const order = options.seed === undefined ? [...cases.keys()] : shuffled([...cases.keys()], options.seed);
  const performer = new Performer(driver, {
    features,
    evidence: true,
    ...(options.offers === undefined ? {} : { offers: options.offers }),
  });
  const byPlace: CaseResult[] = [];
  const settled = new Set<string>();
  const hide = hiding(options.secrets ?? []);
  const perform = async (c: C, afresh?: { readonly patience: number }): Promise<CaseResult> => {
    const { result, isSettled } = await performer.perform(c, afresh);
    if (isSettled) settled.add(c.id);
    return hide(result);
  };
  const concurrency = Math.max(1, Math.min(options.concurrency, cases.length));
  const byId = new Map<string, C>(cases.map((c) => [c.id, c]));
  let done = 0;
  const isCut = (): boolean => options.signal?.aborted === true;
  const queue = [...order];
  const confirmed = new Set<string>();
  let isStopping = false;
  const next = function* (): Generator<number> {
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      if (isCut()) return;
      yield at;
      if (isStopping) return;
    }
  };
  // A case that would end the run is confirmed first: if it does not stand, the run goes on.
  do {
    isStopping = false;
    await atATime(next(), concurrency, async (at) => {
      const c = cases[at];
      if (c === undefined) return;
      const result = await perform(c);
      byPlace[at] = result;
      done += 1;
      isStopping ||= options.stopsAt?.(result) === true;
      options.onResult?.(result, done, cases.length);
    });
    if (driver.steady !== true && !isCut()) {
      await confirm(byPlace, {
        // Floods are not repeated.
        doubtful: ({ id }) => !settled.has(id) && !confirmed.has(id) && byId.get(id)?.group !== "abuse",
        again: (one, patience) => {
          const c = byId.get(one.id);
          return c === undefined ? Promise.resolve(one) : perform(c, { patience });
        },
        slowness: options.slowness ?? slownessOf(),
      });
    }
    for (const { id } of byPlace.filter(() => true)) confirmed.add(id);
  } while (queue.length > 0 && !isCut() && !(options.stopsAt !== undefined && byPlace.some(options.stopsAt)));
  // After an early end the cases that did not run are absent, rather than without a verdict.
  const performed = byPlace.filter(() => true);
  const isPartial = performed.length < cases.length;
  const { proof } = options;
  const results = withCauses(
    proof === undefined || isCut() ? performed : await withhold(performed, { ...proof, perform: (c) => perform(c) }),
  );
  const marked =
    options.baseline === undefined
      ? { cases: results, stale: [] }
      : applyBaseline(
          options.baseline,
          results,
          options.all.map(({ id }) => id),
        );
  await options.earlier?.mark(marked.cases, async (one) => {
    const c = byId.get(one.id);
    // Floods are not repeated.
    return c === undefined || c.group === "abuse" || isCut() ? one : perform(c, { patience: 1 });
  });
  return {
    subject: { ...options.subject, role: driver.role, ...(version === undefined ? {} : { version }) },
    suite: options.suite,
    tool: { name: "touchstone", version: toolVersion },
    startedAt,
    ms: Math.round(performance.now() - began),
    summary: summaryOf(results),
    coverage: coverage(requirementFiles(), results),
    titles: titles(requirementFiles(), results),
    ...(isPartial ? { partial: { ran: performed.length, of: cases.length, why: isCut() ? "interrupted" : "fail-fast" } } : {}),
    ...(marked.stale.length === 0 ? {} : { stale: marked.stale }),
    cases: marked.cases,
  };
}

export function summaryOf(results: readonly Pick<CaseResult, "verdict">[]): Summary {
  const summary = { pass: 0, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 };
  for (const { verdict } of results) summary[verdict] += 1;
  return summary;
}

function shuffled(items: number[], seed: number): number[] {
  const random = seeded(seed);
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other] ?? 0, items[at] ?? 0];
  }
  return items;
}
