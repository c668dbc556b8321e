import type { CoverageEntry, Result } from "../conformance/harness/result.ts";
import { address, compareRefs, grouped, sectionOf } from "./order.ts";

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

const STRENGTH: Readonly<Record<State, number>> = { covered: 2, excused: 1, open: 0 };

/**
 * Merges the coverage of several runs: a requirement is covered if any run covers it, and has the cases of all runs. The suites for servers and
 * clients share documents, and each leaves the requirements of the other role open.
 */
export function mergedCoverage(results: readonly Result[]): CoverageEntry[] {
  const merged = new Map<string, CoverageEntry>();
  for (const entry of results.flatMap((result) => result.coverage)) {
    const known = merged.get(entry.requirement);
    if (known === undefined) {
      merged.set(entry.requirement, entry);
      continue;
    }
    const stronger = STRENGTH[entry.state] > STRENGTH[known.state] ? entry : known;
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
  const counts = { covered: 0, excused: 0, open: 0 };
  for (const entry of entries) counts[entry.state]++;
  return counts;
}

export const all = (counts: Counts): number => counts.covered + counts.excused + counts.open;

/** `9 of 11 covered, 1 excused, 1 open`. */
export function coverageWords(counts: Counts): string {
  const more = (["excused", "open"] as const).filter((state) => counts[state] > 0).map((state) => `, ${counts[state]} ${state}`);
  return `${counts.covered} of ${all(counts)} covered${more.join("")}`;
}
