import type { CoverageEntry, Result } from "../conformance/harness/result.ts";
import { address, compareRefs, grouped, sectionOf, VERDICT_WORDS } from "./order.ts";

export type State = CoverageEntry["state"];
export type Counts = Readonly<Record<State, number>>;
export type SectionCoverage = {
  /** `rfc9113#6.9`. */
  readonly ref: string;
  readonly title?: string;
  readonly counts: Counts;
  readonly entries: readonly CoverageEntry[];
};
export type DocumentCoverage = {
  readonly doc: string;
  readonly title?: string;
  readonly counts: Counts;
  readonly sections: readonly SectionCoverage[];
};

/** The strongest first, as in the coverage of one run. */
export const STATES = ["fail", "warn", "pass", "unproved", "skip"] as const satisfies readonly State[];
const NONE: Counts = { fail: 0, warn: 0, pass: 0, unproved: 0, skip: 0 };

/** Merges the coverage of several runs: the strongest state of a requirement, with the cases of all runs. */
export function mergedCoverage(results: readonly Result[]): CoverageEntry[] {
  const merged = new Map<string, CoverageEntry>();
  for (const entry of results.flatMap((result) => result.coverage)) {
    const known = merged.get(entry.requirement);
    if (known === undefined) {
      merged.set(entry.requirement, entry);
      continue;
    }
    const stronger = STATES.indexOf(entry.state) < STATES.indexOf(known.state) ? entry : known;
    merged.set(entry.requirement, { ...stronger, cases: [...new Set([...known.cases, ...entry.cases])] });
  }
  return [...merged.values()].sort((a, b) => compareRefs(a.requirement, b.requirement));
}

export const titlesOf = (results: readonly Result[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...results.map((result) => result.titles ?? {})) as Record<string, string>;

/** Coverage by document and section; the document with the most cases comes first. */
export function coverageByDocument(results: readonly Result[]): DocumentCoverage[] {
  const titles = titlesOf(results);
  const titled = (ref: string): { title?: string } => {
    const title = titles[ref];
    return title === undefined ? {} : { title };
  };
  const entries = mergedCoverage(results);
  const about = grouped(
    results.flatMap((result) => result.cases),
    (c) => address(c.spec).doc,
  );
  const weight = (doc: string): number => about.get(doc)?.length ?? 0;
  const documents = [...grouped(entries, (entry) => address(entry.requirement).doc)].sort(([a], [b]) => weight(b) - weight(a));
  return documents.map(([doc, inDocument]) => ({
    doc,
    ...titled(doc),
    counts: count(inDocument),
    sections: [...grouped(inDocument, (entry) => sectionOf(entry.requirement))].map(([ref, inSection]) => ({
      ref,
      ...titled(ref),
      counts: count(inSection),
      entries: inSection,
    })),
  }));
}

function count(entries: readonly CoverageEntry[]): Counts {
  const counts = { ...NONE };
  for (const entry of entries) counts[entry.state]++;
  return counts;
}

export const all = (counts: Counts): number => STATES.reduce((sum, state) => sum + counts[state], 0);

/** `1 failed, 9 passed, 1 skipped of 11`. */
export function coverageWords(counts: Counts): string {
  const words = STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${VERDICT_WORDS[state]}`);
  return `${words.join(", ")} of ${all(counts)}`;
}
