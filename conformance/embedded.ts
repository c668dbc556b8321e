import type { CheckOptions } from "./check.ts";
import type { AnyCase } from "./harness/case.ts";
import { coverage, requirementFiles, titles } from "./harness/coverage.ts";
import { casesOfSuite, suiteNamed } from "./harness/registry.ts";
import type { CaseResult, Result } from "./harness/result.ts";
import { summaryOf } from "./harness/run.ts";
import { select, type Selection } from "./harness/select.ts";
import type { Subject } from "./harness/subject/subject.ts";
import { type Embedded, type Registry, rolesOf, type Settings, shardOf } from "./harness/suite.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name" | "only" | "pid" | "tls" | "cert" | "key">;
/** Checks one embedded subject; `title` is for progress. */
export type Perform = (title: string, part: Part) => Promise<Result>;

/** What a check of the embedded subjects runs: selected cases, under the settings of each suite. */
export type EmbeddedOptions = Selection & {
  /** Ends the run early: no further subject is started. */
  readonly signal?: AbortSignal;
  readonly settingsOf?: (suite: string) => Promise<Settings>;
};

/**
 * Checks our own implementation of every role of the suites, started here. Skips a role without a selected case, and one that refuses the
 * settings while another takes them.
 */
export async function embedded(
  registry: Registry,
  suites: readonly string[],
  perform: Perform,
  { settingsOf = async () => ({}), signal, ...selection }: EmbeddedOptions,
): Promise<Result[]> {
  const all: AnyCase[] = [];
  for (const name of suites) all.push(...(await casesOfSuite(await suiteNamed(registry, name), await settingsOf(name))));
  // A pattern is refused only if it matches nothing in any suite.
  const selected = select(all, { abuse: false, ...selection });
  const results: Result[] = [];
  /** Cases of roles that did not begin. */
  let left = 0;
  for (const name of suites) {
    const suite = await suiteNamed(registry, name);
    for (const role of rolesOf(suite)) {
      const subjects: Embedded<Subject> | undefined = suite.roles[role]?.embedded;
      const cases = selected.filter((c) => c.role === role && c.id.startsWith(`${name}/`));
      if (subjects === undefined || cases.length === 0) continue;
      left += cases.length;
      if (signal?.aborted === true) continue;
      const result = await ofSubjects(subjects, cases, (note, part) => perform(`${name} ${role}${note}`, { suite: name, ...part }), signal);
      left -= cases.length;
      const ofRole = all.filter((c) => c.role === role && c.id.startsWith(`${name}/`));
      const shard = shardOf(ofRole, { abuse: false, ...selection });
      results.push({ ...result, ...shard, subject: { ...result.subject, target: `embedded ${role}` } });
    }
  }
  const last = results.at(-1);
  if (left > 0 && last !== undefined) {
    const { ran, of } = last.partial ?? { ran: last.cases.length, of: last.cases.length };
    results[results.length - 1] = { ...last, partial: { ran, of: of + left, why: "interrupted" } };
  }
  return results;
}

/** One result from several subjects: each runs the cases that those before it skipped or did not run. */
async function ofSubjects(
  { name, subjects }: Embedded<Subject>,
  cases: readonly AnyCase[],
  perform: (note: string, part: Omit<Part, "suite">) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const verdicts = new Map<string, CaseResult>();
  let whole: Result | undefined;
  for (const { note, takes = () => true, start } of subjects) {
    const only = cases.filter((c) => (verdicts.get(c.id)?.verdict ?? "skip") === "skip" && takes(c)).map(({ id }) => id);
    if (only.length === 0 || (whole !== undefined && signal?.aborted === true)) continue;
    const { subject, pid, tls, credentials, stop } = await start();
    try {
      const options = { ...(pid === undefined ? {} : { pid }), ...(tls === undefined ? {} : { tls }), ...credentials };
      const result = await perform(note === undefined ? "" : `, ${note}`, { subject, name, only, ...options });
      for (const one of result.cases) verdicts.set(one.id, one);
      whole = whole === undefined ? result : { ...whole, ms: whole.ms + result.ms };
    } finally {
      await stop?.();
    }
  }
  if (whole === undefined) throw new Error(`No embedded subject takes ${cases.map(({ id }) => id).join(", ")}.`);
  const { partial: _, ...kept } = whole;
  const judged = cases.flatMap(({ id }) => verdicts.get(id) ?? []);
  const files = requirementFiles();
  const why = whole.partial?.why ?? "interrupted";
  const partial = judged.length < cases.length ? { partial: { ran: judged.length, of: cases.length, why } } : {};
  return {
    ...kept,
    ...partial,
    cases: judged,
    summary: summaryOf(judged),
    coverage: coverage(files, judged),
    titles: titles(files, judged),
  };
}
