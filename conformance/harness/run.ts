import { seeded } from "../../reference/core/index.ts";
import { version as toolVersion } from "../../version.ts";
import { applyBaseline, type Known } from "./baseline.ts";
import type { Case } from "./case.ts";
import { confirm } from "./confirm.ts";
import { coverage, requirementFiles, titles } from "./coverage.ts";
import type { Driver, Feature, Played, Twin } from "./driver.ts";
import type { CaseResult, Result, Summary, Verdict } from "./result.ts";
import { judge } from "./verdict.ts";

export type RunOptions<C extends Case<unknown, unknown>> = {
  readonly suite: string;
  readonly driver: Driver<C>;
  readonly cases: readonly C[];
  /** Every case of the suite, selected or not: what coverage and stale baseline entries are counted against. */
  readonly all: readonly Pick<Case<unknown, unknown>, "id" | "covers">[];
  readonly subject: { readonly name: string; readonly target: string };
  /** Cases at the same time, each on a connection of its own. */
  readonly concurrency: number;
  /** Shuffles the order; without it, the order of the files. */
  readonly seed?: number;
  readonly baseline?: readonly Known[];
  /** Ends the run early: cases that have begun end, no other begins. */
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CaseResult, done: number, total: number) => void;
};

/** Performs the cases on the subject: the control first, then the case. A throw in one is its own `error`; the others go on. */
export async function runCases<C extends Case<unknown, unknown>>(options: RunOptions<C>): Promise<Result> {
  const { driver, cases } = options;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const { features, version } = await driver.probe();
  const order = options.seed === undefined ? [...cases.keys()] : shuffled([...cases.keys()], options.seed);
  const byPlace: CaseResult[] = [];
  const controls = new Map<string, Promise<Twin>>();
  /** Cases that need no second look: the strict outcome was seen, or a probe has said that there is nothing to see. */
  const strict = new Map<string, boolean>();
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let at = order[next++]; at !== undefined && options.signal?.aborted !== true; at = order[next++]) {
      const c = cases[at];
      if (c === undefined) continue;
      const result = await performOne(c, driver, features, controls, strict);
      byPlace[at] = result;
      done += 1;
      options.onResult?.(result, done, cases.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(options.concurrency, cases.length)) }, worker));
  if (driver.steady !== true && options.signal?.aborted !== true) {
    const byId = new Map(cases.map((c) => [c.id, c]));
    await confirm(
      byPlace,
      // Floods are not sent twice.
      (one) => strict.get(one.id) !== true && byId.get(one.id as C["id"])?.group !== "abuse",
      (one) => {
        const c = byId.get(one.id as C["id"]);
        // A control of its own this time: the one that all share may be what differed.
        return c === undefined ? Promise.resolve(one) : performOne(c, driver, features, new Map(), strict);
      },
    );
  }
  // What an early end has left out is not there at all, rather than there without a verdict.
  const results = byPlace.filter(() => true);
  const marked =
    options.baseline === undefined
      ? { cases: results, stale: [] }
      : applyBaseline(
          options.baseline,
          results,
          options.all.map(({ id }) => id),
        );
  return {
    subject: { ...options.subject, role: driver.role, ...(version === undefined ? {} : { version }) },
    suite: options.suite,
    tool: { name: "touchstone", version: toolVersion },
    startedAt,
    ms: Math.round(performance.now() - began),
    summary: summaryOf(results),
    coverage: coverage(requirementFiles(), options.all),
    titles: titles(requirementFiles()),
    ...(marked.stale.length === 0 ? {} : { stale: marked.stale }),
    cases: marked.cases,
  };
}

async function performOne<C extends Case<unknown, unknown>>(
  c: C,
  driver: Driver<C>,
  features: ReadonlyMap<string, Feature>,
  controls: Map<string, Promise<Twin>>,
  strict: Map<string, boolean>,
): Promise<CaseResult> {
  const began = performance.now();
  const expected = driver.expected(c);
  const finish = (verdict: Verdict, reason: string, played?: Played, twin?: Twin): CaseResult => ({
    id: c.id,
    spec: c.spec,
    level: c.level,
    role: c.role,
    title: c.title,
    verdict,
    reason,
    expected,
    observed: played?.observed ?? "nothing",
    covers: c.covers,
    ms: Math.round(performance.now() - began),
    transcript: played?.transcript ?? [],
    ...(twin === undefined ? {} : { control: twin.transcript }),
    ...(played?.cost === undefined ? {} : { cost: { ...played.cost, ...(c.budget === undefined ? {} : { budget: c.budget }) } }),
  });
  for (const need of c.needs ?? []) {
    const feature = features.get(need);
    strict.set(c.id, true);
    if (feature === undefined) return finish("error", `The case needs "${need}", which no probe of this suite knows.`);
    if (!feature.has) return finish("skip", `Not offered (${need}): ${feature.how}.`);
  }
  try {
    const key = driver.controlKey(c);
    const first = controls.get(key) ?? driver.control(c);
    controls.set(key, first);
    const twin = await first;
    if (twin.is === "error" || twin.is === "skip") return finish(twin.is, twin.reason, undefined, twin);
    const played = await driver.play(c);
    const { verdict, reason } = judge(c, twin, played, expected);
    strict.set(c.id, verdict === "pass" && played.index === 0);
    return finish(verdict, reason, played, twin);
  } catch (error) {
    return finish("error", `The harness failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function summaryOf(results: readonly Pick<CaseResult, "verdict">[]): Summary {
  const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  return { pass: count("pass"), warn: count("warn"), fail: count("fail"), skip: count("skip"), error: count("error") };
}

function shuffled(items: number[], seed: number): number[] {
  const random = seeded(seed);
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other] ?? 0, items[at] ?? 0];
  }
  return items;
}
