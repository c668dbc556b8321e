/** Results as the blocks that `script/cases.js` reads. */
import type { CaseResult, Result } from "../../conformance/harness/result.ts";
import { coverageByDocument, titlesOf } from "../coverage.ts";
import { baselineWords, beforeWords, bySection, costWords, differenceOf, labels, prose, sectionOf } from "../order.ts";
import { sectionWords, type Blocks } from "./blocks.ts";
import { packTranscripts } from "./wire.ts";

/** The cases by section, the requirements by section, and the transcripts, which the script unpacks with the first that somebody reads. */
export function caseBlocks(results: readonly Result[]): Blocks {
  const placed = bySection(results.flatMap((result, run) => result.cases.map((c) => ({ c, run, spec: c.spec, id: c.id }))));
  const titles = titlesOf(results);
  const refs = [...new Set(placed.map(({ spec }) => sectionOf(spec)))];
  const place = new Map(refs.map((ref, at) => [ref, at]));
  return {
    cases: {
      names: labels(results),
      sections: refs.map((ref) => sectionWords(ref, titles)),
      cases: placed.map(({ c, run }) => ({ run, section: place.get(sectionOf(c.spec)), ...wordsOf(c) })),
    },
    coverage: Object.fromEntries(
      coverageByDocument(results)
        .flatMap(({ sections }) => sections)
        .map(({ ref, entries }) => [ref, entries.map(({ state, level, text, cases }) => [state, level, prose(text), cases])]),
    ),
    transcripts: packTranscripts(results),
  };
}

/** A case in the words of the page. */
const wordsOf = (c: CaseResult): Record<string, unknown> => ({
  id: c.id,
  verdict: c.verdict,
  level: c.level,
  title: c.title,
  reason: prose(differenceOf(c)),
  expected: c.expected.map(prose),
  observed: c.observed,
  before: beforeWords(c),
  note: baselineWords(c),
  cost: c.cost === undefined ? undefined : costWords(c.cost),
  covers: c.covers,
  wire: c.transcript.length > 0,
});
