import { join } from "node:path";
import type { AnyCase } from "../../conformance/harness/case.ts";
import { detailsOf, sightOf } from "../../conformance/harness/earlier.ts";
import type { CaseResult } from "../../conformance/harness/result.ts";
import { ROLES } from "../../conformance/harness/suite.ts";
import { examine, roleOf, suiteOf } from "./examine.ts";
import type { SubjectAddress } from "./ipc.ts";
import type { SuiteJudge } from "./targets.ts";

/** What a case shows, as `check --same-as` compares it. */
export type Shown = { readonly sight: string; readonly details: string | undefined };
export const shownBy = (c: CaseResult): Shown => ({ sight: sightOf(c), details: detailsOf(c) });

/** One unmutated subject: the cases that it passes, their duration, and the files that it loads. */
export type Examination = {
  readonly address: SubjectAddress;
  /** The cases that it passes; every mutant runs the same ones. If it is untried: all that it may run. */
  readonly ids: readonly string[];
  /** The section of each case. */
  readonly sections: Readonly<Record<string, string>>;
  /** What each of them shows, to detect a change that every verdict permits. */
  readonly shown: Readonly<Record<string, Shown>>;
  /** The features that these cases need: a mutant that no longer offers one is not excused. */
  readonly offers: readonly string[];
  /** The floods among them, which take long and run last. */
  readonly abuse: readonly string[];
  readonly ms: number;
  readonly abuseMs: number;
  /** Undefined if it is untried: then the files that the mutant has loaded once it is ready count. */
  readonly reached?: readonly string[];
};

export type BaselineOptions = {
  readonly root: string;
  readonly abuse: boolean;
  readonly say: (line: string) => void;
  /** The folder where the subjects write which code they have executed. */
  readonly cover?: string;
  /** Stops between two subjects. */
  readonly signal?: AbortSignal;
};

/** The unmutated subject fails a case. It cannot judge mutants, so the run stops. */
export class NotClean extends Error {
  override readonly name = "NotClean";
}

/** Runs the cases on the unmutated subjects of a suite. Throws `NotClean` if one of them fails. */
export async function baselineOf({ suite, roles = ROLES, settings = {} }: SuiteJudge, options: BaselineOptions): Promise<Examination[]> {
  const loaded = await suiteOf(join(options.root, suite));
  const found: Examination[] = [];
  for (const role of roles) {
    const one = roleOf(loaded, role);
    if (one === undefined) continue;
    const judged = new Set<string>();
    const cases = await one.cases(settings);
    for (const [index, { takes = () => true }] of one.embedded.subjects.entries()) {
      options.signal?.throwIfAborted();
      const asked = cases.filter((c) => !judged.has(c.id) && takes(c) && (options.abuse || c.group !== "abuse"));
      if (asked.length === 0) continue;
      const examination = await clean({ suite, role, index, settings }, asked, options);
      for (const id of [...examination.ids, ...examination.abuse]) judged.add(id);
      found.push(examination);
    }
  }
  return found;
}

/** The subjects of a suite, without running a case: what each of them passes and shows is unknown. Floods are left out. */
export async function untriedOf({ suite, roles = ROLES, settings = {} }: SuiteJudge, root: string): Promise<Examination[]> {
  const loaded = await suiteOf(join(root, suite));
  const found: Examination[] = [];
  for (const role of roles) {
    const one = roleOf(loaded, role);
    if (one === undefined) continue;
    const cases = (await one.cases(settings)).filter(({ group }) => group !== "abuse");
    for (const [index, { takes = () => true }] of one.embedded.subjects.entries()) {
      const some = cases.filter((c) => takes(c));
      const ids = some.map(({ id }) => id);
      const address = { suite, role, index, settings };
      if (ids.length > 0) found.push({ address, sections: sectionsOf(some), offers: [], shown: {}, ids, abuse: [], ms: 0, abuseMs: 0 });
    }
  }
  return found;
}

const sectionsOf = (cases: readonly AnyCase[]): Record<string, string> => Object.fromEntries(cases.map(({ id, spec }) => [id, spec]));

async function clean(address: SubjectAddress, cases: readonly AnyCase[], { root, say, cover }: BaselineOptions): Promise<Examination> {
  const { ask, order, stop } = await examine(address, undefined, root, cover);
  try {
    const [floods, others] = [cases.filter(({ group }) => group === "abuse"), cases.filter(({ group }) => group !== "abuse")];
    const shown: Record<string, Shown> = {};
    const part = async (some: readonly AnyCase[]): Promise<{ readonly ids: string[]; readonly ms: number }> => {
      if (some.length === 0) return { ids: [], ms: 0 };
      const began = performance.now();
      const result = await ask({ ids: some.map(({ id }) => id) });
      const ms = Math.round(performance.now() - began);
      for (const c of result.cases) shown[c.id] = shownBy(c);
      const ids = result.cases.filter(({ verdict }) => verdict === "pass").map(({ id }) => id);
      for (const { id, verdict, reason } of result.cases.filter(({ verdict }) => verdict !== "pass" && verdict !== "skip")) {
        // On a busy machine some cases time out: alone they must pass.
        const [again] = (await ask({ ids: [id], concurrency: 1 })).cases;
        if (again?.verdict !== "pass") throw new NotClean(`Without a mistake ${id} is ${verdict}: ${reason}`);
        ids.push(id);
        shown[id] = shownBy(again);
      }
      return { ids, ms };
    };
    const plain = await part(others);
    const abuse = await part(floods);
    const flags = Object.entries(address.settings ?? {}).map(([name, value]) => ` --${name} ${value}`);
    say(
      `${address.suite} ${address.role} ${address.index}${flags.join("")}: ${plain.ids.length} cases in ${plain.ms} ms, ${abuse.ids.length} floods in ${abuse.ms} ms`,
    );
    const passed = new Set([...plain.ids, ...abuse.ids]);
    const offers = [...new Set(cases.filter(({ id }) => passed.has(id)).flatMap(({ needs = [] }) => needs))];
    const [sections, reached] = [sectionsOf(cases), [...order.reached()]];
    return { address, sections, offers, shown, ids: plain.ids, abuse: abuse.ids, ms: plain.ms, abuseMs: abuse.ms, reached };
  } finally {
    await stop();
  }
}
